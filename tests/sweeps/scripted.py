"""A fleet whose runs follow a script: what a sweep sees of real ones, without training."""

from collections.abc import Callable, Iterable
from pathlib import Path

from raspl.errors import Stopped
from raspl.fleet.status import Outcome, Status, Stop, Watch
from raspl.runs.folder import RunFolder
from raspl.training.configuration import Configuration
from raspl.training.loop import SessionCost
from raspl.training.result import Logged, Overlap, Result, Score

Exact = Callable[[Configuration, int], float]
"""Exact match of a configuration at a step."""
SECONDS_A_STEP = 0.6


class Scripted:
    """One worker that does an evaluation of each run in turn, round after round."""

    def __init__(self, root: Path, exact: Exact, rounds: int | None = None) -> None:
        self.root, self.exact, self.rounds = root, exact, rounds
        """After so many rounds the user stops it."""

    def run(self, configs: Iterable[Configuration], watch: Watch, stop: Stop) -> Outcome:
        everyone = list(configs)
        states: dict[str, Status] = {}
        for config in everyone:
            done = RunFolder.under(self.root, config).finished() is not None
            states[config.name] = Status(config, "done" if done else "waiting")
        while any(one.state in ("waiting", "running") for one in states.values()):
            if self.rounds is not None and self.rounds <= 0:
                raise Stopped("Stopped and saved; the same command continues.")
            for config in everyone:
                status = states[config.name]
                if status.state not in ("waiting", "running"):
                    continue
                if stop(config):
                    states[config.name] = Status(config, "stopped", status.step)
                    continue
                states[config.name] = self.go_on(config)
                watch(list(states.values()), None)
            if self.rounds is not None:
                self.rounds -= 1
        watch(list(states.values()), None)
        return Outcome({})

    def go_on(self, config: Configuration) -> Status:
        """Up to the next evaluation, in a session of its own."""
        folder = RunFolder.under(self.root, config)
        with folder.claimed():
            folder.open()
        first = folder.last_step()
        step = min(first + config.evaluate_every, config.steps)
        share = self.exact(config, step)
        scores = tuple(
            Score(on="train", length=length, examples=100, exact=share, exact_without_end=share)
            for length in (config.max_length, *config.test_lengths)
        )
        folder.log(Logged(step=step, loss=1.0, scores=scores))
        folder.spend(
            SessionCost(
                first_step=first, last_step=step, seconds=1.0, seconds_evaluating=0.0,
                device="cpu", threads=1, cpu_seconds=SECONDS_A_STEP * (step - first),
            )
        )  # fmt: skip
        if step < config.steps:
            return Status(config, "running", step)
        result = Result(
            run=config.name, weight_count=1, weights="", as_trained=scores[0],
            in_distribution=scores[:1], tested=scores, overlap=(Overlap(length=1, share=0.0),),
        )  # fmt: skip
        folder.write_result(result, folder.curve())
        return Status(config, "done", step)
