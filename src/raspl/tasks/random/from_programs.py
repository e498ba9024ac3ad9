"""Random legal programs as tasks: what one outputs at each position, or writes after a prompt."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random

import numpy as np

from raspl.executors import batch, stream
from raspl.executors.reference import RunError
from raspl.language.generator.programs import ORIGIN, Style, random_graph
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Site, TokMap
from raspl.language.ir.printer import to_source
from raspl.language.ir.scalar import Fn, Lit, Op, Var
from raspl.tasks.examples import END, FRAME, SEPARATOR, START, Ints, keep
from raspl.tasks.making import table
from raspl.tasks.random.drawn import LETTERS, LONGEST, Drawn, Unfit
from raspl.tasks.task import Task, TaskError

MOST_LABELS = 10
PROBED = 100
"""Sequences on which a program is tried before it counts as a task."""
FEW = 12
"""Prompts of each length on which a writer is."""
TRIES = 20
"""How often a row is drawn again that the program fails on, as it did on none that was probed."""


def random_program(rng: Random) -> tuple[Graph, str]:
    """A program whose output is an integer, and the letters that it reads."""
    letters = LETTERS[: rng.randint(2, 6)]
    graph = random_graph(rng, Style(size=rng.randint(2, 10), depth=rng.randint(1, 3)))
    if not graph.output.type.is_int:
        raise Unfit("It outputs an index or a count.")
    return graph, letters


def read(symbols: Ints) -> Ints:
    """Symbols as the program reads them: a start before them, behind the frame's ids."""
    return np.pad(symbols + len(FRAME), ((0, 0), (1, 0)), constant_values=START)


def as_function(name: str, rng: Random) -> Drawn:
    """The program's output, asked for as a label at every position or as the answer at the end."""
    graph, letters = random_program(rng)
    is_labelled = rng.random() < 0.6
    probes = np.random.default_rng(rng.getrandbits(64)).integers(
        len(letters), size=(PROBED, LONGEST)
    )
    results = batch.run(graph, read(probes))
    if results.errors:
        raise Unfit("It fails on some inputs.")
    values = np.unique(results.values[:, 1:])
    if not 1 < len(values) <= MOST_LABELS:
        raise Unfit(f"It has {len(values)} different outputs.")
    own = [str(value) for value in values]
    if values.min() >= len(FRAME) and values.max() < len(FRAME) + len(letters):
        own, numbers = [], values - len(FRAME)  # what it outputs are letters
    else:
        numbers = np.arange(len(values)) + (0 if is_labelled else len(letters))

    def outputs(rows: Ints, lengths: Ints) -> tuple[Ints, Ints]:
        """By number of symbol or label, and which rows it fails on."""
        found = batch.run(graph, read(rows))
        place = np.minimum(np.searchsorted(values, found.values[:, 1:]), len(values) - 1)
        unknown = keep((values[place] != found.values[:, 1:]).astype(np.int64), lengths) == 1
        unknown[list(found.errors)] = True
        return numbers[place], np.flatnonzero(unknown.any(axis=1))

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        rows = rng.integers(len(letters), size=(len(lengths), int(lengths.max())))
        wanted, bad = outputs(rows, lengths)
        for _ in range(TRIES):
            if not len(bad):
                break
            rows[bad] = rng.integers(len(letters), size=(len(bad), rows.shape[1]))
            wanted[bad], still = outputs(rows[bad], lengths[bad])
            bad = bad[still]
        else:
            raise TaskError(f"{name}: its program fails on too many inputs of these lengths.")
        if is_labelled:
            return keep(rows, lengths), keep(wanted, lengths)
        return keep(rows, lengths), np.take_along_axis(wanted, lengths[:, None] - 1, axis=1)

    def solve(prefix: Sequence[str]) -> list[str]:
        tokens = [START, *(letters.index(letter) + len(FRAME) for letter in prefix)]
        value = int(stream.run(graph, tokens)[-1])
        return [own[values.tolist().index(value)] if own else letters[value - len(FRAME)]]

    def solve_many(prefixes: Sequence[Sequence[str]]) -> list[list[str] | None]:
        rows = [[START, *(letters.index(one) + len(FRAME) for one in p)] for p in prefixes]
        found = batch.run(graph, rows)
        named = dict(zip(values.tolist(), own or [letters[n] for n in numbers], strict=True))
        last = [None if row in found.errors else int(found[row][-1]) for row in range(len(rows))]
        return [[named[value]] if value in named else None for value in last]

    source = to_source(graph)
    if is_labelled:
        task = Task(name, source, letters, sample, solve, is_labelled=True, labels=own)
    else:
        task = Task(name, source, (*letters, *own), sample, solve)
    return Drawn(replace(task, solve_many=solve_many), letters, source)


def as_writer(name: str, rng: Random) -> Drawn:
    """What the program writes after a prompt, token by token, until it writes the end."""
    graph, letters = random_program(rng)
    # Whatever the program outputs becomes a letter or the end, which stands before the letters.
    func = Fn(1, Op("+", (Op("%", (Var(0), Lit(len(letters) + 1))), Lit(END))))
    site = Site(ORIGIN, graph.bits, count(1).__next__)
    graph = replace(graph, output=TokMap.build(site, x=graph.output, func=func))
    probe = np.random.default_rng(rng.getrandbits(64))

    def written(prompts: Sequence[Sequence[int]]) -> list[list[int] | None]:
        """Answers by number of symbol; None if the program fails or does not end."""
        made = [[START, *(one + len(FRAME) for one in prompt), SEPARATOR] for prompt in prompts]
        limit = 2 * max(map(len, prompts)) + 4
        answers: list[list[int] | None] = []
        for prompt, found in zip(made, stream.generate_many(graph, made, END, limit), strict=True):
            if isinstance(found, RunError) or found[-1] != END:
                answers.append(None)
            else:
                answers.append((found[len(prompt) : -1] - len(FRAME)).tolist())
        return answers

    for length in (1, 2, 7, 16, 48, LONGEST):
        answers = written(probe.integers(len(letters), size=(FEW, length)).tolist())
        if None in answers:
            raise Unfit("On some prompts it writes no end.")
        if length > FEW and all(answer == answers[0] for answer in answers):
            raise Unfit("It writes the same after every prompt.")

    def sample(rng: np.random.Generator, lengths: Ints) -> tuple[Ints, Ints]:
        prompts = [rng.integers(len(letters), size=length).tolist() for length in lengths.tolist()]
        answers = written(prompts)
        for _ in range(TRIES):
            bad = [number for number, answer in enumerate(answers) if answer is None]
            if not bad:
                break
            for number in bad:
                prompts[number] = rng.integers(len(letters), size=int(lengths[number])).tolist()
            for number, answer in zip(bad, written([prompts[one] for one in bad]), strict=True):
                answers[number] = answer
        return table(prompts), table([answer or [] for answer in answers])

    def solve(prompt: Sequence[str]) -> list[str]:
        tokens = [START, *(letters.index(letter) + len(FRAME) for letter in prompt), SEPARATOR]
        made = stream.generate(graph, tokens, END, 2 * len(tokens))[len(tokens) :].tolist()
        if made[-1] != END:
            raise ValueError("the program writes no end")
        return [letters[token - len(FRAME)] for token in made[:-1]]

    def solve_many(prompts: Sequence[Sequence[str]]) -> list[list[str] | None]:
        answers = written([[letters.index(letter) for letter in prompt] for prompt in prompts])
        return [[letters[one] for one in answer or ()] or None for answer in answers]

    source = to_source(graph)
    task = Task(name, source, letters, sample, solve, solve_many=solve_many)
    return Drawn(task, letters, source)
