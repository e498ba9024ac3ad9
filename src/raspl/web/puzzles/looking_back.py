"""Chapter 1: whole sequences at once, and what came before."""

from __future__ import annotations

from raspl.web.puzzles.puzzle import Puzzle, Tokens, Wanted

CHAPTER = "Look back"
DIGITS = tuple(range(1, 10))


def _previous(x: Tokens) -> Wanted:
    return [0, *x[:-1]]


def _rising(x: Tokens) -> Wanted:
    return [int(b > a) for a, b in zip([0, *x], x, strict=False)]


def _hidden(x: Tokens) -> Wanted:
    return [0 if token == 7 else token for token in x]


def _seen(x: Tokens) -> Wanted:
    return [int(7 in x[: i + 1]) for i in range(len(x))]


def _largest(x: Tokens) -> Wanted:
    return [max(x[: i + 1]) for i in range(len(x))]


PUZZLES = (
    Puzzle(
        "previous-token",
        CHAPTER,
        "Previous token",
        "At every position, give the token that stands just before it. "
        "The first position has nothing before it: give 0 there.",
        (
            "A program gets all tokens at once, as the sequence x, and gives back a sequence of "
            "the same length. There is no loop: you move, compare and combine whole sequences.",
            "`shift_right(x, 1)` is x moved one place to the right, with a 0 at the front.",
            "The whole answer is one line: `return shift_right(x, 1)`.",
        ),
        ("shift_right",),
        "def previous(x):\n    return x\n",
        (3, 1, 4, 1, 5),
        _previous,
        DIGITS,
    ),
    Puzzle(
        "going-up",
        CHAPTER,
        "Going up",
        "Give 1 where a token is greater than the one just before it, and 0 elsewhere. "
        "Treat the token before the first as 0.",
        (
            "Comparing two sequences compares them position by position: `x > y` is 1 where x is "
            "greater, else 0.",
            "You know the sequence of previous tokens from the last puzzle.",
            "Give it a name on a line of its own: `before = shift_right(x, 1)`. Then return a "
            "comparison of x with `before`.",
        ),
        ("shift_right",),
        "def going_up(x):\n    before = shift_right(x, 1)\n    return before\n",
        (3, 1, 4, 4, 5),
        _rising,
        DIGITS,
    ),
    Puzzle(
        "hide-the-sevens",
        CHAPTER,
        "Hide the sevens",
        "Copy the tokens, but write 0 wherever a 7 stands. There is no `if`: choose with `where`.",
        (
            "`where(condition, a, b)` takes a where the condition is true, and b elsewhere, "
            "position by position.",
            "`x == 7` is true where a 7 stands. A plain 0 in the place of a sequence is a 0 at "
            "every position.",
            "`return where(x == 7, 0, x)`",
        ),
        ("where",),
        "def hide(x):\n    is_seven = x == 7\n    return is_seven\n",
        (7, 2, 7, 7, 5),
        _hidden,
        DIGITS,
    ),
    Puzzle(
        "seen-a-seven",
        CHAPTER,
        "Has there been a seven?",
        "Give 0 until the first 7 appears, and 1 from there on. "
        "Now a position must look at all the positions before it.",
        (
            "`has_seen(x, q)` asks at each position: is the value of q here among the tokens of x "
            "so far? This is attention: the position looks back and searches.",
            "Every position asks for the same value: write a plain 7 for q.",
            "`return has_seen(x, 7)`",
        ),
        ("has_seen",),
        "def seen(x):\n    is_seven = x == 7\n    return is_seven\n",
        (3, 1, 7, 1, 7, 2),
        _seen,
        DIGITS,
    ),
    Puzzle(
        "largest-so-far",
        CHAPTER,
        "The largest so far",
        "At every position, give the greatest token that has come up to there. "
        "There is a function for it, and you can also build it from one attention head.",
        (
            "`maximum(x)` does it. Solve it that way first if you like.",
            "By hand: `kqv(keys, queries, values, test, reduction=…)` is one attention head. At "
            "each position, the query is compared with all keys so far; the values where the test "
            "says yes are reduced to one, by 'max', 'min' or 'mean'.",
            'Let every key pass: `kqv(x, x, x, lambda k, q: True, reduction="max")`.',
        ),
        ("maximum", "kqv"),
        "def largest(x):\n    return x\n",
        (3, 1, 4, 1, 5, 2),
        _largest,
        DIGITS,
    ),
)
