"""Random programs on random inputs, by every executor: `python -m tests.fuzz --pairs 100000`.

Each program is drawn from a number, so any run can be repeated and split.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from tests.agreement import REFERENCE, counterexample
from tests.sampling import Case, random_case


def case_of(seed: int) -> Case:
    """The case of a number; one in 100 is a large batch, which goes other ways than a small one."""
    rng = Random(seed)
    if seed % 100 == 99:
        return random_case(rng, rng.randint(1, 12), inputs=150, longest=6)
    return random_case(rng, rng.randint(1, 25), inputs=5, longest=24)


def main() -> int:
    """Look for a disagreement, and print the least that was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first program")
    given = parser.parse_args()
    kinds: Counter[str] = Counter()
    pairs, seed, begin = 0, given.seed, time.perf_counter()
    while pairs < given.pairs:
        case = case_of(seed)
        found = counterexample(case)
        if found is not None:
            print(f"program {seed}:\n{found}")
            return 1
        for outcome in REFERENCE(case.graph, case.batch):
            kinds[str(outcome[0]) if isinstance(outcome, tuple) else "runs"] += 1
            kinds["holds None"] += isinstance(outcome, list) and None in outcome
        pairs += len(case.batch)
        seed += 1
        if seed % 1000 == 0:
            print(f"{pairs:,} pairs, {time.perf_counter() - begin:.0f} s", file=sys.stderr)
    told = ", ".join(f"{kind}: {number:,}" for kind, number in sorted(kinds.items()))
    print(f"{pairs:,} pairs of {seed - given.seed:,} programs agree ({told})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
