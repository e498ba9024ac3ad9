"""One thread, as runs are trained; and a run small enough for a test."""

from dataclasses import replace

import pytest
import torch

from raspl.learning.configuration import Configuration
from raspl.learning.presets import configure


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def small() -> Configuration:
    return configure("count", "smoke", {"numbers": 12})


@pytest.fixture
def scratchpad() -> Configuration:
    config = configure("parity-scratchpad", "smoke", {"hints": 9})
    return replace(config, layout="single", loss="answer")
