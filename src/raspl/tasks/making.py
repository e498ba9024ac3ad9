"""Samplers from functions that know one example, and what users' own samplers must return.

A user's function may return anything. Whatever does not fit is explained in a sentence that says
what it should have been.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from raspl.tasks.examples import NOTHING, Ints, TaskError

Sampler: TypeAlias = Callable[[np.random.Generator, Ints], tuple[Ints, Ints]]
Solver: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
Draw: TypeAlias = Callable[[np.random.Generator, int], Sequence[str]]
"""One sequence of symbols of a length."""
Label: TypeAlias = Callable[[Sequence[str]], str | int | None]
"""The label wanted after a prefix, or None where nothing is asked."""

SHOWN = 8
"""How many names a sentence lists."""


def require_parameters(name: str, what: str, function: Callable[..., object], *taken: str) -> None:
    """Whether a user's function can be called as it will be."""
    try:
        signature = inspect.signature(function)
    except ValueError:  # of some functions that are written in C, nobody knows
        return
    try:
        signature.bind(*taken)
    except TypeError:
        raise TaskError(
            f"Task {name}: {what} is called as {what}({', '.join(taken)}), and yours takes "
            f"{signature}."
        ) from None


def checked_solver(name: str, symbols: Sequence[str], solve: Solver) -> Solver:
    """A user's solver, whose answers are lists of symbols."""
    require_parameters(name, "solve", solve, "prompt")
    known = numbered(symbols)

    def solver(prompt: Sequence[str]) -> list[str]:
        answer = called(name, "its solver", solve, prompt)
        return names_in(answer, known, f"Task {name}: solve({shown(prompt)})")

    return solver


def prompt_sampler(name: str, symbols: Sequence[str], prompts: Draw, solver: Solver) -> Sampler:
    """Draws prompts one by one and solves them."""
    require_parameters(name, "prompts", prompts, "rng", "length")
    known = numbered(symbols)

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        asked, answers = [], []
        for length in lengths.tolist():
            drawn = names_in(prompts(rng, length), known, f"Task {name}: prompts(rng, {length})")
            asked.append([known[symbol] for symbol in drawn])
            answers.append([known[symbol] for symbol in solver(drawn)])
        return table(asked), table(answers)

    return sample


def label_solver(name: str, labels: Sequence[str], label: Label) -> Solver:
    """The label after a prefix as an answer of one token, or of none."""
    require_parameters(name, "label", label, "prefix")
    known = numbered(labels)

    def solver(prefix: Sequence[str]) -> list[str]:
        found = called(name, "label", label, prefix)
        if found is None:
            return []
        text = name_of(found)
        if text not in known:
            raise TaskError(
                f"Task {name}: label({shown(prefix)}) returned {found!r}, which is none of its "
                f"labels {few(labels)}; a label is one of these names, or None where nothing is "
                "asked. Name all labels that are not symbols in labels=."
            )
        return [text]

    return solver


def label_sampler(
    name: str, symbols: Sequence[str], labels: Sequence[str], draw: Draw, solver: Solver
) -> Sampler:
    """Draws sequences one by one and labels every prefix."""
    require_parameters(name, "draw", draw, "rng", "length")
    known, numbers = numbered(symbols), numbered(labels)

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        sequences, wanted = [], []
        for length in lengths.tolist():
            drawn = names_in(draw(rng, length), known, f"Task {name}: draw(rng, {length})")
            found = [solver(drawn[: end + 1]) for end in range(len(drawn))]
            sequences.append([known[symbol] for symbol in drawn])
            wanted.append([numbers[one[0]] if one else NOTHING for one in found])
        return table(sequences), table(wanted)

    return sample


