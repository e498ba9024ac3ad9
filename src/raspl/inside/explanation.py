"""What did a network learn? The shortest program that says what the network says, right or wrong.

The search fits every example that it is given, and a network's outputs are never all those of one
program. So it is asked several times: about training lengths and longer ones together, about the
longer ones alone, and about a handful of examples, which a program that is right nine times in ten
often fits. Every find is then scored on fresh inputs.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
import torch
from pydantic import ValidationError

from raspl.files import write_text
from raspl.inside.counterfactual import Bools, column
from raspl.inside.of_runs import domains, own_program
from raspl.inside.pairs import Domain, Inputs, drawn
from raspl.inside.subjects import Subject, Trained, predicted
from raspl.language.ir.graph import Graph
from raspl.language.ir.printer import to_source
from raspl.prediction.sources import TaskSource
from raspl.runs.folder import RunFolder
from raspl.runs.run import Run
from raspl.synthesis import Find, Progress, Settings, search
from raspl.synthesis.examples import Example
from raspl.synthesis.names import Names
from raspl.synthesis.program_text import program_text
from raspl.tasks import Purpose, stream
from raspl.validated import Record

ENOUGH = 0.9
"""The share of a network's outputs beyond training from which a program explains it."""
SCORED = 300
"""Fresh inputs on which a program is scored."""
HANDFUL = 6
WORK = 2_000_000_000
"""What all searches together may compute, about a minute's worth; half of it is for the first."""
KEPT = 3
"""How many programs are shown."""
FILE = "explanation-1.json"
"""What is kept beside the run's alignments; the number is that of the method."""


@dataclass(frozen=True)
class ModelSource:
    """Examples of a task with the network's own answers in place of the right ones."""

    subject: Subject
    trained: Domain
    beyond: Domain
    shortest: int

    @property
    def _task(self) -> TaskSource:
        return TaskSource(self.trained.task, self.trained.on)

    @property
    def name(self) -> str:
        return f"a network trained on {self.trained.task.name}"

    @property
    def literals(self) -> tuple[int, ...]:
        return self._task.literals

    @property
    def lengths(self) -> tuple[int, int | None]:
        return self.shortest, self.trained.task.longest

    def draw(self, rng: np.random.Generator, lengths: Sequence[int]) -> list[Example]:
        found: list[Example] = []
        for length in lengths:
            on = self.trained if length in self.trained.lengths else self.beyond
            found += replace(self._task, on=on.on).draw(rng, [length])
        return [self._answered(example) for example in found]

    def _answered(self, example: Example) -> Example:
        said = predicted(self.subject, torch.tensor([example.tokens]))[0].tolist()
        wanted = (
            None if right is None else token
            for right, token in zip(example.wanted, said, strict=True)
        )
        return Example(example.tokens, tuple(wanted))

    @property
    def names(self) -> Names:
        return self._task.names

    def show(self, tokens: Sequence[int]) -> str:
        return self._task.show(tokens)


class Candidate(Record):
    """A program, and how much of what the network says it says too."""

    name: str
    origin: str
    cost: int | None = None
    text: str
    trained: float
    """The share of outputs at training lengths."""
    beyond: float
    first: float
    """Beyond training: at the first token of an answer,"""
    inner: float
    """at those behind it,"""
    end: float
    """and where the right answer ends."""
    is_known: bool = False
    """Whether it says the same as one of the known programs on every input it was scored on."""


class Explanation(Record):
    """What a network learned, as far as programs tell."""

    run: str
    task: str
    trained_to: int
    beyond: str
    right: float
    """The share of outputs beyond training that are those of the task."""
    exact: float
    """The share of whole answers beyond training that are right."""
    finds: tuple[Candidate, ...]
    known: tuple[Candidate, ...]
    """The task's program, if it has one, and others that the caller wants beside."""
    exhausted: int
    """No program of this cost or less gives all answers of the network in a few examples of all
    lengths; -1 if not even cost 0 was searched to its end."""

    @property
    def best(self) -> Candidate | None:
        """What explains most beyond training: a find, or a known program if none is as good."""
        ranked = (*self.finds, *(one.replace(is_known=True) for one in self.known))
        return max(ranked, key=lambda one: round(one.beyond, 2), default=None)

    @property
    def is_explained(self) -> bool:
        return self.best is not None and self.best.beyond >= ENOUGH


Watch = Callable[[Progress], None]


def explain_run(run: Run, budget: float = 300.0, watch: Watch | None = None) -> Explanation:
    """What a run's network does, beside the task's own program; kept in the run's folder."""
    path = RunFolder(run.config, run.folder).inside / FILE
    with suppress(FileNotFoundError, ValidationError):
        return Explanation.model_validate_json(path.read_bytes())
    began = time.monotonic()
    found = explain(run, [own_program(run)] if run.task.program is not None else [], budget, watch)
    if time.monotonic() - began < budget:  # else the clock ended it, and more time may find more
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, json.dumps(found.as_json()) + "\n")
    return found


