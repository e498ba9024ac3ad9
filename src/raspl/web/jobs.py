"""What the workers compute: one function a call, from a request's fields to an answer's."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from raspl import assist
from raspl.errors import RasplError
from raspl.language.source import Source
from raspl.program import Program
from raspl.trace.page import payload
from raspl.trace.recording import generation, trace
from raspl.web.limits import MAX_CELLS, MAX_POSITIONS, MAX_PROGRAMS
from raspl.web.programs import FILE, check_text, end_token, find_program, read_tokens, token_names
from raspl.web.puzzles.judging import judge


def check(request: dict[str, Any]) -> dict[str, Any]:
    """Diagnostics with fixes, and the measures of what is legal."""
    begun = time.process_time()
    source = Source(request["text"], FILE)
    programs, found = check_text(source.text)
    return {
        "diagnostics": assist.with_fixes(source, found),
        "programs": [_facts(each) for each in list(programs.values())[:MAX_PROGRAMS]],
        "seconds": time.process_time() - begun,
    }


def _facts(program: Program) -> dict[str, Any]:
    # Types and measures don't depend on the value of a literal, so any will do.
    if program.open_literals:
        program = program.bind(**dict.fromkeys(program.open_literals, 1))
    graph = program.graph
    return {
        "name": program.name,
        "line": program.first_line,
        "inputs": [node.name for node in graph.inputs],
        "output": str(graph.output.type),
        "measures": asdict(program.measure()),
        "tokens": dict(list(token_names(program).items())[:MAX_PROGRAMS]),
    }


def complete(request: dict[str, Any]) -> dict[str, Any]:
    """What may stand at a place, and the call that is being written there."""
    place = (request["text"], request["line"], request["column"])
    return {**assist.complete(*place), "call": assist.signature(*place)}


def hover(request: dict[str, Any]) -> dict[str, Any]:
    """What stands at a place."""
    return {"found": assist.hover(request["text"], request["line"], request["column"])}


def run_trace(request: dict[str, Any]) -> dict[str, Any]:
    """Every intermediate of a program on an input."""
    program = find_program(request["text"], request["program"])
    sequences = read_tokens(program, request["input"])
    longest = max(map(len, sequences))
    if longest > MAX_POSITIONS:
        raise RasplError(f"the playground shows {MAX_POSITIONS} tokens, and these are {longest}")
    graph = program.graph
    most = min(MAX_POSITIONS, MAX_CELLS // len(graph.nodes))
    if longest > most:
        raise RasplError(f"this program is long: the playground shows {most} tokens of it")
    if request["generate"]:
        if not longest:
            raise RasplError("a prompt needs a token: write one into the input")
        until = end_token(program, request["until"])
        shown = generation(graph, sequences[0], until, max(1, most - longest))
    else:
        shown = trace(graph, *sequences)
    shown = shown.with_source(program.source, program.first_line)
    return {"trace": payload(shown)}


JOBS = {
    "check": check,
    "complete": complete,
    "hover": hover,
    "trace": run_trace,
    "attempt": judge,
}
