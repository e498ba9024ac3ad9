"""What the search finds on the tasks that ship, kept for the table of docs/types.md.

`python -m tests.analysis.finds` searches again and writes `finds.json`; tasks can be named.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TypedDict

from raspl.prediction.sources import NAMES, find_source
from raspl.synthesis import settings_for
from raspl.synthesis.engine import search
from raspl.synthesis.program_text import program_text

STORED = Path(__file__).with_name("finds.json")
WORK = 400_000_000
"""A tenth of what a search does by default; a limit of work, so that the finds are repeatable."""


class Found(TypedDict):
    """What one search gave."""

    exhausted: int
    """No program of this cost or less fits."""
    costs: list[int]
    programs: list[str]


def finds_of(name: str) -> Found:
    source = find_source(name)
    result = search(source, settings_for(source, stop_at_first=True, work=WORK, budget=1e9))
    return {
        "exhausted": result.exhausted,
        "costs": [find.cost for find in result.finds],
        "programs": [program_text(find.term, find.graph.bits) for find in result.finds],
    }


def stored() -> dict[str, Found]:
    found: dict[str, Found] = json.loads(STORED.read_text()) if STORED.exists() else {}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", choices=[[], *NAMES], default=[])
    for name in parser.parse_args().tasks or NAMES:
        found = stored() | {name: finds_of(name)}
        ordered = {task: found[task] for task in NAMES if task in found}
        STORED.write_text(json.dumps(ordered, indent=1) + "\n")
        print(f"{name}: costs {found[name]['costs']}, exhausted {found[name]['exhausted']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
