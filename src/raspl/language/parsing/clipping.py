"""The source of a piece of syntax, shortened for a message."""

from __future__ import annotations

import ast
from typing import Any

from raspl.language.limits import MAX_LITERAL

MOST_NODES = 200
"""A node is a character at least, so this is more than any message shows."""
MOST_CHARACTERS = 200


def clip(node: ast.AST, limit: int = 40) -> str:
    """The text of a node, as far as a message has room for it.

    Only the beginning is written out: the whole may be megabytes long, or nested too deeply.
    """
    try:
        text = ast.unparse(_beginning(node, [MOST_NODES]))
    except (ValueError, RecursionError):
        # An f-string can hold what Python has no text for.
        return type(node).__name__
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _beginning(node: ast.AST, left: list[int]) -> ast.AST:
    """A copy of the first nodes, in the order of the fields; a mark stands for the others."""
    left[0] -= 1
    copy = type(node)()
    for name, value in ast.iter_fields(node):
        setattr(copy, name, _part(value, left))
    return copy


def _part(value: Any, left: list[int]) -> Any:
    if isinstance(value, list):
        return [_part(each, left) for each in value[: max(left[0], 1)]]
    if isinstance(value, ast.expr) and left[0] <= 0:
        return ast.Name("…", ast.Load())
    if isinstance(value, ast.AST):
        return _beginning(value, left)
    if isinstance(value, str | bytes):
        return value[:MOST_CHARACTERS]
    if isinstance(value, int) and abs(value) > MAX_LITERAL:
        return MAX_LITERAL
    return value
