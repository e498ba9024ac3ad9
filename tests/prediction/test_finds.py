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
    assert text[0] == 'TOKENS = ["SoS", ">", "EoS", *range(100)]'
    assert text[1] == "# 1. cost 1 (proved cheapest); right on all examples of lengths 1 to 5;"
    assert text[2] == "#    exact match beyond: 100% at 10, 100% at 50"
    assert 'kqv(x, x, x, gt, default="EoS", reduction="min")' in text[4]
    assert list(parse("\n".join(text))) == ["found_1", "found_2"]


def test_a_shortcut_is_shown_with_what_it_gets_wrong() -> None:
    text = lines("count", max_length=2, min_length=2, max_cost=2, keep=1, deep=False)
    at = next(number for number, line in enumerate(text) if line.startswith("# 1."))
    assert text[at].endswith("of length 2;")
    assert text[at + 2] == "#    meets every reading of the rules; position-free"
    assert text[at + 3].startswith("#    wrong on `SoS ")
    assert ", where the answer is " in text[at + 3]


def test_nothing_found_is_said() -> None:
    text = lines("copy_repeat", max_length=4, max_cost=1, rules="strict", deep=False)
    assert text[0] == "# nothing found"
    assert text[1].startswith("# No program of cost 1 or less")
    assert text[2].startswith("# It builds programs from these components")
    assert text[3].endswith("1 round")


def test_it_is_said_that_the_clock_ended_a_search() -> None:
    hurried = "\n".join(lines("copy_repeat", max_length=4, budget=0.01))
    assert "The clock ended the search at its limit of 0.01 s" in hurried
    assert "--budget" in hurried


def test_a_search_that_ends_with_its_work_is_not_blamed_on_the_clock() -> None:
    done = "\n".join(lines("copy_repeat", max_length=4, work=1000, budget=1e9))
    assert "clock" not in done
    assert "--budget" not in done
