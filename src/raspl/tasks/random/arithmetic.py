"""Random rules of counting, comparing, adding and rearranging, in plain Python.

A rule sees symbols as numbers 0, 1, … below k. One that labels gives a number for every prefix; one
that writes gives the symbols of an answer.
"""

from collections.abc import Callable, Sequence
from itertools import groupby, pairwise
from random import Random
from typing import TypeAlias

import numpy as np

from raspl.tasks.random.drawn import LETTERS, Drawn
from raspl.tasks.task import Task

Numbers: TypeAlias = Sequence[int]
Labeller: TypeAlias = Callable[[Numbers], int]
Writer: TypeAlias = Callable[[Numbers], Numbers]


def labellers(rng: Random, k: int) -> dict[str, tuple[int, Labeller]]:
    """Rules for labels, with random numbers in them, and how many labels each has, from 0 on."""
    m, d, t = rng.randint(2, 4), rng.randint(1, 3), rng.randint(2, 4)
    a, b = rng.sample(range(k), 2)
    weights = [rng.randrange(m) for _ in range(k)]
    return {
        f"the sum, weighed {weights}, modulo {m}": (m, lambda x: sum(weights[i] for i in x) % m),
        f"the symbol plus that {d} before, modulo {k}": (
            k,
            lambda x: (x[-1] + (x[-1 - d] if len(x) > d else 0)) % k,
        ),
        f"the symbol less the first, modulo {k}": (k, lambda x: (x[-1] - x[0]) % k),
        "the greatest less the least so far": (k, lambda x: max(x) - min(x)),
        f"fewer, as many or more {LETTERS[a]} than {LETTERS[b]}": (
            3,
            lambda x: 1 + (x.count(a) > x.count(b)) - (x.count(a) < x.count(b)),
        ),
        f"{LETTERS[a]} at least {t} times": (2, lambda x: int(x.count(a) >= t)),
        "how many different symbols, less one": (k, lambda x: len(set(x)) - 1),
        f"the length of the current run, up to {t}, less one": (
            t,
            lambda x: min([len(list(run)) for _, run in groupby(x)][-1], t) - 1,
        ),
        "the symbol is the greatest so far": (2, lambda x: int(x[-1] == max(x))),
        f"how often the symbol came, modulo {m}": (m, lambda x: x.count(x[-1]) % m),
        f"how long ago {LETTERS[a]} came, up to {t}": (
            t + 1,
            lambda x: min([*reversed(x)].index(a) if a in x else t, t),
        ),
        "the most frequent symbol, the least of several": (k, lambda x: commonest(x, k)),
        f"how many descents, modulo {m}": (m, lambda x: sum(p > q for p, q in pairwise(x)) % m),
        f"{LETTERS[a]} then at once {LETTERS[b]} was there": (
            2,
            lambda x: int((a, b) in pairwise(x)),
        ),
        f"the mean is at least {t} halves": (2, lambda x: int(2 * sum(x) >= t * len(x))),
        f"the symbol after the first {LETTERS[a]}": (
            k,
            lambda x: x[x.index(a) + 1] if a in x[:-1] else 0,
        ),
    }


def commonest(x: Numbers, k: int) -> int:
    """The most frequent symbol, the least of several."""
    return max(range(k), key=lambda one: (x.count(one), -one))


def writers(rng: Random, k: int) -> dict[str, Writer]:
    """Rules for answers, with random numbers in them."""
    d, r, a = rng.randint(2, 3), rng.randint(1, 3), rng.randrange(k)
    swap = rng.sample(range(k), k)
    return {
        "reversed": lambda x: x[::-1],
        "sorted": sorted,
        "sorted the other way": lambda x: sorted(x, reverse=True),
        "each symbol once, as they first came": lambda x: list(dict.fromkeys(x)),
        f"every {d}th symbol": lambda x: x[::d],
        f"turned by {r}": lambda x: [*x[r:], *x[:r]],
        "the string": lambda x: x,
        f"each symbol replaced by the rule {swap}": lambda x: [swap[one] for one in x],
        f"the running sums modulo {k}": lambda x: [int(one) % k for one in np.cumsum(x)],
        f"the differences modulo {k}": lambda x: [(q - p) % k for p, q in pairwise([0, *x])],
        "the running greatest": lambda x: np.maximum.accumulate(x).tolist(),
        f"without {LETTERS[a]}": lambda x: [one for one in x if one != a],
        "runs as one symbol": lambda x: [one for one, _ in groupby(x)],
        f"every {LETTERS[a]}, nothing else": lambda x: [one for one in x if one == a],
        f"the last {d} symbols": lambda x: x[-d:],
        "the symbols greater than the first": lambda x: [one for one in x if one > x[0]],
        "pairs swapped": lambda x: [
            one for at in range(0, len(x), 2) for one in x[at : at + 2][::-1]
        ],
        f"the sum modulo {k}": lambda x: [sum(x) % k],
        "the most frequent symbol, the least of several": lambda x: [commonest(x, k)],
        "the different symbols in order": lambda x: sorted(set(x)),
    }


def arithmetic(name: str, rng: Random) -> Drawn:
    """A random rule of either sort."""
    k = rng.randint(2, 6)
    if rng.random() < 0.5:
        about, (labels, rule) = rng.choice(list(labellers(rng, k).items()))
        return labelled(name, LETTERS[:k], about, labels, rule)
    about, write = rng.choice(list(writers(rng, k).items()))
    return written(name, LETTERS[:k], about, write)


def labelled(name: str, letters: str, about: str, labels: int, rule: Labeller) -> Drawn:
    task = Task.labelled(
        name,
        letters,
        lambda rng, length: strings(rng, letters, length),
        lambda prefix: str(rule([letters.index(letter) for letter in prefix])),
        labels=[str(number) for number in range(labels)],
        about=about,
    )
    return Drawn(task, letters, about)


def written(name: str, letters: str, about: str, rule: Writer) -> Drawn:
    task = Task.from_solver(
        name,
        letters,
        lambda rng, length: strings(rng, letters, length),
        lambda prompt: [letters[one] for one in rule([letters.index(one) for one in prompt])],
        about=about,
    )
    return Drawn(task, letters, about)


def strings(rng: np.random.Generator, letters: str, length: int) -> list[str]:
    return [letters[number] for number in rng.integers(len(letters), size=length)]
