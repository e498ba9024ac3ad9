"""What a study looks like that nobody disturbed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from raspl.runs.execute import execute_on_one_thread
from raspl.training.configuration import Configuration


@pytest.fixture
def undisturbed(tmp_path: Path) -> Callable[[list[Configuration]], dict[str, bytes]]:
    def run(configs: list[Configuration]) -> dict[str, bytes]:
        root = tmp_path / "undisturbed"
        for config in configs:
            execute_on_one_thread(config, root)
        return numbers(root, configs)

    return run


def numbers(root: Path, configs: list[Configuration]) -> dict[str, bytes]:
    """Every number that a run leaves: curves, scores and the digest of its weights."""
    return {
        f"{config.name}/{name}": (root / config.name / name).read_bytes()
        for config in configs
        for name in ("metrics.jsonl", "result.json")
    }
