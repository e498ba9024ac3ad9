"""The second fuzzer: a few hundred of its texts, and proof that it would notice a mistake."""

from __future__ import annotations

from collections import Counter

import pytest

from raspl.executors import reference
from raspl.language.ir.primitives import REDUCTIONS, Reduction
from tests.fuzz_text import disagreement

TEXTS = 120
"""With five inputs each."""


def test_random_texts_give_what_plain_lists_say() -> None:
    ends: Counter[str] = Counter()
    for seed in range(TEXTS):
        found, its_ends = disagreement(seed)
        assert found is None, found
        ends.update(its_ends)
    assert ends.keys() == {"runs", "R401", "R402"}
    assert ends["runs"] > 2 * TEXTS


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_a_wrong_reduction_is_noticed(
    reduction: Reduction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(reference.REDUCED, reduction, lambda values: values[0])
    assert any(disagreement(seed)[0] for seed in range(TEXTS))
