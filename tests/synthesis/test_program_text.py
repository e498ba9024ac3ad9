"""What is shown is what was found: every term of a bank parses back to a program that does it."""

import runpy
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from raspl.executors import reference
from raspl.loading import parse
from raspl.prediction.sources import find_source
from raspl.synthesis.bank import Bank
from raspl.synthesis.columns import Layout
from raspl.synthesis.components import TOKENS, Kind, Rule, Term
from raspl.synthesis.enumeration import candidates, leaves
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.program_text import program_text
from raspl.synthesis.scope import Scope

LITERALS = (0, 1, 2)


def filled_bank(name: str, cost: int) -> Bank:
    examples = find_source(name).draw(np.random.default_rng(0), [1, 2, 3, 4])
    layout = Layout(tuple(examples))
    bank = Bank(layout, 10**9)
    for batch in leaves(layout, LITERALS):
        bank.add(batch)
    bank.close()
    for level in range(1, cost + 1):
        for batch in candidates(Scope(bank, LITERALS, False), level):
            bank.add(batch)
        bank.close()
    return bank


def expected(bank: Bank, kind: Kind, id_: int) -> Iterator[tuple[list[int], list[int | None]]]:
    """What the bank holds for a value, example by example."""
    layout = bank.layout
    level = next(level for level in reversed(bank.levels[kind]) if level.first <= id_)
    column = level.values[:, id_ - level.first]
    none = np.iinfo(layout.dtype).min
    rows = layout.table[:, 0]
    for start in np.unique(rows):
        places = np.flatnonzero(rows == start)[::-1]
        yield (
            layout.tokens[places].tolist(),
            [None if value == none else int(value) for value in column[places]],
        )


def test_kernels_graphs_and_shown_source_agree() -> None:
    """The vectorised rules say what the reference says, for every kind of component."""
    rng = np.random.default_rng(1)
    seen = set()
    for name in ("sort", "after_marker", "parity_plain"):
        bank = filled_bank(name, 2)
        for kind, levels in bank.levels.items():
            total = levels[-1].first + len(levels[-1])
            for id_ in rng.permutation(total)[:60]:
                term = bank.term(kind, int(id_))
                seen.add((term.rule.name, term.rule.reduction))
                graph = to_graph(term, bank.layout.bits)
                (shown,) = parse(program_text(term, bank.layout.bits)).values()
                for tokens, values in expected(bank, kind, int(id_)):
                    given = reference.Machine(graph)
                    assert [given.step(token) for token in tokens] == values, program_text(term, 8)
                    again = reference.Machine(shown.graph)
                    assert [again.step(token) for token in tokens] == values, program_text(term, 8)
    assert len(seen) > 20


@pytest.mark.parametrize("reduction", ["max", "min", "mean"])
def test_python_can_run_what_is_shown(reduction: str, tmp_path: Path) -> None:
    """A reduction is a word of the text, and not a name to be imported from raspl."""
    rule = Rule("pair", "Int", ("Int", "Int"), op=">", value="Int", reduction=reduction)
    path = tmp_path / "shown.py"
    path.write_text(program_text(Term(rule, (TOKENS, TOKENS, TOKENS)), 8))
    assert runpy.run_path(str(path))["found"]([1, 0, 0]).tolist() == [0, 1, 1]
