"""The study of alignments: areas by hand, and a section of the report."""

from __future__ import annotations

from pathlib import Path

from raspl.inside.records import Alignment, Cell, Longer, Row, Score
from raspl.inside.wording import lines, reason_at
from raspl.studies.inside import Inside, area, ship, shipped, svg, variables_held


def made(
    run: str,
    beyond: float,
    exact: float,
    task: str = "sort",
    pairs: int = 100,
    trained: float = 0.95,
) -> Alignment:
    def score(value: float, pairs: int = 100) -> Score:
        return Score(answers=value, low=value, high=value, changed=value, asked=value, pairs=pairs)

    near, far = score(trained), (score(beyond, pairs), score(0.0))
    cell = Cell(site=1, dimensions=4, trained=near, beyond=far, whole=0.1, steps=30)
    return Alignment(
        run=run,
        task=task,
        program="sort",
        sites=("embedding", "attention 1"),
        width=16,
        trained_to=10,
        agreement=1.0,
        longer=(
            Longer(where="length 13", agreement=exact, exact=exact),
            Longer(where="length 20", agreement=0.0, exact=0.0),
        ),
        rows=(Row(variable="output", type="Int", depth=1, cells=(cell,)),),
    )


def test_the_area_counts_pairs_in_the_right_order() -> None:
    found = Inside(
        "laptop",
        (made("a", 0.9, 1.0), made("b", 0.5, 1.0), made("c", 0.5, 0.2), made("d", 0.1, 0.0)),
    )
    assert area(found.nearest, lambda point: point.holds) == (1 + 1 + 0.5 + 1) / 4
    assert area(found.nearest, lambda point: point.network.score) == 0.5
    assert len(found.points) == 8
    assert any("does not separate the 2 networks" in one for one in found.sentences())
    assert area(found.nearest[:2], lambda point: point.holds) is None


def test_what_is_not_found_at_training_lengths_holds_nowhere() -> None:
    assert made("a", 0.9, 1.0, trained=0.5).worst_at(0) == 0.0
    assert made("a", 0.9, 1.0).worst_at(0) == 0.9


def test_what_is_shipped_is_what_is_read(tmp_path: Path) -> None:
    found = Inside("laptop", (made("a", 0.9, 1.0), made("b", 0.2, 0.1)))
    ship(tmp_path, found)
    assert shipped(tmp_path, "laptop") == found
    assert shipped(tmp_path, "paper") is None
    assert "sort" in svg(found)


def test_verdicts_at_every_length() -> None:
    one = made("a", 0.95, 1.0)
    assert one.verdict == "runs this program"
    assert one.verdict_at(0) == "runs this program"
    assert one.verdict_at(1) == "does not"


def test_a_variable_that_can_not_be_swapped_beyond_training_is_not_lost_there() -> None:
    one = made("a", 0.0, 1.0)
    fixed = one.rows[0].replace(variable="fixed", cells=made("b", 0.0, 1.0, pairs=0).rows[0].cells)
    held = one.rows[0].replace(cells=made("c", 0.95, 1.0).rows[0].cells)
    found = one.replace(rows=(held, fixed))
    assert found.worst_at(0) == 0.95
    assert found.verdict_at(0) == "runs this program"
    assert "1 of 1 variable follows" in reason_at(found, 0)
    assert any("beyond –, 0%" in line for line in lines(found))


def test_variables_are_counted_over_the_networks_of_a_task() -> None:
    (one,) = variables_held(Inside("laptop", (made("a", 1, 1), made("b", 1, 1, trained=0.1))))
    assert (one.found, one.networks, one.places) == (1, 2, "attention 1 (1)")
