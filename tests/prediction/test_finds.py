"""What a search found is shown as source, with its fate beyond training in comments."""

from typing import Any

from raspl.loading import parse
from raspl.prediction.finds import search_lines
from raspl.prediction.sources import find_source
from raspl.synthesis import Settings, search


def lines(name: str, **settings: Any) -> list[str]:
    source = find_source(name)
    return list(search_lines(source, search(source, Settings(**settings))))


def test_the_lines_are_a_file_of_programs() -> None:
    text = lines("sort", max_length=5, keep=2, stop_at_first=True)
    assert text[0] == "# 1. cost 1 (proved cheapest); right on all examples of lengths 1 to 5;"
    assert text[1] == "#    exact match beyond: 100% at 10, 100% at 50"
    assert list(parse("\n".join(text))) == ["found_1", "found_2"]


def test_a_shortcut_is_shown_with_what_it_gets_wrong() -> None:
    text = lines("count", max_length=2, min_length=2, max_cost=2, keep=1, deep=False)
    assert text[0].endswith("of length 2;")
    assert text[2] == "#    meets every reading of the rules; position-free"
    assert text[3].startswith("#    wrong on `SoS ")
    assert ", where the answer is " in text[3]


def test_nothing_found_is_said() -> None:
    text = lines("copy_repeat", max_length=4, max_cost=1, rules="strict", deep=False)
    assert text[0] == "# nothing found"
    assert text[1].startswith("# No program of cost 1 or less")
    assert text[2].startswith("# Components: ")
    assert text[3].endswith("1 round")
