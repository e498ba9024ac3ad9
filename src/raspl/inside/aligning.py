"""Aligning a run, on several cores if there are: each takes whole variables, and keeps what it
finds in the run's folder, where the alignment then reads it."""

from __future__ import annotations

import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import torch

from raspl.files import write_text
from raspl.inside.alignment import Numbers, Question, Watch, align, row
from raspl.inside.cache import FolderCache
from raspl.inside.of_runs import KEPT, cache_folder, kept_alignment, question
from raspl.inside.records import Alignment
from raspl.inside.subspaces import Effort
from raspl.inside.variables import variables
from raspl.language.ir.graph import Graph
from raspl.runs.run import Run


def align_run(
    run: Run,
    graph: Graph,
    watch: Watch = lambda done, total, what: None,
    effort: Effort = Effort(),  # noqa: B008 (it is frozen)
    numbers: Numbers = Numbers(),  # noqa: B008 (it is frozen)
    workers: int = 1,
) -> Alignment:
    """Where the program's variables live in the run's network; kept in the run's folder."""
    asked = question(run, graph, effort, numbers)
    folder = cache_folder(run, asked)
    known = kept_alignment(folder)
    if known is not None:
        return known
    began = time.monotonic()
    if workers > 1 and len(variables(graph)) > 1:
        fill(asked, run, workers, watch)
    answer = align(asked, watch, FolderCache(folder))
    answer = replace(answer, seconds=time.monotonic() - began)
    found = answer.named(asked, run.folder.name, run.config.task, run.config.max_length)
    write_text(folder / KEPT, json.dumps(found.as_json()) + "\n")
    return found


def fill(asked: Question, run: Run, workers: int, watch: Watch) -> None:
    """Look for every variable, several at a time. If it is stopped, what was found is kept."""
    wanted = variables(asked.graph)
    pool = ProcessPoolExecutor(workers, get_context("spawn"))
    try:
        jobs = {
            pool.submit(
                _look_for, number, run.folder, asked.graph, asked.effort, asked.numbers
            ): one
            for number, one in enumerate(wanted)
        }
        watch(0, len(wanted), f"variables, {workers} at a time")
        for done, job in enumerate(as_completed(jobs), 1):
            job.result()
            watch(done, len(wanted), f"variables · {jobs[job].name}")
    finally:
        pool.shutdown(cancel_futures=True)


def _look_for(number: int, folder: Path, graph: Graph, effort: Effort, numbers: Numbers) -> None:
    """One variable, in a process of its own."""
    torch.set_num_threads(1)
    run = Run.at(folder)
    asked = question(run, graph, effort, numbers)
    row(asked, number, FolderCache(cache_folder(run, asked)))
