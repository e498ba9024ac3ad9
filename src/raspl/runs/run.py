"""A trained run, as a user holds it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from raspl.runs.folder import RunFolder
from raspl.tasks import Task
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.result import Result, Score

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from raspl.training.model import Transformer


@dataclass(frozen=True)
class Run:
    """A trained Transformer with its configuration and its scores.

    `exact_match` gives the share of examples that it gets entirely right, by length. `plot()` draws
    that, `evaluate()` tests at other lengths, `model` is the PyTorch module.
    """

    folder: Path
    config: Configuration
    result: Result

    @classmethod
    def at(cls, folder: str | Path) -> "Run":
        """A run that was trained before, from its folder."""
        found = RunFolder.at(Path(folder))
        result = found.finished()
        if result is None:
            raise TrainingError(f"{folder} can't be read: {found.why_unfinished()}.")
        return cls(found.path, found.config, result)

    @property
    def exact_match(self) -> Mapping[int, float]:
        """Share of examples whose whole answer is right, end token included, by length."""
        return {score.length: score.exact for score in self.result.tested}

    @property
    def converged(self) -> bool:
        """Did it learn the lengths that it was trained on? If not, it shows nothing beyond them."""
        return self.result.converged

    @cached_property
    def task(self) -> Task:
        return self.config.build_task()

    @cached_property
    def model(self) -> "Transformer":
        """The trained network."""
        from raspl.training.perceptron import build_model

        damage: list[str] = []
        folder = RunFolder(self.config, self.folder, damage.append)
        model = build_model(len(self.task.alphabet), self.config)
        if folder.load_weights(model) is None:
            reason = damage[0] if damage else "it has not been trained to the end."
            raise TrainingError(f"{self.folder} has no weights: {reason}")
        return model.eval()

    def evaluate(self, lengths: Iterable[int], on: str | None = None) -> list[Score]:
        """Exact match at other lengths, or on another distribution of the task."""
        from raspl.training.evaluation import score

        where = on or self.config.judged_on(self.task)
        return [score(self.model, self.task, self.config, where, length) for length in lengths]

    def plot(self) -> "Figure":
        """Exact match over length, as a Matplotlib figure."""
        from raspl.runs.plots import figure

        return figure(self.config, self.result)

    def __repr__(self) -> str:
        from raspl.runs.plots import in_words

        return f"<Run of {self.config.task}. {in_words(self.config, self.result)}>"