def explain(
    run: Run, known: Sequence[Graph] = (), budget: float = 300.0, watch: Watch | None = None
) -> Explanation:
    """Search what the network does, for `budget` seconds at most: as a rule, the work ends it."""
    began = time.monotonic()
    subject = Trained(run.model)
    trained, (*_, beyond) = domains(run)
    source = ModelSource(subject, trained, beyond, run.task.shortest)
    scorer = _Scorer(subject, trained, beyond)
    finds: dict[bytes, tuple[Candidate, Find]] = {}
    exhausted = -1
    usual = {scorer.said_by(graph) for graph in known}
    for origin, settings in _tries(source, beyond):
        left = began + budget - time.monotonic()
        if left <= 0:
            break
        found = search(source, replace(settings, budget=left), watch)
        if origin == "all lengths":
            exhausted = found.exhausted
        for one in found.finds:
            said = scorer.said_by(one.graph)
            scored = scorer.candidate(one.graph, origin, one.cost).replace(is_known=said in usual)
            finds.setdefault(said, (scored, one))
        if any(one.beyond >= ENOUGH and one.trained >= ENOUGH for one, _ in finds.values()):
            break
    ranked = sorted(finds.values(), key=lambda one: (-round(one[0].beyond, 2), one[0].cost or 0))
    return Explanation(
        run=run.folder.name,
        task=run.config.task,
        trained_to=run.config.max_length,
        beyond=f"length {beyond.lengths[-1]}",
        right=scorer.right,
        exact=scorer.exact,
        finds=tuple(
            _named(candidate, find, number, source.names)
            for number, (candidate, find) in enumerate(ranked[:KEPT], 1)
        ),
        known=tuple(scorer.candidate(graph, "the task's") for graph in known),
        exhausted=exhausted,
    )


def _named(candidate: Candidate, find: Find, number: int, names: Names) -> Candidate:
    """Under a name of its own and in the task's tokens, as part of a file that states them once."""
    name = f"learned_{number}"
    text = program_text(find.term, find.graph.bits, name, names, states_names=number == 1)
    return candidate.replace(name=name, text=text)


def _tries(source: ModelSource, beyond: Domain) -> Iterator[tuple[str, Settings]]:
    """What is asked of the search, one after another."""
    far, near = beyond.lengths[-1], max(source.trained.lengths)
    short = min(near, max(source.shortest, 5))
    most = Settings(
        max_length=far, search_length=far, stop_at_first=True, max_cost=4, work=WORK // 2
    )
    less = replace(most, work=WORK // 8)
    yield "all lengths", most
    yield "training lengths", replace(less, max_length=short)
    yield "beyond training", replace(less, min_length=far)
    for seed in range(2):
        yield "a handful of examples", replace(less, examples=HANDFUL, held_in=HANDFUL, seed=seed)


class _Scorer:
    """Fresh inputs with what the network says on them."""

    def __init__(self, subject: Subject, trained: Domain, beyond: Domain) -> None:
        self.near, self.near_said = self._heard(subject, trained, 0)
        self.far, self.far_said = self._heard(subject, beyond, 1)
        same = self.far.following == self.far_said
        self.right = float(same[self.far.asked].mean())
        self.exact = float((same | ~self.far.asked).all(axis=1).mean())

    def _heard(self, subject: Subject, domain: Domain, part: int) -> tuple[Inputs, np.ndarray]:
        rng = stream(0, Purpose.INSIDE, 30_000, part)
        inputs = drawn(domain, rng, rng.choice(domain.lengths, size=SCORED))
        return inputs, predicted(subject, torch.from_numpy(inputs.tokens)).numpy()

    def said_by(self, graph: Graph) -> bytes:
        """What a program says on all inputs: those that say the same are one program here."""
        said = (
            column(graph, graph.output, inputs.tokens, inputs.sizes).values[inputs.asked]
            for inputs in (self.near, self.far)
        )
        return b"".join(one.tobytes() for one in said)

    def candidate(self, graph: Graph, origin: str, cost: int | None = None) -> Candidate:
        near = self._same(graph, self.near, self.near_said)
        far = self._same(graph, self.far, self.far_said)
        first, inner, end = (_share(far, where) for where in places(self.far.asked))
        return Candidate(
            name=graph.name,
            origin=origin,
            cost=cost,
            text=to_source(graph),
            trained=_share(near, self.near.asked),
            beyond=_share(far, self.far.asked),
            first=first,
            inner=inner,
            end=end,
        )

    def _same(self, graph: Graph, inputs: Inputs, said: np.ndarray) -> Bools:
        output = column(graph, graph.output, inputs.tokens, inputs.sizes)
        return np.asarray((output.values == said) & ~output.failed[:, None])


def places(asked: Bools) -> tuple[Bools, Bools, Bools]:
    """The first place of an answer, the last, where its end is asked for, and all between."""
    index = np.arange(asked.shape[1])
    first = index == asked.argmax(axis=1)[:, None]
    last = index == (asked.shape[1] - 1 - asked[:, ::-1].argmax(axis=1))[:, None]
    return asked & first, asked & ~first & ~last, asked & last


def _share(same: Bools, where: Bools) -> float:
    return round(float(same[where].mean()), 4) if where.any() else 1.0
