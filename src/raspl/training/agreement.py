"""Does a model do what its task's program does, on sequences that no example looks like?"""

import numpy as np
import torch

from raspl import programs
from raspl.programs import load_single
from raspl.tasks import FRAME, NOTHING, Ints, Purpose, Task, stream
from raspl.training.configuration import Configuration
from raspl.training.evaluation import drawn_for_test
from raspl.training.model import Transformer
from raspl.training.result import Agreement, Comparison

COMPARED = 32
"""Sequences on which a program is run beside the model."""


@torch.inference_mode()
def predictions(model: Transformer, tokens: Ints) -> Ints:
    """The model's next token at every position."""
    device = model.embed.weight.device
    guesses: Ints = model(torch.from_numpy(tokens).to(device)).argmax(-1).cpu().numpy()
    return guesses


def agreement(model: Transformer, task: Task, seed: int, length: int, on: str) -> Agreement:
    """The task's own prompts, then random symbols: model against program, position by position.

    A labelled task writes nothing, so its own sequences are read as they are. On noise a program
    may leave its range, or name a token past the alphabet's end; what no model could say is left
    out.
    """
    if task.program is None:
        raise ValueError(f"Task {task.name} has no RASP-L program.")
    program = load_single(task.program, task.alphabet)
    rng = stream(seed, Purpose.PROBE, length)
    examples = task.examples(rng, np.full(COMPARED, length), on).left_aligned()
    noise = rng.integers(len(FRAME), len(task.alphabet), size=examples.tokens.shape)
    tokens = np.where(examples.answers, noise, np.maximum(examples.tokens, 0))[:, : model.context]
    asked = (examples.questions()[1] != NOTHING)[:, : model.context]
    tokens = tokens[:, : asked.shape[1]]
    guesses = predictions(model, tokens)
    results = program.batch(tokens)
    asked[list(results.errors)] = False
    sayable = range(task.first_label, len(task.alphabet)) if task.is_labelled else task.outputs
    comparable = asked & np.isin(results.values, [task.outputs[token] for token in sayable])
    same = (np.array(task.outputs)[guesses] == results.values) & np.isin(guesses, sayable)
    agree, place = same[comparable], (asked.cumsum(axis=1) - 1)[comparable]
    agreed, compared = np.bincount(place, weights=agree), np.bincount(place)
    by_position = (
        float(right / all_of_it) if all_of_it else None
        for right, all_of_it in zip(agreed, compared, strict=True)
    )
    share = float(agree.mean()) if agree.size else None
    return Agreement(length=length, share=share, by_position=tuple(by_position))


def comparison(model: Transformer, task: Task, config: Configuration, length: int) -> Comparison:
    """The named program against the truth: which of them does the model follow, where they differ?

    The right answer is fed in, so each token is asked for by itself.
    """
    examples = drawn_for_test(task, config, config.judged_on(task), length)
    tokens, asked = np.maximum(examples.tokens[:, :-1], 0), examples.answers[:, 1:]
    said = programs.load(config.compared_with).batch(tokens)
    wrong = asked & (said.values != examples.tokens[:, 1:])
    wrong[list(said.errors)] = False
    guesses = predictions(model, tokens)
    like_program, like_truth = guesses == said.values, guesses == examples.tokens[:, 1:]
    place = asked.cumsum(axis=1) - 1
    compared, of_program, of_truth = (
        np.bincount(place[wrong], weights=one[wrong], minlength=int(place.max()) + 1)
        for one in (np.ones_like(wrong), like_program, like_truth)
    )
    total = int(wrong.sum())
    return Comparison(
        program=config.compared_with,
        length=length,
        asked=int(asked.sum()),
        differing=total,
        like_program=float(like_program[wrong].mean()) if total else None,
        like_truth=float(like_truth[wrong].mean()) if total else None,
        by_position=tuple(
            (float(one / number), float(other / number)) if number else None
            for one, other, number in zip(of_program, of_truth, compared, strict=True)
        ),
    )
