"""The study `inside`: do trained networks run the program of their task, and does it tell how far
they generalise? Not a claim of the paper, which leaves the question open.

Alignments and explanations are kept with their runs. What ships of them is one small file each:

results/SCALE/inside/NAME.json
results/SCALE/inside/explained/NAME.json
"""

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from raspl.files import write_text
from raspl.inside.aligning import align_run
from raspl.inside.alignment import Watch
from raspl.inside.explanation import ENOUGH, Explanation, explain_run
from raspl.inside.of_runs import own_program
from raspl.inside.records import FOUND, Alignment, Row
from raspl.runs.folder import RunFolder
from raspl.runs.run import Run
from raspl.tasks import Scale
from raspl.tasks.generalisation import GENERALISES
from raspl.training.configuration import TrainingError
from raspl.validated import Record
from raspl.words import counted, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

SEPARATES = 0.95
"""The area under the curve from which alignment beyond training separates the networks."""
EXPLAINED = "explained"
"""The folder of explanations, beside the alignments."""
Kept = TypeVar("Kept", bound=Record)
NARROW = (3.6, 4.4)
"""Inches: a phone shows the figure whole."""
MARKERS = "osD^vPX*"
"""One for each task, in turn."""


@dataclass(frozen=True)
class Point:
    """One network at one length beyond its training."""

    network: Alignment
    place: int

    @property
    def exact(self) -> float:
        return self.network.longer[self.place].exact

    @property
    def generalises(self) -> bool:
        return self.exact >= GENERALISES

    @property
    def holds(self) -> float:
        """How far what was found at training lengths holds here."""
        return self.network.worst_at(self.place)


@dataclass(frozen=True)
class Inside:
    """Alignments of many networks, each with the program of its task."""

    scale: Scale
    found: tuple[Alignment, ...]
    explained: tuple[Explanation, ...] = ()

    @property
    def points(self) -> list[Point]:
        """Every network at every longer length."""
        return [Point(one, place) for one in self.found for place in range(len(one.longer))]

    @property
    def nearest(self) -> list[Point]:
        """Every network at the first longer length that it is tested at."""
        return [Point(one, 0) for one in self.found if one.longer]

    def sentences(self) -> list[str]:
        """What was found, with its numbers."""
        runs = sum(one.verdict == "runs this program" for one in self.found)
        parts = sum(one.verdict == "runs a part" for one in self.found)
        said = [
            f"Of {counted(len(self.found), 'network')}, {runs} run the program of their task at "
            f"training lengths and {parts} a part of it. A variable counts as found if, in at "
            f"least {percent(FOUND)} of all swaps, the network then gives the whole answer that "
            "the program gives."
        ]
        near = area(self.nearest, lambda point: point.holds)
        far = area(self.points, lambda point: point.holds)
        trained = area(self.nearest, lambda point: point.network.score)
        if near is None or far is None or trained is None:
            said.append("To compare them, networks that generalise and others are needed.")
            return said
        right = sum(point.generalises for point in self.nearest)
        does = "separates" if near >= SEPARATES else "does not separate"
        said.append(
            "Beyond training, a network is ranked by the variable that holds least, of those that "
            f"were found at training lengths. At the first longer length this {does} the {right} "
            f"networks that generalise from the other {len(self.nearest) - right}: the area "
            f"under the curve is {near:.3f} ({SEPARATES} is asked for). Over all "
            f"{len(self.points)} pairs of a network and a longer length it is {far:.3f}. By the "
            "mean over all variables at training lengths alone, which is a forecast, it is "
            f"{trained:.3f}."
        )
        return [*said, *self.explanations()]

    def explanations(self) -> list[str]:
        """Whether programs say what networks say, in particular where those are wrong."""
        wrong = [one for one in self.explained if one.exact < GENERALISES]
        if not wrong:
            return []
        best = [one.best for one in wrong if one.is_explained]
        known = sum(one is not None and one.is_known for one in best)
        return [
            f"Of {counted(len(self.explained), 'network')} a program was searched that says what "
            f"the network says. {len(wrong)} of them get less than {percent(GENERALISES)} of whole "
            f"answers right at the longest length; for {len(best)} of these, a legal program gives "
            f"at least {percent(ENOUGH)} of their outputs there. In {known} of the {len(best)} it "
            "is a program that says what the task's own says: the network follows it, and slips."
        ]


def area(points: Sequence[Point], score: Callable[[Point], float]) -> float | None:
    """How often a network that generalises scores higher than one that does not; a tie is half.

    None if there are no two to compare.
    """
    wins = [
        (score(one) > score(other)) + 0.5 * (score(one) == score(other))
        for one in points
        for other in points
        if one.generalises and not other.generalises
    ]
    return sum(wins) / len(wins) if wins else None


