"""The Python door to tasks, training and prediction: what `raspl.train` and its siblings do."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from raspl.inside.records import Alignment
    from raspl.prediction import Prediction
    from raspl.program import Program
    from raspl.runs.run import Run
    from raspl.synthesis import Result
    from raspl.tasks import Task
    from raspl.training.loop import Progress


def train(
    task: str | Path,
    *,
    scale: str = "laptop",
    root: str | Path = "runs",
    device: str = "cpu",
    threads: int = 1,
    watch: Callable[[Progress], None] | None = None,
    **settings: Any,
) -> Run:
    """Train a Transformer on short examples of a task, and test it on longer ones.

    `task` is a shipped task's name, a file that defines one, or a task of a family such as
    `language:(ab|bba)*`. The task's preset is the starting point; any field of the configuration
    and any parameter of the task can be set by name: `max_length`, `test_lengths`, `seed`,
    `steps`, `learning_rate`, … Whatever was trained before with the same settings is read, and an
    interrupted run continues. `watch` is told the progress.

    >>> run = raspl.train("count", max_length=15, test_lengths=(20, 25))
    >>> run.exact_match[25]
    """
    import torch

    from raspl.runs.execute import execute
    from raspl.runs.run import Run
    from raspl.tasks.shipped import as_scale
    from raspl.training.loop import Session
    from raspl.training.presets import configure

    config = configure(str(task), as_scale(scale), settings)
    session = Session(device) if watch is None else Session(device, watch=watch)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        result = execute(config, Path(root), session)
    finally:
        torch.set_num_threads(before)
    return Run(Path(root) / config.name, config, result)


def load_run(folder: str | Path) -> Run:
    """A run that was trained before, from its folder."""
    from raspl.runs.run import Run

    return Run.at(folder)


def search(
    task: str | Path | Task,
    *,
    max_length: int | None = None,
    budget: float = 60.0,
    parameters: dict[str, Any] | None = None,
    **settings: Any,
) -> Result:
    """The cheapest RASP-L programs that explain a task's short examples.

    `task` is a shipped task's name, a file that defines one, or a Task. Examples are up to
    `max_length` long, by default 12. The search takes at most `budget` seconds; `settings` are
    those of `raspl.synthesis.Settings`.

    >>> raspl.search("sort", budget=20).finds[0].cost
    """
    from raspl.prediction import find_source, settings_of
    from raspl.synthesis import search

    source = find_source(task, parameters or {})
    return search(source, settings_of(source, max_length, budget=budget, **settings))


def predict(
    task: str | Path | Task,
    *,
    max_length: int | None = None,
    budget: float = 60.0,
    parameters: dict[str, Any] | None = None,
    **settings: Any,
) -> Prediction:
    """How likely is a Transformer that is trained on short examples to get long ones right?

    Takes what `search` takes; training is up to `max_length`, by default 12. The forecast is by
    distance, in multiples of that length. `print` the prediction for its reasons in words.

    >>> raspl.predict("sort", max_length=12).forecast.probability[2.0]
    """
    from raspl.prediction import find_source, predict, settings_of

    source = find_source(task, parameters or {})
    return predict(source, settings_of(source, max_length, budget=budget, **settings))


def align(
    run: Run | str | Path,
    program: Program | None = None,
    *,
    watch: Callable[[int, int, str], None] | None = None,
) -> Alignment:
    """Does a trained network run a program? Where in it does each variable live?

    `run` is a run or its folder, and the program is the task's own unless another is given. What
    was found is kept in the run's folder, and a stopped alignment continues.

    >>> found = raspl.align("runs/sort-e33aef209b74")
    >>> print(found.verdict)
    runs this program
    """
    from raspl.inside.aligning import align_run
    from raspl.inside.of_runs import own_program
    from raspl.runs.run import Run

    trained = run if isinstance(run, Run) else Run.at(run)
    graph = own_program(trained) if program is None else program.graph
    return align_run(trained, graph, watch or (lambda done, total, what: None))
