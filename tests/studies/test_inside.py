"""The study of alignments: areas by hand, and a section of the report."""

from __future__ import annotations

from pathlib import Path

from raspl.inside.records import Alignment, Cell, Row, Score
from raspl.studies.inside import Inside, ship, shipped, svg


def made(run: str, beyond: float, exact: float) -> Alignment:
    def score(value: float) -> Score:
        return Score(changed=value, low=value, high=value, asked=value, pairs=100)

    cell = Cell(
        site=1, dimensions=4, trained=score(0.95), beyond=score(beyond), whole=0.1, steps=30
    )
    return Alignment(
        run=run,
        task="sort",
        program="sort",
        sites=("embedding", "attention 1"),
        width=16,
        trained_to=10,
        beyond="length 13",
        agreement=1.0,
        agreement_beyond=exact,
        exact_beyond=exact,
        rows=(Row(variable="output", type="Int", depth=1, cells=(cell,)),),
    )


def test_the_area_counts_pairs_in_the_right_order() -> None:
    found = Inside(
        "laptop",
        (made("a", 0.9, 1.0), made("b", 0.5, 1.0), made("c", 0.5, 0.2), made("d", 0.1, 0.0)),
    )
    assert found.area_beyond == (1 + 1 + 0.5 + 1) / 4
    assert found.area_trained == 0.5
    assert any("does not separate the 2 networks" in one for one in found.sentences())
    assert Inside("laptop", found.generalising).area_beyond is None


def test_what_is_shipped_is_what_is_read(tmp_path: Path) -> None:
    found = Inside("laptop", (made("a", 0.9, 1.0), made("b", 0.2, 0.1)))
    ship(tmp_path, found)
    assert shipped(tmp_path, "laptop") == found
    assert shipped(tmp_path, "paper") is None
    assert "sort" in svg(found)


def test_verdicts_at_both_lengths() -> None:
    one = made("a", 0.2, 0.1)
    assert one.verdict == "runs this program"
    assert one.verdict_beyond == "does not"
