"""The answer to "will a Transformer learn it?": a forecast, then a short training, told as events.

Runs in a process of its own, which is killed when the one who asked goes away.
"""

from __future__ import annotations

import contextlib
import json
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from raspl.errors import RasplError
from raspl.tasks.task import Task
from raspl.web.tasks_of_programs import task_of
from raspl.web.worker import lines_out

if TYPE_CHECKING:
    from raspl.training.loop import Progress
    from raspl.training.result import Score

Tell = Callable[[str, dict[str, Any]], None]
SEARCH_SECONDS = 12.0
TRAINED_TO = 10
TESTED = (15, 20)
"""Lengths: up to the first a model is trained, on the others it is tested."""
FIRM = 0.75
"""The chance from which a forecast says what it expects."""
SHORT_RUN: dict[str, Any] = {
    "steps": 1200,
    "layers": 2,
    "heads": 4,
    "width": 64,
    "batch": 32,
    "evaluate_every": 100,
    "test_examples": 100,
    "learning_rate": 2e-3,
    "warmup": 50,
    "context": 64,
}


def main() -> None:
    """Read a request from a line, and tell all in order, each event as a line of JSON."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = lines_out()
    request = json.loads(sys.stdin.buffer.readline())

    def tell(kind: str, data: dict[str, Any]) -> None:
        out.write(json.dumps({"kind": kind, "data": data}).encode() + b"\n")
        out.flush()

    try:
        _tell(request, tell)
        tell("done", {})
    except RasplError as error:
        tell("error", {"sentence": str(error)})


def _tell(request: dict[str, Any], tell: Tell) -> None:
    task = task_of(request)
    tell("task", _examples(task))
    forecast(task, tell)
    train(request, tell)


def _examples(task: Task) -> dict[str, Any]:
    """A few examples, so that one sees what is asked of the model."""
    import numpy as np

    from raspl.tasks import Purpose, stream

    drawn = task.examples(stream(0, Purpose.SHOW), np.array([4, 6, 8]))
    return {
        "examples": [" ".join(task.names(row)) for row in drawn.tokens],
        "trained_to": _trained_to(task),
        "tested": list(_tested(task)),
    }


def _trained_to(task: Task) -> int:
    return min(TRAINED_TO, task.longest or TRAINED_TO)


def _tested(task: Task) -> tuple[int, ...]:
    return tuple(length for length in TESTED if task.longest is None or length <= task.longest)


def forecast(task: Task, tell: Tell) -> None:
    """What raspl expects before any training, with its reasons. All of the forecast is here."""
    from raspl.prediction import find_source, predict
    from raspl.prediction.forecast.features import features_of
    from raspl.prediction.forecast.forecast import shipped_model
    from raspl.synthesis import settings_for

    source = find_source(task, {})
    settings = settings_for(source, _trained_to(task), budget=SEARCH_SECONDS)
    made = predict(source, settings, lambda progress: tell("search", {"cost": progress.cost}))
    model, features = shipped_model(), features_of(made)
    chances = {n: model.probability(features, n / made.trained_to) for n in _tested(task)}
    judgement = next(iter(made.readings.values()), None)
    tell(
        "forecast",
        {
            "sentence": _expected(chances),
            "probability": {str(length): round(chance, 2) for length, chance in chances.items()},
            "reasons": list(judgement.terms(asides=False).values()) if judgement else [],
            "program": made.cheapest.source if made.cheapest else "",
        },
    )


def _expected(chances: dict[int, float]) -> str:
    """A forecast in words: what is said of the longest tested length."""
    if not chances:
        return "This task has no longer inputs, so there is nothing to forecast."
    chance = chances[max(chances)]
    if chance >= FIRM:
        return "It should work on longer inputs, too."
    if chance <= 1 - FIRM:
        return "It should fail on longer inputs."
    return "It could go either way on longer inputs."


def watching(tell: Tell) -> Callable[[Progress], None]:
    """Tells of the training. Scores are told once, at the step at which they were measured."""
    told: tuple[Score, ...] = ()

    def watch(progress: Progress) -> None:
        nonlocal told
        new = () if progress.scores is told else progress.scores
        told = progress.scores
        tell(
            "training",
            {
                "step": progress.step,
                "steps": progress.steps,
                "loss": round(progress.loss, 4),
                "scores": {str(score.length): score.exact for score in new},
                "seconds_left": round(progress.seconds_left, 1),
            },
        )

    return watch


def train(request: dict[str, Any], tell: Tell) -> None:
    """A small model from scratch, on short examples; how it does on longer ones, as it learns."""
    import torch

    from raspl.runs.execute import execute
    from raspl.training.loop import Session
    from raspl.training.presets import configure

    task = task_of(request)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "task.py"
        # The program travels as a text inside of a text; nothing of it is Python here.
        file.write_text(
            "from raspl.web.tasks_of_programs import task_from_json\n\n"
            f"task = task_from_json({json.dumps(request)!r})\n",
            "utf-8",
        )
        lengths = {"max_length": _trained_to(task), "test_lengths": _tested(task)}
        torch.set_num_threads(1)
        config = configure(str(file), changes={**SHORT_RUN, **lengths})
        result = execute(config, Path(folder), Session(watch=watching(tell)))
        exact = {str(score.length): score.exact for score in result.tested}
    told = {"trained": result.as_trained.exact, "is_converged": result.converged}
    tell("trained", {"exact_match": exact, **told})


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
