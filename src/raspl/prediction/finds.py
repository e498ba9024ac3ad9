"""What a search found, line by line, with how it does beyond the lengths it saw.

The lines are source that the checker accepts: all but the programs is in comments.
"""

from __future__ import annotations

from collections.abc import Iterator

from raspl.analysis.disciplines import DISCIPLINES
from raspl.prediction.impossibility import pumped
from raspl.prediction.survival import (
    ByLength,
    examples_at,
    failure_in_words,
    longer_lengths,
    survive,
)
from raspl.synthesis import Find, Result
from raspl.synthesis.examples import KnownSource
from raspl.synthesis.program_text import program_text, uses_names
from raspl.words import span


def search_lines(source: KnownSource, result: Result) -> Iterator[str]:
    """Every find, then what was exhausted over which components, and at what pace."""
    beyond = pumped(source, result.settings.seed)
    if beyond is not None:
        yield f"# {beyond.sentence}"
        either = "" if beyond.rules == "letter" else ", or not strict"
        yield f"# Whatever is found here is a shortcut{either} (docs/types.md)."
    names = source.names
    if any(uses_names(find.term, find.graph.bits, names) for find in result.finds) and names:
        yield names.to_source()
    beyond_training = examples_at(source, longer_lengths(source, result.settings.max_length))
    for number, find in enumerate(result.finds, 1):
        yield from _find_lines(number, find, source, result, beyond_training)
    if not result.finds:
        yield "# nothing found"
    rate = result.candidates / max(result.seconds, 1e-9)
    yield f"# {result.statement()}"
    yield f"# It builds programs from these components (docs/theory.md): {result.components}."
    yield (
        f"# {result.candidates:,} candidates, {result.distinct:,} distinct behaviours kept, "
        f"{rate:,.0f} a second, {result.seconds:.1f} s, "
        f"{result.rounds} round{'' if result.rounds == 1 else 's'}"
    )


def _find_lines(
    number: int, find: Find, source: KnownSource, result: Result, beyond_training: ByLength
) -> Iterator[str]:
    low = result.settings.min_length or source.lengths[0]
    high = result.settings.max_length
    trained = f"length{'' if low == high else 's'} {span(low, high)}"
    is_cheapest = result.is_proved and find.cost == result.finds[0].cost
    proof = " (proved cheapest)" if is_cheapest else ""
    yield f"# {number}. cost {find.cost}{proof}; right on all examples of {trained};"
    survival = survive(find.graph, beyond_training)
    beyond = ", ".join(f"{value:.0%} at {n}" for n, value in survival.exact_match.items())
    yield f"#    exact match beyond: {beyond or 'there are no examples to try it on'}"
    meets = (
        "every reading of the rules"
        if len(find.disciplines) == len(DISCIPLINES)
        else (" and ".join(find.disciplines))
    )
    yield f"#    meets {meets}; {'looks at positions' if find.positions else 'position-free'}"
    if survival.failure is not None:
        yield f"#    wrong on {failure_in_words(survival.failure, source)}"
    name, bits = f"found_{number}", find.graph.bits
    yield program_text(find.term, bits, name, source.names, states_names=False)
