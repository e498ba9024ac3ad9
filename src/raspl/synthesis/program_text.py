"""Finds as readable source: one line a component, with the library's names where they fit."""

from __future__ import annotations

import builtins
import re

from raspl.language.ir.printer import DEFAULT_BITS
from raspl.language.parsing.scope import BUILTIN
from raspl.synthesis.catalogue import MAPS, SELECTORS
from raspl.synthesis.components import FREE, TOKENS, Rule, Term


def program_text(term: Term, bits: int, name: str = "found") -> str:
    """The text of a file with this one program."""
    text = program_body(term)
    # `max` and `min` name reductions, and are Python's own as functions.
    names = set(BUILTIN.names()) - set(dir(builtins))
    words = set(re.findall(r"\w+", text)) & names
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
        rule = term.rule
        text = _head(rule, args) if rule.is_head else MAPS[rule.name].text(rule, args)
        if rule.name in FREE:
            self._names[term] = text
        else:
            self._names[term] = f"v{len(self.lines) + 1}"
            self.lines.append(f"{self._names[term]} = {text}")
        return self._names[term]


def _head(rule: Rule, args: list[str]) -> str:
    selector = SELECTORS[rule.name].text(rule, args)
    if rule.reduction == "width":
        return f"sel_width(select({', '.join(selector)}))"
    value = "full(x, 1)" if rule.reduction == "has" else args[-1]
    default = (
        "" if rule.value == "Index" or rule.reduction == "has" else f", default={rule.default}"
    )
    if rule.name == "back":
        return f"shift_right({value}, {rule.literals[0]}{default})"
    if rule.name == "lookup":
        return f"index_select({value}, {selector[1]}{default})"
    mean = rule.reduction in ("mean", "has")
    reduction = "" if mean else f', reduction="{rule.reduction}"'
    keys, queries, pred = selector
    return f"kqv({keys}, {queries}, {value}, {pred}{default}{reduction})"
