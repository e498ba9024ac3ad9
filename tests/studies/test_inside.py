"""The study of alignments: areas by hand, and a section of the report."""

from __future__ import annotations

from pathlib import Path

from raspl.inside.records import Alignment, Cell, Row, Score
from raspl.inside.wording import lines, reason
from raspl.studies.inside import Inside, ship, shipped, svg


def made(run: str, beyond: float, exact: float, task: str = "sort", pairs: int = 100) -> Alignment:
    def score(value: float, pairs: int = 100) -> Score:
        return Score(changed=value, low=value, high=value, asked=value, pairs=pairs)

    near, far = score(0.95), score(beyond, pairs)
    cell = Cell(site=1, dimensions=4, trained=near, beyond=far, whole=0.1, steps=30)
    return Alignment(
        run=run,
        task=task,
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


def test_networks_of_one_task_are_compared_by_themselves() -> None:
    """Programs differ in how many of their variables any network holds."""
    hard = (made("a", 0.4, 1.0, "mode"), made("b", 0.1, 0.0, "mode"))
    easy = (made("c", 0.9, 1.0), made("d", 0.6, 0.0))
    found = Inside("laptop", hard + easy)
    assert found.area_beyond == 3 / 4
    assert found.area_within == 1.0


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


def test_a_variable_that_can_not_be_swapped_beyond_training_is_not_lost_there() -> None:
    one = made("a", 0.0, 1.0)
    fixed = one.rows[0].replace(cells=made("b", 0.0, 1.0, pairs=0).rows[0].cells)
    held = one.rows[0].replace(cells=made("c", 0.95, 1.0).rows[0].cells)
    found = one.replace(rows=(held, fixed))
    assert found.score_beyond == 0.95
    assert found.verdict_beyond == "runs this program"
    assert "1 of 1 variables" in reason(found, beyond=True)
    assert any("nothing to swap" in line for line in lines(found))
