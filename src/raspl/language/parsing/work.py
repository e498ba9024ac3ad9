"""How much work a text makes for the checker, counted while it is done and before it is begun.

A call is inlined, so a text of a few lines can ask for any amount of it. What a definition comes to
is the size of its own body and that of everything it calls, which is summed without inlining.
"""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from raspl.language.limits import MAX_CALL_DEPTH, MAX_STEPS, STEPS_A_PROGRAM
from raspl.language.parsing.scope import Definition, member
from raspl.language.rules import Violation


class TooLarge(Exception):
    """The text asks for more work than a check may take; reading ends here."""


class Work:
    """The steps that one check has taken, and what it knows of those to come."""

    def __init__(self) -> None:
        self.steps = 0
        self.extents = Extents()

    @property
    def is_exhausted(self) -> bool:
        """Whether the check took as many steps as it may."""
        return self.steps > MAX_STEPS

    def spend(self, steps: int = 1) -> None:
        """Count steps. Raises TooLarge after the last one that is allowed."""
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise TooLarge


@dataclass(frozen=True, slots=True)
class Extent:
    """What a definition comes to when all that it calls is written out."""

    steps: int
    depth: int
    """The longest chain of functions that call each other, this one included."""


class Extents:
    """The extents of definitions, each computed once; those of the library once and for all."""

    _library: ClassVar[dict[Definition, Extent]] = {}

    def __init__(self) -> None:
        self._known: ChainMap[Definition, Extent] = ChainMap({}, self._library)

    def __getitem__(self, definition: Definition) -> Extent:
        """Callees first, and without recursion: a chain of calls may have any length.

        A call that leads back to where it came from counts nothing. The builder refuses it.
        """
        nodes: dict[Definition, list[ast.AST]] = {}
        callees: dict[Definition, list[Definition]] = {}
        stack = [definition]
        while stack:
            current = stack[-1]
            if current in self._known:
                stack.pop()
            elif current not in callees:
                nodes[current] = _walked(current.node)
                callees[current] = list(_callees(current, nodes[current]))
                stack.extend(each for each in callees[current] if each not in callees)
            else:
                stack.pop()
                parts = [self._known[each] for each in callees[current] if each in self._known]
                # No limit comes near this, and the sum of a long chain would have many digits.
                steps = min(_own_steps(nodes[current]) + sum(part.steps for part in parts), 10**15)
                depth = 1 + max((part.depth for part in parts), default=0)
                known = self._library if current.library else self._known
                known[current] = Extent(steps, depth)
        return self._known[definition]


def too_large(definitions: Iterable[Definition], work: Work) -> tuple[Definition, Violation] | None:
    """The definition with which these become too much to build, and why."""
    steps = 0
    for definition in definitions:
        extent = work.extents[definition]
        steps += extent.steps + STEPS_A_PROGRAM
        if extent.depth > MAX_CALL_DEPTH:
            return definition, Violation(
                "R115",
                f"`{definition.name}` is a chain of {extent.depth:,} functions that call each "
                f"other, and {MAX_CALL_DEPTH} are allowed",
                "write several of them as one",
            )
        if steps > MAX_STEPS:
            return definition, too_many_steps(definition)
    return None


def too_many_steps(definition: Definition) -> Violation:
    """The violation of a definition with which a text has too many steps."""
    return Violation(
        "R115",
        f"with `{definition.name}` written out, this text takes more than {MAX_STEPS:,} steps",
        "call fewer functions that call others, or split the text into files",
    )


def _walked(root: ast.AST) -> list[ast.AST]:
    """As `ast.walk`, without what says how a name or an operator is used: half of all nodes."""
    nodes = [root]
    for node in nodes:  # which grows meanwhile
        if isinstance(node, _LEAVES):
            continue
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, list):
                nodes += [each for each in part if isinstance(each, ast.AST)]
            elif isinstance(part, ast.AST) and not isinstance(part, _SIGNS):
                nodes.append(part)
    return nodes


_LEAVES = (ast.Name, ast.Constant)
_SIGNS = (ast.expr_context, ast.operator)
_STEPS = (ast.expr, ast.stmt, ast.arg)


def _own_steps(nodes: list[ast.AST]) -> int:
    """The expressions of a body, without those that only name the target of an assignment."""
    return sum(
        isinstance(node, _STEPS) and not isinstance(getattr(node, "ctx", None), ast.Store)
        for node in nodes
    )


def _callees(definition: Definition, nodes: list[ast.AST]) -> Iterator[Definition]:
    """Every mention of a function, as often as it is mentioned."""
    names = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in names if isinstance(node.ctx, ast.Store)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    for node in nodes:
        meaning = None
        if isinstance(node, ast.Name) and node.id not in bound:
            meaning = definition.scope.find(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            meaning = member(definition.scope.find(node.value.id), node.attr)
        if isinstance(meaning, Definition):
            yield meaning
