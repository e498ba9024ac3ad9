"""Exact match by one teacher-forced pass; final answers by cached decoding.

Greedy decoding writes the whole answer right exactly if every argmax is right while the right
answer is fed in, so exact match needs no decoding. A final answer behind a wrong scratchpad does.
"""

import zlib
from collections.abc import Iterator

import numpy as np
import torch
from torch import Tensor

from raspl.tasks import END, NOTHING, SEPARATOR, Bools, Examples, Ints, Purpose, Task, stream
from raspl.training.batches import lengths
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.model import Transformer
from raspl.training.result import Score

CHUNK = 16_384
"""Tokens in one forward pass of an evaluation."""
MORE = 4
"""How many times as many examples tell whether a run has converged as are tested at a length."""


def drawn_for_test(task: Task, config: Configuration, on: str, length: int) -> Examples:
    """The test examples of a length: all there are if the task lists them, else (seed, length)."""
    every = task.enumerated(length) if on == "train" else None
    if every is not None:
        return every.left_aligned()
    number = config.examples_per_test
    rng = stream(config.seed, Purpose.TEST, zlib.crc32(on.encode()), length)
    return task.examples(rng, np.full(number, length), on).left_aligned()


def correct(model: Transformer, examples: Examples) -> tuple[Bools, Bools]:
    """For each example: is the output right, and is it right but for the end token?"""
    width = examples.tokens.shape[1]
    inputs, wanted = examples.questions()
    if inputs.shape[1] > model.context:
        raise TrainingError(
            f"A test example of {width} tokens does not fit the model's context of "
            f"{model.context}; set a longer context or shorter test lengths."
        )
    rows = max(CHUNK // width, 1)
    parts = [
        correct_rows(model, inputs[low : low + rows], wanted[low : low + rows])
        for low in range(0, len(examples), rows)
    ]
    whole, without_end = (np.concatenate(part) for part in zip(*parts, strict=True))
    return whole, without_end


@torch.inference_mode()
def correct_rows(model: Transformer, tokens: Ints, wanted: Ints) -> tuple[Bools, Bools]:
    device = model.embed.weight.device
    inputs = torch.from_numpy(np.maximum(tokens, 0)).to(device)
    row, column = (wanted != NOTHING).nonzero()
    place = torch.from_numpy(row * inputs.shape[1] + column).to(device)
    guesses = model.logits(model.hidden(inputs, only=place)).argmax(-1).cpu().numpy()
    target = wanted[row, column]
    wrong = np.bincount(row[guesses != target], minlength=len(tokens))
    inner = (guesses != target) & (target != END)
    wrong_inner = np.bincount(row[inner], minlength=len(tokens))
    return wrong == 0, wrong_inner == 0


def score(model: Transformer, task: Task, config: Configuration, on: str, length: int) -> Score:
    return scored(model, drawn_for_test(task, config, on, length), on, length)


def score_as_trained(model: Transformer, task: Task, config: Configuration) -> Score:
    """In distribution: examples as training draws them, of all lengths up to the longest."""
    on = config.train_on
    rng = stream(config.seed, Purpose.TEST, zlib.crc32(on.encode()))
    wanted = lengths(rng, task, config, MORE * config.examples_per_test)
    return scored(model, task.examples(rng, wanted, on).left_aligned(), on, config.max_length)


def scored(model: Transformer, examples: Examples, on: str, length: int) -> Score:
    whole, without_end = correct(model, examples)
    return Score(
        on=on,
        length=length,
        examples=len(examples),
        exact=float(whole.mean()),
        exact_without_end=float(without_end.mean()),
    )


def measured(task: Task, config: Configuration) -> Iterator[tuple[str, int]]:
    """What is tested: the longest training length as trained, then what the run is judged on."""
    yield config.train_on, config.max_length
    for length in config.test_lengths:
        yield config.judged_on(task), length


def progress_scores(model: Transformer, task: Task, config: Configuration) -> Iterator[Score]:
    for on, length in measured(task, config):
        yield score(model, task, config, on, length)


@torch.inference_mode()
def decode(model: Transformer, prompts: Ints, sizes: Ints, limit: int) -> Ints:
    """Greedy continuations of many prompts side by side, up to and with the end token.

    Prompts are left-aligned rows of `sizes` tokens. While some prompts are still being read,
    the shorter ones already write: a row takes its next token from its prompt or from the model.
    """
    device = model.embed.weight.device
    rows, width = prompts.shape
    limit = min(limit, model.context)
    shortest = int(sizes.min())
    written: Tensor = torch.full((rows, max(limit, width)), NOTHING, device=device)
    written[:, :width] = torch.from_numpy(np.maximum(prompts, 0)).to(device)
    size = torch.from_numpy(sizes).to(device)
    ended = torch.zeros(rows, dtype=torch.bool, device=device)
    cache = model.cache(rows, limit)
    inputs = written[:, :shortest]
    for column in range(shortest, limit):
        guess = model.logits(model.hidden(inputs, cache=cache)[:, -1]).argmax(-1)
        mine = (size <= column) & ~ended
        token = torch.where(mine, guess, written[:, column])
        written[:, column] = torch.where(ended, NOTHING, token)
        ended |= mine & (guess == END)
        if bool(ended.all()):
            break
        inputs = written[:, column : column + 1].clamp_min(0)
    return written.cpu().numpy()


def final_answers(model: Transformer, task: Task, examples: Examples) -> float:
    """Share of examples whose decoded final answer is right, whatever the scratchpad says."""
    tokens, sizes = examples.tokens, examples.sizes
    if task.final is None:
        return float(correct(model, examples)[0].mean())
    prompt = (tokens == SEPARATOR).argmax(axis=1) + 1
    only_prompt = np.where(np.arange(tokens.shape[1]) < prompt[:, None], tokens, NOTHING)
    only_prompt, limit = only_prompt[:, : prompt.max()], 2 * tokens.shape[1]
    rows = max(CHUNK // limit, 1)
    pieces = (slice(at, at + rows) for at in range(0, len(tokens), rows))
    written = np.concatenate(
        [decode(model, only_prompt[one], prompt[one], limit) for one in pieces]
    )
    tail = np.arange(-task.final - 1, 0)
    ends = (written == END) & (np.arange(written.shape[1]) >= prompt[:, None])
    length = np.where(ends.any(axis=1), ends.argmax(axis=1) + 1, 0)
    row = np.arange(len(tokens))[:, None]
    mine = written[row, np.maximum(length[:, None] + tail, 0)]
    right = tokens[row, sizes[:, None] + tail]
    return float(((mine == right).all(axis=1) & (length > prompt + task.final)).mean())
