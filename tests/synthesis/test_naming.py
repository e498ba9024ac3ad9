"""Finds in the words of their task: names only for tokens, and text that does what was found."""

from typing import Any

import numpy as np
import pytest

from raspl.analysis.disciplines import disciplines_of
from raspl.executors import batch
from raspl.language.vocabulary import Vocabulary
from raspl.loading import parse
from raspl.prediction.sources import find_source
from raspl.synthesis import search, settings_for
from raspl.synthesis.components import (
    INDICES,
    SAME,
    TOKENS,
    TRUTH,
    Kind,
    Rule,
    Term,
    chosen,
    literal,
    of_literal,
)
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.names import Names
from raspl.synthesis.naming import named
from raspl.synthesis.program_text import program_body, program_text
from raspl.tasks import SHIPPED
from raspl.tasks.languages import language
from tests.synthesis.test_program_text import filled_bank

NAMES = Names(Vocabulary.of(["SoS", ">", "EoS", "a", "b"]))
OF_LABELS = Names(Vocabulary.of({"SoS": 0, "a": 3, "b": 4}), {0: "new", 1: "old"})
SEPARATOR = Term(Rule("compare", "Bool", ("Int",), "==", (1,)), (TOKENS,))
COUNT = Term(Rule("self", "Count", ("Int",), "==", reduction="width"), (TOKENS,))
PREVIOUS = Term(Rule("back", "Int", ("Int",), literals=(1,), value="Int", reduction="mean"))
PREVIOUS = Term(PREVIOUS.rule, (TOKENS,))


def table(*args: Term, entries: tuple[tuple[int, ...], ...], default: int, op: str = "") -> Term:
    int_: Kind = "Int"
    rule = Rule("table", int_, (int_,) * len(args), op, default=default, entries=entries)
    return Term(rule, args)


def plus(a: Term, b: Term) -> Term:
    return Term(Rule("map", "Int", ("Int", "Int"), "+"), (a, b))


def body(term: Term, names: Names = NAMES) -> list[str]:
    return [line.strip() for line in program_body(named(term, 8, names)).splitlines()]


def assert_same(term: Term, bits: int, names: Names) -> None:
    """The text, read again, is a program that does the same on any tokens."""
    text = program_text(term, bits, names=names)
    (shown,) = parse(text).values()
    given, rng = to_graph(term, bits), np.random.default_rng(0)
    tokens = sorted(names.tokens.numbers.values())
    rows = [rng.choice(tokens, size=size).tolist() for size in (1, 2, 3, 5, 8, 13, 13)]
    expected, again = batch.run(given, rows), batch.run(shown.graph, rows)
    assert sorted(again.errors) == sorted(expected.errors), text
    for row in set(range(len(rows))) - set(expected.errors):
        assert list(again[row]) == list(expected[row]), text
    assert disciplines_of(shown.graph) == disciplines_of(given), text


def test_one_number_is_a_token_here_and_a_number_there() -> None:
    """One is added in one place, and compared with the token 1 in another."""
    term = chosen(SEPARATOR, literal(1), plus(TOKENS, literal(1)))
    assert body(term) == [
        'v1 = x == ">"',
        "v2 = x + full(x, 1)",
        'v3 = where(v1, full(x, ">"), v2)',
        "return v3",
    ]


def test_defaults_and_what_stands_beside_tokens() -> None:
    least = Rule("pair", "Int", ("Int",) * 3, ">", value="Int", reduction="min", default=2)
    assert body(Term(least, (TOKENS, TOKENS, TOKENS)))[0].endswith(
        'default="EoS", reduction="min")'
    )
    has = Term(Rule("pair", "Bool", ("Int", "Int"), "==", reduction="has"), (TOKENS, literal(3)))
    assert body(has)[0] == 'v1 = kqv(x, full(x, "a"), full(x, 1), equals)'
    assert body(of_literal(has, 4, 2))[0] == (
        'v1 = kqv(x, full(x, "a"), full(x, "b"), equals, default="EoS")'
    )
    gate = Term(Rule("gate", "Bool", ("Int",), "==", (3,), reduction="has"), (PREVIOUS,))
    assert body(gate)[:2] == [
        'v1 = shift_right(x, 1, default="SoS")',
        'v2 = kqv(full(x, "a"), v1, full(x, 1), equals)',
    ]


def test_tables_read_by_name() -> None:
    replaced = Term(Rule("replace", "Int", ("Int",), literals=(1, 2)), (TOKENS,))
    assert body(replaced)[0] == 'v1 = tok_map(x, lambda t: "EoS" if (t == ">") else t)'
    same = table(PREVIOUS, entries=((3, 4),), default=0, op=SAME)
    assert body(same)[1] == 'v2 = tok_map(v1, lambda t: "b" if (t == "a") else t)'
    # What a table makes of a token, and another table reads, is a number.
    inner = table(TOKENS, PREVIOUS, entries=((3, 4, 1),), default=0)
    outer = table(inner, entries=((1, 3),), default=2)
    assert body(outer)[1:3] == [
        'v2 = seq_map(x, v1, lambda a, b: 1 if ((a == "a") and (b == "b")) else 0)',
        'v3 = tok_map(v2, lambda t: "a" if (t == 1) else "EoS")',
    ]


