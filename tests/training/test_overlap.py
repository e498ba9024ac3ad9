"""The overlap of test with training is found by drawing the training set again."""

import numpy as np

from raspl.tasks import Examples
from raspl.training.batches import drawn
from raspl.training.configuration import Configuration
from raspl.training.evaluation import drawn_for_test
from raspl.training.overlap import fingerprints, overlap
from raspl.training.presets import configure


def rows(examples: Examples) -> set[tuple[int, ...]]:
    return {tuple(row[row >= 0].tolist()) for row in examples.tokens}


def test_it_is_what_comparing_all_examples_says() -> None:
    config = configure("copy_repeat", "smoke", {"steps": 5, "max_length": 6})
    task = config.build_task()
    seen: set[tuple[int, ...]] = set()
    for step in range(config.steps):
        for examples in drawn(task, config, step):
            seen |= rows(examples)
    for length, share in overlap(task, config, [1, 3, 6]).items():
        tests = drawn_for_test(task, config, "train", length)
        hits = [tuple(row[row >= 0].tolist()) in seen for row in tests.tokens]
        assert share == np.mean(hits)


def test_short_examples_overlap_and_long_ones_do_not(small: Configuration) -> None:
    config = configure("copy_unique", "smoke", {"steps": 60})
    shares = overlap(config.build_task(), config, [1, 4])
    assert shares[1] > 0.5 > shares[4]


def test_fingerprints_ignore_holes() -> None:
    holes = Examples(np.array([[1, -1, 2, 3], [1, 2, -1, 4]]), np.zeros((2, 4), dtype=bool))
    assert np.array_equal(fingerprints(holes), fingerprints(holes.left_aligned()))
    assert len(set(fingerprints(holes).tolist())) == 2
