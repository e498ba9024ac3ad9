"""Finds as readable source: one line a component, with the library's names where they fit."""

from __future__ import annotations

import builtins
import re

from raspl.language.ir.printer import DEFAULT_BITS
from raspl.language.parsing.scope import BUILTIN
from raspl.language.vocabulary import literal_text
from raspl.synthesis.catalogue import MAPS, SELECTORS
from raspl.synthesis.components import FREE, LEAVES, TOKENS, Rule, Term
from raspl.synthesis.names import Names
from raspl.synthesis.naming import named


def program_text(
    term: Term,
    bits: int,
    name: str = "found",
    names: Names | None = None,
    states_names: bool = True,
) -> str:
    """The text of a file with this one program, in the words of its task if it has any.

    `states_names` is False for a program that follows others in a file that states the names.
    """
    body = program_body(named(term, bits, names))
    width = "" if bits == DEFAULT_BITS else f"(bits={bits})"
    has_names = states_names and uses_names(term, bits, names)
    return "\n".join(
        (
            f"from raspl import {', '.join(_imports(program_body(term)))}",
            "",
            *([names.to_source(), ""] if names is not None and has_names else []),
            "",
            f"@program{width}",
            f"def {name}(x):",
            body,
            "",
        )
    )


def uses_names(term: Term, bits: int, names: Names | None) -> bool:
    """Whether a program mentions any token by its name."""
    return program_body(named(term, bits, names)) != program_body(term)


def _imports(body: str) -> list[str]:
    # `max` and `min` name reductions, and are Python's own as functions.
    names = set(BUILTIN.names()) - set(dir(builtins))
    return sorted((set(re.findall(r"\w+", body)) & names) | {"program"})


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
        if rule.name in LEAVES:
            # A literal is written anew each time: it may be a token here and a number there.
            return text
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
    has_default = rule.value != "Index" and rule.reduction != "has"
    default = f", default={literal_text(rule.default)}" if has_default else ""
    if rule.name == "back":
        return f"shift_right({value}, {rule.literals[0]}{default})"
    if rule.name == "lookup":
        return f"index_select({value}, {selector[1]}{default})"
    mean = rule.reduction in ("mean", "has")
    reduction = "" if mean else f', reduction="{rule.reduction}"'
    keys, queries, pred = selector
    return f"kqv({keys}, {queries}, {value}, {pred}{default}{reduction})"
