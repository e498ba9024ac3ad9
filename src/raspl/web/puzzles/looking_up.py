"""Chapter 3: find a place, then read what stands there."""

from __future__ import annotations

from raspl.web.puzzles.looking_back import DIGITS
from raspl.web.puzzles.puzzle import Puzzle, Tokens, Wanted

CHAPTER = "Look things up"
SPACE, OPEN, CLOSE = 0, 1, 2


def _followed_first(x: Tokens) -> Wanted:
    return [x[x.index(token) + 1] if token in x[:i] else 0 for i, token in enumerate(x)]


def _followed_last(x: Tokens) -> Wanted:
    return [
        next((x[j + 1] for j in range(i - 1, -1, -1) if x[j] == token), 0)
        for i, token in enumerate(x)
    ]


def _filled(x: Tokens) -> Wanted:
    latest = 0
    filled: Wanted = []
    for token in x:
        latest = token or latest
        filled.append(latest)
    return filled


def _inside(x: Tokens) -> Wanted:
    is_open, inside = 0, []
    for token in x:
        is_open = int(token == OPEN or (is_open and token != CLOSE))
        inside.append(is_open)
    return list(inside)


def _word_start(x: Tokens) -> Wanted:
    start, starts = 0, []
    for previous, token in zip([SPACE, *x], x, strict=False):
        start = token if previous == SPACE or token == SPACE else start
        starts.append(start)
    return list(starts)


PUZZLES = (
    Puzzle(
        "what-came-next",
        CHAPTER,
        "What came next?",
        "Where the current token has occurred earlier, give the token that followed its first "
        "occurrence. Where it is new, give 0.",
        (
            "Transformers are known for this: it is called an induction head.",
            "`induct(k, q, offset)` finds the first place where k equals the current q, and reads "
            "the token `offset` places after it.",
            "`return induct(x, x, 1)`. At a new token the place after it lies ahead: that gives 0.",
        ),
        ("induct",),
        "def induction(x):\n    return x\n",
        (3, 1, 4, 3, 5, 3),
        _followed_first,
        DIGITS,
    ),
    Puzzle(
        "fill-the-gaps",
        CHAPTER,
        "Fill the gaps",
        "Replace every 0 by the latest token before it that is not 0. "
        "Zeros at the very front stay 0.",
        (
            "First find the place: the latest position so far whose token is not 0.",
            "A head whose values are `indices(x)` gives places. 'max' of them is the latest.",
            "`place = kqv(x, x, indices(x), lambda k, q: k != 0, "
            'reduction="max")`, then `index_select(x, place)`.',
        ),
        ("kqv", "indices", "index_select"),
        "def fill(x):\n    place = indices(x)\n    return index_select(x, place)\n",
        (0, 3, 0, 0, 5, 0),
        _filled,
        tuple(range(6)),
    ),
    Puzzle(
        "inside-brackets",
        CHAPTER,
        "Inside the brackets",
        "OPEN and CLOSE are brackets that don't nest: give 1 from each OPEN on, and 0 from each "
        "CLOSE on. Before the first bracket, give 0.",
        (
            "Which bracket came last decides.",
            "`lasts(x, full(x, OPEN))` is the place of the latest OPEN, or None, which is less "
            "and greater than nothing.",
            "One head can find the latest bracket of either kind: "
            "`lambda k, q: k == OPEN or k == CLOSE`, with `indices(x)` as values. Then look "
            "which one stands there.",
        ),
        ("kqv", "indices", "index_select"),
        "OPEN = 1\nCLOSE = 2\n\n\ndef inside(x):\n    return x == OPEN\n",
        (5, OPEN, 3, 4, CLOSE, 3, OPEN),
        _inside,
        tuple(range(1, 7)),
        names=(("OPEN", OPEN), ("CLOSE", CLOSE)),
    ),
    Puzzle(
        "start-of-word",
        CHAPTER,
        "First letter of the word",
        "Words are separated by SPACE, and the input begins with one. At each letter, give the "
        "first letter of its word; at a SPACE, give 0.",
        (
            "A word begins one place after the latest SPACE.",
            "`lasts(x, full(x, SPACE))` is the place of the latest SPACE. You may add 1 to it.",
            "`index_select` of a place that lies ahead gives 0, just as wanted at a SPACE.",
        ),
        ("lasts", "index_select", "full"),
        "SPACE = 0\n\n\ndef word_start(x):\n    space = lasts(x, full(x, SPACE))\n"
        "    return index_select(x, space)\n",
        (SPACE, 3, 1, 4, SPACE, 5, 2),
        _word_start,
        tuple(range(6)),
        first=SPACE,
        names=(("SPACE", SPACE),),
    ),
    Puzzle(
        "what-came-last",
        CHAPTER,
        "What came after, last time?",
        "Where the current token has occurred earlier, give the token that followed its latest "
        "earlier occurrence. Where it is new, give 0.",
        (
            "A place j follows an occurrence of the current token if the token before j equals "
            "it. So search the shifted tokens.",
            "`lasts(shift_right(x, 1), x)` is the latest place whose previous token is the "
            "current one.",
            "Read x there: `index_select(x, …)`.",
        ),
        ("lasts", "shift_right", "index_select"),
        "def last_time(x):\n    before = shift_right(x, 1)\n    return before\n",
        (3, 1, 3, 4, 3, 3),
        _followed_last,
        DIGITS,
    ),
)
