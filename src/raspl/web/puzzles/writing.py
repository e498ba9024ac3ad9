"""Chapter 5: programs that write: the last output is the next token, again and again."""

from __future__ import annotations

import random

from raspl.web.puzzles.puzzle import Puzzle, Tokens, Wanted

CHAPTER = "Write"
START, GO, END = -1, -2, -3
EVEN, ODD = -4, -5
PLUS = -4
FIRST_HINT, TOP_HINT = 10, -100
_FRAME = "START = -1\nGO = -2\nEND = -3\n\n\n"
_NAMES = (("START", START), ("GO", GO), ("END", END))
MOST_DISTINCT = 100


def _distinct(rng: random.Random, length: int) -> Tokens:
    return rng.sample(range(max(10, min(MOST_DISTINCT, 2 * length))), min(length, MOST_DISTINCT))


def _two_numbers(rng: random.Random, length: int) -> Tokens:
    low = rng.randint(0, 100 - min(length, 100))
    return [START, low, low + min(length, 100) - 1]


def _framed(rng: random.Random, length: int) -> Tokens:
    return [START, *_distinct(rng, length), GO]


def _count_up(x: Tokens) -> Wanted:
    return [*range(x[1], x[2] + 1), END]


def _echo_last(x: Tokens) -> Wanted:
    return [x[-2], END]


def _unframed(rng: random.Random, length: int) -> Tokens:
    return [*_distinct(rng, length), GO]


def _sorted(x: Tokens) -> Wanted:
    return [*sorted(x[:-1]), END]


def _copied(x: Tokens) -> Wanted:
    return [*x[1:-1], END]


def _reversed(x: Tokens) -> Wanted:
    return [*x[-2:0:-1], END]


def _bits(rng: random.Random, length: int) -> Tokens:
    share = rng.random()
    bits = [int(rng.random() < share) for _ in range(min(length, 100))]
    return [t for place, bit in enumerate(bits) for t in (FIRST_HINT + place, bit)] + [GO]


def _parity(x: Tokens) -> Wanted:
    written: Wanted = [EVEN]
    for hint, bit in zip(x[0:-1:2], x[1:-1:2], strict=True):
        if bit:
            written += [hint, ODD if written[-1] == EVEN else EVEN]
    return [*written, END]


def _summands(rng: random.Random, length: int) -> Tokens:
    size = min(length, 60)
    # Many nines make carries that run far.
    digits = (0, 9, 9, 9) if rng.random() < 0.3 else tuple(range(10))
    first, second = ([0, *rng.choices(digits, k=size)] for _ in range(2))
    return [START, *_hinted(first), PLUS, *_hinted(second), GO]


def _hinted(digits: list[int]) -> Tokens:
    return [token for place, digit in enumerate(digits) for token in (TOP_HINT - place, digit)]


def _added(x: Tokens) -> Wanted:
    plus = x.index(PLUS)
    first, second = x[2:plus:2], x[plus + 2 : -1 : 2]
    total = sum(
        10**place * (a + b)
        for place, (a, b) in enumerate(zip(first[::-1], second[::-1], strict=True))
    )
    digits = [int(d) for d in str(total).zfill(len(first))][::-1]
    hints = [TOP_HINT - place for place in range(len(first))][::-1]
    return [*(token for pair in zip(hints, digits, strict=True) for token in pair), END]