def numbered(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def table(rows: Sequence[Sequence[int]]) -> Ints:
    """Rows of different lengths as a matrix, with NOTHING after the shorter ones."""
    made = np.full((len(rows), max(map(len, rows), default=0)), NOTHING, dtype=np.int64)
    for number, row in enumerate(rows):
        made[number, : len(row)] = row
    return made


def called(
    name: str, what: str, function: Callable[[Sequence[str]], object], given: Sequence[str]
) -> object:
    """What a user's function returns; an error of its own is told with what it was given."""
    try:
        return function(list(given))
    except TaskError:
        raise
    except Exception as error:
        raise TaskError(
            f"Task {name}: {what} failed on {' '.join(given)!r} with {type(error).__name__}: "
            f"{error}"
        ) from error


def names_in(returned: object, known: Mapping[str, int], call: str) -> list[str]:
    """What a user's function returned, as names of symbols."""
    if isinstance(returned, np.ndarray) and returned.ndim != 1:
        raise TaskError(
            f"{call} returned an array of shape {returned.shape}; it is called once for each "
            "example and returns the symbols of that one, as a list."
        )
    if not isinstance(returned, Sequence | np.ndarray):
        raise TaskError(
            f"{call} returned {returned!r}, and not a list of symbols such as [{few(known, 2)}]."
        )
    found = [name_of(one) for one in returned]
    for place, (text, one) in enumerate(zip(found, returned, strict=True)):
        if text not in known:
            raise TaskError(
                f"{call} returned {one!r} at position {place}, which is not a symbol; its symbols "
                f"are {few(known)}.{hint(one, known)}"
            )
    return found


def name_of(value: object) -> str:
    """A symbol's name; the whole number 7 stands for the symbol '7'."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return str(value) if isinstance(value, str) or whole else ""


def hint(value: object, known: Mapping[str, int]) -> str:
    """What may have been meant."""
    if isinstance(value, int | np.integer) and 0 <= value < len(known):
        return f" Symbols are names, not numbers: was {list(known)[value]!r} meant?"
    return ""


def shown(names: Sequence[str]) -> str:
    """Names as an argument in a sentence."""
    return repr(list(names)) if len(names) <= SHOWN else f"[… {len(names)} symbols]"


def few(names: Sequence[str] | Mapping[str, int], most: int = SHOWN) -> str:
    some = [repr(name) for name in list(names)[:most]]
    return ", ".join([*some, "…"] if len(names) > most else some)


def check_drawn(
    name: str, drawn: object, symbols: Sequence[str], labels: Sequence[str] | None
) -> None:
    """What a sampler must return: two tables of numbers, the second of labels if there are any."""
    parts, shape = ("prompts", "answers"), ""
    if labels is not None:
        parts, shape = ("symbols", "labels"), ", both of one shape"
    tables = drawn if isinstance(drawn, tuple) and all(map(is_table, drawn)) else ()
    shapes = {table.shape if labels is not None else len(table) for table in tables}
    if len(tables) != 2 or len(shapes) != 1:
        raise TaskError(
            f"Task {name}: a sampler must return two integer arrays, {parts[0]} and {parts[1]}, "
            f"with a row for each example{shape}; it returned {in_words(drawn)}."
        )
    check_numbers(name, tables[0], symbols, "symbol")
    is_own = labels is not None and labels is not symbols
    check_numbers(name, tables[1], labels or symbols, "label" if is_own else "symbol")


def check_numbers(name: str, part: Ints, names: Sequence[str], kind: str) -> None:
    largest, smallest = int(part.max(initial=0)), int(part.min(initial=0))
    if largest >= len(names):
        raise TaskError(
            f"Task {name}: a sampler returned {kind} {largest}; with {len(names)} "
            f"{kind}s they go from 0 to {len(names) - 1}."
        )
    if smallest < NOTHING:
        raise TaskError(
            f"Task {name}: a sampler returned {kind} {smallest}; {kind}s go from 0, and "
            f"{NOTHING} stands where a row has no token."
        )


def is_table(part: object) -> bool:
    return isinstance(part, np.ndarray) and part.ndim == 2 and part.dtype.kind in "iu"


def in_words(drawn: object) -> str:
    """The shapes of what a sampler returned."""
    if isinstance(drawn, np.ndarray):
        return f"one array of {drawn.dtype} of shape {drawn.shape}"
    if isinstance(drawn, tuple | list):
        return " and ".join(map(in_words, drawn)) or f"an empty {type(drawn).__name__}"
    return f"something of type {type(drawn).__name__}"
