"""Tables, decision lists, balances and contradictions, against their definitions."""

from itertools import combinations, permutations

import numpy as np

from raspl.executors import reference
from raspl.synthesis.balances import balance_rule, weightings
from raspl.synthesis.components import SAME, TOKENS, Rule, Term
from raspl.synthesis.decisions import decision_lists
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.separation import Contradictions, pair_covers
from raspl.synthesis.tables import (
    UNBOUNDED,
    _chained,
    _classes,
    entries_of,
    table_rule,
    table_term,
)

RNG = np.random.default_rng(0)


def test_a_balance_is_the_sign_of_a_weighted_count() -> None:
    alphabet = [0, 1, 2, 3]
    weights = weightings(len(alphabet)).T
    for chosen in weights[RNG.permutation(len(weights))[:40]].tolist():
        graph = to_graph(Term(balance_rule(alphabet, chosen)), 8)
        tokens = RNG.integers(4, size=30)
        total = np.cumsum(np.array(chosen)[tokens])
        assert reference.run(graph, tokens.tolist()).tolist() == (total >= 0).tolist()


def test_a_table_costs_its_entries() -> None:
    def cost(outputs: list[int]) -> int:
        rule = table_rule({(key,): output for key, output in enumerate(outputs)})
        assert rule is not None
        return rule.cost

    assert cost([3, 3, 3]) == 1
    assert cost([0, 5, 2, 3]) == 1  # one value replaced
    assert cost([7, 7, 4, 7]) == 1
    assert cost([9, 8, 7, 6]) == 3


def test_tables_of_several_values_compute_them() -> None:
    terms = [TOKENS, *(Term(Rule("plus", "Int", ("Int",), literals=(n,)), (TOKENS,)) for n in (1,))]
    terms.append(Term(Rule("compare", "Bool", ("Int",), ">", (1,)), (TOKENS,)))
    tokens = RNG.integers(5, size=40)
    columns = [tokens, tokens + 1, (tokens > 1).astype(np.int64)]
    wanted = (tokens * 3) % 5
    entries = entries_of(columns, wanted)
    assert entries is not None
    made = table_term(terms, entries)
    assert made is not None
    assert reference.run(to_graph(made, 8), tokens.tolist()).tolist() == wanted.tolist()
    assert entries_of([tokens % 2], wanted) is None
    replaced = Rule("table", "Int", ("Int",), SAME, entries=((1, 2),))
    assert table_rule({(0,): 0, (1,): 2, (3,): 3}) == replaced


def test_orders_are_given_up_only_if_they_are_not_the_cheapest() -> None:
    """Against all orders, each to its end; outputs from 0 may need no outer table."""
    rng = np.random.default_rng(1)
    more = Term(Rule("plus", "Int", ("Int",), literals=(1,)), (TOKENS,))
    terms = (TOKENS, more, Term(more.rule, (more,)))
    outcomes = set()
    for rows in (4, 20, 60, 120, 240) * 12:
        keys = rng.integers(rng.integers(2, 16), size=(rows, 3)).tolist()
        outputs = rng.integers(2, 7)
        first = rng.choice([0, 2])
        is_rule = rng.random() < 0.5
        entries = {
            tuple(key): int(first + (sum(key) % outputs if is_rule else rng.integers(outputs)))
            for key in keys
        }
        made = [
            _chained(
                [terms[at] for at in order],
                {tuple(key[at] for at in order): output for key, output in entries.items()},
                UNBOUNDED,
            )
            for order in permutations(range(3))
        ]
        fitting = [one for one in made if one is not None]
        best = min(fitting, key=lambda one: one.cost, default=None)
        assert table_term(terms, entries) == best
        outcomes.add(best is None)
    assert outcomes == {True, False}


def test_classes_are_given_up_only_if_they_are_too_many() -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        keys = rng.integers(rng.integers(2, 8), size=(60, 3)).tolist()
        entries = {tuple(key): int(rng.integers(3)) for key in keys}
        numbers = _classes(entries, UNBOUNDED)
        assert numbers is not None
        values = list(numbers.values())
        needed = len(values) - max(map(values.count, values))
        assert _classes(entries, needed) == numbers
        assert _classes(entries, needed - 1) is None


def test_covers_are_the_pairs_that_determine() -> None:
    """Against the definition, for all pairs of random values."""
    values = RNG.integers(3, size=(40, 24)).astype(np.int8)
    wanted = (values[:, 3] * 3 + values[:, 17]).astype(np.int8)
    contradictions = Contradictions(wanted)
    everything = list(combinations(range(len(wanted)), 2))
    contradictions.add(np.array([p for p in everything if wanted[p[0]] != wanted[p[1]]]))
    sets = contradictions.told_apart(values)
    found = {
        frozenset(cover.values)
        for cover in pair_covers(sets, np.zeros(24, np.int64), len(contradictions), 5)
    }
    expected = {
        frozenset(pair)
        for pair in combinations(range(24), 2)
        if entries_of([values[:, at] for at in pair], wanted) is not None
    }
    assert found == expected
    assert frozenset((3, 17)) in found


def test_a_decision_list_gives_what_is_wanted() -> None:
    flags = RNG.integers(2, size=(60, 8)).astype(np.bool_)
    wanted = np.where(flags[:, 2], 5, np.where(flags[:, 6], 3, np.where(flags[:, 1], 4, 2)))
    lists = list(decision_lists(flags, np.ones(8, np.int64), wanted.astype(np.int8)))
    assert lists
    for one in lists:
        outputs = np.full(len(wanted), one.otherwise)
        for decision in reversed(one.decisions):
            outputs[flags[:, decision.flag] == decision.holds] = decision.output
        assert np.array_equal(outputs, wanted)
