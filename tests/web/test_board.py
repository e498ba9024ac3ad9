"""The record board: ranked, bounded, written whole, and careful with what it reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from raspl.errors import RasplError
from raspl.web.puzzles.board import KEPT, Board

PUZZLE = "previous-token"


def cost(heads: int, depth: int = 1, bits: float = 10.0) -> dict[str, float]:
    return {"heads": heads, "depth": depth, "bits": bits}


def names(board: Board) -> list[str]:
    return [line["name"] for line in board.public()["records"].get(PUZZLE, [])]


def test_the_fewest_heads_then_the_shallowest_then_the_shortest(tmp_path: Path) -> None:
    board = Board(tmp_path / "deep/records.json")
    for name, measures in [
        ("d", cost(2)),
        ("c", cost(1, 2)),
        ("b", cost(1, 1, 20.0)),
        ("a", cost(1, 1, 10.5)),
    ]:
        assert board.add(PUZZLE, name, "def f(x): return x", measures)
    assert names(board) == ["a", "b", "c", "d"]
    assert names(Board(board.file)) == names(board)


def test_a_name_has_one_line_with_its_best(tmp_path: Path) -> None:
    board = Board(tmp_path / "records.json")
    board.add(PUZZLE, "a", "first", cost(1))
    board.add(PUZZLE, "a", "worse", cost(3))
    assert names(board) == ["a"]
    assert "first" in (tmp_path / "records.json").read_text("utf-8")


def test_who_is_not_good_enough_is_not_kept(tmp_path: Path) -> None:
    board = Board(tmp_path / "records.json")
    for number in range(KEPT):
        board.add(PUZZLE, f"n{number}", "", cost(1))
    assert not board.add(PUZZLE, "late", "", cost(2))
    assert len(names(board)) == KEPT


def test_names_are_made_fit(tmp_path: Path) -> None:
    board = Board(tmp_path / "records.json")
    board.add(PUZZLE, " \n" + "long" * 50, "", cost(1))
    assert names(board) == [("long" * 50)[:24]]


@pytest.mark.parametrize("text", ["{", "[]", '{"previous-token": [{"name": 1}]}', "\0"])
def test_a_file_that_is_no_board_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "records.json"
    file.write_text(text, "utf-8")
    with pytest.raises(RasplError, match="no record board"):
        Board(file)


def test_a_server_may_keep_none() -> None:
    board = Board(None)
    assert board.public() == {"is_kept": False, "records": {}}
    with pytest.raises(RasplError, match="keeps no"):
        board.add(PUZZLE, "a", "", cost(1))
