"""Completion, and the signature of the call that is being written."""

from __future__ import annotations

import re
from typing import Any

from raspl.assist.names import Symbol, language_names, names_at, token_names
from raspl.language.ir.primitives import REDUCTIONS

_WORD = re.compile(r"[^\W\d]\w*\Z")
_OPEN_TEXT = re.compile(r"""reduction\s*=\s*(["'])(\w*)\Z""")
_LAMBDA = re.compile(r"\s*lambda\b[^:]*\Z")
MOST_CHARACTERS = 4_000
"""Before the cursor, among which the call that is being written is looked for."""


def complete(text: str, line: int, column: int) -> dict[str, Any]:
    """What may stand at a place: `items`, of which each replaces the text from column `from` on.

    An item has a `name`, a `kind`, a `signature` and a `doc`. Nothing is offered inside of
    comments, and inside of texts only reductions and the names of tokens.
    """
    before = _line(text, line)[: column - 1]
    if match := _OPEN_TEXT.search(before):
        items = [Symbol(name, "keyword", f'reduction="{name}"') for name in REDUCTIONS]
        return _answer(items, match[2], column)
    if (name := _open_text(before)) is not None:
        return _answer(token_names(text), name, column)
    typed = match[0] if (match := _WORD.search(before)) else ""
    lead = before[: len(before) - len(typed)]
    if _is_silent(lead) or not (typed or _is_inside_call(text, line, column)):
        return _answer([], typed, column)
    own = names_at(text, line)
    known = [*own.values(), *(s for s in language_names().values() if s.name not in own)]
    return _answer([*_keywords(text, line, column), *known], typed, column)


def _answer(items: list[Symbol], typed: str, column: int) -> dict[str, Any]:
    lowered = typed.lower()
    fitting = [item for item in items if lowered in item.name.lower() and item.name != typed]
    fitting.sort(key=lambda item: not item.name.lower().startswith(lowered))
    return {"from": column - len(typed), "items": [item.as_json() for item in fitting]}


def _is_silent(lead: str) -> bool:
    """In a comment, after a digit or a dot, where a name is defined, or inside of a text."""
    code = re.sub(r"\"[^\"]*\"|'[^']*'", "", lead)
    return bool(
        "#" in code
        or '"' in code
        or "'" in code
        or re.search(r"[\d.]\Z", code)
        or re.search(r"\b(def|lambda)\s+\Z", code)
    )


def _open_text(before: str) -> str | None:
    """What was typed of a text whose quote is not closed, or None outside of texts."""
    quote, start = "", 0
    for place, sign in enumerate(before[:MOST_CHARACTERS]):
        if not quote and sign == "#":
            return None
        if sign == quote:
            quote = ""
        elif not quote and sign in "\"'":
            quote, start = sign, place + 1
    return before[start:] if quote else None


def _keywords(text: str, line: int, column: int) -> list[Symbol]:
    """The parameters with a default of the call that is being written: `default=`."""
    call = signature(text, line, column)
    if call is None:
        return []
    return [
        Symbol(f"{name}=", "parameter", parameter, f"parameter of {call['signature']}")
        for parameter in call["parameters"]
        if "=" in parameter
        for name in [parameter.partition("=")[0].partition(":")[0].strip()]
    ]


def signature(text: str, line: int, column: int) -> dict[str, Any] | None:
    """The function whose arguments are being written: its `signature`, `parameters`, `doc`, and
    `active`, the number of the parameter that the cursor is in.
    """
    found = _open_call(_before(text, line, column))
    if found is None:
        return None
    name, arguments = found
    known = names_at(text, line).get(name) or language_names().get(name)
    if known is None or not known.parameters:
        return None
    names = [re.split(r"[=:]", each)[0].strip() for each in known.parameters]
    # A comma between the parameters of a lambda divides no arguments.
    active = len(arguments) - 1 - sum(bool(_LAMBDA.match(each)) for each in arguments[:-1])
    keyword = re.match(r"\s*(\w+)\s*=(?!=)", arguments[-1])
    if keyword and keyword[1] in names:
        active = names.index(keyword[1])
    return {
        "name": name,
        "signature": known.signature,
        "parameters": list(known.parameters),
        "active": min(active, len(names) - 1),
        "doc": known.doc,
    }


def _is_inside_call(text: str, line: int, column: int) -> bool:
    return _open_call(_before(text, line, column)) is not None


def _open_call(before: str) -> tuple[str, list[str]] | None:
    """The name of the innermost call that is not closed, and its arguments so far."""
    depth, end = 0, len(before)
    arguments: list[str] = []
    for place in range(len(before) - 1, -1, -1):
        sign = before[place]
        if sign in ")]}":
            depth += 1
        elif sign in "([{" and depth:
            depth -= 1
        elif sign == "," and not depth:
            arguments.append(before[place + 1 : end])
            end = place
        elif sign in "([{":
            arguments.append(before[place + 1 : end])
            name = _WORD.search(before[:place].rstrip())
            if sign == "(" and name and not re.search(r"\bdef\s+\Z", before[: name.start()]):
                return name[0], arguments[::-1]
            return None
    return None


def _before(text: str, line: int, column: int) -> str:
    """The text in front of a place, from where its statement may begin."""
    lines = text.split("\n")[: line - 1]
    return "\n".join([*lines, _line(text, line)[: column - 1]])[-MOST_CHARACTERS:]


def _line(text: str, line: int) -> str:
    lines = text.split("\n")
    return lines[line - 1] if 0 < line <= len(lines) else ""
