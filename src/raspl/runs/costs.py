"""What runs would cost: from runs that were measured, else from their size."""

from collections.abc import Iterable, Mapping
from statistics import median

from raspl.runs.records import RunRecord
from raspl.tasks import Task
from raspl.training.batches import drawn
from raspl.training.configuration import Configuration

RATE = 6e10
"""Floating-point operations a second of one core, until a run of ours has been measured."""
AROUND = 4.0
"""Seconds of a run beside its training: it starts, is tested, its parts are written."""


def operations(config: Configuration) -> float:
    """Forward and backward passes: six operations a parameter a token."""
    task = config.build_task()
    size = tokens_of_a_context(task, config)
    weights = config.width * (12 * config.layers * config.width + len(task.alphabet))
    attention = 2 * config.layers * config.width * size
    return 6.0 * config.steps * config.batch * size * (weights + attention)


def tokens_of_a_context(task: Task, config: Configuration) -> float:
    """On average: a context of one example is computed no further than it goes."""
    if config.layout == "packed":
        return config.context
    return float(drawn(task, config, 0)[0].sizes.mean())


class Estimator:
    """Seconds of one core for a run: a measured twin's, else by the rate of measured runs."""

    def __init__(self, records: Mapping[str, RunRecord]) -> None:
        self.twins: dict[str, list[float]] = {}
        self.rates: dict[str, list[float]] = {}
        self.known: dict[str, float] = {}
        for record in records.values():
            if record.cost > 0:
                self.twins.setdefault(twin(record.config), []).append(record.cost)
                rate = operations(record.config) / record.cost
                self.rates.setdefault(record.config.scale, []).append(rate)

    def seconds(self, config: Configuration) -> float:
        kind = twin(config)
        if kind not in self.known:  # asked for again and again by a live table
            self.known[kind] = self.estimated(config)
        return self.known[kind]

    def estimated(self, config: Configuration) -> float:
        measured = self.twins.get(twin(config))
        if measured:
            return AROUND + median(measured)
        rate = median(self.rates.get(config.scale, [RATE]))
        return AROUND + operations(config) / rate

    def total(self, configs: Iterable[Configuration]) -> float:
        return sum(self.seconds(config) for config in configs)


def twin(config: Configuration) -> str:
    """The same for runs that differ in their seed only."""
    return config.replace(seed=0).name
