"""Questions about a trained run: its network, its lengths, and a program."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path

from pydantic import ValidationError

from raspl import programs
from raspl.errors import RasplError
from raspl.inside.alignment import Numbers, Question
from raspl.inside.pairs import Domain
from raspl.inside.records import Alignment
from raspl.inside.subjects import Trained
from raspl.inside.subspaces import Effort
from raspl.language.ir.graph import Graph
from raspl.language.ir.printer import to_source
from raspl.runs.folder import RunFolder
from raspl.runs.run import Run

KEPT = "alignment.json"
VERSION = 13
"""Of the method: what another one found is not taken for this one's."""


def domains(run: Run) -> tuple[Domain, tuple[Domain, ...]]:
    """The training lengths, and what lies beyond: every longer length that the run is tested at.

    A task of one length is judged on another distribution instead.
    """
    config, task = run.config, run.task
    trained = Domain(task, config.train_on, tuple(range(task.shortest, config.max_length + 1)))
    longer = [length for length in config.test_lengths if length > config.max_length]
    on = config.judged_on(task)
    return trained, tuple(
        Domain(task, on, (length,), trained.lengths)
        for length in longer or [max(config.test_lengths)]
    )


def own_program(run: Run) -> Graph:
    """The program of the run's task, with the tokens that the run knows."""
    if run.task.program is None:
        raise RasplError(
            f"{run.config.task} has no program: name one, as in FILE:program. "
            f"`raspl search {run.config.task}` looks for one."
        )
    return programs.load_single(run.task.program, run.task.alphabet).graph


def question(
    run: Run,
    graph: Graph,
    effort: Effort = Effort(),  # noqa: B008 (it is frozen)
    numbers: Numbers = Numbers(),  # noqa: B008 (it is frozen)
) -> Question:
    check_inputs(run, graph)
    trained, beyond = domains(run)
    return Question(Trained(run.model), graph, trained, beyond, effort, numbers)


def check_inputs(run: Run, graph: Graph) -> None:
    """A task's program reads one sequence of tokens and puts out tokens."""
    needs = (
        f"a program to compare with {run.folder} reads one sequence of tokens and puts out tokens"
    )
    if len(graph.inputs) != 1:
        raise RasplError(f"{graph.name} reads {len(graph.inputs)} sequences; {needs}.")
    if not graph.output.type.is_int:
        raise RasplError(f"{graph.name} puts out values of type {graph.output.type}; {needs}.")


def check_tokens(run: Run, name: str) -> None:
    """A shipped program speaks of the tokens of its own task, by their numbers."""
    theirs = programs.tokens(name) if name in programs.NAMES else None
    for number, (mine, other) in enumerate(zip(run.task.alphabet, theirs or (), strict=False)):
        if mine != other:
            raise RasplError(
                f"{name} is written for other tokens than those of {run.config.task}: token "
                f"{number} is {other} there and {mine} here."
            )


def kept_alignment(folder: Path) -> Alignment | None:
    """What was found before; a file of another version is as good as none."""
    try:
        return Alignment.model_validate_json((folder / KEPT).read_bytes())
    except (FileNotFoundError, ValidationError):
        return None


def newest_alignment(run: Run, graph: Graph) -> Alignment | None:
    """The newest alignment of the run with a program of this name, however it was asked for."""
    folder = RunFolder(run.config, run.folder).inside
    found = sorted(folder.glob(f"{graph.name}-*/{KEPT}"), key=lambda path: path.stat().st_mtime)
    return kept_alignment(found[-1].parent) if found else None


def cache_folder(run: Run, asked: Question) -> Path:
    """One for each program and each way of asking."""
    way = {"effort": asdict(asked.effort), "numbers": asdict(asked.numbers), "version": VERSION}
    text = json.dumps([to_source(asked.graph), way], sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    return RunFolder(run.config, run.folder).inside / f"{asked.graph.name}-{digest}"
