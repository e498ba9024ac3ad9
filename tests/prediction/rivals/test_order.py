"""How much answers depend on the order of a prompt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from raspl.prediction.rivals.order import order_dependence
from raspl.prediction.sources import find_source
from raspl.tasks import Task


def bits(rng: np.random.Generator, length: int) -> list[str]:
    return [str(bit) for bit in rng.integers(2, size=length)]


def test_order_does_not_matter_to_parity_and_mode() -> None:
    assert order_dependence(find_source("parity_plain"), 8) == 0.0
    assert order_dependence(find_source("sort"), 8) == 0.0


def test_a_copy_changes_where_two_tokens_are_swapped() -> None:
    """Two of eight tokens, and never the end token, which no answer names."""
    assert order_dependence(find_source("copy_unique"), 8) == pytest.approx(2 / 8)


def test_a_label_is_compared_once_both_tokens_stand_before_it() -> None:
    """The number of ones so far does not depend on their order."""

    def ones(prefix: Sequence[str]) -> str:
        return "even" if prefix.count("1") % 2 == 0 else "odd"

    task = Task.labelled("ones", ["0", "1"], bits, ones, labels=["even", "odd"])
    assert order_dependence(find_source(task), 9) == 0.0


def test_the_last_symbol_is_lost_by_one_swap_in_each() -> None:
    """Of the swaps before a label, the one of the last two symbols alone changes it."""
    task = Task.labelled("last", ["0", "1"], bits, lambda prefix: prefix[-1] if prefix else None)
    found = order_dependence(find_source(task), 12)
    assert found is not None
    assert 0.1 < found < 0.4


def test_without_two_different_tokens_there_is_no_answer() -> None:
    assert order_dependence(find_source("language:(aa)*"), 10) is None
