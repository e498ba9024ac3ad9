"""What people who know NumPy or PyTorch type first: the sentence that they get, and what is legal.

One row a mistake. The sentence is written out, so that a change of wording is seen here.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

import raspl
from raspl.language.source import Source
from raspl.loading import check_source


class Mistake(NamedTuple):
    """The body of a program, what is said of it, and a legal body in its place."""

    body: str
    code: str
    message: str
    instead: str
    legal: str


MISTAKES = [
    Mistake(
        "for i in range(len(x)):\n    y = x[i]\nreturn y",
        "R101",
        "a for loop",
        "let attention work on all positions at once (select, aggr), or unroll the loop over the output with a scratchpad",
        "return x",
    ),
    Mistake(
        "total = 0\nfor token in x:\n    total += token\nreturn total",
        "R101",
        "a for loop",
        "let attention work on all positions at once (select, aggr), or unroll the loop over the output with a scratchpad",
        "return cumsum(x == 1)",
    ),
    Mistake(
        "while x > 0:\n    x = x - 1\nreturn x",
        "R101",
        "a while loop",
        "let attention work on all positions at once (select, aggr), or unroll the loop over the output with a scratchpad",
        "return where(x > 0, 0, x)",
    ),
    Mistake(
        "if x > 0:\n    x = -x\nreturn x",
        "R102",
        "an `if` statement",
        "compute both results and choose with where(condition, a, b)",
        "return where(x > 0, -x, x)",
    ),
    Mistake(
        "return x if x > 0 else 0",
        "R102",
        "`x if x > 0 else 0` is a conditional expression",
        "choose with where(condition, a, b)",
        "return where(x > 0, x, 0)",
    ),
    Mistake(
        "return [a % 10 for a in x]",
        "R103",
        "`[a % 10 for a in x]` is a comprehension",
        "use tok_map(x, lambda a: …) for each position",
        "return tok_map(x, lambda a: a % 10)",
    ),
    Mistake(
        "return x[0]",
        "R104",
        "`x[0]` picks by subscript",
        "index_select(x, minimum(indices(x))): minimum(indices(x)) is the first position",
        "return index_select(x, minimum(indices(x)))",
    ),
    Mistake(
        "return x[-1]",
        "R104",
        "`x[-1]` picks by subscript",
        "at every position `x` itself is the latest; shift_right(x, 1) is the value before",
        "return x",
    ),
    Mistake(
        "return x[-2]",
        "R104",
        "`x[-2]` picks by subscript",
        "shift_right(x, 1) is the value before",
        "return shift_right(x, 1)",
    ),
    Mistake(
        "return x[1:]",
        "R105",
        "`x[1:]` is a slice",
        "use shift_right(x, n), or mask(x, condition) to blank positions",
        "return shift_right(x, 1)",
    ),
    Mistake(
        "return x[::-1]",
        "R105",
        "`x[::-1]` is a slice",
        "reversal is not causal; attention looks values up, as in index_select(x, index)",
        "return index_select(x, indices(x) - 1)",
    ),
    Mistake(
        "return x[x > 3]",
        "R104",
        "`x[x > 3]` picks by subscript",
        "mask(x, x > 3) blanks the other positions",
        "return mask(x, x > 3)",
    ),
    Mistake(
        "return x[indices(x) - 1]",
        "R104",
        "`x[indices(x) - 1]` picks by subscript",
        "look values up by attention: index_select(x, index) at an index, induct(k, q, offset) beside a match",
        "return index_select(x, indices(x) - 1)",
    ),
    Mistake(
        "return x[0, 1]",
        "R104",
        "`x[0, 1]` picks by subscript",
        "a sequence has one dimension: its positions",
        "return x",
    ),
    Mistake(
        "x[0] = 1\nreturn x",
        "R108",
        "`x[0]` is changed in place",
        "make a new sequence, for example with where(condition, new, old)",
        "return where(indices(x) == minimum(indices(x)), 1, x)",
    ),
    Mistake(
        "return np.where(x > 0, x, 0)",
        "R106",
        "`np.where` is an attribute, and RASP-L has none",
        "where(c, a, b) is RASP-L too: call it by its bare name",
        "return where(x > 0, x, 0)",
    ),
    Mistake(
        "return x.sum()",
        "R106",
        "`x.sum` is an attribute, and RASP-L has none",
        "cumsum(condition) counts the positions so far at which it is true; tokens can't be added up",
        "return cumsum(x != 0)",
    ),
    Mistake(
        "return sum(x)",
        "R201",
        "`sum` is Python, not RASP-L",
        "cumsum(condition) counts the positions so far at which it is true; tokens can't be added up",
        "return cumsum(x != 0)",
    ),
    Mistake(
        "return cumsum(x)",
        "W003",
        "`cumsum` counts the positions at which `x` is not 0; it doesn't add anything up",
        "write the condition: cumsum(x != 0)",
        "return cumsum(x != 0)",
    ),
    Mistake(
        "return x.mean()",
        "R106",
        "`x.mean` is an attribute, and RASP-L has none",
        "aggr(select(x, x, lambda k, q: True), x) is the mean so far",
        "return aggr(select(x, x, lambda k, q: True), x)",
    ),
    Mistake(
        "return max(x)",
        "R207",
        "`max` is a function of integers, not of sequences",
        "maximum(x) is the greatest so far, seq_map(x, y, max) the greater of two",
        "return maximum(x)",
    ),
    Mistake(
        "return np.maximum(x, 3)",
        "R106",
        "`np.maximum` is an attribute, and RASP-L has none",
        "maximum(x) is the greatest so far, seq_map(x, y, max) the greater of two",
        "return seq_map(x, 3, max)",
    ),
    Mistake(
        "return x.argmax()",
        "R106",
        "`x.argmax` is an attribute, and RASP-L has none",
        "argmax(x) is the place of the greatest so far",
        "return argmax(x)",
    ),
    Mistake(
        "return sorted(x)",
        "R201",
        "`sorted` is Python, not RASP-L",
        "`raspl show sort` writes tokens in order, one at a time; a position has no rank",
        'return kqv(x, x, x, gt, default=0, reduction="min")',
    ),
    Mistake(
        "return np.roll(x, 1)",
        "R106",
        "`np.roll` is an attribute, and RASP-L has none",
        "shift_right(x, n) moves a sequence; what leaves it is gone",
        "return shift_right(x, 1)",
    ),
    Mistake(
        "return np.arange(9)",
        "R106",
        "`np.arange` is an attribute, and RASP-L has none",
        "indices(x) holds 0, 1, 2, …",
        "return indices(x)",
    ),
    Mistake(
        "return np.zeros_like(x)",
        "R106",
        "`np.zeros_like` is an attribute, and RASP-L has none",
        "full(x, 0) has one constant at every position, and so has a bare 0",
        "return full(x, 0)",
    ),
    Mistake(
        "return len(x)",
        "R201",
        "`len` is Python, not RASP-L",
        "the length of the input is not known causally; use indices(x), the position so far",
        "return indices(x)",
    ),
    Mistake(
        "return x.shape",
        "R106",
        "`x.shape` is an attribute, and RASP-L has none",
        "the length of the input is not known causally; use indices(x), the position so far",
        "return indices(x)",
    ),
    Mistake(
        "return np.any(x == 1)",
        "R106",
        "`np.any` is an attribute, and RASP-L has none",
        "has_seen(condition, 1): some position so far at which it is true",
        "return has_seen(x == 1, 1)",
    ),
    Mistake(
        "return all(x == 1)",
        "R201",
        "`all` is Python, not RASP-L",
        "~has_seen(condition, 0): no position so far at which it is false",
        "return ~has_seen(x == 1, 0)",
    ),
    Mistake(
        "y = []\nreturn y",
        "R113",
        "`[]` is several values, not a sequence",
        "a program makes one sequence at a time; full(x, 7) is a constant one",
        "y = full(x, 7)\nreturn y",
    ),
    Mistake(
        "return np.unique(x)",
        "R106",
        "`np.unique` is an attribute, and RASP-L has none",
        "firsts(x, x) == indices(x) is true where a token comes for the first time",
        "return firsts(x, x) == indices(x)",
    ),
    Mistake(
        "return np.bincount(x)",
        "R106",
        "`np.bincount` is an attribute, and RASP-L has none",
        "num_prev(x, x) counts how often each token came so far",
        "return num_prev(x, x)",
    ),
    Mistake(
        "return x.index(7)",
        "R106",
        "`x.index` is an attribute, and RASP-L has none",
        "firsts(x, q) and lasts(x, q) find the first and the latest place of q",
        "return firsts(x, 7)",
    ),
    Mistake(
        "return np.concatenate([x, x])",
        "R106",
        "`np.concatenate` is an attribute, and RASP-L has none",
        "every sequence has the length of the input, so none is joined, cut or reshaped",
        "return x",
    ),
    Mistake(
        "return np.logical_and(x > 0, x < 9)",
        "R106",
        "`np.logical_and` is an attribute, and RASP-L has none",
        "conditions are joined by &, | and ~, each in parentheses",
        "return (x > 0) & (x < 9)",
    ),
    Mistake(
        "return x > 0 and x < 9",
        "R111",
        "`x > 0 and x < 9` uses `and`",
        "write `&` between conditions in parentheses: (a == 1) & (b == 2)",
        "return (x > 0) & (x < 9)",
    ),
    Mistake(
        "return not x",
        "R111",
        "`not` on a sequence",
        "write `~x`, or `x == 0` for an Int",
        "return x == 0",
    ),
    Mistake(
        "return 0 < x < 9",
        "R111",
        "a chained comparison",
        "write (a < b) & (b < c), with the parentheses: `&` binds tighter than `<`",
        "return (0 < x) & (x < 9)",
    ),
    Mistake(
        "return x & 1",
        "R309",
        "`&` is applied to a value of type Int",
        "make conditions first, in parentheses: `(x != 0) & (y == 1)`",
        "return (x != 0) & (x == 1)",
    ),
    Mistake(
        "return x / 2",
        "R113",
        "`x / 2` uses an operator that RASP-L does not have",
        "`//` divides and rounds down",
        "return x // 2",
    ),
    Mistake(
        "return x ** 2",
        "R113",
        "`x ** 2` uses an operator that RASP-L does not have",
        "write tok_map(x, lambda a: a * a)",
        "return tok_map(x, lambda a: a * a)",
    ),
    Mistake(
        "return where(x is 7, 0, x)",
        "R113",
        "the comparison `x is 7` is not RASP-L",
        "compare with == and !=",
        "return where(x == 7, 0, x)",
    ),
    Mistake(
        "return where(x = 7, 0, x)",
        "R100",
        "this can't be read: positional argument follows keyword argument",
        "compare with `==`: `=` names an argument or a value",
        "return where(x == 7, 0, x)",
    ),
    Mistake(
        "return cumsum(x == 7) > 0",
        "R304",
        "the count `cumsum(x == 7)` (Count#1) is compared with the literal 0",
        "has_seen(condition, 1): some position so far at which it is true; ~has_seen(condition, 1) where there is none",
        "return has_seen(x == 7, 1)",
    ),
    Mistake(
        "return x.shift(1)",
        "R106",
        "`x.shift` is an attribute, and RASP-L has none",
        "shift_right(x, n) brings values from n positions earlier",
        "return shift_right(x, 1)",
    ),
    Mistake(
        "return x.replace(7, 0)",
        "R106",
        "`x.replace` is an attribute, and RASP-L has none",
        "where(x == a, b, x) writes b wherever a stands",
        "return where(x == 7, 0, x)",
    ),
    Mistake(
        "return x in (1, 2)",
        "R113",
        "the comparison `x in (1, 2)` is not RASP-L",
        "tok_map(x, lambda a: a in (1, 2)) tests each value, has_seen(x, q) all so far",
        "return tok_map(x, lambda a: a in (1, 2))",
    ),
    Mistake(
        "return 0.5",
        "R113",
        "`0.5` is not an integer",
        "use integers; `//` divides",
        "return 1 // 2",
    ),
    Mistake(
        'return f"{x}"',
        "R113",
        "`f'{x}'` is an f-string",
        'a string is a token\'s name, and nothing is put into it: write "a"',
        "return x",
    ),
    Mistake(
        'return x == "a"',
        "R208",
        '"a" is the name of a token, and nothing says which number it has',
        'write TOKENS = ["a", "b", …] at the top of the file, which numbers the tokens from 0, or give the tokens (--tokens, tokens=…)',
        "return x == 1",
    ),
    Mistake(
        "return {1: 5}[x]",
        "R113",
        "`{1: 5}` is a dictionary",
        "write the table as a function: tok_map(x, lambda a: 5 if a == 1 else 7)",
        "return tok_map(x, lambda a: 5 if a == 1 else 7)",
    ),
    Mistake(
        "return x, x",
        "R113",
        "`(x, x)` is several values, not a sequence",
        "a program makes one sequence at a time; full(x, 7) is a constant one",
        "return x",
    ),
    Mistake(
        "print(x)\nreturn x",
        "R201",
        "`print` is Python, not RASP-L",
        "leave it out: a trace shows every step (`raspl trace`, or beside the editor)",
        "return x",
    ),
    Mistake(
        "def g(a):\n    return a\nreturn g(x)",
        "R109",
        "a function inside of a program",
        "write assignments and one return; helper functions go at the top of the file",
        "return x",
    ),
    Mistake(
        "y = lambda a: a + 1\nreturn tok_map(x, y)",
        "R206",
        "a lambda is used here as a value",
        "give it to tok_map, seq_map, select or kqv directly, after the sequences",
        "return tok_map(x, lambda a: a + 1)",
    ),
    Mistake(
        "return tok_map(x, lambda a: a + x)",
        "R205",
        "the lambda uses `x`, a sequence from outside of it",
        "pass the sequence through seq_map or select as a second argument",
        "return seq_map(x, x, lambda a, b: a + b)",
    ),
    Mistake(
        "return int(x)",
        "R201",
        "`int` is Python, not RASP-L",
        "values are integers already, and an index can't be turned into one",
        "return x",
    ),
    Mistake(
        "return indices(x) == 0",
        "R304",
        "the index `indices(x)` (Index) is compared with the literal 0",
        "the first position is `indices(x) == minimum(indices(x))`; compare it with another index, such as indices(x) or firsts(x, q)",
        "return indices(x) == minimum(indices(x))",
    ),
    Mistake(
        "return index_select(x, 0)",
        "R302",
        "`index` is an index, and 0 is an integer",
        "pass an index: indices(x), firsts(x, q), lasts(x, q), …; the first position is minimum(indices(x))",
        "return index_select(x, minimum(indices(x)))",
    ),
    Mistake(
        "n = cumsum(x == 1)\nreturn n >= 3",
        "R304",
        "the count `n` (Count#1) is compared with the literal 3",
        'compare it with values of the same count (its maximum, its value elsewhere); the cookbook has "at least three times"',
        "n = cumsum(x == 1)\nreturn n == maximum(n)",
    ),
    Mistake(
        "return cumsum(x == 1) % 2",
        "R301",
        "this calculates with a value of type Count#1",
        "add or subtract a literal, or compare it with values of the same count",
        "return cumsum(x == 1) - 2",
    ),
    Mistake(
        "ones = cumsum(x == 1)\nzeros = cumsum(x == 0)\nreturn ones > zeros",
        "R303",
        "`ones` (Count#1) and `zeros` (Count#2) count different things",
        "compare a count only with values of the same sel_width call (its maximum, its value elsewhere); compare tokens instead of counts",
        "n = num_prev(x, x)\nreturn n == maximum(n)",
    ),
    Mistake(
        "n = cumsum(x == 1)\nreturn mask(n, x == 1)",
        "R302",
        "`n` (Count#1) and the literal 0 don't mix",
        'the one literal of an Index or Count is None, "no such index": mask(x, keep, mask_val=None), where(c, x, None)',
        "n = cumsum(x == 1)\nreturn mask(n, x == 1, mask_val=None)",
    ),
    Mistake(
        "return where(x > 0, indices(x), 0)",
        "R302",
        "`indices(x)` (Index) and the literal 0 don't mix",
        'the one literal of an Index or Count is None, "no such index": mask(x, keep, mask_val=None), where(c, x, None)',
        "return where(x > 0, indices(x), None)",
    ),
    Mistake(
        "return x == indices(x)",
        "R302",
        "`x` (Int) and `indices(x)` (Index) don't mix",
        "keep indices and integers apart; look up a token at an index with index_select",
        "return x == index_select(x, indices(x) - 1)",
    ),
    Mistake(
        "return firsts(x, 7) is None",
        "R113",
        "the comparison `firsts(x, 7) is None` is not RASP-L",
        "`i == i` is true exactly where an index is not None; compare with == and !=",
        "found = firsts(x, 7)\nreturn found != found",
    ),
    Mistake(
        "s = select(x, x, equals) & select(x, x, lt)\nreturn aggr(s, x)",
        "R306",
        "`&` is applied to a selector",
        'put both conditions into one key and one query, such as select(a * 10 + b, c * 10 + d, equals): the cookbook has "two conditions"',
        "return kqv(x * 10 + shift_right(x, 1), x * 10 + x, x, equals)",
    ),
    Mistake(
        "return select(x, x, equals)",
        "R306",
        "the program returns a selector",
        "return aggr(selector, values) or sel_width(selector)",
        "return sel_width(select(x, x, equals))",
    ),
    Mistake(
        'return kqv(x, x, x, equals, reduction="sum")',
        "R204",
        "there is no reduction 'sum'",
        "write reduction='mean', 'max' or 'min'",
        'return kqv(x, x, x, equals, reduction="max")',
    ),
    Mistake(
        'return aggr(select(x, x, equals), x, "max")',
        "R204",
        "`max` is a reduction, which is given by its name",
        'write reduction="max"',
        'return aggr(select(x, x, equals), x, reduction="max")',
    ),
    Mistake(
        "return aggr(select(x, x, equals), x, reduction=max)",
        "R204",
        "`max` is a reduction, which is given by its name",
        'write reduction="max"',
        'return aggr(select(x, x, equals), x, reduction="max")',
    ),
    Mistake(
        'return kqv(x, x, x, True, reduction="max")',
        "R206",
        "`True` is not a scalar function",
        "write `lambda k, q: True`, which takes every position so far",
        'return kqv(x, x, x, lambda k, q: True, reduction="max")',
    ),
    Mistake(
        'return where(x == "7", 0, x)',
        "R208",
        '"7" is the name of a token, and nothing says which number it has',
        "write 7 without the quotes for the number",
        "return where(x == 7, 0, x)",
    ),
    Mistake(
        "return sort(x)",
        "R201",
        "`sort` is Python, not RASP-L",
        "`raspl show sort` writes tokens in order, one at a time; a position has no rank",
        "return maximum(x)",
    ),
]


def text(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"import numpy as np\n\n\ndef f(x):\n{lines}"


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.body.replace("\n", "; "))
def test_each_gets_its_sentence(mistake: Mistake) -> None:
    checked = check_source(Source(text(mistake.body)))
    # The import of NumPy is no violation, and a warning says that it does nothing.
    first = next(d for d in checked.diagnostics if d.rule.code != "W002")
    assert (first.rule.code, first.message, first.instead) == mistake[1:4]
    assert checked.ok == first.rule.is_warning


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.legal.replace("\n", "; "))
def test_what_is_written_instead_is_legal_and_runs(mistake: Mistake) -> None:
    (program,) = raspl.parse(text(mistake.legal)).values()
    assert len(program([1, 0, 2, 1])) == 4


def test_there_are_at_least_44() -> None:
    assert len({mistake.body for mistake in MISTAKES}) >= 44
