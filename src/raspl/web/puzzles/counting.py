"""Chapter 4: how many, more than half, most."""

from __future__ import annotations

from collections import Counter

from raspl.web.puzzles.looking_back import DIGITS
from raspl.web.puzzles.looking_up import SPACE
from raspl.web.puzzles.puzzle import Puzzle, Tokens, Wanted

CHAPTER = "Count"


def _sevens(x: Tokens) -> Wanted:
    return [x[: i + 1].count(7) for i in range(len(x))]


def _how_often(x: Tokens) -> Wanted:
    return [x[: i + 1].count(token) for i, token in enumerate(x)]


def _third(x: Tokens) -> Wanted:
    return [int(x[: i + 1].count(token) >= 3) for i, token in enumerate(x)]


def _half(x: Tokens) -> Wanted:
    return [int(2 * sum(x[: i + 1]) >= i + 1) for i in range(len(x))]


def _balanced(x: Tokens) -> Wanted:
    return [int(2 * sum(x[: i + 1]) == i + 1) for i in range(len(x))]


def _mode(x: Tokens) -> Wanted:
    counts: Counter[int] = Counter()
    most, winner = 0, 0
    winners: Wanted = []
    for token in x:
        counts[token] += 1
        if counts[token] >= most:
            most, winner = counts[token], token
        winners.append(winner)
    return winners


def _place_in_word(x: Tokens) -> Wanted:
    place = 0
    places: Wanted = []
    for token in x:
        place = 1 if token == SPACE else place + 1
        places.append(place)
    return places


PUZZLES = (
    Puzzle(
        "count-sevens",
        CHAPTER,
        "Count the sevens",
        "At every position, give the number of 7s up to there. "
        "Counts are a kind of value of their own: you can compare them, but not calculate with "
        "them.",
        (
            "`cumsum(condition)` counts the positions so far where a condition is true.",
            "The condition is `x == 7`.",
            "`return cumsum(x == 7)`",
        ),
        ("cumsum",),
        "def sevens(x):\n    return x == 7\n",
        (7, 2, 7, 7, 5),
        _sevens,
        DIGITS,
    ),
    Puzzle(
        "how-often",
        CHAPTER,
        "How often so far?",
        "At every position, give how often the current token has occurred, this time included.",
        (
            "Every position asks for another token: the one that stands there.",
            "`select(keys, queries, test)` says which keys each position looks at, and "
            "`sel_width` how many they are.",
            "`return sel_width(select(x, x, equals))`, which is also called `num_prev(x, x)`.",
        ),
        ("select", "sel_width", "equals"),
        "def how_often(x):\n    same = select(x, x, equals)\n"
        '    return aggr(same, x, reduction="max")\n',
        (3, 1, 3, 3, 1, 2),
        _how_often,
        DIGITS,
    ),
    Puzzle(
        "third-time",
        CHAPTER,
        "Third time lucky",
        "Give 1 where a token occurs for the third time or later, else 0. "
        "A count can't be compared with 3, so you need another way.",
        (
            "A token is there for the third time if it has occurred earlier at a place where it "
            "had itself occurred earlier.",
            "`again = has_seen(shift_right(x, 1), x)` marks second and later occurrences. Keep "
            "only those tokens: `mask(x, again)`.",
            "Then ask of those what you asked of x: `has_seen(shift_right(mask(x, again), 1), x)`.",
        ),
        ("has_seen", "mask", "shift_right"),
        "def third(x):\n    again = has_seen(shift_right(x, 1), x)\n    return again\n",
        (3, 3, 1, 3, 1, 3),
        _third,
        DIGITS,
    ),
    Puzzle(
        "place-in-word",
        CHAPTER,
        "Place in the word",
        "The input begins with SPACE. Give 1 at each SPACE, and 2, 3, 4, … at the letters that "
        "follow it.",
        (
            "Count positions: those so far that belong to the same word.",
            "Two positions belong to the same word if they have the same latest SPACE: "
            "`space = lasts(x, full(x, SPACE))`.",
            "`sel_width(select(space, space, equals))`",
        ),
        ("lasts", "select", "sel_width"),
        "SPACE = 0\n\n\ndef place_in_word(x):\n    space = lasts(x, full(x, SPACE))\n"
        "    return space\n",
        (SPACE, 3, 1, 4, SPACE, 5),
        _place_in_word,
        tuple(range(6)),
        first=SPACE,
        names=(("SPACE", SPACE),),
    ),
    Puzzle(
        "at-least-half",
        CHAPTER,
        "At least half",
        "The tokens are 0 and 1. Give 1 where at least half of the tokens so far are 1s.",
        (
            "A head can average: `kqv(x, x, values, lambda k, q: True)` is the mean of all values "
            "so far, cut to a whole number.",
            "The mean of 0s and 1s is almost always cut to 0. Average other values: say 3 for a 1 "
            "and -1 for a 0.",
            "With as many 1s as 0s, the mean of 3s and -1s is exactly 1.",
        ),
        ("kqv", "where"),
        "def half(x):\n    value = where(x == 1, full(x, 3), full(x, -1))\n    return value\n",
        (0, 1, 1, 0, 0, 1),
        _half,
        (0, 1),
    ),
    Puzzle(
        "balanced",
        CHAPTER,
        "Balanced",
        "The tokens are 0 and 1. Give 1 where there have been exactly as many 1s as 0s.",
        (
            "At least half are 1s, and at least half are 0s.",
            "Two heads that average, and `&` between their answers.",
            "Each is the last puzzle, once with 3 for a 1 and once with 3 for a 0.",
        ),
        ("kqv", "where"),
        "def balanced(x):\n    return x\n",
        (0, 1, 1, 0, 0, 0, 1),
        _balanced,
        (0, 1),
    ),
    Puzzle(
        "most-frequent",
        CHAPTER,
        "The most frequent",
        "At every position, give the token that has occurred most often so far. "
        "Of several, give the one that came to that number last.",
        (
            "You know how often each token has occurred when it stands there: `num_prev(x, x)`.",
            "Where that count is greatest, the winner stands. `argmax` gives that place, the "
            "latest of several.",
            "`index_select(x, argmax(num_prev(x, x)))`",
        ),
        ("num_prev", "argmax", "index_select"),
        "def mode(x):\n    count = num_prev(x, x)\n    return count\n",
        (3, 1, 1, 3, 2, 3),
        _mode,
        DIGITS,
    ),
)