@dataclass(frozen=True)
class Held:
    """In how many networks of a task a variable was found, at training lengths."""

    task: str
    variable: str
    found: int
    networks: int
    places: str
    """The sites where it lives, each with the number of networks."""


def variables_held(inside: Inside) -> list[Held]:
    """Every variable that can be tested, in the order of its program."""
    rows: dict[tuple[str, str], list[Row]] = {}
    sites: dict[tuple[str, str], Counter[str]] = {}
    for one in inside.found:
        for row in one.tested:
            key = (one.task, row.variable)
            rows.setdefault(key, []).append(row)
            where = sites.setdefault(key, Counter())
            if row.is_found and row.best is not None:
                where[one.sites[row.best.site]] += 1
    return [
        Held(
            *key,
            sum(row.is_found for row in some),
            len(some),
            ", ".join(f"{site} ({number})" for site, number in sites[key].most_common()),
        )
        for key, some in rows.items()
    ]


def folder_of(results: Path, scale: Scale) -> Path:
    return results / scale / "inside"


def shipped(results: Path | None, scale: Scale) -> Inside | None:
    """What ships, or None if nothing does."""
    if results is None:
        return None
    folder = folder_of(results, scale)
    found = _read(folder, Alignment)
    explained = _read(folder / EXPLAINED, Explanation)
    return Inside(scale, found, explained) if found else None


def _read(folder: Path, kind: type[Kept]) -> tuple[Kept, ...]:
    found = []
    for path in sorted(folder.glob("*.json")):
        with suppress(ValidationError):  # of an older version
            found.append(kind.model_validate_json(path.read_bytes()))
    return tuple(found)


def ship(results: Path, inside: Inside) -> None:
    """Put all into the results, beside what is there already."""
    folder = folder_of(results, inside.scale)
    (folder / EXPLAINED).mkdir(parents=True, exist_ok=True)
    for place, records in ((folder, inside.found), (folder / EXPLAINED, inside.explained)):
        for one in records:
            text = json.dumps(one.as_json(), separators=(",", ":"))
            write_text(place / f"{one.run}.json", text + "\n")


def runs_in(root: Path, scale: Scale) -> list[Run]:
    """Finished runs of a scale whose task has a program and whose weights are there."""
    found = []
    for path in sorted(root.glob("*/config.json")):
        with suppress(TrainingError):
            config = RunFolder.at(path.parent).config
            if config.scale == scale and config.build_task().program is not None:
                run = Run.at(path.parent)
                run.model  # noqa: B018 (raises if there are no weights)
                found.append(run)
    return found


def align_all(
    runs: Sequence[Run], scale: Scale, watch: Watch, say: Callable[[str], None], workers: int = 1
) -> Inside:
    """Every run with the program of its task, and what it does instead; what was done before is
    read."""
    found, explained = [], []
    for number, run in enumerate(runs, 1):
        began = time.monotonic()
        found.append(align_run(run, own_program(run), watch, workers=workers))
        watch(1, 1, "searching for what it does")
        explained.append(explain_run(run))
        say(f"{number} of {len(runs)}: {run.folder.name}, {time.monotonic() - began:.0f} s")
    return Inside(scale, tuple(found), tuple(explained))


def draw(inside: Inside) -> "Drawing":
    """Each network at each longer length: how far its alignment holds, over how right it is."""
    from matplotlib.figure import Figure

    tasks = list(dict.fromkeys(one.task for one in inside.found))
    figure = Figure(figsize=NARROW, layout="constrained")
    axes = figure.subplots()
    for number, task in enumerate(tasks):
        points = [point for point in inside.points if point.network.task == task]
        axes.scatter(
            [point.exact for point in points],
            [point.holds for point in points],
            marker=MARKERS[number % len(MARKERS)],
            s=40,
            alpha=0.75,
            label=task,
            zorder=3,
        )
    axes.plot([0, 1], [0, 1], color="grey", linewidth=1, linestyle=":")
    axes.axvline(GENERALISES, color="grey", linestyle="--", linewidth=1)
    axes.set(
        xlim=(-0.03, 1.03),
        ylim=(-0.03, 1.03),
        xlabel="exact match at a length beyond training",
        ylabel="interchange accuracy there,\nof the variable that holds least",
    )
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.grid(alpha=0.3)
    figure.legend(loc="outside lower center", ncols=2, fontsize=8, frameon=False)
    return figure


def svg(inside: Inside) -> str:
    import matplotlib

    text = StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "inside", "svg.fonttype": "none"}):
        draw(inside).savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    return text.getvalue()
