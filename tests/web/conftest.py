"""One server for all tests of the playground."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.running import Playground, start


@pytest.fixture(scope="session")
def playground() -> Iterator[Playground]:
    running = start()
    yield running
    running.stop()
