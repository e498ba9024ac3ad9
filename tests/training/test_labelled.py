"""Training on labels: batches hold them at the asked positions, and a model learns them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from raspl.runs.execute import execute
from raspl.tasks import NOTHING
from raspl.training.agreement import agreement
from raspl.training.batches import batch, drawn
from raspl.training.configuration import Configuration
from raspl.training.evaluation import correct
from raspl.training.model import Transformer
from raspl.training.presets import configure

FILE = """
from raspl.tasks import Task


def draw(rng, length):
    return rng.choice(["a", "b", "c"], size=length)


def label(prefix):
    return None if prefix[-1] == "c" else {"a": "vowel", "b": "consonant"}[prefix[-1]]


task = Task.labelled("kind", "abc", draw, label, labels=("vowel", "consonant"))
"""
STEPS = {"steps": 150, "batch": 16, "learning_rate": 1e-2, "warmup": 5, "evaluate_every": 150}


@pytest.fixture
def config(tmp_path: Path) -> Configuration:
    path = tmp_path / "kind.py"
    path.write_text(FILE, "utf-8")
    return configure(str(path), "smoke", {"layout": "single", **STEPS})


@pytest.mark.parametrize("layout", ["packed", "single"])
@pytest.mark.parametrize("loss", ["all", "answer"])
def test_the_targets_are_labels_at_the_asked_positions(
    config: Configuration, layout: str, loss: str
) -> None:
    config = config.replace(layout=layout, loss=loss)
    task = config.build_task()
    data = batch(task, config, 3)
    assert data.inputs.shape == data.targets.shape == data.learned.shape
    a, b = task.ids(["a", "b"])
    vowel, consonant = task.ids(["vowel", "consonant"])
    wanted = np.where(data.inputs == a, vowel, np.where(data.inputs == b, consonant, NOTHING))
    assert np.array_equal(data.learned, wanted != NOTHING)
    assert np.array_equal(data.targets[data.learned], wanted[data.learned])
    again = batch(task, config, 3)
    assert np.array_equal(data.tokens, again.tokens)
    assert np.array_equal(data.targets, again.targets)
    assert len(drawn(task, config, 3)[0])


def test_every_position_is_trained(config: Configuration) -> None:
    config = config.replace(batch=2000)
    data = batch(config.build_task(), config, 0)
    assert data.offset is not None
    row, column = np.nonzero(data.learned)
    trained = np.unique(data.offset[row] + column)
    assert trained.tolist() == list(range(1, config.context))


def test_exact_match_is_all_labels_of_a_sequence(config: Configuration) -> None:
    task = config.build_task()
    drawn_ones = task.examples(np.random.default_rng(0), np.full(40, 3)).left_aligned()
    model = Transformer(len(task.alphabet), config)
    whole, without_end = correct(model, drawn_ones)
    assert np.array_equal(whole, without_end)
    assert drawn_ones.labels is not None
    with torch.inference_mode():
        guesses = model(torch.from_numpy(drawn_ones.tokens)).argmax(-1).numpy()
    asked = drawn_ones.labels != NOTHING
    assert np.array_equal(whole, ((guesses == drawn_ones.labels) | ~asked).all(axis=1))


def test_a_model_learns_labels(config: Configuration, tmp_path: Path) -> None:
    """Each label is a function of the symbol that it follows."""
    result = execute(config, tmp_path)
    assert result.as_trained.exact > 0.99
    assert result.tested[-1].exact > 0.99


def test_a_language_is_trained_by_its_regex(tmp_path: Path) -> None:
    config = configure("language:(ab)*", "smoke", {"steps": 2})
    assert config.name.startswith("language-ab-")
    result = execute(config, tmp_path)
    assert {score.length for score in result.tested} >= {4, 5}


def test_a_model_is_compared_with_a_labelled_program(tmp_path: Path) -> None:
    program = tmp_path / "is_a.py"
    program.write_text(
        "from raspl import program\n\n\n@program\ndef is_a(x):\n    return x == 3\n", "utf-8"
    )
    path = tmp_path / "truth.py"
    path.write_text(
        FILE.replace('labels=("vowel", "consonant")', f'labels=("0", "1"), program="{program}"')
        .replace('"vowel"', "1")
        .replace('"consonant"', "0"),
        "utf-8",
    )
    config = configure(str(path), "smoke", {"layout": "single", **STEPS})
    result = execute(config, tmp_path)
    assert [one.share for one in result.agreement_with_program] == [1.0, 1.0]
    untrained = Transformer(len(config.build_task().alphabet), config)
    share = agreement(untrained, config.build_task(), 0, 4, "train").share
    assert share is not None
    assert share < 0.9
