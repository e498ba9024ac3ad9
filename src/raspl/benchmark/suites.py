"""Which tasks a forecast is judged on, and the outcomes that others have published.

A task is a name that `raspl.tasks.find` knows, so every item can be sampled, searched, predicted
and trained like any other task.
"""

import csv
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal, TypeAlias

from raspl.benchmark.recipe import TRAINED_TO
from raspl.tasks import SHIPPED, Scale
from raspl.tasks.literature.chomsky import CHOMSKY
from raspl.tasks.shipped import Value
from raspl.training.presets import configure

SuiteName: TypeAlias = Literal["languages", "literature", "paper", "random"]
LANGUAGES_TRAINED_TO = 50
LANGUAGE_BINS = ((51, 100), (101, 150), (201, 250), (451, 500))
PAPER_SCALE: Scale = "desk"
"""The scale with the paper's own lengths."""
SOLVED, PARTLY = ("even_pairs", "bucket_sort"), ("cycle_navigation",)
"""What section 5.4 of Delétang et al. says of Transformers; on all other tasks they fail."""


@dataclass(frozen=True)
class Outcome:
    """Exact match on examples of some lengths."""

    lowest: int
    highest: int
    exact_match: float


@dataclass(frozen=True)
class Item:
    """A task of a suite."""

    suite: SuiteName
    family: str
    """Whose tasks it belongs to: what is fitted on a family must not be tested on it."""
    task: str
    trained_to: int
    as_trained: float | None = None
    """The published exact match in distribution; None if nobody published one."""
    published: tuple[Outcome, ...] = ()
    """On longer examples, the shorter ones first. Empty if the outcomes are our own runs."""
    verdicts: Mapping[str, str] = field(default_factory=dict)
    """What is published about it besides: the class that others decided, or their words."""
    parameters: Mapping[str, Value] = field(default_factory=dict)
    """Those that the task is built with, if they are not its own."""


def languages() -> Iterator[Item]:
    """64 regular languages, of which others trained to predict the state."""
    for row in _rows("languages.csv"):
        yield Item(
            "languages",
            "languages",
            f"language:{row['regex']}",
            LANGUAGES_TRAINED_TO,
            float(row["trained_0_50"]) / 100,
            tuple(
                Outcome(low, high, float(row[f"tested_{low}_{high}"]) / 100)
                for low, high in LANGUAGE_BINS
            ),
            {"name": row["name"], "class": row["class"]},
        )


def huang() -> Iterator[Item]:
    """Huang et al.'s 25 tasks, with the outcomes for learned positions."""
    for row in _rows("huang.csv"):
        yield Item(
            "literature",
            "huang",
            f"huang:{row['task']}",
            int(row["trained_high"]),
            float(row["ape_0"]) / 100,
            tuple(
                Outcome(
                    int(row[f"low_{number}"]),
                    int(row[f"high_{number}"]),
                    float(row[f"ape_{number}"]) / 100,
                )
                for number in (1, 2)
            ),
            {"C-RASP": row["ape_crasp"]},
        )


def chomsky() -> Iterator[Item]:
    """Delétang et al.'s 15 tasks in a causal format, whose outcomes are runs of our own."""
    for name in CHOMSKY:
        said = "solved" if name in SOLVED else "partly" if name in PARTLY else "fails"
        yield Item("literature", "chomsky", f"chomsky:{name}", TRAINED_TO, verdicts={"paper": said})


def paper() -> Iterator[Item]:
    """The paper's formats at its own lengths, whose outcomes are the studies' runs."""
    for name, shipped in SHIPPED.items():
        config = configure(name, PAPER_SCALE, {})
        # Where there is nothing longer, there is nothing to forecast.
        if shipped.is_of_the_paper and config.test_lengths[-1] > config.max_length:
            yield Item("paper", "paper", name, config.max_length, parameters=config.parameters)


SUITES: Mapping[SuiteName, tuple[Callable[[], Iterator[Item]], ...]] = {
    "languages": (languages,),
    "literature": (huang, chomsky),
    "paper": (paper,),
    "random": (),
}
"""Which random tasks count is decided as they are drawn (`random_suite.py`)."""


def suite(name: SuiteName) -> list[Item]:
    return [item for part in SUITES[name] for item in part()]


def _rows(name: str) -> list[dict[str, str]]:
    text = files("raspl.benchmark").joinpath("data", name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))
