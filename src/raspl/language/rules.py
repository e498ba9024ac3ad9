"""Every rule of the language, with the code by which diagnostics and `docs/diagnostics.md` name it.

1xx: what a program may consist of. 2xx: names, calls and literals. 3xx: types. 4xx: what can go
wrong only when a program runs. Wxx: warnings, which are not violations.
"""

from __future__ import annotations

from dataclasses import dataclass

from raspl.language.limits import MAX_MESSAGE


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: a code, a short name, and the sentence that states it."""

    code: str
    name: str
    sentence: str

    @property
    def is_warning(self) -> bool:
        """Warnings are shown but do not make a program illegal."""
        return self.code.startswith("W")


_TABLE = """
R100 unreadable          | A program is a UTF-8 text in Python's syntax.
R101 loop                | A Transformer has a constant number of layers, so a program has no loops.
R102 branch              | Every position runs the same straight line, so a program has no branches.
R103 comprehension       | A program handles whole sequences, so it has no comprehensions.
R104 subscript           | Positions can't be picked by subscript; attention looks values up.
R105 slice               | Sequences can't be cut or reversed: every sequence has the length of the input.
R106 attribute           | Sequences have no attributes or methods; only core, library and RASP-L functions are called.
R107 recursion           | A program is inlined into one straight line, so it can't call itself.
R108 mutation            | Sequences are never changed in place; each line makes a new one.
R109 statement           | A program consists of assignments and one final return.
R110 missing-return      | A program ends with one return of a sequence.
R111 truth               | `and`, `or`, `not` and chained comparisons decide once; sequences need the positionwise `&`, `|`, `~`.
R112 decorator           | Nothing decorates a program but @program, and decorators are read, never run.
R113 expression          | Expressions are names, integers, calls, lambdas as arguments, and the operators + - * // % == != < <= > >= & | ~.
R114 signature           | Parameters are plain sequences first, then literals; there is no * or **.
R115 too-large           | The programs of a text, with all that they call written out, stay within the limits of the checker.
R116 import              | A program may import from raspl and from files beside it, which are read, never run.
R201 unknown-name        | Every name is a parameter, an earlier assignment, a constant, or a core, library or RASP-L function.
R202 arity               | A call gives each parameter of the function exactly once.
R203 non-literal         | Literal parameters are fixed before the program runs, so they can't depend on a sequence.
R204 reduction           | An aggregate reduces by 'mean', 'max' or 'min'.
R205 closure             | A lambda sees its own parameters and literals only, never a sequence.
R206 scalar-function     | A map or select takes a lambda, a comparison name or a one-line scalar function over integers.
R207 not-callable        | Only core, library and RASP-L functions can be called.
R208 token-name          | A string is the name of a token, and TOKENS says which number each name has.
R301 index-arithmetic    | An Index or Count can be compared, shifted by a literal and selected, but not calculated with.
R302 index-int-mix       | Index and Int never mix: there is no cast between them.
R303 count-families      | Every sel_width makes a type of its own; different counts and indices can't be compared or mixed.
R304 index-literal       | An Index or Count can't be compared with a literal: absolute positions and totals mean nothing.
R305 index-mean          | Indices are aggregated by max or min, or by a look-up that can match one key only.
R306 selector-as-sequence | A selector is used by aggr and sel_width only.
R307 sequence-as-selector | aggr and sel_width need a selector, which select makes.
R309 logic-on-int        | `&`, `|` and `~` are logical and need Bool.
R310 out-of-range        | Every Int lies in the range of the program's width.
R311 index-predicate     | A select compares indices by one of == != < <= > >= only.
R312 none                | None means "no such index": it is a literal of Index and Count only.
R401 overflow            | Int arithmetic that leaves the range of the program's width is an error; it never wraps.
R402 division-by-zero    | Division and remainder by zero are errors.
R403 input               | The input is a flat sequence of integers within the program's width.
W001 unused              | A name that the result does not depend on costs nothing and does nothing.
W002 ignored             | A program file is read, never run: statements outside of programs have no effect.
W003 not-a-sum           | `cumsum` counts the positions at which a condition is true; nothing adds tokens up.
W004 number-or-name      | A plain integer is a token's number; a token whose name is a number is written as a string.
W005 not-imported        | RASP-L knows the names of raspl by itself; Python knows those that a file imports.
W006 looks-ahead         | Attention is causal: a position sees itself and the positions before it, never those after it.
"""

RULES: dict[str, Rule] = {
    code: Rule(code, name, sentence.strip())
    for code, name, sentence in (
        (*head.split(), sentence)
        for head, _, sentence in (line.partition(" | ") for line in _TABLE.strip().splitlines())
    )
}


class Violation(Exception):
    """A broken rule, raised where the rule is known; the parser adds the place."""

    def __init__(self, code: str, message: str, instead: str) -> None:
        super().__init__(message)
        self.rule = RULES[code]
        self.message = _shortened(message)
        self.instead = _shortened(instead)


def _shortened(text: str) -> str:
    """A name or a literal in a message may be megabytes long."""
    half = MAX_MESSAGE // 2
    return text if len(text) <= MAX_MESSAGE else f"{text[:half]}…{text[1 - half :]}"
