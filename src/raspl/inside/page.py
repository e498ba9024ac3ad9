"""A trained network on one input, as a page: attention, logit lens, alignment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from raspl.errors import RasplError
from raspl.files import write_text
from raspl.inside.attention import Match, attention, matches
from raspl.inside.of_runs import domains, newest_alignment
from raspl.inside.pairs import drawn
from raspl.inside.records import Alignment
from raspl.inside.subjects import Trained
from raspl.inside.wording import reason, reason_at
from raspl.language.ir.graph import Graph
from raspl.runs.run import Run
from raspl.tasks import NOTHING, SEPARATOR, Purpose, stream
from raspl.templates import render
from raspl.trace.recording import trace

COMPARED = 16
"""Inputs over which heads are compared with selectors."""
FAINT = 0.03
"""Attention below this is not drawn."""
ALIKE = 0.3
"""A head whose best score is below this is like no selector of the program."""
LONGEST = 120
"""Tokens that can be read on a page."""


def write(run: Run, graph: Graph | None, tokens: Sequence[int], path: Path) -> None:
    write_text(path, page(run, graph, tokens))


def example(run: Run, length: int | None = None) -> list[int]:
    """An example of the task as the network reads it."""
    size = run.config.max_length if length is None else length
    trained, _ = domains(run)
    found = drawn(trained, stream(0, Purpose.SHOW), torch.tensor([size]).numpy())
    return [int(token) for token in found.tokens[0, : found.sizes[0]] if token != NOTHING]


def page(run: Run, graph: Graph | None, tokens: Sequence[int]) -> str:
    if not 0 < len(tokens) <= min(LONGEST, run.config.context):
        raise RasplError(
            f"An input has 1 to {min(LONGEST, run.config.context)} tokens, not {len(tokens)}."
        )
    subject = Trained(run.model)
    names = run.task.names(tokens)
    said = list(tokens).index(SEPARATOR) if SEPARATOR in tokens else len(tokens)
    return render(
        "raspl.inside",
        "inspect.html",
        run=run.folder.name,
        facts=f"{run.config.task}, trained to length {run.config.max_length}: "
        f"{run.config.layers} layers of {run.config.heads} heads, width {run.config.width}.",
        program="" if graph is None else graph.name,
        tokens=[{"name": name, "asked": place >= said} for place, name in enumerate(names)],
        size=len(tokens),
        compared=COMPARED,
        alike=ALIKE,
        heads=list(heads(run, subject, graph, tokens)),
        lens=lens(run, subject, tokens),
        alignment=alignment_table(None if graph is None else newest_alignment(run, graph)),
    )


def heads(
    run: Run, subject: Trained, graph: Graph | None, tokens: Sequence[int]
) -> list[dict[str, Any]]:
    alike = {} if graph is None else likest(run, subject, graph)
    selections = () if graph is None else trace(graph, tokens).selections
    rows = {one.title: one.rows for one in selections}
    names = run.task.names(tokens)
    found = []
    for layer, weights in enumerate(attention(subject, torch.tensor([tokens])), 1):
        for number, grid in enumerate(weights[0], 1):
            match = alike.get((layer, number))
            selected = () if match is None else rows.get(match.selector, ())
            found.append(
                {
                    "layer": layer,
                    "number": number,
                    "selector": "" if match is None else match.selector,
                    "score": "" if match is None else f"{match.score:.2f}",
                    "weights": [
                        {
                            "query": query,
                            "key": key,
                            "weight": f"{grid[query, key]:.2f}",
                            "title": f"{names[query]} → {names[key]}: {grid[query, key]:.0%}",
                        }
                        for query in range(len(tokens))
                        for key in range(query + 1)
                        if grid[query, key] >= FAINT
                    ],
                    "selected": [
                        {"query": query, "key": key}
                        for query, row in enumerate(selected)
                        for key, chosen in enumerate(row)
                        if chosen
                    ],
                }
            )
    return found


def likest(run: Run, subject: Trained, graph: Graph) -> dict[tuple[int, int], Match]:
    """For each head the selector that it is most like, if it is like any."""
    trained, _ = domains(run)
    rng = stream(0, Purpose.INSIDE, 40_000)
    compared = matches(subject, graph, drawn(trained, rng, rng.choice(trained.lengths, COMPARED)))
    best = {head: ranked[0] for head, ranked in compared.items() if ranked}
    return {head: match for head, match in best.items() if match.score >= ALIKE}


@torch.no_grad()
def lens(run: Run, subject: Trained, tokens: Sequence[int]) -> list[dict[str, Any]]:
    """At each site the most likely token, if the network stopped there."""
    chances = [
        torch.softmax(subject.logits(stream_), -1)[0]
        for stream_ in subject.streams(torch.tensor([tokens]))
    ]
    final = chances[-1].argmax(-1)
    names = run.task.alphabet
    return [
        {
            "site": site,
            "cells": [
                {
                    "token": names[int(row.argmax())],
                    "percent": f"{100 * float(row.max()):.0f}",
                    "shade": f"{0.35 * float(row.max()):.2f}",
                    "final": int(row.argmax()) == int(final[place]),
                }
                for place, row in enumerate(chance)
            ],
        }
        for site, chance in zip(subject.sites, chances, strict=True)
    ]


def alignment_table(found: Alignment | None) -> dict[str, Any] | None:
    if found is None:
        return None
    rows = []
    for row in found.rows:
        known = {cell.site: cell for cell in row.cells}
        cells = [
            {"known": False, "best": False}
            if (cell := known.get(site)) is None
            else {
                "known": True,
                "best": cell is row.best,
                "near": f"{cell.trained.answers:.0%}",
                "far": ", ".join(f"{one.answers:.0%}" if one.pairs else "–" for one in cell.beyond),
                "dimensions": cell.dimensions,
                "shade": f"{0.5 * cell.trained.answers:.2f}",
            }
            for site in range(len(found.sites))
        ]
        rows.append({"name": row.variable, "untested": row.untested, "cells": cells})
    return {
        "sites": found.sites,
        "rows": rows,
        "verdict": found.verdict,
        "reason": reason(found),
        "longer": [
            {
                "where": longer.where,
                "verdict": found.verdict_at(place),
                "reason": reason_at(found, place),
            }
            for place, longer in enumerate(found.longer)
        ],
    }
