"""Predictions come before training, and studies before claims."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from raspl.fleet.status import Outcome, Watch
from raspl.prediction.before import Request
from raspl.runs.folder import RunFolder
from raspl.runs.store import ship
from raspl.studies import running
from raspl.studies.arms import CONJUNCTION
from raspl.studies.assess import configurations
from raspl.studies.running import predict_first
from raspl.studies.scales import FIRST_SEED
from raspl.studies.verdicts import Verdict
from raspl.training.configuration import Configuration
from tests.studies.made import always, record

CONFIGS = list(configurations(["conjunction"], "smoke", 2).values())


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """What was asked to be predicted."""
    found: list[Request] = []

    def note(requests: Iterable[Request], folder: Path, budget: float) -> list[str]:
        found.extend(requests)
        return []

    monkeypatch.setattr(running, "predict_before", note)
    return found


def test_each_task_is_predicted_once(tmp_path: Path, asked: list[Request]) -> None:
    predict_first(tmp_path, CONFIGS, 1)
    assert asked == [Request("conjunction", CONFIGS[0].parameters, "smoke")]


def test_a_prediction_after_the_fact_is_none(tmp_path: Path, asked: list[Request]) -> None:
    other = CONFIGS[0].replace(seed=99, steps=5)
    folder = RunFolder.under(tmp_path, other)
    folder.path.mkdir()
    folder.open()
    assert predict_first(tmp_path, CONFIGS, 1) == []
    assert not asked


def order_of(root: Path, seeds: int | None = None) -> running.Order:
    return running.Order(["conjunction"], "smoke", seeds, root, root / "none")


def write(root: Path, values: list[float]) -> running.Order:
    """Runs of conjunction as if they were shipped, one a value."""
    for seed, value in enumerate(values, FIRST_SEED["smoke"]):
        config = CONJUNCTION.configuration("smoke", 20, seed)
        ship(root / "none", record(config, always(value)))
    return replace(order_of(root, len(values)), with_shipped=True)


def test_seeds_are_added_until_a_claim_is_decided(tmp_path: Path) -> None:
    decided = write(tmp_path, [1.0, 1.0, 1.0])
    assert running.next_order(decided, 20) is None
    assert running.next_order(replace(decided, seeds=2), 20) == replace(decided, seeds=3)


def test_there_is_a_cap(tmp_path: Path) -> None:
    split = write(tmp_path, [1.0, 0.5, 1.0])
    assert running.next_order(split, 20) == replace(split, seeds=6)  # no end in sight: doubled
    assert running.next_order(split, 4) == replace(split, seeds=4)
    assert running.next_order(split, 3) is None


def test_a_study_runs_until_it_is_decided(tmp_path: Path) -> None:
    """With a fleet that trains nothing and finds every new seed good."""
    order = write(tmp_path, [1.0, 0.5, 1.0, 1.0])

    class Good:
        def run(self, configs: Iterable[Configuration], watch: Watch) -> Outcome:
            for config in configs:
                ship(tmp_path / "none", record(config, always(1.0)))
            return Outcome({})

    said: list[str] = []
    _, last = running.run_until_decided(
        order, 20, lambda estimator: Good(), 0, said.append, lambda runs, left: None
    )
    (claim,) = last.claims()
    assert claim.verdict is Verdict.REPRODUCED
    assert 4 < claim.evidence.seeds < 20
    assert said