def test_sums_positions_and_truth_values_are_no_tokens() -> None:
    sum_is_one = Term(SEPARATOR.rule, (plus(TOKENS, PREVIOUS),))
    assert body(sum_is_one)[2] == "v3 = v2 == 1"
    truth = Term(Rule(TRUTH, "Int", ("Bool",)), (SEPARATOR,))
    assert body(plus(truth, literal(1)))[1] == "v2 = v1 + full(x, 1)"
    place = Term(Rule("successor", "Index", ("Index",), literals=(1,)), (INDICES,))
    assert body(place)[0] == "v1 = indices(x) + 1"


def test_labels_are_no_tokens() -> None:
    seen = chosen(Term(SEPARATOR.rule, (PREVIOUS,)), literal(0), literal(3))
    assert body(table(TOKENS, entries=((3, 3),), default=0), OF_LABELS)[0] == (
        'v1 = tok_map(x, lambda t: 3 if (t == "a") else 0)'
    )
    assert body(seen, OF_LABELS)[-2] == "v3 = where(v2, full(x, 0), full(x, 3))"
    text = program_text(table(TOKENS, entries=((3, 1),), default=0), 8, names=OF_LABELS)
    assert 'TOKENS = {"SoS": 0, "a": 3, "b": 4}\n' in text
    assert '# Of the labels, 0 is "new", 1 is "old".\n' in text


def test_names_are_stated_only_where_they_are_used() -> None:
    assert "TOKENS" not in program_text(COUNT, 8, names=NAMES)
    assert "TOKENS" not in program_text(SEPARATOR, 8)
    assert 'TOKENS = ["SoS", ">", "EoS", "a", "b"]' in program_text(SEPARATOR, 8, names=NAMES)


def test_names_that_are_words_of_the_library_are_not_imported() -> None:
    names = Names(Vocabulary.of(["where", "select", 'a "quoted" name']))
    assert program_text(SEPARATOR, 8, names=names).startswith("from raspl import program\n")
    assert_same(SEPARATOR, 8, names)
    assert_same(chosen(SEPARATOR, literal(2), TOKENS), 8, names)


@pytest.mark.parametrize("name", ["sort", "majority", "parity_plain"])
@pytest.mark.parametrize("names", [NAMES, OF_LABELS])
def test_any_value_of_a_bank_reads_back_as_itself(name: str, names: Names) -> None:
    bank, rng = filled_bank(name, 2), np.random.default_rng(2)
    for kind, levels in bank.levels.items():
        total = levels[-1].first + len(levels[-1])
        for id_ in rng.permutation(total)[:40]:
            assert_same(bank.term(kind, int(id_)), bank.layout.bits, names)


def test_random_tables_of_random_values_read_back_as_themselves() -> None:
    bank, rng = filled_bank("majority", 1), np.random.default_rng(3)
    values = [bank.term("Int", id_) for id_ in range(bank.levels["Int"][-1].first)]
    values += [PREVIOUS, Term(Rule("balance", "Int", entries=((3, 2), (4, 0)), default=1))]
    for _ in range(60):
        first, second = (values[int(rng.integers(len(values)))] for _ in range(2))
        keys = {tuple(rng.integers(0, 5, size=2).tolist()) for _ in range(3)}
        entries = tuple(sorted((*key, int(rng.integers(0, 5))) for key in keys))
        inner = table(first, second, entries=entries, default=int(rng.integers(0, 5)))
        outer = table(inner, entries=((0, 2), (3, 4)), default=1, op=SAME)
        term = chosen(SEPARATOR, outer, plus(inner, literal(1)))
        assert_same(term, bank.layout.bits, NAMES)
        assert_same(term, bank.layout.bits, OF_LABELS)


def finds_read_back(name: str, **limits: Any) -> None:
    source = find_source(name)
    assert source.names is not None
    for find in search(source, settings_for(source, budget=1e9, **limits)).finds:
        assert_same(find.term, find.graph.bits, source.names)


@pytest.mark.parametrize("name", SHIPPED)
def test_cheap_finds_of_shipped_tasks_read_back_as_themselves(name: str) -> None:
    finds_read_back(name, max_cost=2, deep=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHIPPED)
def test_all_finds_of_shipped_tasks_read_back_as_themselves(name: str) -> None:
    finds_read_back(name, work=400_000_000, stop_at_first=True)


def test_finds_of_a_language_read_back_as_themselves() -> None:
    source = find_source(language("(ab|b)*"))
    assert source.names is not None
    assert source.names.labels == {0: "q0", 1: "q1"}
    finds = search(source, settings_for(source, max_cost=2, budget=1e9)).finds
    assert finds
    for find in finds:
        assert_same(find.term, find.graph.bits, source.names)
        assert '"a"' in program_text(find.term, find.graph.bits, names=source.names)
