"""Counterfactual probes: is the model running the algorithm, or does it fit the training set?

Each probe shows a model sequences that no example looks like and reads its predictions at every
position (appendix "Counterfactual Analysis on Count").
"""

from dataclasses import dataclass

import numpy as np
import torch

from raspl.tasks import END, FRAME, NOTHING, SEPARATOR, START, Ints, Purpose, Task, stream
from raspl.tasks.programs import next_token
from raspl.training.model import Transformer

COUNTED = 256
"""Sequences in a probe of count."""
COMPARED = 32
"""Sequences on which a program is run beside the model."""


@dataclass(frozen=True)
class CountProbe:
    """The four tests of the paper; each is a share that an ideal counter has at 1."""

    length: int
    starts_with_first: float
    """After `>` comes the first number."""
    ends_after_last: float
    """After the last number comes EoS."""
    adds_one: float
    """After any other number comes its successor."""
    ends_rightly: float
    """Of the EoS that were written, those that follow the last number."""


@dataclass(frozen=True)
class Agreement:
    """How often a model and its task's program predict the same token on random answers."""

    length: int
    share: float | None
    """None if there was nothing to compare."""
    by_position: tuple[float | None, ...]
    """By the number of the answer's token, the end token's included."""


@torch.inference_mode()
def predictions(model: Transformer, tokens: Ints) -> Ints:
    """The model's next token at every position."""
    device = model.embed.weight.device
    guesses: Ints = model(torch.from_numpy(tokens).to(device)).argmax(-1).cpu().numpy()
    return guesses


def probe_count(model: Transformer, task: Task, seed: int, length: int) -> CountProbe:
    """Count's prompt at a distance, then random numbers in place of the answer, the last one b."""
    numbers = len(task.symbols)
    task.check_length(length)
    rng = stream(seed, Purpose.PROBE, length)
    first = rng.integers(0, numbers - length + 1, size=COUNTED)
    last = first + length - 1
    noise = rng.integers(0, numbers, size=(COUNTED, length))
    noise[:, -1] = last
    symbols = np.concatenate((first[:, None], last[:, None], noise), axis=1) + len(FRAME)
    tokens = np.insert(symbols, [0, 2], [START, SEPARATOR], axis=1)
    guesses = predictions(model, tokens)[:, 3:]
    shown, ends = noise + len(FRAME), noise == last[:, None]
    plain = ~ends & (noise < numbers - 1)
    after = guesses[:, 1:]
    written = guesses == END
    right = (after == END) & ends
    return CountProbe(
        length=length,
        starts_with_first=float((guesses[:, 0] == first + len(FRAME)).mean()),
        ends_after_last=float((after == END)[ends].mean()),
        adds_one=float((after == shown + 1)[plain].mean()) if plain.any() else 1.0,
        ends_rightly=float(right.sum() / written.sum()) if written.any() else 1.0,
    )


def probe_program(model: Transformer, task: Task, seed: int, length: int, on: str) -> Agreement:
    """The task's own prompts, then random symbols: model against program, position by position.

    On noise a program may leave its range, or name a token past the alphabet's end; what no model
    could say is left out.
    """
    if task.program is None:
        raise ValueError(f"Task {task.name} has no RASP-L program.")
    program = next_token(task.program)
    rng = stream(seed, Purpose.PROBE, length)
    examples = task.examples(rng, np.full(COMPARED, length), on).left_aligned()
    noise = rng.integers(len(FRAME), len(task.alphabet), size=examples.tokens.shape)
    tokens = np.where(examples.answers, noise, np.maximum(examples.tokens, 0))[:, : model.context]
    asked = examples.answers[:, 1 : model.context + 1]  # is the next token the model's to write?
    tokens = tokens[:, : asked.shape[1]]
    guesses = predictions(model, tokens)
    results = program.batch(tokens)
    said = results.values
    said[list(results.errors)] = NOTHING
    comparable = asked & (said >= 0) & (said < len(task.alphabet))
    agree, place = (said == guesses)[comparable], (asked.cumsum(axis=1) - 1)[comparable]
    agreed, compared = np.bincount(place, weights=agree), np.bincount(place)
    by_position = (
        float(right / all_of_it) if all_of_it else None
        for right, all_of_it in zip(agreed, compared, strict=True)
    )
    share = float(agree.mean()) if agree.size else None
    return Agreement(length, share, tuple(by_position))
