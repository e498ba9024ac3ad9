"""Tables: tokenwise functions that are written out entry by entry.

A map may be any function of one or two bounded integers. So if a wanted output depends on values
that are known, a table of them computes it. A table has a default, a literal or, of one value, the
value itself, and entries where it differs. It costs one for every entry, and one at least. So a
replacement, or a choice between two literals, costs one as a table too, and a table that remembers
its examples costs as much as it remembers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from raspl.synthesis.columns import Block
from raspl.synthesis.components import SAME, Kind, Rule, Term

MOST_ENTRIES = 60
"""Entries of a table, at most: an expression has a greatest depth."""
MOST_COMBINATIONS = 256
"""Combinations of more than two values that a table of tables is made for: with more, it would
remember its examples."""
MOST_ORDERED = 4
"""Up to so many values, every order of combining them is tried."""
UNBOUNDED = 1 << 30
"""Beyond the cost of any table."""

Entries = Mapping[tuple[int, ...], int]
"""The output for each combination of values that occurs."""


def entries_of(columns: Sequence[Block], wanted: Block) -> dict[tuple[int, ...], int] | None:
    """The function from some values to the wanted ones; None if it is none."""
    found: dict[tuple[int, ...], int] = {}
    rows = np.unique(np.stack((*columns, wanted), axis=1), axis=0)
    for *key, output in rows.tolist():
        if found.setdefault(tuple(key), output) != output:
            return None
    return found


def conflict(columns: Sequence[Block], wanted: Block) -> tuple[int, int] | None:
    """Two rows that agree in all the values and differ in what is wanted, the first ones."""
    first: dict[tuple[int, ...], int] = {}
    for row, key in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
        other = first.setdefault(key, row)
        if wanted[other] != wanted[row]:
            return other, row
    return None


def table_rule(entries: Entries) -> Rule | None:
    """The table of one or two values with the fewest entries beside its default."""
    arity = len(next(iter(entries)))
    counts = Counter(entries.values())
    constant = min(counts, key=lambda output: (-counts[output], output))
    exceptions = {key: output for key, output in entries.items() if output != constant}
    default: int | None = constant
    if arity == 1:
        changed = {key: output for key, output in entries.items() if output != key[0]}
        if len(changed) < len(exceptions):
            default, exceptions = None, changed
    if len(exceptions) > MOST_ENTRIES:
        return None
    rows = tuple(sorted((*key, output) for key, output in exceptions.items()))
    same = SAME if default is None else ""
    int_: Kind = "Int"
    operands = (int_,) * arity
    return Rule("table", "Int", operands, same, default=default or 0, entries=rows)


def table_term(terms: Sequence[Term], entries: Entries) -> Term | None:
    """The cheapest table of some values; of more than two, by tables of tables."""
    if len(terms) <= 2:
        for at, term in enumerate(terms):
            if all(key[at] == output for key, output in entries.items()):
                return term
        rule = table_rule(entries)
        return None if rule is None else Term(rule, tuple(terms))
    if len(entries) > MOST_COMBINATIONS:
        return None
    return _cheapest_chain(terms, entries)


def _cheapest_chain(terms: Sequence[Term], entries: Entries) -> Term | None:
    """The cheapest way to combine more than two values, in any order if they are few."""
    outer = _least_of_outer(len(terms), entries)
    if outer > MOST_ENTRIES:
        return None
    orders = permutations(range(len(terms))) if len(terms) <= MOST_ORDERED else [range(len(terms))]
    fixed = sum(term.cost for term in terms) + outer
    best: Term | None = None
    for order in orders:
        most = UNBOUNDED if best is None or not outer else best.cost - fixed - 1
        if most < 1:
            break
        keys = {tuple(key[at] for at in order): output for key, output in entries.items()}
        made = _chained([terms[at] for at in order], keys, most)
        if made is not None and (best is None or made.cost < best.cost):
            best = made
    return best


def _least_of_outer(arity: int, entries: Entries) -> int:
    """What the last table of a chain costs at least; 0 if there may be no need of it.

    There is none if an inner table or a value is the output already. Inner tables number their
    classes from 0.
    """
    outputs = set(entries.values())
    if outputs == set(range(len(outputs))):
        return 0
    if any(all(key[at] == output for key, output in entries.items()) for at in range(arity)):
        return 0
    return max(1, len(outputs) - 1)


def _chained(terms: Sequence[Term], entries: Entries, most: int) -> Term | None:
    """Two values become one number, as many different ones as the others need; and so on.

    None if all the inner tables together cost more than `most`.
    """
    if len(terms) <= 2:
        return table_term(terms, entries)
    numbers = _classes(entries, min(most, MOST_ENTRIES))
    inner = None if numbers is None else table_rule(numbers)
    if numbers is None or inner is None:
        return None
    rest = {(numbers[key[:2]], *key[2:]): output for key, output in entries.items()}
    return _chained([Term(inner, tuple(terms[:2])), *terms[2:]], rest, most - inner.cost)


def _classes(entries: Entries, most: int) -> dict[tuple[int, ...], int] | None:
    """A number for each pair of first values; pairs that nothing tells apart share one.

    None as soon as it is clear that a table of these numbers has more entries than `most`: all
    pairs but those of one number are entries, and each further pair joins at most one number.
    """
    futures: dict[tuple[int, ...], dict[tuple[int, ...], int]] = {}
    for key, output in entries.items():
        futures.setdefault(key[:2], {})[key[2:]] = output
    classes: list[dict[tuple[int, ...], int]] = []
    numbers: dict[tuple[int, ...], int] = {}
    sizes: list[int] = []
    # Those that most is known of come first, so that the others fall in with them.
    for pair, future in sorted(futures.items(), key=lambda item: (-len(item[1]), item[0])):
        fitting = (
            number
            for number, known in enumerate(classes)
            if all(known.get(key, output) == output for key, output in future.items())
        )
        numbers[pair] = next(fitting, len(classes))
        if numbers[pair] == len(classes):
            classes.append({})
            sizes.append(0)
        classes[numbers[pair]].update(future)
        sizes[numbers[pair]] += 1
        if len(numbers) - max(sizes) > most:
            return None
    return numbers
