"""What a study is: arms to train, checks that make its claim, a figure, the paper's numbers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from raspl.runs.records import Metric
from raspl.studies.scales import Lengths, lengths_of
from raspl.tasks import SHIPPED, Scale
from raspl.training.configuration import Configuration
from raspl.training.presets import configure

if TYPE_CHECKING:
    from raspl.studies.conditions import Check

Which: TypeAlias = Literal["own", "all", "speed"]
Figure: TypeAlias = Literal[
    "bars", "over-length", "over-training-length", "training", "counterfactual", "shortcut"
]


@dataclass(frozen=True)
class Arm:
    """One curve of a study: a task in one format, trained at one or several greatest lengths."""

    label: str
    task: str
    like: str | None = None
    """The preset that it takes (sizes, schedule, lengths), if not the task's own: that of another
    format which it is compared with, or of other training data."""
    which: Which = "own"
    """Which training lengths of the scale: the task's own, all, or that of training curves."""
    changes: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """How its configuration departs from the preset."""
    on: str = "default"
    """The distribution that scores are read from; "default" is what the run is judged on."""
    metric: Metric = "exact"
    """Exact match, or accuracy of the final answer behind a scratchpad."""
    only: int | None = None
    """The one greatest training length at every scale, where a claim is about that."""
    one_length: bool = False
    """Whether all training examples are of the greatest length."""
    further: tuple[int, ...] = ()
    """More test lengths, counted from the greatest training length."""

    @property
    def has_program(self) -> bool:
        """Whether a RASP-L program ships for it: the paper's own prediction."""
        return SHIPPED[self.task].program is not None

    @property
    def is_of_the_paper(self) -> bool:
        return SHIPPED[self.task].is_of_the_paper

    @property
    def is_as_predicted(self) -> bool:
        """Whether predictions are about its data: the task's usual examples, of all lengths."""
        usual = all(item == ("train_on", "train") for item in self.changes.items())
        return usual and self.only is None and not self.one_length

    @property
    def counterfactual_tests(self) -> Mapping[str, str]:
        """The task's tests on sequences that no example looks like, in words, by name."""
        tests = SHIPPED[self.task].build().counterfactual
        return {} if tests is None else tests.words

    @property
    def on_in_words(self) -> str:
        """The distribution as a sentence names it."""
        return SHIPPED[self.task].build().words.get(self.on, self.on)

    def lengths(self, scale: Scale) -> Lengths:
        return lengths_of(self.like or self.task, scale)

    def trained(self, scale: Scale) -> tuple[int, ...]:
        """The greatest training lengths."""
        if self.only is not None:
            return (self.only,)
        lengths = self.lengths(scale)
        return {"own": (lengths.own,), "all": lengths.trained, "speed": (lengths.speed,)}[
            self.which
        ]

    def configuration(self, scale: Scale, trained: int, seed: int) -> Configuration:
        """One run. Studies that ask for the same one share it, as its name is its hash."""
        changes = {**self.changes, **({"min_length": trained} if self.one_length else {})}
        pairs = tuple(sorted(changes.items()))
        return built(self.task, self.like, scale, trained, self.further, pairs).replace(seed=seed)


@cache
def built(
    task: str,
    like: str | None,
    scale: Scale,
    trained: int,
    further: tuple[int, ...],
    changes: tuple[tuple[str, Any], ...],
) -> Configuration:
    """A run of seed 0. Kept, as finding its context draws examples, and tables ask for many."""
    lengths = lengths_of(like or task, scale)
    more = (trained + length for length in further)
    tested = sorted({*lengths.tested, lengths.beyond(trained), *more})
    fixed = {"max_length": trained, "test_lengths": tuple(tested), "seed": 0}
    return configure(task, scale, {**dict(changes), **fixed}, like)


@dataclass(frozen=True)
class Study:
    id: str
    title: str
    claim: str
    """What the paper found, in one sentence."""
    arms: tuple[Arm, ...]
    checks: Callable[[Scale], tuple["Check", ...]]
    """The claim as conditions on the runs of a scale."""
    figure: Figure
    where: str | None
    """Where in the paper it stands; None for a question of our own."""

    @property
    def is_of_the_paper(self) -> bool:
        return self.where is not None

    def runs(self, scale: Scale, seeds: int) -> dict[str, Configuration]:
        """Every run by name, seed by seed, so that a study cut short has whole seeds."""
        found = (
            arm.configuration(scale, trained, seed)
            for arm in self.arms
            for trained in arm.trained(scale)
            for seed in arm.lengths(scale).seeds(seeds)
        )
        by_seed = sorted(found, key=lambda config: config.seed)
        return {config.name: config for config in by_seed}
