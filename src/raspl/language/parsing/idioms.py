"""What people who know NumPy type first, and how RASP-L says it.

Every entry ends the sentence "instead: …" of a diagnostic.
"""

from __future__ import annotations

import ast

from raspl.language.parsing.clipping import clip

COUNT = (
    "cumsum(condition) counts the positions so far at which it is true; tokens can't be added up"
)
LENGTH = "the length of the input is not known causally; use indices(x), the position so far"
POSITIONS = "indices(x) holds 0, 1, 2, …"
MEAN = "aggr(select(x, x, lambda k, q: True), x) is the mean so far"
GREATEST = "maximum(x) is the greatest so far, seq_map(x, y, max) the greater of two"
LEAST = "minimum(x) is the least so far, seq_map(x, y, min) the lesser of two"
NOT_CAUSAL = "reversal is not causal; attention looks values up, as in index_select(x, index)"
WHOLE = "values are integers already, and an index can't be turned into one"
CONSTANT = "full(x, 0) has one constant at every position, and so has a bare 0"
EVERY = "~has_seen(condition, 0): no position so far at which it is false"
SOME = "has_seen(condition, 1): some position so far at which it is true"
NONE_SO_FAR = "~has_seen(condition, 1) where there is none"
PLACE = "firsts(x, q) and lasts(x, q) find the first and the latest place of q"
LOOKED_UP = "index_select(x, index) looks x up at an index"
ONE_LENGTH = "every sequence has the length of the input, so none is joined, cut or reshaped"
POSITIONWISE = "functions work on all positions at once: tok_map(x, f) applies f at each"
ORDER = "`raspl show sort` writes tokens in order, one at a time; a position has no rank"
LOGIC = "conditions are joined by &, | and ~, each in parentheses"

AHEAD = "a position sees itself and what came before, never what comes after"
EARLIER = "shift_right(x, n) brings values from n positions earlier"

NAMES = {
    "len": LENGTH, "range": POSITIONS, "enumerate": POSITIONS,
    "sum": COUNT, "max": GREATEST, "min": LEAST, "abs": "use tok_map(x, abs)",
    "any": SOME, "all": EVERY, "sorted": ORDER, "sort": ORDER, "reversed": NOT_CAUSAL,
    "int": WHOLE, "float": "values are integers", "bool": "compare: x != 0", "str": WHOLE,
    "round": WHOLE, "list": POSITIONWISE, "tuple": POSITIONWISE, "set": POSITIONWISE,
    "zip": "seq_map(x, y, lambda a, b: …) takes two sequences position by position",
    "map": POSITIONWISE, "filter": "mask(x, condition) blanks the positions that don't match",
    "print": "leave it out: a trace shows every step (`raspl trace`, or beside the editor)",
    "isinstance": "types are known before a program runs: `raspl check` infers them",
}  # fmt: skip
"""Python's own functions."""

LOOKING_AHEAD = ("shift_left", "shiftleft", "shift_back", "next_token", "lookahead", "look_ahead")
"""What people call a function that no causal model has; nothing with a similar name does it."""

