"""Exact match by one pass equals decoding; final answers are read behind any scratchpad."""

import numpy as np
import pytest
import torch

from raspl.tasks import END, SEPARATOR, Examples, Task
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.evaluation import (
    correct,
    decode,
    drawn_for_test,
    final_answers,
    measured,
    score,
    score_as_trained,
)
from raspl.training.loop import train_step
from raspl.training.model import Transformer
from raspl.training.optimisers import Optimiser


def half_trained(config: Configuration, steps: int) -> tuple[Transformer, Task]:
    """A model that is right sometimes: both verdicts occur."""
    task = config.build_task()
    model = Transformer(len(task.alphabet), config)
    optimiser = Optimiser(model, config)
    for step in range(steps):
        train_step(model, optimiser, task, config, step, torch.device("cpu"))
    return model, task


def prompts(examples: Examples) -> tuple[np.ndarray, np.ndarray]:
    sizes = (examples.tokens == SEPARATOR).argmax(axis=1) + 1
    inside = np.arange(sizes.max()) < sizes[:, None]
    return np.where(inside, examples.tokens[:, : sizes.max()], -1), sizes


def test_exact_match_by_one_pass_is_exact_match_by_decoding(scratchpad: Configuration) -> None:
    model, task = half_trained(scratchpad, 150)
    examples = drawn_for_test(task, scratchpad, "train", 3)
    whole, without_end = correct(model, examples)
    written = decode(model, *prompts(examples), limit=examples.tokens.shape[1])
    same = (written[:, : examples.tokens.shape[1]] == examples.tokens).all(axis=1)
    assert np.array_equal(whole, same)
    assert 0 < whole.mean() < 1
    assert (without_end >= whole).all()


def test_decoding_prompts_together_is_decoding_them_alone(scratchpad: Configuration) -> None:
    model, task = half_trained(scratchpad, 60)
    rng = np.random.default_rng(0)
    examples = task.examples(rng, np.array([1, 4, 2, 3])).left_aligned()
    texts, sizes = prompts(examples)
    together = decode(model, texts, sizes, limit=20)
    for row, (text, size) in enumerate(zip(texts, sizes, strict=True)):
        alone = decode(model, text[None, :size], sizes[row : row + 1], limit=20)[0]
        assert [token for token in together[row] if token >= 0] == [t for t in alone if t >= 0]


def test_decoding_stops_at_the_end_token(scratchpad: Configuration) -> None:
    model, task = half_trained(scratchpad, 60)
    examples = drawn_for_test(task, scratchpad, "train", 2)
    texts, sizes = prompts(examples)
    for row, size in zip(decode(model, texts, sizes, limit=20), sizes, strict=True):
        ends = np.flatnonzero(row[size:] == END)
        if len(ends):
            assert (row[size + ends[0] + 1 :] == -1).all()


def test_a_right_scratchpad_has_a_right_final_answer(scratchpad: Configuration) -> None:
    model, task = half_trained(scratchpad, 150)
    examples = drawn_for_test(task, scratchpad, "train", 3)
    exact = correct(model, examples)[0].mean()
    assert final_answers(model, task, examples) >= exact


def test_count_is_tested_on_every_example(small: Configuration) -> None:
    assert len(drawn_for_test(small.build_task(), small, "train", 5)) == 8


def test_in_distribution_is_tested_beside_every_other_length(small: Configuration) -> None:
    assert list(measured(small.build_task(), small)) == [("train", 4), ("train", 5)]


def test_in_distribution_is_all_that_training_draws(small: Configuration) -> None:
    model, task = half_trained(small, 100)
    overall = score_as_trained(model, task, small)
    each = [score(model, task, small, "train", length).exact for length in (1, 2, 3, 4)]
    assert overall.examples == 4 * small.examples_per_test
    assert overall.exact == pytest.approx(np.mean(each), abs=0.15)
    assert min(each) < overall.exact < max(each)


def test_a_context_too_short_for_the_test_is_named(small: Configuration) -> None:
    task = small.build_task()
    model = Transformer(len(task.alphabet), small)
    model.context = 6
    with pytest.raises(TrainingError, match="does not fit the model's context of 6"):
        score(model, task, small, "train", 5)
