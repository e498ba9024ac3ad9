"""The build, where pyproject.toml can't say it: a wheel brings the results that ship.

In a clone they are in results/, beside the sources. A wheel gets the small files of them, records,
predictions and notes, as raspl/results, so that `raspl report` works wherever raspl is installed.
"""

from pathlib import Path
from shutil import copyfile

from setuptools import setup
from setuptools.command.build_py import build_py

RESULTS = Path("results")
SHIPPED = (
    "*/runs/*.json",
    "*/predictions/*.json",
    "*/notes.md",
    "forecast/scores.json",
    "forecast/figures/*.svg",
)


class BuildWithResults(build_py):
    """Modules and package data, then the results."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return  # an installation from a clone reads the clone's
        for pattern in SHIPPED:
            for path in sorted(RESULTS.glob(pattern)):
                target = Path(self.build_lib) / "raspl" / path
                target.parent.mkdir(parents=True, exist_ok=True)
                copyfile(path, target)


setup(cmdclass={"build_py": BuildWithResults})
