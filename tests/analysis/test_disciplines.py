"""Letter, strict and compilable: what each refuses, and what docs/types.md promises of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest

from raspl import Program, parse, programs
from raspl.analysis.disciplines import Discipline, breaches, disciplines_of
from raspl.compiler import Refused
from raspl.compiler.lower import lower
from raspl.executors import batch
from raspl.language.generator.programs import Style, random_graph
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import SelWidth
from raspl.prediction.sources import NAMES, find_source
from raspl.synthesis import settings_for
from raspl.synthesis.correctness import correct_mask
from raspl.synthesis.examples import uniform_lengths
from tests.analysis.finds import finds_of, stored
from tests.markdown import ROOT
from tests.settling import Shape, has_settled, settles_at

TRICKS = {
    "place within parts": """
def f(x):
    part = has_seen(x, full(x, 0))
    place = sel_width(select(part, part, equals))
    return kqv(mask(place, part == 0, None), place + 1, x, equals)
""",
    "repeat copy": """
def f(x):
    answering = has_seen(x, full(x, 1))
    place = sel_width(select(answering, answering, equals))
    return kqv(mask(place, answering == 0, None), place + 1, x, equals, default=2)
""",
    "plain addition": """
ANSWER, END, ZERO, PLUS = 1, 2, 3, 13
def f(x):
    part = has_seen(x, full(x, PLUS)) + has_seen(x, full(x, ANSWER))
    place = sel_width(select(part, part, equals))
    above = kqv(mask(place, part == 0, None), place, x, equals, default=ZERO)
    total = tok_map(above, lambda a: a - ZERO) + tok_map(x, lambda b: b - ZERO)
    here = kqv(mask(place, part == 1, None), place + 1, indices(x), equals, reduction="max")
    ends = mask(indices(x), (part == 1) & (x != PLUS) & (total != 9), None)
    later = kqv(ends, here, indices(x), gt, reduction="min")
    carry = index_select(total, later, default=0) > 9
    digit = seq_map(index_select(total, here, default=0), carry, lambda d, c: (d + c) % 10 + ZERO)
    return where(here == here, digit, full(x, END))
""",
    "difference of indices": """
def f(x):
    start = firsts(x, full(x, 0))
    distance = sel_width(select(indices(x), start, gt))
    return kqv(distance, distance + 1, x, equals)
""",
    "comparison of two counts": """
def f(x):
    label = where(x == 1, full(x, 1), where(x == 2, full(x, 2), full(x, 0)))
    count = mask(num_prev(label, label), label > 0, None)
    return index_select(label, argmax(count))
""",
    "one token's count aligned with another's": """
def f(x):
    count = num_prev(x, x)
    return kqv(mask(count, x == 1, None), count, x, equals)
""",
    "parity of pairs": """
def f(x):
    count = sel_width(select(x, x, lambda k, q: q == 0 or k == 1))
    return kqv(mask(count, x == 0, None), count, full(x, 1), equals, default=0)
""",
    "next event, by order of indices": """
def f(x):
    here = firsts(x, full(x, 1))
    return kqv(mask(indices(x), x == 2, None), here, x, gt, reduction="min")
