"""Candidates, each a pure function of a kind, a seed and an index; and those worth training on."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from random import Random
from types import MappingProxyType

from raspl.tasks.random import arithmetic, from_programs, machines
from raspl.tasks.random.drawn import Drawn, Unfit
from raspl.tasks.random.worth import behaviour, objection

KINDS: Mapping[str, Callable[[str, Random], Drawn]] = MappingProxyType(
    {
        "program": from_programs.as_function,
        "written": from_programs.as_writer,
        "automaton": machines.automaton,
        "transducer": machines.transducer,
        "arithmetic": arithmetic.arithmetic,
    }
)
"""The first two are drawn from the language itself, the others from outside it."""
INSIDE = ("program", "written")
OUTSIDE = tuple(kind for kind in KINDS if kind not in INSIDE)


def candidate(kind: str, seed: int, index: int) -> Drawn:
    """One candidate; `Unfit` if what was drawn makes no task."""
    name = f"random:{kind}:{seed}:{index}"
    return KINDS[kind](name, Random(name))


def worthwhile(
    seed: int, kinds: Sequence[str], keep: Callable[[Drawn], bool] = lambda drawn: True
) -> Iterator[Drawn]:
    """Candidates that are no trivial task and do what no earlier one does, kind after kind.

    `keep` is asked last, as it may be dear. Take as many as are wanted: there is no end.
    """
    seen = set()
    for index in count():
        for kind in kinds:
            try:
                drawn = candidate(kind, seed, index)
            except Unfit:
                continue
            if objection(drawn) is not None:
                continue
            does = behaviour(drawn)
            if does is not None and does not in seen and keep(drawn):
                seen.add(does)
                yield drawn
