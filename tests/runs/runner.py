"""Trains the small run in a process of its own, for tests that kill it."""

import sys
from pathlib import Path

import torch

from raspl.runs.execute import execute
from raspl.training.loop import Session
from raspl.training.presets import configure

if __name__ == "__main__":
    torch.set_num_threads(1)
    config = configure("count", "smoke", {"numbers": 12, "steps": int(sys.argv[2])})
    execute(config, Path(sys.argv[1]), Session(checkpoint_seconds=0.02))
