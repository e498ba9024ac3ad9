"""One way to train every task of the random suite, in about a minute of one core each.

docs/benchmark.md tells what was tried. Tasks of other suites without published outcomes are trained
the same way.
"""

from math import ceil
from types import MappingProxyType

import numpy as np

from raspl.tasks import Purpose, find, stream
from raspl.tasks.shipped import Fields
from raspl.training.configuration import Configuration
from raspl.training.presets import configure

TRAINED_TO = 12
DISTANCES = (1.25, 2.0, 3.0, 10.0)
"""Test lengths, in multiples of the training length."""
DEVELOPMENT_SEED, SUITE_SEED = 999, 2026
"""Of the random tasks that the recipe was chosen on, and of those that count."""
SOME, SLACK = 200, 1.05
"""Examples that tell how long a task's examples get, and what their longest may be exceeded by."""

RECIPE: Fields = MappingProxyType(
    {
        "max_length": TRAINED_TO, "layers": 4, "heads": 4, "width": 64, "steps": 1000, "batch": 64,
        "optimiser": "muon", "learning_rate": 3e-3, "final_learning_rate": 1e-5, "warmup": 100,
        "weight_decay": 0.1, "grad_clip": 1.0, "layout": "single", "loss": "answer",
        "test_examples": 200, "evaluate_every": 500,
    }
)  # fmt: skip


def longer(trained_to: int = TRAINED_TO) -> tuple[int, ...]:
    """The test lengths."""
    return tuple(ceil(distance * trained_to) for distance in DISTANCES)


def configuration(task: str, seed: int) -> Configuration:
    """A run of a task: positions for the longest test example, all of them trained."""
    from raspl.training.evaluation import drawn_for_test, measured  # imports torch

    lengths = longer()
    probed = room(task, lengths[-1])
    fields = {**RECIPE, "test_lengths": lengths, "context": probed, "seed": seed}
    config = configure(task, "laptop", fields)
    tested = find(task)
    sizes = (
        drawn_for_test(tested, config, *one).tokens.shape[1] for one in measured(tested, config)
    )
    return config.replace(context=max(probed, *sizes))


def room(task: str, length: int) -> int:
    """Tokens that examples of a length have at most, as far as some of them tell: nearly always
    enough for those of the test, and the same for every seed."""
    drawn = find(task).examples(stream(0, Purpose.PROBE, length), np.full(SOME, length))
    return ceil(SLACK * int(drawn.sizes.max()))