""",
}
"""Programs that are legal by the letter."""
REFUSED: dict[str, set[str]] = {
    "place within parts": {"S2", "S3"},
    "repeat copy": {"S2", "S3"},
    "plain addition": {"S2", "S3"},
    "difference of indices": {"S1"},
    "comparison of two counts": {"S2"},
    "one token's count aligned with another's": {"S3"},
    "parity of pairs": {"S3"},
    "next event, by order of indices": set(),
}
WIDTH = "width of an index predicate"
READINGS: tuple[Discipline, ...] = ("letter", "strict", "compilable")


def trick(name: str) -> Program:
    return parse(TRICKS[name])["f"]


@pytest.mark.parametrize("name", TRICKS)
def test_strict_refuses_each_way_around_the_types_by_its_rule(name: str) -> None:
    found = breaches(trick(name).graph, "strict")
    assert {breach.rule.code for breach in found} == REFUSED[name]
    for breach in found:
        shown = str(breach.diagnostic)
        assert breach.rule.sentence in shown
        assert "^" in shown  # at a place in the source


@pytest.mark.parametrize("name", programs.NAMES)
def test_every_program_that_ships_meets_all_three(name: str) -> None:
    assert programs.load(name).disciplines == READINGS


def table() -> str:
    """Which readings the shipped programs and the tricks meet, as the docs show it."""
    shown = {f"`{name}`": programs.load(name).graph for name in programs.NAMES}
    shown |= {name: trick(name).graph for name in TRICKS}
    rows = []
    for name, graph in shown.items():
        met = disciplines_of(graph)
        rows.append(f"| {name} | {' | '.join('yes' if r in met else 'no' for r in READINGS)} |")
    return "\n".join(["| program | letter | strict | compilable |", "|---|---|---|---|", *rows])


def table_of_finds() -> str:
    """How many finds of the search meet each reading, task by task, as the docs show it."""
    rows = ["| task | finds | cost | letter | strict | compilable |", "|---|---|---|---|---|---|"]
    for name, found in stored().items():
        met = [parse(text)["found"].disciplines for text in found["programs"]]
        counts = [str(sum(reading in one for one in met)) for reading in READINGS]
        costs = found["costs"]
        span = " to ".join(str(cost) for cost in sorted({*costs[:1], *costs[-1:]})) or "none"
        rows.append(f"| `{name}` | {len(met)} | {span} | {' | '.join(counts)} |")
    return "\n".join(rows)


@pytest.mark.parametrize("made", [table, table_of_finds])
def test_the_tables_in_the_docs_are_true(made: Callable[[], str]) -> None:
    assert made() in (ROOT / "docs" / "types.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_stored_finds_fit_their_task(name: str) -> None:
    """On what the search tried them on: a find may be wrong elsewhere, even at these lengths."""
    source = find_source(name)
    settings = settings_for(source)
    lengths = uniform_lengths(source, settings.max_length, settings.held_in, settings.min_length)
    examples = source.draw(np.random.default_rng((settings.seed, 1)), lengths)
    for text in stored()[name]["programs"]:
        assert correct_mask(parse(text)["found"].graph, examples).all(), text


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_search_still_finds_what_is_stored(name: str) -> None:
    assert finds_of(name) == stored()[name]


@pytest.mark.parametrize(
    ("name", "task"), [("repeat copy", "copy_repeat"), ("plain addition", "addition_plain")]
)
def test_by_the_letter_the_papers_hard_tasks_have_programs(name: str, task: str) -> None:
    lengths = [*range(1, 30), 100]
    examples = find_source(task).draw(np.random.default_rng(0), lengths)
    assert correct_mask(trick(name).graph, examples).all()


@pytest.mark.parametrize("part", range(4))
def test_what_is_called_compilable_is_not_refused_for_its_selects(part: int) -> None:
    """What is not compilable may be compiled all the same, if nothing asks for the head."""
    rng, compiled, refused = Random(part), 0, 0
    for _ in range(60):
        graph = random_graph(rng, Style(size=8))
        try:
            lower(graph, range(-2, 3))
        except Refused as error:
            if "of indices in a select" in error.reason or error.reason == WIDTH:
                refused += 1
                assert "compilable" not in disciplines_of(graph)
        else:
            compiled += "compilable" in disciplines_of(graph)
    assert compiled
    assert refused


@pytest.mark.parametrize("part", range(4))
def test_outputs_settle_on_repeated_tokens(part: int) -> None:
    """Theorems 1 and 2, on random programs; `python -m tests.settling` takes many more."""
    assert None not in [settles_at(seed) for seed in range(part * 150, part * 150 + 150)]


def test_by_the_letter_words_need_not_settle() -> None:
    """So theorem 2 is about strict programs, and what it tries would notice one that is not."""
    pairs = trick("parity of pairs").graph
    assert not has_settled(pairs, Shape([], [0, 1], []), 6000)
    assert has_settled(pairs, Shape([], [1], []), 60)


def test_what_has_not_settled_yet_is_noticed() -> None:
    """The mean of one 100 and many 1s truncates to more than 1 until there are 99 of them."""
    mean = parse("def f(x):\n    return kqv(x, x, x, lambda k, q: 1)")["f"].graph
    shape = Shape([100], [1], [])
    assert not has_settled(mean, shape, 97)
    assert has_settled(mean, shape, 600)


LENGTH = 10
CONTINUATIONS = 12


def futures(graph: Graph, seed: int = 0) -> int:
    """How many prefixes of 1s and 2s can be told apart by what a program does after them."""
    prefixes = np.array(list(product((1, 2), repeat=LENGTH)))
    after = np.random.default_rng(seed).integers(0, 3, size=(CONTINUATIONS, LENGTH + 1))
    after[0] = 0
    inputs = np.hstack(
        [np.repeat(prefixes, CONTINUATIONS, axis=0), np.tile(after, (len(prefixes), 1))]
    )
    results = batch.run(graph, inputs)
    told = np.where(results.absent, -1000, results.values)[:, LENGTH:]
    return len(np.unique(told.reshape(len(prefixes), -1), axis=0))


def test_a_program_that_copies_repeated_tokens_remembers_every_prefix() -> None:
    """So it has exponentially many futures, and theorem 3 says that it can't be strict."""
    # All but the first token, which its answer starts after.
    assert futures(trick("place within parts").graph) == 2 ** (LENGTH - 1)


@pytest.mark.parametrize("part", range(2))
def test_strict_programs_forget(part: int) -> None:
    """Theorem 3, on random programs that count: a small share of all prefixes are told apart."""
    rng, tried = Random(part), 0
    while tried < 15:
        graph = random_graph(rng, Style(size=rng.randint(6, 16)))
        counts = any(isinstance(node, SelWidth) for node in graph.nodes)
        if counts and "strict" in disciplines_of(graph):
            assert futures(graph) < 2**LENGTH / 4
            tried += 1
