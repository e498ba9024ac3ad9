"""The compiled network of a program at work on an input, as data to draw. Needs torch."""

from __future__ import annotations

from typing import Any

from raspl.analysis.cost import measure
from raspl.compiler import compile as compiled
from raspl.compiler.picture import heads_on
from raspl.errors import RasplError
from raspl.language.ir.types import INT
from raspl.program import Program
from raspl.web.limits import MAX_ALPHABET, MAX_NETWORK_TOKENS, MAX_NETWORK_WIDTH
from raspl.web.programs import find_program, read_tokens, token_names


def network(request: dict[str, Any]) -> dict[str, Any]:
    """Compile a program for the tokens of an input and its constants, and watch its heads."""
    program = find_program(request["text"], request["program"])
    sequences = read_tokens(program, request["input"])
    length = max(map(len, sequences))
    if not 0 < length <= MAX_NETWORK_TOKENS:
        raise RasplError(
            f"the network is shown on 1 to {MAX_NETWORK_TOKENS} tokens, and these are {length}"
        )
    alphabet = _alphabet(program, sequences)
    made = compiled(program, alphabet=alphabet)
    description = made.description
    if len(description.dims) > MAX_NETWORK_WIDTH:
        raise RasplError(f"the network is {len(description.dims)} wide: too large to be drawn here")
    seen = iter(heads_on(made, program.graph, sequences))
    layers = [
        {
            "layer": block.layer,
            "heads": [_head(next(seen)) for _ in block.heads],
            "hidden": block.hidden,
            "writes": list(block.writes),
        }
        for block in description.blocks
    ]
    measured = measure(program.graph)
    output = made.predict(*sequences)
    right = program(*sequences)
    return {
        "network": {
            "summary": description.summary,
            "alphabet": alphabet,
            "tokens": sequences,
            "names": {str(number): name for name, number in token_names(program).items()},
            "width": len(description.dims),
            "parameters": sum(weight.numel() for weight in made.parameters()),
            "variables": list(dict.fromkeys(description.variables)),
            "layers": layers,
            "longest": made.longest,
            "measured": {"heads": measured.heads, "depth": measured.depth},
            "output": [int(value) for value in output],
            # An index or a count that happens to be the number of a token has no name.
            "output_is_token": program.graph.output.type == INT,
            "agrees": bool((output == right).all()),
            "warnings": list(description.warnings)[:3],
        }
    }


def _alphabet(program: Program, sequences: list[list[int]]) -> list[int]:
    tokens = {token for sequence in sequences for token in sequence}
    tokens |= set(list(token_names(program).values())[:MAX_ALPHABET])
    if len(tokens) > MAX_ALPHABET:
        raise RasplError(
            f"the network is shown for at most {MAX_ALPHABET} different tokens, "
            f"and these are {len(tokens)}"
        )
    return sorted(tokens)


def _head(seen: Any) -> dict[str, Any]:
    return {
        "variable": seen.shape.variable,
        "does": seen.shape.does,
        "moves": list(seen.shape.moves)[:12],
        # The sink, which is attended where nothing matches, comes first.
        "attention": [[round(float(w), 3) for w in row] for row in seen.attention],
        "selector": None if seen.selector is None else seen.selector.astype(int).tolist(),
    }


JOBS = {"network": network}
