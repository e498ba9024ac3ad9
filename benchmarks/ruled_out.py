"""What the search rules out and which shortcuts it finds: the numbers of docs/theory.md.

    python benchmarks/ruled_out.py              every row
    python benchmarks/ruled_out.py mode count   the rows of these tasks

Each row is one search by enumeration, without the deep one and without a limit of work: it ends
when a program is proved to be the cheapest, or when all programs of cost 3 have been compared.
"""

import argparse
import sys
from typing import Any

from raspl.prediction.sources import find_source
from raspl.prediction.survival import examples_at, longer_lengths, survive
from raspl.synthesis import settings_for
from raspl.synthesis.engine import search

COST = 3
ROWS: list[tuple[str, dict[str, Any]]] = [
    ("parity_plain", {"max_length": 2}),
    ("parity_plain", {"max_length": 6}),
    ("count", {"max_length": 2, "one_length": True}),
    ("count", {"max_length": 5}),
    ("mode", {"max_length": 2}),
    ("mode", {"max_length": 6}),
    ("first_again", {"max_length": 2}),
    ("first_again", {"max_length": 5}),
    ("copy_repeat", {"max_length": 6}),
    ("copy_repeat", {"max_length": 6, "rules": "strict"}),
]


def row(name: str, lengths: dict[str, Any]) -> str:
    """What one search shows."""
    source = find_source(name)
    settings = settings_for(source, **lengths, max_cost=COST, deep=False, budget=1e9, work=10**15)
    result = search(source, settings)
    told = f"{name} {lengths}: exhausted {result.exhausted}, {result.candidates:,} candidates"
    for find in result.finds[:1]:
        longer = longer_lengths(source, settings.max_length)
        survival = survive(find.graph, examples_at(source, longer))
        beyond = "right" if survival.survives else "wrong"
        told += f", cheapest find {find.cost}, {beyond} at {max(longer)}"
    return f"{told} ({result.seconds:.0f} s)"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", help="their rows only")
    tasks = parser.parse_args().tasks
    for name, lengths in ROWS:
        if not tasks or name in tasks:
            print(row(name, lengths), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
