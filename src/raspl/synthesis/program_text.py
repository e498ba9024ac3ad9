"""Finds as readable source: one line a component, with the library's names where they fit."""

from __future__ import annotations

import re

from raspl.language.ir.printer import DEFAULT_BITS
from raspl.synthesis.components import LEAVES, NEXT, TOKENS, TRUTH, Rule, Term, table_function

NAMES = {"==": "equals", "<": "lt", ">": "gt"}
LIBRARY = {
    "aggr", "equals", "full", "gt", "index_select", "indices", "kqv", "lt", "maximum", "minimum",
    "sel_width", "select", "seq_map", "shift_right", "tok_map", "where",
}  # fmt: skip


def program_text(term: Term, bits: int, name: str = "found") -> str:
    """The text of a file with this one program."""
    text = program_body(term)
    words = set(re.findall(r"\w+", text)) & LIBRARY
    width = "" if bits == DEFAULT_BITS else f"(bits={bits})"
    head = f"from raspl import {', '.join(sorted(words | {'program'}))}"
    return "\n".join((head, "", "", f"@program{width}", f"def {name}(x):", text, ""))


def program_body(term: Term) -> str:
    """The lines of a program: terms that share them are one program, made in two ways."""
    writer = _Writer()
    result = writer.write(term)
    return "\n".join(f"    {line}" for line in (*writer.lines, f"return {result}"))


class _Writer:
    """Names each component once, in the order in which they are needed."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._names: dict[Term, str] = {TOKENS: "x"}

    def write(self, term: Term) -> str:
        if term in self._names:
            return self._names[term]
        args = [self.write(arg) for arg in term.args]
        if term.rule.name == TRUTH:
            return args[0]
        text = _leaf(term.rule) if term.rule.name in LEAVES else _line(term.rule, args)
        if term.rule.name in LEAVES:
            self._names[term] = text
        else:
            self._names[term] = f"v{len(self.lines) + 1}"
            self.lines.append(f"{self._names[term]} = {text}")
        return self._names[term]


def _leaf(rule: Rule) -> str:
    match rule.name:
        case "literal":
            return f"full(x, {rule.literals[0]})"
        case "none":
            return "full(x, None)"
    return "indices(x)"


def _line(rule: Rule, args: list[str]) -> str:
    if rule.is_head:
        return _head(rule, args)
    match rule.name:
        case "compare":
            return f"{args[0]} {rule.op} {rule.literals[0]}"
        case "plus" | "successor":
            return _shifted(args[0], rule.literals[0])
        case "replace":
            old, new = rule.literals
            return f"tok_map({args[0]}, lambda t: {new} if t == {old} else t)"
        case "map":
            return f"{args[0]} {rule.op} {args[1]}"
        case "table":
            names = "ab"[: len(args)] if len(args) == 2 else "t"
            called = "seq_map" if len(args) == 2 else "tok_map"
            return f"{called}({', '.join(args)}, {table_function(rule).show(names)})"
        case "where":
            return f"where({', '.join(args)})"
        case "peak":
            return f"{args[0]} {rule.op} {_extreme(rule, args[0])}"
    return f"~{args[0]}"


def _extreme(rule: Rule, value: str) -> str:
    return f"{'maximum' if rule.extreme == 'max' else 'minimum'}({value})"


def _shifted(value: str, number: int) -> str:
    return value if number == 0 else f"{value} {'+' if number > 0 else '-'} {abs(number)}"


def _head(rule: Rule, args: list[str]) -> str:
    if rule.reduction == "width":
        return f"sel_width(select({', '.join(_selector(rule, args))}))"
    value = "full(x, 1)" if rule.reduction == "has" else args[-1] if args else "x"
    default = (
        "" if rule.value == "Index" or rule.reduction == "has" else f", default={rule.default}"
    )
    if rule.name == "back":
        return f"shift_right({value}, {rule.literals[0]}{default})"
    if rule.name == "lookup":
        return f"index_select({value}, {_shifted(args[0], rule.literals[0])}{default})"
    mean = rule.reduction in ("mean", "has")
    reduction = "" if mean else f', reduction="{rule.reduction}"'
    keys, queries, pred = _selector(rule, args)
    return f"kqv({keys}, {queries}, {value}, {pred}{default}{reduction})"


def _selector(rule: Rule, args: list[str]) -> tuple[str, str, str]:
    """Keys, queries and predicate."""
    match rule.name:
        case "pair":
            return args[0], args[1], NAMES[rule.op]
        case "gate":
            return f"full(x, {rule.literals[0]})", args[0], NAMES[rule.op]
        case "self" if rule.op == NEXT:
            return args[0], f"{args[0]} + 1", "equals"
        case "self":
            return args[0], args[0], NAMES[rule.op]
        case "extreme":
            return args[0], _extreme(rule, args[0]), "equals"
        case "true_key":
            return args[0], args[0], "lambda k, q: k"
        case "back":
            return _shifted("indices(x)", rule.literals[0]), "indices(x)", "equals"
        case "lookup":
            return "indices(x)", _shifted(args[0], rule.literals[0]), "equals"
    return "x", "x", "lambda k, q: True"
