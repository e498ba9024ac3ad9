"""Positive controls: compiled programs, disguised, in which the answer is known."""

from __future__ import annotations

import copy

import torch

from raspl.compiler import compile
from raspl.compiler.network import Head, Network
from raspl.inside.alignment import Numbers, Question, Watch, align, in_words
from raspl.inside.cache import Cache
from raspl.inside.counterfactual import column
from raspl.inside.pairs import Domain, drawn
from raspl.inside.subjects import Compiled, Disguise, predicted
from raspl.inside.subspaces import RIDGES, Effort
from raspl.inside.variables import Variable
from raspl.language.ir.graph import Graph
from raspl.tasks import Purpose, Task, stream
from raspl.validated import Record

HUGE = 2.0**60
"""Weights above this forbid a key; those below order the keys that are left."""
LATER = 2
"""By how many layers a compiled variable may come later than its heads say."""
FORBIDS, ORDERS = 2.0**-60, 2.0**-8
"""By how much they shrink: gaps of 2^80 and 2^13 become 2^20 and 2^5."""
NOISES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7)
RIGHT = 0.999
"""A noise that leaves fewer of the network's answers right is too strong."""
MARGIN = 0.1
"""How much weaker than the strongest that passes it is. That one hardly changes an answer, but a
head's output where no answer needs it, and then the variable is not in the network either."""
LONGEST = 10
"""Aligned up to this length, unless asked for less."""
REACHED = 0.95
"""The interchange accuracy that every variable must have; sites behind it are not looked at."""
QUICK = Effort(steps=0, enough=REACHED, ridges=(*RIDGES, 1e6, 1e8, 1e10), strangers=0.1)
"""Compiled heads are saturated and give no gradient: the discriminants alone must find a variable,
and precisely, as squared positions in the same stream are 10⁵ times larger. Where the median of the
spectrum is that of the noise, only ridges far above it do. Some scrambled tokens are strangers: but
for `EoS`, which no input holds, `is_digit` of an addition is a weighted sum of other codes in the
embedding, and nothing would tell the two apart.
"""
FEW = Numbers(fitted=768, held_out=256, scored=192, agreement=200)


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
    for head in soft.modules():
        if isinstance(head, Head):
            forbids = head.query.abs().amax(0) > HUGE
            head.query.mul_(torch.where(forbids, FORBIDS, ORDERS))
    return soft


def near(network: Network, subject: Compiled, variable: Variable) -> list[int]:
    """The sites at which a variable may stand first: none if it owns no dimension.

    Counting takes a layer more than the program's heads say, so layers a little behind count too.
    """
    blocks, depth = network.description.blocks, variable.depth
    if variable.name not in network.description.variables:
        return []
    found = [0] if depth == 0 else []
    for site, name in enumerate(subject.sites[1:], 1):
        layer = blocks[int(name.split()[1]) - 1].layer
        if depth <= layer <= depth + LATER:
            found.append(site)
    return found


def domain_of(task: Task, longest: int) -> Domain:
    most = max(min(longest, task.longest or longest), task.shortest)
    return Domain(task, "train", tuple(range(task.shortest, most + 1)))


def disguised(network: Network, graph: Graph, domain: Domain, seed: int) -> tuple[Compiled, float]:
    """The network behind a random rotation, with noise that it bears well; and how much."""
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
    noise *= MARGIN
    return Compiled(soft, Disguise.draw(len(soft.description.dims), seed, noise=noise)), noise


def positive(
    graph: Graph,
    task: Task,
    seed: int,
    longest: int = LONGEST,
    watch: Watch = lambda done, total, what: None,
    cache: Cache | None = None,
) -> Positive:
    """Whether alignment finds every variable of a compiled program."""
    network = compile(graph, range(len(task.alphabet)))
    domain = domain_of(task, longest)
    subject, noise = disguised(network, graph, domain, seed)
    question = Question(
        subject, graph, domain, (), QUICK, FEW, seed=seed, only_until_found=True,
        looked_at=lambda variable: near(network, subject, variable),
    )  # fmt: skip
    answer = align(question, watch, cache)
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
                accuracy=row.best.trained.answers if row.best else 0.0,
                low=row.best.trained.low if row.best else 0.0,
            )
            for row in answer.rows
        ),
    )
