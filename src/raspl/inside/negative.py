"""Negative controls: networks and programs that have nothing to do with each other.

Whatever way of looking finds a program in one of these finds it anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import Literal, get_args

import torch

from raspl.inside.alignment import Numbers, Question, align
from raspl.inside.counterfactual import column, exchanged
from raspl.inside.of_runs import domains
from raspl.inside.pairs import Domain, drawn
from raspl.inside.records import Verdict, judge
from raspl.inside.subjects import Trained
from raspl.inside.subspaces import Effort
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Aggr, Node, Select, SeqMap, Where
from raspl.runs.run import Run
from raspl.tasks import Purpose, stream
from raspl.training.model import Transformer
from raspl.validated import Record

Kind = Literal["random weights", "wrong program", "shuffled variables", "at chance"]
KINDS: tuple[Kind, ...] = get_args(Kind)
QUICK = Effort(steps=75)
FEW = Numbers(fitted=256, held_out=96, scored=96, agreement=100)
DIFFERS = 0.2
"""A wrong program differs from the right one in at least this share of outputs."""


class Negative(Record):
    """One try in which nothing may be found."""

    kind: Kind
    run: str
    program: str
    seed: int
    verdict: Verdict
    agreement: float
    best: float
    """The highest accuracy of any variable."""


def negative(kind: Kind, run: Run, graph: Graph, seed: int) -> Negative:
    """A try of one kind, with a run that is right and the program that it may run."""
    trained, beyond = domains(run)
    tested = wrong(graph, trained, seed) if kind == "wrong program" else graph
    model = {
        "random weights": lambda: with_random_weights(run.model, seed),
        "at chance": lambda: untrained(run, seed),
    }.get(kind, lambda: run.model)()
    question = Question(Trained(model), tested, trained, beyond, QUICK, FEW, seed=seed)
    answer = align(replace(question, shuffled=kind == "shuffled variables"))
    rows = [row for row in answer.rows if row.best is not None]
    return Negative(
        kind=kind,
        run=run.folder.name,
        program=tested.name,
        seed=seed,
        verdict=judge([row.is_found for row in rows], answer.agreement),
        agreement=round(answer.agreement, 4),
        best=max((row.best.trained.answers for row in rows if row.best), default=0.0),
    )


def with_random_weights(model: Transformer, seed: int) -> Transformer:
    """A network of the same shape, every tensor drawn anew at its own scale."""
    generator = torch.Generator().manual_seed(seed)
    anew = {
        name: torch.randn(weight.shape, generator=generator) * weight.std() + weight.mean()
        for name, weight in model.state_dict().items()
    }
    return _loaded(model, anew)


def untrained(run: Run, seed: int) -> Transformer:
    """The run's network before its first step, from another seed: it answers by chance."""
    return Transformer(len(run.task.alphabet), run.config.replace(seed=seed))


def _loaded(model: Transformer, weights: dict[str, torch.Tensor]) -> Transformer:
    other = deepcopy(model)
    other.load_state_dict(weights)
    return other


def wrong(graph: Graph, domain: Domain, seed: int) -> Graph:
    """A program of the same size with one operation changed, so that it says something else."""
    rng = stream(seed, Purpose.INSIDE, 50_000)
    inputs = drawn(domain, rng, rng.choice(domain.lengths, size=100))
    right = column(graph, graph.output, inputs.tokens, inputs.sizes).values
    changes = [(node, other) for node in graph.nodes for other in mutations(node)]
    Random(seed).shuffle(changes)
    for node, other in changes:
        changed = replace(exchanged(graph, node, other), name=f"not_{graph.name}")
        said = column(changed, changed.output, inputs.tokens, inputs.sizes)
        differs = (said.values != right)[inputs.asked].mean()
        if differs >= DIFFERS and not said.failed.any():
            return changed
    raise ValueError(f"no change of one operation makes {graph.name} another program")


def mutations(node: Node) -> Iterator[Node]:
    """Other operations on the same nodes."""
    match node:
        case Aggr(reduction="max"):
            yield replace(node, reduction="min")
        case Aggr(reduction="min"):
            yield replace(node, reduction="max")
        case Where():
            yield replace(node, a=node.b, b=node.a)
        case Select() if node.k.type == node.q.type:
            yield replace(node, k=node.q, q=node.k)
        case SeqMap() if node.x.type == node.y.type:
            yield replace(node, x=node.y, y=node.x)
