"""Which random tasks count: some for each cost of the shortest program, and as many from outside.

Tasks are drawn and predicted in one order, and every prediction is written down. The suite is the
first so many of each stratum, a pure function of what was written down. So it does not depend on
any outcome, and a drawing that was stopped goes on where it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from raspl.benchmark.ledger import Entry
from raspl.benchmark.recipe import SUITE_SEED
from raspl.prediction import Prediction
from raspl.tasks.random.candidates import INSIDE, OUTSIDE, worthwhile

NOT_FOUND = "no program found"
MOST = 7
"""Programs of this cost and of greater ones are one stratum."""
COSTS = (*(f"cost {cost}" for cost in range(1, MOST)), f"cost {MOST} or more")
RULED_OUT = {"automaton": 37, "transducer": 18, "arithmetic": 18}
"""Of each kind from outside, tasks of which every program is ruled out. Most random automata are
such, so theirs make up for the others that they lack: about 40 of each kind in all."""
WANTED: Mapping[tuple[str, ...], Mapping[str, int]] = {
    **{(kind,): {kind: 22, f"{kind}, ruled out": RULED_OUT[kind]} for kind in OUTSIDE},
    INSIDE: dict.fromkeys((*COSTS, NOT_FOUND), 20),
}
"""For the kinds that are drawn together, how many tasks of each stratum: in all about as many from
outside the language as from inside."""
MOST_TRIED = {True: 100, False: 150}
"""Candidates of a group that are predicted at most, from outside the language or not: hardly any
automaton is not ruled out, and few programs have a shortest one of cost 4 or 6."""


def kind_of(task: str) -> str:
    return task.split(":")[1]


def stratum(task: str, prediction: Prediction) -> str:
    """Of a task from the language what its cheapest program costs; else its kind."""
    kind = kind_of(task)
    if kind in OUTSIDE:
        return f"{kind}, ruled out" if prediction.impossible else kind
    program = prediction.cheapest
    return NOT_FOUND if program is None else COSTS[min(max(program.cost, 1), MOST) - 1]


def wanted() -> Counter[str]:
    """How many tasks each stratum has."""
    return Counter({of: number for group in WANTED.values() for of, number in group.items()})


def chosen(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The suite: the first tasks of each stratum, as many as are wanted."""
    left = wanted()
    for entry in entries:
        of = stratum(entry.task, entry.prediction)
        if left[of] > 0:
            left[of] -= 1
            yield entry


def missing(entries: Iterable[Entry]) -> Counter[str]:
    """How many tasks each stratum lacks."""
    have = Counter(stratum(entry.task, entry.prediction) for entry in chosen(entries))
    return wanted() - have


def is_complete(kinds: tuple[str, ...], entries: Sequence[Entry]) -> bool:
    """Whether all strata of some kinds are full, or enough was tried."""
    left = missing(entries)
    enough = tried(kinds, entries) >= most_tried(kinds)
    return enough or not any(left[of] for of in WANTED[kinds])


def tried(kinds: tuple[str, ...], entries: Iterable[Entry]) -> int:
    """How many tasks of some kinds were predicted."""
    return sum(kind_of(entry.task) in kinds for entry in entries)


def most_tried(kinds: tuple[str, ...]) -> int:
    """How many tasks of a group are predicted at most."""
    return MOST_TRIED[kinds != INSIDE]


def candidates(kinds: tuple[str, ...]) -> Iterator[str]:
    """Names of tasks to predict, of each kind in turn, without end."""
    for drawn in worthwhile(SUITE_SEED, kinds):
        yield drawn.task.name
