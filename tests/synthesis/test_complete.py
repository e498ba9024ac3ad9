"""Nothing is missed: any program that it can build is found, at its own cost or a lower one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from raspl.executors import batch
from raspl.synthesis.bank import Bank
from raspl.synthesis.columns import Layout
from raspl.synthesis.components import TOKENS, Term
from raspl.synthesis.engine import search
from raspl.synthesis.enumeration import candidates, leaves
from raspl.synthesis.examples import Example
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.scope import Scope
from raspl.synthesis.settings import Settings
from tests.synthesis.test_program_text import LITERALS, filled_bank


@dataclass(frozen=True)
class Hidden:
    """Examples of a program that the search must find again."""

    term: Term
    name: str = "hidden"
    literals: tuple[int, ...] = LITERALS
    lengths: tuple[int, int | None] = (1, None)

    def draw(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[Example]:
        graph = to_graph(self.term, 8)
        inputs = [tuple(map(int, rng.integers(0, 6, size=length))) for length in lengths]
        outputs = batch.run(graph, inputs)
        pairs = enumerate(inputs)
        return [Example(tokens, tuple(map(int, outputs[at]))) for at, tokens in pairs]

    def show(self, tokens: Sequence[int]) -> str:
        return str(tokens)


def hidden_terms(cost: int, number: int) -> Iterator[Term]:
    """Programs drawn from all candidates of a cost, those that merging drops included."""
    bank = filled_bank("after_marker", cost - 1)
    rng = np.random.default_rng(cost)
    batches = [
        block
        for block in candidates(Scope(bank, LITERALS, False), cost)
        if block.rule.result in ("Int", "Bool") and block.values.shape[1]
    ]
    for at in rng.permutation(len(batches))[:number]:
        block = batches[at]
        column = rng.integers(block.values.shape[1])
        yield bank.compose(block.rule, tuple(int(arg[column]) for arg in block.args))


def check(term: Term) -> None:
    result = search(Hidden(term), Settings(max_length=5, max_cost=term.cost, deep=False))
    assert result.finds[0].cost <= term.cost, term
    assert result.exhausted < term.cost


@pytest.mark.parametrize("cost", [1, 2])
def test_a_hidden_program_is_found(cost: int) -> None:
    for term in hidden_terms(cost, 6):
        check(term)


@pytest.mark.slow
def test_a_longer_hidden_program_is_found() -> None:
    for term in hidden_terms(3, 40):
        check(term)


def test_merging_keeps_one_of_each_behaviour() -> None:
    layout = Layout(tuple(Hidden(TOKENS).draw(np.random.default_rng(0), [3, 4])))
    bank = Bank(layout, 10**9)
    for block in leaves(layout, LITERALS):
        bank.add(block)
    bank.close()
    everything = []
    for block in candidates(Scope(bank, LITERALS, False), 1):
        bank.add(block)
        if block.rule.result in ("Int", "Bool"):  # a truth value is an integer too
            everything.append(block.values)
    bank.close()
    known = np.concatenate([level.values for level in bank.levels["Int"]], axis=1)
    columns = np.concatenate([bank.level("Int", 0).values, *everything], axis=1)
    assert len(np.unique(known, axis=1).T) == known.shape[1]
    assert len(np.unique(columns, axis=1).T) == known.shape[1]
