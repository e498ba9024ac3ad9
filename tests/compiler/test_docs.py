"""The page on the compiler: its numbers are those of the networks, and the code cites it."""

from __future__ import annotations

import re
from statistics import median

from raspl import programs
from raspl.compiler import compile
from raspl.compiler.bounds import averaged, nearest, ordered
from raspl.compiler.report import length_text, size
from tests.compiler.examples import ALPHABETS, NAMES
from tests.compiler.test_random import REASONS
from tests.markdown import ROOT

TEXT = (ROOT / "docs" / "compiler.md").read_text("utf-8")


def test_the_table_of_shipped_programs_is_true() -> None:
    for name in NAMES:
        network = compile(programs.load(name), ALPHABETS[name])
        known = network.description
        heads = sum(len(block.heads) for block in known.blocks)
        bounds = (length_text(known.longest(dtype)) for dtype in ("float32", "float64"))
        cells = [f"`{name}`", len(ALPHABETS[name]), known.layers, heads, f"{len(known.dims):,}",
                 f"{size(network)[0]:,}", *bounds]  # fmt: skip
        assert "| " + " | ".join(map(str, cells)) + " |" in TEXT


def test_the_table_of_small_networks_is_true() -> None:
    """The first column is what an older version gave, so it is only read here."""
    cuts = []
    for name in NAMES:
        parameters = size(compile(programs.load(name), ALPHABETS[name]))[0]
        found = re.search(rf"\| `{name}` \| ([\d,]+) \| {parameters:,} \| ([\d.]+) \|", TEXT)
        assert found, name
        cuts.append(int(found[1].replace(",", "")) / parameters)
        assert found[2] == f"{cuts[-1]:.1f}"
    assert f"The median cut is {median(cuts):.1f}." in TEXT
    assert median(cuts) >= 5
    by_name = dict(zip(NAMES, cuts, strict=True))
    assert by_name["addition_reverse_paper"] > 3_240_102 / 300_000


def test_the_bounds_in_the_text_are_true() -> None:
    assert f"n ≤ {averaged('', 1).of('float32'):,} for bits" in TEXT
    assert f"{averaged('', 200).of('float32')} for 200 values" in TEXT
    assert f"{ordered('', 0).of('float32'):,} in float32" in TEXT
    assert f"{nearest('', 0).of('float32'):,} in float32" in TEXT


def test_every_reason_for_a_refusal_is_explained() -> None:
    explained = TEXT.partition("## What is refused")[2]
    for reason in REASONS:
        assert reason in explained


def test_the_code_cites_headings_that_exist() -> None:
    headings = {line.lstrip("# ") for line in TEXT.splitlines() if line.startswith("#")}
    folder = ROOT / "src" / "raspl" / "compiler"
    cited = [
        part.split('"')[1]
        for file in folder.glob("*.py")
        for part in file.read_text("utf-8").split("(docs, ")[1:]
    ]
    assert len(cited) >= 10
    assert set(cited) <= headings
