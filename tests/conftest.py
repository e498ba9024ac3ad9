"""What all tests share: one thread, as runs are trained; runs that are small; a browser."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# Before torch is imported: some virtual machines announce matrix units that they don't have, and
# PyTorch's own bfloat16 products, which one test compares ours with, would end the process.
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX2")

# A busy machine is slow, and a slow example is no failure.
settings.register_profile("raspl", deadline=None)
settings.load_profile("raspl")

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from raspl.training.configuration import Configuration


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


@pytest.fixture(scope="session")
def small() -> "Configuration":
    from raspl.training.presets import configure

    return configure("count", "smoke", {"numbers": 12})


@pytest.fixture(scope="session")
def scratchpad() -> "Configuration":
    from raspl.training.presets import configure

    config = configure("parity_scratchpad", "smoke", {"hints": 9})
    return config.replace(layout="single", loss="answer")


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="these tests need Playwright: pip install playwright"
    )
    chromium = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if chromium is None:
        pytest.skip("these tests need Chromium, as from `apt-get install chromium`")
    with sync_api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield running
        running.close()
