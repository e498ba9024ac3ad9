"""Random programs as networks: no mismatch, and no refusal without one of the stated reasons."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import cast

import pytest
from hypothesis import HealthCheck, given, settings

from raspl.compiler import Precision, Refused, compile
from raspl.compiler.verify import Columns, random_columns, verify
from tests.sampling import Case, cases, random_case

REASONS = {
    "an input of indices",
    "order of indices in a select",
    "inequality of indices in a select",
    "width of an index predicate",
    "fails on every input",
    "too many values",
    "too many pairs",
    "no length is exact",
}


def compare(case: Case, rng: Random, dtype: Precision = "float32") -> str:
    """`compared`, or the reason of the refusal."""
    try:
        network = compile(case.graph, case.alphabet, dtype)
    except Refused as refusal:
        return refusal.reason
    # None is a value of indices only, and inputs of indices are refused.
    given = cast("tuple[Columns, ...]", case.batch)
    batch: list[Columns] = [[column[: network.longest] for column in columns] for columns in given]
    batch.append(random_columns(network, rng, min(60, network.longest)))
    assert not verify(network, case.graph, batch).mismatches, case
    return "compared"


def compare_many(seeds: range) -> Counter[str]:
    found: Counter[str] = Counter()
    for seed in seeds:
        rng = Random(seed)
        found[compare(random_case(rng, rng.randint(1, 25)), rng)] += 1
    return found


def test_200_random_programs() -> None:
    found = compare_many(range(300))
    assert found["compared"] >= 200, found
    assert set(found) <= {"compared", *REASONS}


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_2000_random_programs(part: int) -> None:
    found = compare_many(range(1000 * part + 1000, 1000 * part + 2000))
    print(sorted(found.items()))
    assert found["compared"] >= 600, found
    assert set(found) <= {"compared", *REASONS}


@given(case=cases())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)
def test_random_programs_in_float64(case: Case) -> None:
    compare(case, Random(0), "float64")
