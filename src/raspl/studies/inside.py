"""The study `inside`: do trained networks run the program of their task, and does it tell how far
they generalise? Not a claim of the paper, which leaves the question open.

An alignment is kept with its run. What ships of it is one small file a run:

results/SCALE/inside/NAME.json
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

from raspl.files import write_text
from raspl.inside.of_runs import align_run, own_program
from raspl.inside.records import FOUND, Alignment
from raspl.runs.folder import RunFolder
from raspl.runs.run import Run
from raspl.tasks import Scale
from raspl.tasks.generalisation import GENERALISES
from raspl.training.configuration import TrainingError
from raspl.words import counted, percent

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

SEPARATES = 0.95
"""The area under the curve from which alignment beyond training separates the networks."""
SAME, OTHER = "#0b2545", "#c1440e"
"""Networks that generalise, and the others."""


@dataclass(frozen=True)
class Inside:
    """Alignments of many networks, each with the program of its task."""

    scale: Scale
    found: tuple[Alignment, ...]

    @property
    def generalising(self) -> tuple[Alignment, ...]:
        return tuple(one for one in self.found if one.exact_beyond >= GENERALISES)

    @property
    def others(self) -> tuple[Alignment, ...]:
        return tuple(one for one in self.found if one.exact_beyond < GENERALISES)

    def compared(self, one_task: bool = False) -> list[tuple[Alignment, Alignment]]:
        """Each network that generalises with each that does not, perhaps of one task alone."""
        return [
            (one, other)
            for one in self.generalising
            for other in self.others
            if one.task == other.task or not one_task
        ]

    def area(self, score: Callable[[Alignment], float], one_task: bool = False) -> float | None:
        """How often a network that generalises scores higher than one that does not; a tie is half.

        With `one_task`, only networks of the same task are compared. None if there are no two.
        """
        wins = [
            (score(one) > score(other)) + 0.5 * (score(one) == score(other))
            for one, other in self.compared(one_task)
        ]
        return sum(wins) / len(wins) if wins else None

    @property
    def area_beyond(self) -> float | None:
        return self.area(lambda one: one.score_beyond)

    @property
    def area_within(self) -> float | None:
        """The same, where only networks of one task are compared: programs differ in how many of
        their variables any network holds."""
        return self.area(lambda one: one.score_beyond, one_task=True)

    @property
    def area_trained(self) -> float | None:
        """By training lengths alone: a forecast, since no long input was looked at."""
        return self.area(lambda one: one.score)

    def sentences(self) -> list[str]:
        """What was found, with its numbers."""
        beyond, trained = self.area_beyond, self.area_trained
        runs = sum(one.verdict == "runs this program" for one in self.found)
        parts = sum(one.verdict == "runs a part" for one in self.found)
        said = [
            f"Of {len(self.found)} networks, {runs} run the program of their task at training "
            f"lengths and {parts} a part of it. A variable counts as found from an interchange "
            f"accuracy of {percent(FOUND)}."
        ]
        if beyond is None or trained is None:
            said.append("There are no networks of both kinds yet: that generalise, and that don't.")
            return said
        does = "separates" if beyond >= SEPARATES else "does not separate"
        said.append(
            f"Alignment beyond training {does} the {len(self.generalising)} networks that "
            f"generalise from the {len(self.others)} that do not: the area under the curve is "
            f"{beyond:.3f} ({SEPARATES} is asked for). By training lengths alone it is "
            f"{trained:.3f}."
        )
        if self.area_within is not None:
            said.append(
                f"Between networks of one and the same task it is {self.area_within:.3f}, in "
                f"{counted(len(self.compared(one_task=True)), 'comparison')}."
            )
        return said


def folder_of(results: Path, scale: Scale) -> Path:
    return results / scale / "inside"


def shipped(results: Path | None, scale: Scale) -> Inside | None:
    """What ships, or None if nothing does."""
    found = []
    for path in sorted(folder_of(results, scale).glob("*.json")) if results is not None else ():
        with suppress(ValidationError):  # of an older version
            found.append(Alignment.model_validate_json(path.read_bytes()))
    return Inside(scale, tuple(found)) if found else None


def ship(results: Path, inside: Inside) -> None:
    folder = folder_of(results, inside.scale)
    folder.mkdir(parents=True, exist_ok=True)
    for one in inside.found:
        text = json.dumps(one.as_json(), separators=(",", ":"))
        write_text(folder / f"{one.run}.json", text + "\n")


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
    runs: Iterable[Run], scale: Scale, watch: Callable[[str], None] = lambda text: None
) -> Inside:
    """Every run with the program of its task; what was done before is read."""
    found = []
    for run in runs:

        def tell(done: int, total: int, what: str, name: str = run.folder.name) -> None:
            watch(f"{name}: {done} of {total} · {what}")

        found.append(align_run(run, own_program(run), tell))
    return Inside(scale, tuple(found))


def draw(inside: Inside) -> "Drawing":
    """One line a task: each network by its alignment beyond training."""
    from matplotlib.figure import Figure

    tasks = list(dict.fromkeys(one.task for one in inside.found))
    figure = Figure(figsize=(7.2, 1.6 + 0.42 * len(tasks)), layout="constrained")
    axes = figure.subplots()
    kinds: Sequence[tuple[str, tuple[Alignment, ...], str, str]] = (
        (f"exact match beyond ≥ {percent(GENERALISES)}", inside.generalising, "o", SAME),
        ("below", inside.others, "X", OTHER),
    )
    for label, group, marker, colour in kinds:
        across = [one.score_beyond for one in group]
        down = [tasks.index(one.task) for one in group]
        axes.scatter(across, down, marker=marker, c=colour, s=46, alpha=0.8, label=label, zorder=3)
    axes.axvline(FOUND, color="grey", linestyle="--", linewidth=1)
    axes.set_yticks(range(len(tasks)), tasks)
    axes.invert_yaxis()
    axes.set(xlim=(-0.03, 1.03), xlabel="mean interchange accuracy beyond training")
    axes.xaxis.set_major_formatter(lambda value, place: f"{100 * value:.0f} %")
    axes.grid(axis="y", alpha=0.3)
    axes.legend(loc="upper left", fontsize=8, title="a network's", title_fontsize=8)
    return figure


def svg(inside: Inside) -> str:
    import matplotlib

    text = StringIO()
    with matplotlib.rc_context({"svg.hashsalt": "inside", "svg.fonttype": "none"}):
        draw(inside).savefig(text, format="svg", metadata={"Date": None}, transparent=True)
    return text.getvalue()