PUZZLES = (
    Puzzle(
        "last-one",
        CHAPTER,
        "Write the last one",
        "Now the program writes: its last output becomes the next token, and it runs again. "
        "After GO write the token that stands before GO, then END.",
        (
            "The output at GO is the first token written. The output at that token is the next.",
            "So at GO give the previous token, and at any other token give END.",
            "`return where(x == GO, shift_right(x, 1), full(x, END))`",
        ),
        ("where", "shift_right", "full"),
        _FRAME + "def last_one(x):\n    return shift_right(x, 1)\n",
        (START, 4, 7, 2, GO),
        _echo_last,
        sample=_framed,
        end=END,
        names=_NAMES,
    ),
    Puzzle(
        "count-up",
        CHAPTER,
        "Count up",
        "The prompt is START a b. Write all numbers from a to b, then END.",
        (
            "The token after x is x + 1, unless x is the last number: then it is END. Only after "
            "the prompt it is a.",
            "Find a and b at every position: they stand one and two places after START. "
            "`start = lasts(x, full(x, START))`, then `index_select(x, start + 1)`.",
            "The prompt ends where `indices(x) == start + 2`: there, give a.",
        ),
        ("lasts", "index_select", "indices"),
        "START = -1\nEND = -3\n\n\ndef count_up(x):\n    start = lasts(x, full(x, START))\n"
        "    return x + 1\n",
        (START, 4, 7),
        _count_up,
        sample=_two_numbers,
        end=END,
        names=(("START", START), ("END", END)),
    ),
    Puzzle(
        "copy",
        CHAPTER,
        "Copy",
        "The tokens between START and GO are all different. Write them again in order, then END.",
        (
            "After a token comes what came after it in the prompt: an induction head.",
            "After GO comes what came after START. So look up START instead of GO: "
            "`where(x == GO, full(x, START), x)`.",
            "After the last token the induction head finds GO: write END in its place.",
        ),
        ("induct", "where"),
        _FRAME + "def copy(x):\n    return induct(x, x, 1)\n",
        (START, 4, 7, 2, GO),
        _copied,
        sample=_framed,
        end=END,
        names=_NAMES,
    ),
    Puzzle(
        "backwards",
        CHAPTER,
        "Backwards",
        "The tokens between START and GO are all different. Write them in reverse order, then END.",
        (
            "After a token comes what came before it in the prompt.",
            "`induct(x, x, -1)` reads the token before the first occurrence. What does it give at "
            "GO, and at the first token?",
            "Before the first token stands START: write END in its place.",
        ),
        ("induct", "where"),
        _FRAME + "def backwards(x):\n    return x\n",
        (START, 4, 7, 2, GO),
        _reversed,
        sample=_framed,
        end=END,
        names=_NAMES,
    ),
    Puzzle(
        "sort",
        CHAPTER,
        "Sort",
        "The tokens before GO are all different and not negative. "
        "Write them in ascending order, then END.",
        (
            "After a token comes the next larger one. You have solved that.",
            "After GO comes the smallest of all: GO itself is less than every token.",
            "After the largest nothing is larger: that is what `default` is for.",
        ),
        ("kqv", "gt"),
        "GO = -2\nEND = -3\n\n\ndef sort(x):\n    return x\n",
        (4, 7, 2, GO),
        _sorted,
        sample=_unframed,
        end=END,
        names=(("GO", GO), ("END", END)),
    ),
)
FINALE = (
    Puzzle(
        "parity",
        CHAPTER,
        "Parity, with a scratchpad",
        "Each bit of the prompt has a label before it: 10 b 11 b 12 b … GO. Write EVEN, then for "
        "each 1 its label and whether the 1s so far are ODD or EVEN, then END.",
        (
            "No program can say at once whether there is an even number of 1s. Writing the "
            "steps down makes it possible: each step only needs the one before it.",
            "After EVEN or ODD comes the label of the next 1: the smallest label of a 1 that is "
            "greater than the last label written. That is the head of Sort.",
            "After a label comes the other of EVEN and ODD, seen from the token before the label. "
            "At GO give EVEN. For the labels of 1s: `mask(shift_right(x, 1), x == 1, …)`.",
        ),
        ("kqv", "mask", "shift_right", "where"),
        "GO = -2\nEND = -3\nEVEN = -4\nODD = -5\nFIRST = 10\n\n\n"
        "def parity(x):\n    before = shift_right(x, 1, default=GO)\n"
        "    return where(x == GO, full(x, EVEN), before)\n",
        (10, 1, 11, 0, 12, 1, GO),
        _parity,
        sample=_bits,
        end=END,
        names=(("GO", GO), ("END", END), ("EVEN", EVEN), ("ODD", ODD)),
    ),
    Puzzle(
        "reverse-addition",
        CHAPTER,
        "Addition, last digit first",
        "Two numbers with labelled digits: START -100 0 -101 5 PLUS -100 0 -101 7 GO. Write the "
        "labelled digits of their sum from the last to the first, then END.",
        (
            "At a label, look up the digit behind it in the first number (`induct`) and in the "
            "second (search only what stands after PLUS): that is the sum of this place.",
            "The carry is known from the place before: its sum was over 9, or it was 9 and its "
            "digit came out as 0. Both stand two and one tokens back.",
            "At a digit, the next label is one more than the last; after the label -100 comes "
            "END; at GO, give the label that stands two tokens back.",
            "`in_second = has_seen(x, full(x, PLUS)) & ~has_seen(x, full(x, GO))`; "
            "`second = mask(x, in_second)`; then `induct_kqv(second, x, x, 1)`.",
        ),
        ("induct", "induct_kqv", "mask", "seq_map"),
        "START = -1\nGO = -2\nEND = -3\nPLUS = -4\nTOP = -100\n\n\n@program(bits=16)\n"
        "def add(x):\n    is_label = x <= TOP\n    first = induct(x, x, 1)\n"
        "    return where(is_label, first, full(x, END))\n",
        (START, -100, 0, -101, 5, PLUS, -100, 0, -101, 7, GO),
        _added,
        sample=_summands,
        end=END,
        names=(("START", START), ("GO", GO), ("END", END), ("PLUS", PLUS)),
    ),
)
