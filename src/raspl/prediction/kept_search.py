"""A finished search as a validated record, and back.

Its programs are kept as the search's own terms, in a flat list, and built anew by the language's
typing rules when they are read. Nothing that a file holds is executed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from raspl.errors import RasplError
from raspl.synthesis import Find, Result
from raspl.synthesis.components import Rule, Term
from raspl.synthesis.correctness import correct_mask
from raspl.synthesis.examples import Example
from raspl.synthesis.graphs import to_graph
from raspl.synthesis.question import Question
from raspl.validated import Record

Number = Annotated[int, Field(ge=0)]


class KeptTerm(Record):
    """A component, with the numbers of its operands in the list."""

    rule: Rule
    args: tuple[Number, ...] = ()


class KeptFind(Record):
    """A program: its terms, operands before what uses them, so that the last is all of it."""

    terms: tuple[KeptTerm, ...] = Field(min_length=1)
    bits: int = Field(ge=8, le=16)


class KeptSearch(Record):
    """What a search found that ended by itself."""

    question: str
    """The fingerprint of what was asked."""
    finds: tuple[KeptFind, ...]
    exhausted: int = Field(ge=-1)
    components: str
    examples: tuple[Example, ...]
    candidates: Number
    distinct: Number
    seconds: float = Field(ge=0, allow_inf_nan=False)
    rounds: Number
    ended_by: Literal["work"] | None = None


class DoesNotFit(RasplError):
    """A record that answers another question, or none."""


def kept(fingerprint: str, result: Result) -> KeptSearch:
    """A result as a record. It must be one that can be repeated."""
    return KeptSearch(
        question=fingerprint,
        finds=tuple(KeptFind(terms=_flat(f.term), bits=f.graph.bits) for f in result.finds),
        exhausted=result.exhausted,
        components=result.components,
        examples=result.examples,
        candidates=result.candidates,
        distinct=result.distinct,
        seconds=result.seconds,
        rounds=result.rounds,
        ended_by="work" if result.ended_by == "work" else None,
    )


def restored(record: KeptSearch, question: Question) -> Result:
    """The result of a record; each of its programs is tried again on the question's examples."""
    return Result(
        source=question.name,
        settings=question.settings,
        finds=tuple(_find(one, question.held_in) for one in record.finds),
        exhausted=record.exhausted,
        components=record.components,
        examples=record.examples,
        candidates=record.candidates,
        distinct=record.distinct,
        seconds=record.seconds,
        rounds=record.rounds,
        ended_by=record.ended_by,
    )


def _flat(term: Term) -> tuple[KeptTerm, ...]:
    numbers: dict[Term, int] = {}
    listed: list[KeptTerm] = []

    def add(one: Term) -> int:
        if one not in numbers:
            args = tuple(add(arg) for arg in one.args)
            numbers[one] = len(listed)
            listed.append(KeptTerm(rule=one.rule, args=args))
        return numbers[one]

    add(term)
    return tuple(listed)


def _find(record: KeptFind, examples: Sequence[Example]) -> Find:
    terms: list[Term] = []
    try:
        for one in record.terms:
            terms.append(Term(one.rule, tuple(terms[number] for number in one.args)))
        find = Find(terms[-1], to_graph(terms[-1], record.bits))
        fits = bool(correct_mask(find.graph, examples).all())
    except Exception:  # a file may hold anything, and each builder has its own way to refuse
        raise DoesNotFit("one of its programs can't be built.") from None
    if not fits:
        raise DoesNotFit("one of its programs does not fit the examples.")
    return find
