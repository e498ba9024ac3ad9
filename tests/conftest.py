"""What all tests share: one thread, as runs are trained, and runs small enough for a test."""

import os
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# Before torch is imported: some virtual machines announce matrix units that they don't have, and
# PyTorch's own bfloat16 products, which one test compares ours with, would end the process.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX2")

# A busy machine is slow, and a slow example is no failure.
settings.register_profile("raspl", deadline=None)
settings.load_profile("raspl")

if TYPE_CHECKING:
    from raspl.training.configuration import Configuration


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


@pytest.fixture
def small() -> "Configuration":
    from raspl.training.presets import configure

    return configure("count", "smoke", {"numbers": 12})


@pytest.fixture
def scratchpad() -> "Configuration":
    from raspl.training.presets import configure

    config = configure("parity_scratchpad", "smoke", {"hints": 9})
    return config.replace(layout="single", loss="answer")
