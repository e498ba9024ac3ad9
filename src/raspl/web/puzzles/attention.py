"""Chapter 2: attention by hand: keys, queries, values."""

from __future__ import annotations

from raspl.web.puzzles.looking_back import DIGITS
from raspl.web.puzzles.puzzle import Puzzle, Tokens, Wanted

CHAPTER = "Attention by hand"


def _first(x: Tokens) -> Wanted:
    return [x[0] for _ in x]


def _before(x: Tokens) -> Wanted:
    return [int(token in x[:i]) for i, token in enumerate(x)]


def _next_larger(x: Tokens) -> Wanted:
    return [min((t for t in x[: i + 1] if t > x[i]), default=0) for i in range(len(x))]


def _runner_up(x: Tokens) -> Wanted:
    return [max((t for t in x[: i + 1] if t < max(x[: i + 1])), default=0) for i in range(len(x))]


def _record(x: Tokens) -> Wanted:
    return [int(all(other < token for other in x[:i])) for i, token in enumerate(x)]


def _sorted_so_far(x: Tokens) -> Wanted:
    return [int(x[: i + 1] == sorted(x[: i + 1])) for i in range(len(x))]


PUZZLES = (
    Puzzle(
        "next-larger",
        CHAPTER,
        "The next larger one",
        "Of all tokens so far that are greater than the current one, give the smallest. "
        "Give 0 where there is none.",
        (
            "One head does it: `kqv(keys, queries, values, test, default=…, reduction=…)`.",
            "The test gets the key first: `lambda k, q: k > q` picks the keys that are greater "
            "than the query. `gt` is a name for it.",
            '`return kqv(x, x, x, gt, default=0, reduction="min")`',
        ),
        ("kqv", "gt"),
        "def next_larger(x):\n    return kqv(x, x, x, equals, default=0)\n",
        (5, 2, 8, 6, 2, 9),
        _next_larger,
        DIGITS,
    ),
    Puzzle(
        "seen-before",
        CHAPTER,
        "Seen before",
        "Give 1 where the same token has occurred at an earlier position, else 0; the position "
        "itself does not count. Tokens are 0 to 9.",
        (
            "`has_seen(x, x)` is 1 everywhere: every position finds itself.",
            "Search the tokens before this one: `shift_right(x, 1)`. But it puts a 0 at the front, "
            "which a first token 0 would find; `default=-1` puts something there that no token is.",
            "`has_seen(shift_right(x, 1, default=-1), x)` takes two heads. One is enough: "
            "`firsts(x, x)` is the position at which the token stood first; compare it with "
            "`indices(x)`.",
        ),
        ("has_seen", "shift_right", "firsts", "indices"),
        "def repeated(x):\n    return has_seen(x, x)\n",
        (3, 1, 3, 3, 2, 1),
        _before,
        (0, *DIGITS),
    ),
    Puzzle(
        "new-record",
        CHAPTER,
        "A new record",
        "Give 1 where a token is greater than every token before it, else 0. "
        "The first token is always a record; tokens are 1 to 9.",
        (
            "The greatest token before this one: shift first, then take the maximum.",
            "`x > maximum(shift_right(x, 1))` takes two heads. One is enough.",
            "Ask for the position of the first token so far that is at least as great as this one "
            "(`kqv` with `indices(x)` as values and 'min'), and compare it with `indices(x)`.",
        ),
        ("maximum", "shift_right", "indices"),
        "def record(x):\n    return x\n",
        (3, 1, 4, 4, 5, 2),
        _record,
        DIGITS,
    ),
    Puzzle(
        "sorted-so-far",
        CHAPTER,
        "Still in order",
        "Give 1 as long as no token has been smaller than the one before it. "
        "From the first step down on, give 0 from there on.",
        (
            "Compare each token with the one before it: that is 1 at each step that goes well.",
            "All of them so far must be 1: then the least of them is 1.",
            "`return minimum(x >= shift_right(x, 1))`",
        ),
        ("minimum", "shift_right"),
        "def in_order(x):\n    is_fine = x >= shift_right(x, 1)\n    return is_fine\n",
        (1, 2, 2, 5, 4, 6),
        _sorted_so_far,
        DIGITS,
    ),
    Puzzle(
        "runner-up",
        CHAPTER,
        "The runner-up",
        "Give the greatest token so far that is less than the greatest one. "
        "Give 0 while all tokens so far are equal.",
        (
            "Two heads, one after the other: the second asks with what the first has found.",
            "The queries of the second head are `maximum(x)`. Which keys should pass?",
            '`return kqv(x, maximum(x), x, lt, default=0, reduction="max")`',
        ),
        ("kqv", "maximum", "lt"),
        "def runner_up(x):\n    top = maximum(x)\n    return top\n",
        (3, 1, 4, 4, 5, 2),
        _runner_up,
        DIGITS,
    ),
    Puzzle(
        "first-token",
        CHAPTER,
        "The first token",
        "At every position, give the first token of the input. "
        "`x[0]` is not RASP-L: a position has to find it by attention.",
        (
            "`indices(x)` numbers the positions, but it can't be compared with 0. What is special "
            "about the first position?",
            "It has the least index so far: `minimum(indices(x))`.",
            "`index_select(x, place)` gives the token at a place.",
        ),
        ("indices", "minimum", "index_select"),
        "def first(x):\n    return x\n",
        (3, 1, 4, 1),
        _first,
        DIGITS,
    ),
)
