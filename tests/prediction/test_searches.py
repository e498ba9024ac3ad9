"""Finished searches are kept, and asked again only if the question is another."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from raspl.prediction import find_source, predict, searches
from raspl.prediction.elsewhere import here
from raspl.prediction.finds import search_lines
from raspl.prediction.searches import Searches, fingerprint, version
from raspl.synthesis import Result, Settings, search
from raspl.synthesis.examples import ExampleSource, KnownSource, LabelledSource
from raspl.synthesis.practice import PRACTICE
from raspl.synthesis.question import question_of
from raspl.tasks import Task

SMALL = Settings(max_length=5, max_cost=1, held_in=60, budget=3600)
SHIFT = PRACTICE["shift"]
REUSED = "searched before: 1 result from"


class Kept:
    """A folder of searches, with what was said about it."""

    def __init__(self, root: Path, fresh: bool = False) -> None:
        self.said: list[str] = []
        self.folder = root / "searches"
        self.searches = Searches(root, self.said.append, fresh)

    def ask(self, source: ExampleSource = SHIFT, settings: Settings = SMALL) -> Result:
        return self.searches.search(source, settings)

    @property
    def is_reused(self) -> bool:
        return self.searches.reused() is not None

    def files(self) -> list[Path]:
        return sorted(self.folder.glob("*"))


@pytest.mark.parametrize("task", ["sort", "shift", "language:(a|b)*b", "after_marker", "majority"])
def test_what_is_reused_is_what_was_found(task: str, tmp_path: Path) -> None:
    source = find_source(task)
    first, again = Kept(tmp_path), Kept(tmp_path)
    found, reused = first.ask(source), again.ask(source)
    assert not first.is_reused
    assert again.is_reused
    assert found.finds
    assert [one.term for one in reused.finds] == [one.term for one in found.finds]
    assert list(search_lines(source, reused)) == list(search_lines(source, found))
    assert replace(reused, finds=()) == replace(found, finds=())
    assert not first.said + again.said


def test_a_line_says_what_was_reused(tmp_path: Path) -> None:
    Kept(tmp_path).ask()
    again = Kept(tmp_path)
    again.ask()
    again.ask()
    line = again.searches.reused()
    assert line is not None
    assert line.startswith("searched before: 2 results from")
    assert "--fresh" in line


@pytest.mark.parametrize(
    "changed",
    [
        {"seed": 1},
        {"max_length": 6},
        {"min_length": 5},
        {"max_cost": 2},
        {"keep": 1},
        {"work": 10**12},
        {"rules": "strict"},
        {"positions": False},
        {"deep": False},
        {"stop_at_first": True},
        {"held_in": 61},
        {"examples": 23},
        {"search_length": 4},
        {"most_kept": 10**6},
        {"most_bytes": 10**9},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_another_setting_is_another_question(changed: dict[str, Any]) -> None:
    other = replace(SMALL, **changed)
    assert fingerprint(question_of(SHIFT, other)) != fingerprint(question_of(SHIFT, SMALL))


def test_more_or_less_time_is_the_same_question(tmp_path: Path) -> None:
    Kept(tmp_path).ask()
    again = Kept(tmp_path)
    assert again.ask(settings=replace(SMALL, budget=1.0)).settings.budget == 1.0
    assert again.is_reused


def task_of(answer: Any) -> KnownSource:
    def prompts(rng: np.random.Generator, length: int) -> Any:
        return rng.choice(list("abcd"), size=length)

    return find_source(Task.from_solver("mine", "abcd", prompts, answer))


def test_another_solver_is_another_question(tmp_path: Path) -> None:
    quick = replace(SMALL, deep=False)
    Kept(tmp_path).ask(task_of(lambda prompt: [prompt[0]]), quick)
    same, other = Kept(tmp_path), Kept(tmp_path)
    same.ask(task_of(lambda prompt: list(prompt[:1])), quick)
    other.ask(task_of(lambda prompt: [prompt[-1]]), quick)
    assert same.is_reused
    assert not other.is_reused


def test_other_code_is_another_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Kept(tmp_path).ask()
    monkeypatch.setattr(searches, "version", lambda: "another")
    again = Kept(tmp_path)
    again.ask()
    assert not again.is_reused


def test_the_version_is_made_of_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all((Path(searches.__file__).parents[1] / room).is_dir() for room in searches.ROOMS)
    monkeypatch.setattr(searches, "ROOMS", searches.ROOMS[1:])
    assert version.__wrapped__() != version()


def test_fresh_searches_again_and_keeps_the_result(tmp_path: Path) -> None:
    Kept(tmp_path).ask()
    (file,) = Kept(tmp_path).files()
    file.write_text("{}")
    fresh = Kept(tmp_path, fresh=True)
    fresh.ask()
    assert not fresh.is_reused
    assert not fresh.said
    assert json.loads(file.read_text())["finds"]


def edited(text: str, **changes: Any) -> str:
    return json.dumps({**json.loads(text), **changes})


def with_term(text: str, **changes: Any) -> str:
    """The last component of the first program changed."""
    record = json.loads(text)
    record["finds"][0]["terms"][-1] |= changes
    return json.dumps(record)


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda text: text[: len(text) // 2], ""),
        (lambda text: "", ""),
        (lambda text: "\0" * 40, ""),
        (lambda text: edited(text, question="0"), "it answers another question."),
        (lambda text: edited(text, exhausted="2"), "exhausted must be a whole number"),
        (lambda text: edited(text, extra=2), "There is no field 'extra'."),
        (lambda text: edited(text, ended_by="clock"), "ended_by"),
        (lambda text: with_term(text, args=[40]), "one of its programs can't be built."),
        (lambda text: with_term(text, args=[-1]), "must be at least 0"),
        (
            lambda text: with_term(text, rule={"name": "none of ours", "result": "Int"}),
            "one of its programs can't be built.",
        ),
        (
            lambda text: with_term(text, rule={"name": "tokens", "result": "Int"}, args=[]),
            "one of its programs does not fit the examples.",
        ),
    ],
)
def test_a_damaged_file_is_left_aside_with_a_sentence(
    damage: Any, why: str, tmp_path: Path
) -> None:
    found = Kept(tmp_path).ask()
    (file,) = Kept(tmp_path).files()
    whole = file.read_text()
    file.write_text(damage(whole))
    again = Kept(tmp_path)
    result = again.ask()
    assert not again.is_reused
    assert [one.term for one in result.finds] == [one.term for one in found.finds]
    (sentence,) = again.said
    assert sentence.startswith(f"{file} can't be used, so the search is done again: ")
    assert why in sentence
    assert sentence.endswith(".")
    after = Kept(tmp_path)
    after.ask()
    assert after.is_reused


def test_what_the_clock_ended_is_not_kept(tmp_path: Path) -> None:
    once = Kept(tmp_path)
    assert once.ask(settings=replace(SMALL, max_cost=5, budget=0.0)).ended_by == "clock"
    assert not once.files()


def test_what_the_work_ended_is_kept(tmp_path: Path) -> None:
    short = replace(SMALL, max_cost=5, work=1)
    Kept(tmp_path).ask(settings=short)
    again = Kept(tmp_path)
    assert again.ask(settings=short).ended_by == "work"
    assert again.is_reused


def test_those_not_used_for_longest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searches, "MOST", 2)
    first, second, third = (replace(SMALL, seed=seed) for seed in range(3))
    kept = Kept(tmp_path)
    kept.ask(settings=first)
    (oldest,) = kept.files()
    kept.ask(settings=second)
    for file in kept.files():
        os.utime(file, (1, 1) if file == oldest else (2, 2))
    kept.ask(settings=first)  # it was used just now, so the other one goes
    kept.ask(settings=third)
    assert len(kept.files()) == 2
    for settings, is_there in ((third, True), (first, True), (second, False)):
        again = Kept(tmp_path)
        again.ask(settings=settings)
        assert again.is_reused == is_there


def test_where_nothing_can_be_written_the_search_goes_on(tmp_path: Path) -> None:
    (tmp_path / "searches").write_text("a file in the place of the folder")
    once = Kept(tmp_path)
    assert once.ask().finds
    (sentence,) = once.said
    assert sentence.startswith("The search is not kept for another time: ")
    assert sentence.endswith(".")


def test_a_prediction_reuses_all_of_its_searches(tmp_path: Path) -> None:
    """Of (a|b)*b there are several, and one of them begins ahead."""
    source = find_source("language:(a|b)*b")
    plain = predict(source, SMALL)
    made = []
    for _ in range(2):
        kept = Kept(tmp_path)
        begin = kept.searches.ahead(source, here(source, None, search))
        made.append(predict(source, SMALL, None, begin, kept.searches.search))
    several = kept.searches.reused()
    assert several is not None
    assert int(several.split()[2]) == len(kept.files()) >= 2
    for one in made:
        assert one.forecast == plain.forecast
        assert one.reasons() == plain.reasons()
        assert one.finds == plain.finds


def test_what_begins_ahead_is_not_begun_if_it_is_there(tmp_path: Path) -> None:
    def begin(settings: Settings) -> Any:
        raise AssertionError("it was begun")

    Kept(tmp_path).ask()
    again = Kept(tmp_path)
    waiting = again.searches.ahead(SHIFT, begin)(SMALL)
    assert not again.is_reused  # as long as nobody wants it
    assert waiting(1.0).finds
    assert again.is_reused


def test_a_search_sees_nothing_but_its_question() -> None:
    """Names are for people: under another one the question is the same."""
    other = LabelledSource("other", SHIFT.sample, SHIFT.label)
    assert fingerprint(question_of(other, SMALL)) == fingerprint(question_of(SHIFT, SMALL))
    assert search(other, SMALL).finds[0].term == search(SHIFT, SMALL).finds[0].term
