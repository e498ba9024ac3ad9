"""Controls, without which no number of an alignment counts.

Positive: a compiled program, disguised, in which the answer is known. Negative: networks and
programs that have nothing to do with each other.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace

import torch

from raspl.compiler import compile
from raspl.compiler.network import Network
from raspl.inside.alignment import Answer, Numbers, Question, Watch, align, in_words
from raspl.inside.counterfactual import column
from raspl.inside.pairs import Domain, drawn
from raspl.inside.records import Verdict, judge
from raspl.inside.subjects import Compiled, Disguise, predicted
from raspl.inside.subspaces import Effort
from raspl.language.ir.graph import Graph
from raspl.tasks import Purpose, Task, stream
from raspl.validated import Record

HUGE = 2.0**60
"""Weights above this forbid a key; those below order the keys that are left."""
FORBIDS, ORDERS = 2.0**-60, 2.0**-8
"""By how much they shrink: gaps of 2^80 and 2^13 become 2^20 and 2^5."""
NOISES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
RIGHT = 0.999
"""A disguise may cost this much of the network's answers and no more."""
LONGEST = 6
"""Positive controls are aligned up to this length, or the least that the task has."""
QUICK = Effort(steps=0)
"""Compiled heads are saturated and give no gradient: the discriminants alone must find it."""
FEW = Numbers(fitted=256, held_out=96, scored=128, agreement=200)


class Found(Record):
    """One variable of a compiled program."""

    variable: str
    dimensions_owned: int
    """Of the stream. None: it is a sum of other variables' dimensions, or inside of an MLP."""
    untested: str = ""
    site: str = ""
    dimensions: int = 0
    accuracy: float = 0.0
    low: float = 0.0


class Positive(Record):
    """What was found in one disguised network."""

    program: str
    seed: int
    width: int
    noise: float
    lengths: str
    agreement: float
    variables: tuple[Found, ...]

    @property
    def least(self) -> float:
        """Of all variables that stand in the stream and can be tested."""
        return min((one.accuracy for one in self.expected), default=1.0)

    @property
    def expected(self) -> tuple[Found, ...]:
        return tuple(one for one in self.variables if one.dimensions_owned and not one.untested)


def tempered(network: Network) -> Network:
    """The same network in double precision with softer heads, so that it bears a little noise.

    As compiled, a forbidden key is 2^80 below the others, and a rounding error in a turned stream
    would forbid at random. Gaps of 2^5 between what is ordered still leave e^-32 to the losers.
    """
    soft = copy.deepcopy(network).double()
    for block in soft.blocks:
        for head in block.heads:
            forbids = head.query.abs().amax(0) > HUGE
            head.query.mul_(torch.where(forbids, FORBIDS, ORDERS))
    return soft


def domain_of(task: Task, longest: int = LONGEST) -> Domain:
    most = max(longest, task.shortest)
    return Domain(task, "train", tuple(range(task.shortest, most + 1)))


def disguised(network: Network, graph: Graph, domain: Domain, seed: int) -> tuple[Compiled, float]:
    """The network behind a random rotation, with as much noise as it bears; and how much."""
    soft = tempered(network)
    rng = stream(seed, Purpose.INSIDE, 20_000)
    inputs = drawn(domain, rng, rng.choice(domain.lengths, size=200))
    wanted = torch.from_numpy(column(graph, graph.output, inputs.tokens, inputs.sizes).values)
    asked, tokens = torch.from_numpy(inputs.asked), torch.from_numpy(inputs.tokens)
    for noise in NOISES:
        subject = Compiled(soft, Disguise.draw(len(soft.description.dims), seed, noise=noise))
        same = predicted(subject, tokens) == subject.numbers(wanted)
        if float(same[asked].double().mean()) >= RIGHT:
            break
    return subject, noise


def positive(
    graph: Graph, task: Task, seed: int, watch: Watch = lambda done, total, what: None
) -> Positive:
    """Whether alignment finds every variable of a compiled program."""
    network = compile(graph, range(len(task.alphabet)))
    domain = domain_of(task)
    subject, noise = disguised(network, graph, domain, seed)
    question = Question(
        subject, graph, domain, domain, QUICK, FEW, seed=seed, only_until_found=True
    )
    answer = align(question, watch)
    owned = list(network.description.variables)
    return Positive(
        program=graph.name,
        seed=seed,
        width=subject.width,
        noise=noise,
        lengths=in_words(domain),
        agreement=answer.agreement,
        variables=tuple(
            Found(
                variable=row.variable,
                dimensions_owned=owned.count(row.variable),
                untested=row.untested,
                site=subject.sites[row.best.site] if row.best else "",
                dimensions=row.best.dimensions if row.best else 0,
                accuracy=row.best.trained.changed if row.best else 0.0,
                low=row.best.trained.low if row.best else 0.0,
            )
            for row in answer.rows
        ),
    )


class Negative(Record):
    """One try in which nothing may be found."""

    kind: str
    task: str
    program: str
    seed: int
    verdict: Verdict
    agreement: float
    best: float
    """The highest accuracy of any variable."""


def negative(kind: str, question: Question, seed: int) -> Negative:
    """A try; of the shuffled kind the sources of a right question are mixed up."""
    asked = replace(question, seed=seed, shuffled=kind == "shuffled variables")
    answer: Answer = align(asked)
    tested = [row for row in answer.rows if row.best is not None]
    return Negative(
        kind=kind,
        task=question.trained.task.name,
        program=question.graph.name,
        seed=seed,
        verdict=judge([row.is_found for row in tested], answer.agreement),
        agreement=answer.agreement,
        best=max((row.best.trained.changed for row in tested if row.best), default=0.0),
    )


def with_random_weights(network: torch.nn.Module, seed: int) -> torch.nn.Module:
    """A network of the same shape, whose every matrix is drawn anew at its own scale."""
    drawn_anew = copy.deepcopy(network)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for weight in drawn_anew.parameters():
            spread = float(weight.std()) if weight.numel() > 1 else 1.0
            weight.copy_(torch.randn(weight.shape, generator=generator) * spread)
    return drawn_anew


Draw = Callable[[int], Question]
"""A question that can be asked again with another seed."""