METHODS = {
    "where": "where(c, a, b) is RASP-L too: call it by its bare name",
    "sum": COUNT, "cumsum": COUNT, "count_nonzero": COUNT, "mean": MEAN,
    "max": GREATEST, "amax": GREATEST, "cummax": GREATEST, "maximum": GREATEST,
    "min": LEAST, "amin": LEAST, "cummin": LEAST, "minimum": LEAST,
    "argmax": "argmax(x) is the place of the greatest so far", "argsort": ORDER,
    "argmin": "argmin(x) is the place of the least so far", "sort": ORDER, "topk": ORDER,
    "any": SOME, "all": EVERY, "shape": LENGTH, "size": LENGTH, "numel": LENGTH, "ndim": LENGTH,
    "arange": POSITIONS, "zeros": CONSTANT, "ones": CONSTANT, "full": CONSTANT,
    "zeros_like": CONSTANT, "ones_like": CONSTANT, "full_like": CONSTANT, "fill": CONSTANT,
    "shift": EARLIER, "replace": "where(x == a, b, x) writes b wherever a stands",
    "roll": "shift_right(x, n) moves a sequence; what leaves it is gone", "flip": NOT_CAUSAL,
    "reverse": NOT_CAUSAL, "index": PLACE, "argwhere": PLACE, "nonzero": PLACE, "find": PLACE,
    "searchsorted": PLACE, "gather": LOOKED_UP, "take": LOOKED_UP, "index_select": LOOKED_UP,
    "take_along_axis": LOOKED_UP, "count": "num_prev(x, q) counts the values so far that equal q",
    "bincount": "num_prev(x, x) counts how often each token came so far",
    "unique": "firsts(x, x) == indices(x) is true where a token comes for the first time",
    "isin": "tok_map(x, lambda a: a in (1, 2)) tests each value, has_seen(x, q) all so far",
    "clip": "tok_map(x, lambda a: min(max(a, 0), 9)) keeps values within bounds",
    "clamp": "tok_map(x, lambda a: min(max(a, 0), 9)) keeps values within bounds",
    "abs": "use tok_map(x, abs)", "mod": "write x % n", "diff": "write x - shift_right(x, 1)",
    "pow": "write tok_map(x, lambda a: a * a)", "power": "write tok_map(x, lambda a: a * a)",
    "logical_and": LOGIC, "logical_or": LOGIC, "logical_not": LOGIC,
    "equal": "write x == y", "concatenate": ONE_LENGTH, "cat": ONE_LENGTH, "stack": ONE_LENGTH,
    "append": ONE_LENGTH, "extend": ONE_LENGTH, "pop": ONE_LENGTH, "insert": ONE_LENGTH,
    "reshape": ONE_LENGTH, "view": ONE_LENGTH, "T": ONE_LENGTH, "unsqueeze": ONE_LENGTH,
    "dot": "kqv(k, q, v, pred) is one attention head", "softmax": "kqv(k, q, v, pred) is one head",
    "matmul": "kqv(k, q, v, pred) is one head", "vectorize": POSITIONWISE,
    "astype": WHOLE, "tolist": WHOLE, "item": WHOLE, "copy": "sequences never change: use x itself",
    "array": CONSTANT, "tensor": CONSTANT, "random": "a program is deterministic",
}  # fmt: skip
"""Methods of an array, and functions of NumPy and PyTorch."""

OPERATORS: dict[type[ast.operator], str] = {
    ast.Div: "`//` divides and rounds down",
    ast.Pow: "write tok_map(x, lambda a: a * a)",
    ast.BitXor: "`!=` is true where exactly one of two conditions is",
    ast.LShift: "multiply: x * 2",
    ast.RShift: "divide: x // 2",
    ast.MatMult: "kqv(k, q, v, pred) is one attention head",
}

CONDITIONS = {"cumsum": "x"}
"""Library functions that only ask whether a value is 0, and the parameter of which they do."""
BACKWARD = {"shift_right": "n"}
"""Library functions that look so many positions back, and the parameter that says how many."""


def of_scalar(name: str) -> str:
    """What to write for `lt(x, y)`, or for `lt` where a sequence is needed."""
    return NAMES.get(name, f"write seq_map(x, y, {name}), or the operator")


def of_attribute(node: ast.Attribute) -> str:
    """What to write for `x.sum` or `np.where`."""
    return METHODS.get(node.attr, "call core, library and RASP-L functions on sequences")


def of_subscript(node: ast.Subscript) -> str:
    """What to write for `x[i]`; a first token, the latest and a filter have idioms of their own."""
    x = clip(node.value, 20) if isinstance(node.value, ast.Name | ast.Call) else "x"
    match node.slice:
        case ast.Constant(value=int() as place) if not isinstance(place, bool):
            first, rest = f"minimum(indices({x}))", f" + {place}" if place else ""
            return f"index_select({x}, {first}{rest}): {first} is the first position"
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as back)):
            before = f"shift_right({x}, {back - 1})" if back > 1 else f"shift_right({x}, 1)"
            lead = "" if back > 1 else f"at every position `{x}` itself is the latest; "
            return f"{lead}{before} is the value {'before' if back < 3 else 'further back'}"
        case ast.Compare() | ast.BoolOp():
            return f"mask({x}, {clip(node.slice, 20)}) blanks the other positions"
        case ast.Slice(step=ast.UnaryOp(op=ast.USub())):
            return NOT_CAUSAL
        case ast.Slice():
            return f"use shift_right({x}, n), or mask({x}, condition) to blank positions"
        case ast.Tuple():
            return "a sequence has one dimension: its positions"
    return (
        f"look values up by attention: index_select({x}, index) at an index, "
        "induct(k, q, offset) beside a match"
    )
