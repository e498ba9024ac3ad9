"""Predictions are written down once, and a later change of one shows."""

from __future__ import annotations

from pathlib import Path

import pytest

from raspl.benchmark.cases import Home
from raspl.benchmark.ledger import Ledger
from raspl.errors import RasplError
from tests.benchmark.made import entry, found, trained

ENTRY = entry("random:arithmetic:0:1", found(3), found(1, failure="`a`"))


def test_what_is_written_is_read_again_with_its_hash(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "random")
    ledger.add(ENTRY)
    (read,) = ledger.entries()
    assert read == ENTRY
    assert read.hash == ENTRY.hash
    assert ledger.tasks() == {ENTRY.task}


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path, "random")
    ledger.add(ENTRY)
    ledger.path.write_text(ledger.path.read_text() + "{}\n")
    with pytest.raises(RasplError, match=r"line 2, .*family is missing"):
        list(ledger.entries())


def test_a_prediction_that_was_changed_after_training_is_refused(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.ledger("random").add(ENTRY)
    home.outcomes("random").add([trained(ENTRY, 0, near=1.0)])
    (case,) = home.cases(["random"])
    assert [outcome.generalises for outcome in case.outcomes] == [True, False]
    path = home.ledger("random").path
    path.write_text(path.read_text().replace('"cost":3', '"cost":2'))
    with pytest.raises(RasplError, match="has been changed since it was trained"):
        home.cases(["random"])


def test_outcomes_are_kept_once_for_each_run(tmp_path: Path) -> None:
    outcomes = Home(tmp_path).outcomes("random")
    outcomes.add([trained(ENTRY, 1, near=0.5)])
    outcomes.add([trained(ENTRY, 0, near=1.0), trained(ENTRY, 1, near=0.7)])
    assert [(run.seed, run.exact[15]) for run in outcomes.runs()] == [(0, 1.0), (1, 0.5)]
