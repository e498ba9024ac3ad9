"""Runs small enough for tests of fleets, and a driver to be killed: `runs.py ROOT`."""

import sys
from pathlib import Path

from raspl.fleet.local import Local, Plan
from raspl.runs.costs import Estimator
from raspl.training.configuration import Configuration
from raspl.training.presets import configure

QUICK = 0.05
"""Seconds between checkpoints."""


def few(steps: int = 300, number: int = 3) -> list[Configuration]:
    shape = {"numbers": 12, "steps": steps, "evaluate_every": 50}
    return [configure("count", "smoke", {**shape, "seed": seed}) for seed in range(number)]


if __name__ == "__main__":
    plan = Plan(workers=2, checkpoint_seconds=QUICK, deaths=20)
    fleet = Local(Path(sys.argv[1]), plan, Estimator({}))
    outcome = fleet.run(few(*map(int, sys.argv[2:])), lambda runs, left: None)
    sys.exit("\n".join(outcome.failed.values()) or 0)
