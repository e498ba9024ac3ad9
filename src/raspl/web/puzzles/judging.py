"""Is a solution right? Tried on short inputs first, so that the first failure is a short one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from raspl.errors import RasplError
from raspl.executors.reference import RunError
from raspl.loading import load
from raspl.program import Program
from raspl.web.programs import find_program
from raspl.web.puzzles.catalogue import PUZZLES
from raspl.web.puzzles.puzzle import Puzzle, Tokens, Wanted

MOST_LISTED = 1_000
"""Inputs of one length that are tried one and all."""
SHORT = range(1, 13)
LONG = (16, 24, 32, 50, 100, 200)
MANY, FEW = 60, 8
"""Inputs of each short length, and of each long one."""
SLACK = 3
"""Tokens that a program may write beyond what is wanted before it is stopped."""
PROGRAMS = Path(__file__).parent / "programs"


def judge(request: dict[str, Any]) -> dict[str, Any]:
    """Try a solution of a puzzle; where it is wrong, on the shortest input that was found."""
    puzzle = PUZZLES.get(request["puzzle"])
    if puzzle is None:
        raise RasplError(f"there is no puzzle {request['puzzle']!r}")
    program = find_program(request["text"], "")
    if len(program.graph.inputs) != 1:
        inputs = ", ".join(node.name for node in program.graph.inputs)
        raise RasplError(f"a solution reads one sequence, and {program.name} reads {inputs}")
    measures = {"measures": asdict(program.measure()), "best": best(puzzle.id)}
    tested = 0
    for batch in trials(puzzle):
        wrong = first_wrong(program, puzzle, batch)
        if wrong is not None:
            shortest = shrunk(program, puzzle, batch[wrong])
            return {
                "solved": False,
                "counterexample": _explained(program, puzzle, shortest),
                "tested": tested,
                **measures,
            }
        tested += len(batch)
    return {"solved": True, "tested": tested, **measures}


@cache
def best(puzzle: str) -> dict[str, Any]:
    """What the best solution known costs."""
    return asdict(solution(puzzle).measure())


def solution(puzzle: str) -> Program:
    """The best solution known."""
    (program,) = load(PROGRAMS / f"{puzzle.replace('-', '_')}.py").values()
    return program


def trials(puzzle: Puzzle) -> Iterator[list[Tokens]]:
    """Inputs in batches, shorter ones first; the same for everyone."""
    rng = random.Random(puzzle.id)
    if not puzzle.is_written:
        yield [list(puzzle.example)]
    for length in SHORT:
        yield _every(puzzle, length) or [puzzle.draw(rng, length) for _ in range(MANY)]
    for length in LONG:
        if length <= puzzle.longest:
            yield [puzzle.draw(rng, length) for _ in range(FEW)]


def _every(puzzle: Puzzle, length: int) -> list[Tokens]:
    """All inputs of a length, if there are few."""
    if not puzzle.alphabet or len(puzzle.alphabet) ** length > MOST_LISTED:
        return []
    found = (list(tokens) for tokens in product(puzzle.alphabet, repeat=length))
    return [tokens for tokens in found if puzzle.accepts(tokens)]


def first_wrong(program: Program, puzzle: Puzzle, inputs: list[Tokens]) -> int | None:
    """The number of the first input on which a program is wrong."""
    wanted = [puzzle.specification(tokens) for tokens in inputs]
    got = _written(program, puzzle, inputs, wanted) if puzzle.is_written else _mapped(
        program, inputs
    )  # fmt: skip
    pairs = enumerate(zip(got, wanted, strict=True))
    return next((n for n, (a, b) in pairs if not _agrees(a, b)), None)


def _agrees(got: Iterable[int | None] | None, wanted: Wanted) -> bool:
    if got is None:
        return False
    listed = list(got)
    return len(listed) == len(wanted) and all(
        b is None or a == b for a, b in zip(listed, wanted, strict=True)
    )


def _mapped(program: Program, inputs: list[Tokens]) -> list[Wanted | None]:
    results = program.batch(inputs)
    return [
        None if number in results.errors else results.outputs(number)
        for number in range(len(inputs))
    ]


def _written(
    program: Program, puzzle: Puzzle, inputs: list[Tokens], wanted: list[Wanted]
) -> list[Wanted | None]:
    limit = max(map(len, wanted)) + SLACK
    done = program.generate_many(inputs, puzzle.end, limit)
    return [
        None if isinstance(whole, RunError) else [int(t) for t in whole[len(prompt) :]]
        for prompt, whole in zip(inputs, done, strict=True)
    ]


def shrunk(program: Program, puzzle: Puzzle, tokens: Tokens) -> Tokens:
    """An input as short as can be found, with small tokens, on which the program is wrong."""

    def is_wrong(tried: Tokens) -> bool:
        return puzzle.accepts(tried) and first_wrong(program, puzzle, [tried]) is not None

    if not puzzle.alphabet:
        return tokens
    while True:
        shorter = next((t for t in _without_one(tokens) if is_wrong(t)), None)
        if shorter is None:
            break
        tokens = shorter
    for place in range(len(tokens)):
        for token in sorted(puzzle.alphabet, key=abs):
            if token == tokens[place]:
                break
            tried = [*tokens[:place], token, *tokens[place + 1 :]]
            if is_wrong(tried):
                tokens = tried
                break
    return tokens


def _without_one(tokens: Tokens) -> Iterator[Tokens]:
    for place in range(len(tokens) - 1, -1, -1):
        if len(tokens) > 1:
            yield tokens[:place] + tokens[place + 1 :]


def _explained(program: Program, puzzle: Puzzle, tokens: Tokens) -> dict[str, Any]:
    wanted = puzzle.specification(tokens)
    got, failure = _outcome(program, puzzle, tokens, len(wanted))
    pairs = zip(got, wanted, strict=False)
    at = next((i for i, (a, b) in enumerate(pairs) if b is not None and a != b), len(got))
    return {
        "input": " ".join(program.names(tokens)),
        "generate": puzzle.is_written,
        "expected": wanted,
        "got": got,
        "at": at,
        "sentence": failure or _sentence(puzzle, got, wanted, at),
    }


def _outcome(program: Program, puzzle: Puzzle, tokens: Tokens, size: int) -> tuple[Wanted, str]:
    """What the program gives, up to where it fails, and how it fails."""
    shown = (
        program.trace_generation(tokens, puzzle.end, size + SLACK)
        if puzzle.is_written
        else program.trace(tokens)
    )
    failure = str(shown.failure) if shown.failure else ""
    if puzzle.is_written:
        return list(shown.inputs[0][len(tokens) :]), failure
    return list(shown.columns[-1].values), failure


def _sentence(puzzle: Puzzle, got: Wanted, wanted: Wanted, at: int) -> str:
    def name(value: int | None) -> str:
        if value is None:
            return "nothing"
        # Only what is written is a token; an output may be the same number by chance.
        return puzzle.shown([value]) if puzzle.is_written else str(value)

    if at >= len(wanted):
        return f"It should have ended with {name(wanted[-1])}, but goes on writing."
    if at >= len(got):
        return f"It ends too early: {name(wanted[at])} should come next."
    verb = "write" if puzzle.is_written else "give"
    where = f"As token {at + 1} it" if puzzle.is_written else f"At position {at} it"
    return f"{where} {verb}s {name(got[at])}, but should {verb} {name(wanted[at])}."
