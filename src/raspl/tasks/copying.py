"""Copy: the tokens again. Unique tokens make it an induction head; repeated ones defeat that."""

from collections.abc import Sequence

import numpy as np

from raspl.tasks.programs import source
from raspl.tasks.task import Ints, Task, TaskError, keep


def copy_unique(tokens: int = 100) -> Task:
    """`SoS a c d b > a c d b EoS`, tokens drawn without replacement."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        prompt = keep(without_replacement(rng, tokens, lengths), lengths)
        return prompt, prompt

    return Task(
        name="copy-unique",
        about="the tokens again; no token occurs twice",
        symbols=numbered(tokens),
        sample=sample,
        solve=list,
        longest=tokens,
        program=source("copy_unique"),
    )


def copy_repeat(tokens: int = 2) -> Task:
    """`SoS a a b a > a a b a EoS`, tokens drawn with replacement."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        prompt = keep(rng.integers(tokens, size=(len(lengths), lengths.max())), lengths)
        return prompt, prompt

    return Task(
        name="copy-repeat",
        about="the tokens again; few tokens, often repeated",
        symbols=numbered(tokens),
        sample=sample,
        solve=list,
    )


def sort(numbers: int = 100) -> Task:
    """`SoS 4 12 3 7 > 3 4 7 12 EoS`, numbers drawn without replacement."""

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        prompt = without_replacement(rng, numbers, lengths)
        past = np.where(np.arange(prompt.shape[1]) < lengths[:, None], prompt, numbers)
        return keep(prompt, lengths), keep(np.sort(past, axis=1), lengths)

    def solve(prompt: Sequence[str]) -> list[str]:
        return sorted(prompt, key=int)

    return Task(
        name="sort",
        about="the numbers in ascending order; no number occurs twice",
        symbols=numbered(numbers),
        sample=sample,
        solve=solve,
        longest=numbers,
        program=source("sort"),
    )


def numbered(tokens: int) -> list[str]:
    if tokens < 1:
        raise TaskError("A task needs at least one token.")
    return [str(token) for token in range(tokens)]


def without_replacement(rng: np.random.Generator, tokens: int, lengths: Ints) -> Ints:
    """Each row the beginning of its own random permutation of all tokens."""
    order = rng.random((len(lengths), tokens), dtype=np.float32).argsort(axis=1)
    return order[:, : lengths.max()]
