"""Pairs: what is swapped where, and which swaps a network could know."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from raspl import programs
from raspl.inside.alignment import Question, Sets
from raspl.inside.counterfactual import column, counterfactual
from raspl.inside.pairs import Domain, Pairs, outputs, pairs
from raspl.inside.subjects import Trained
from raspl.inside.variables import Variable, variables
from raspl.language.ir.graph import Graph
from raspl.tasks import END, find
from raspl.training.model import Transformer
from raspl.training.presets import configure

SMALL = {
    "count": {"numbers": 14},
    "copy_unique": {"tokens": 12},
    "parity_scratchpad": {"hints": 12},
    "addition_reverse": {"hints": 7},
}
START = 0


def drawn(name: str, wanted: str) -> tuple[Graph, Variable, Domain, Pairs]:
    task = find(name, SMALL[name])
    graph = programs.load(name).graph
    (variable,) = (one for one in variables(graph) if one.name == wanted)
    lengths = (2, 3) if name.startswith("addition") else (3, 5, 8)
    domain = Domain(task, "train", lengths)
    rng = np.random.default_rng(3)
    return graph, variable, domain, pairs(graph, variable, domain, 100, rng)[0]


CASES: Sequence[tuple[str, str]] = (
    ("count", "last"),
    ("count", "counted"),
    ("copy_unique", "looked_up"),
    ("parity_scratchpad", "ones"),
    ("addition_reverse", "total"),
)


@pytest.mark.parametrize(("name", "wanted"), CASES)
def test_a_pair_wants_what_the_program_says_after_its_swap(name: str, wanted: str) -> None:
    graph, variable, _, made = drawn(name, wanted)
    assert len(made) > 40
    sizes = np.full(len(made), made.base.shape[1])
    mine = column(graph, variable.node, made.base, sizes).values
    others = column(graph, variable.node, made.source, sizes).values
    swapped = np.where(made.swapped, others, mine)
    said = counterfactual(graph, variable.node, made.base, sizes, swapped)
    assert (said.values == made.wanted)[made.asked].all()
    assert made.changed.any(axis=1).all()


@pytest.mark.parametrize(("name", "wanted"), CASES)
def test_no_pair_asks_for_what_the_task_never_asks_for(name: str, wanted: str) -> None:
    graph, _, domain, made = drawn(name, wanted)
    usual = outputs(graph, domain, 2000, np.random.default_rng(5))
    assert np.isin(made.wanted[made.asked], usual).all()
    assert START not in usual


def test_nothing_is_asked_behind_the_end() -> None:
    _, _, _, made = drawn("count", "last")
    ended = np.cumsum((made.wanted == END) & made.asked, axis=1)
    assert (ended <= 1).all()
    early = ((made.wanted == END) & made.changed).any(axis=1)
    assert early.any(), "no swap made the program end earlier"


def test_a_local_variable_is_swapped_only_where_it_matters() -> None:
    _, variable, _, made = drawn("count", "counted")
    assert variable.is_local
    assert (made.swapped == made.changed).all()


def test_some_swaps_are_of_one_position_and_some_of_all() -> None:
    _, variable, _, made = drawn("parity_scratchpad", "ones")
    assert not variable.is_local
    counts = made.swapped.sum(axis=1)
    assert (counts == 1).any()
    assert (counts > 5).any()


def test_a_variable_that_never_differs_has_no_pairs() -> None:
    _, _, _, made = drawn("count", "start")
    assert len(made) == 0


def test_where_swaps_beyond_cross_lengths_some_of_training_do_too() -> None:
    """With five hints, additions of four digits use all: which hint comes next never differs."""
    task = find("addition_reverse", {"hints": 5})
    graph = programs.load("addition_reverse").graph
    (variable,) = (one for one in variables(graph) if one.name == "after_digit")
    trained = Domain(task, "train", (2, 3))
    longer = Domain(task, "hard", (4,), trained.lengths)
    changes = {"hints": 5, "max_length": 3, "test_lengths": (4,)}
    model = Transformer(len(task.alphabet), configure("addition_reverse", "smoke", changes))
    usual, mixed = (
        Sets.drawn(Question(Trained(model), graph, trained, beyond), 0, variable).fitted
        for beyond in ((), (longer,))
    )
    assert len(mixed) == len(usual)
    alone = {one.tobytes() for one in usual.base}
    shared = np.mean([one.tobytes() in alone for one in mixed.base])
    assert 0.3 < shared < 0.7
