"""A study is one entry of the catalogue: with it, it is listed, run and judged."""

from __future__ import annotations

import pytest

from tests.architecture.copies import Copy
from tests.architecture.page import snippets


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    made = Copy.under(tmp_path_factory.mktemp("with_a_study"))
    (block,) = [each for each in snippets("last") if each.info[3] == "ALL"]
    made.apply(block)
    return made


def test_it_is_listed_run_and_judged(copy: Copy) -> None:
    smoke = ("--scale", "smoke", "--root", "runs")
    listed, judged = copy.commands(
        ("study", "list", "--scale", "smoke"),
        ("study", "run", "sort-rotary", *smoke, "--seeds", "1", "--workers", "1"),
    )
    lines = listed.splitlines()
    assert any("sort-rotary" in line and "not run" in line for line in lines)
    assert "sort, rotary (trained to 4, tested at 5)" in judged
    assert len(list((copy.folder / "runs").glob("sort-*/result.json"))) == 2
