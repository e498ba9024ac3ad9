"""A program as a typed graph of primitives: what every meaning reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import is_
from typing import NamedTuple

from raspl.language.ir.primitives import Input, Node, SelWidth
from raspl.language.ir.types import count_of
from raspl.language.vocabulary import Vocabulary


class Named(NamedTuple):
    """A node under a name that the author gave it on a line of the source."""

    name: str
    node: Node
    line: int


@dataclass(frozen=True, eq=False)
class Graph:
    """A checked program after inlining."""

    name: str
    inputs: tuple[Input, ...]
    output: Node
    bits: int
    names: tuple[Named, ...] = ()
    """The named intermediates of the program's own body that the output depends on, in order."""
    return_line: int = 1
    """The source line that returns the output."""
    constants: Mapping[str, int] = field(default_factory=dict)
    """The named constants that the program or its file mentions: names for its tokens."""
    vocabulary: Vocabulary | None = None
    """The names of its tokens, if the text or whoever read it gave them."""
    lines: int = 1
    """Statements in the program's source and in the programs of its author that it calls."""

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """Everything that is computed, arguments first."""
        # In the order of the source, which has arguments first too: of two operations that fail at
        # one position, the executors name the one that is read first.
        return tuple(sorted(postorder(self.output), key=_place))


def _place(node: Node) -> tuple[bool, int]:
    """Inputs come before all operations."""
    return not isinstance(node, Input), node.origin.order


def postorder(root: Node) -> Iterator[Node]:
    """Every node that `root` depends on, arguments before users, then `root` itself.

    No recursion: a program may be a chain of any length.
    """
    seen: set[Node] = set()
    stack = [root]
    while stack:
        node = stack[-1]
        if node in seen:
            stack.pop()
        elif waiting := [arg for arg in reversed(node.args) if arg not in seen]:
            stack += waiting
        else:
            seen.add(stack.pop())
            yield node


class Merger:
    """Makes equal subexpressions one node.

    Two `sel_width` calls on one selector become one: the type check has already made sure that
    their counts never meet, so nothing observable changes.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], Node] = {}
        self._merged: dict[Node, Node] = {}
        self._families: dict[int, int] = {}
        self._counts = 0

    def __call__(self, node: Node) -> Node:
        """The one node that stands for `node` and all its equals."""
        if node in self._merged:
            return self._merged[node]
        for part in sorted(postorder(node), key=_place):
            self._merged[part] = self._merge(part)
        return self._merged[node]

    def known(self, node: Node) -> Node | None:
        """What stands for a node that was merged before, or None for a dead one."""
        return self._merged.get(node)

    def _merge(self, node: Node) -> Node:
        args = tuple(self._merged[arg] for arg in node.args)
        # Python takes 0 and False for equal; the kind keeps what differs apart.
        key = (type(node), args, node.attributes, node.type.kind)
        known = self._known.get(key)
        if known is not None:
            if isinstance(node, SelWidth):
                self._families[node.type.family] = known.type.family
            return known
        type_ = node.type
        if isinstance(node, SelWidth):
            self._counts += 1
            self._families[type_.family] = self._counts
        if type_.kind == "Count":
            type_ = count_of(self._families.get(type_.family, type_.family))
        # Most nodes have no equal: they stay what they are.
        is_same = (type_ is node.type or type_ == node.type) and all(map(is_, args, node.args))
        self._known[key] = merged = node if is_same else node.with_args(args, type_)
        return merged


def merge(graph: Graph, merger: Merger | None = None) -> Graph:
    """The same program with common subexpressions computed once and dead names dropped."""
    merger = merger or Merger()
    output = merger(graph.output)
    names = ((named, merger.known(named.node)) for named in graph.names)
    return replace(
        graph,
        output=output,
        names=tuple(named._replace(node=node) for named, node in names if node is not None),
        inputs=tuple(_merged_input(merger, node) for node in graph.inputs),
    )


def _merged_input(merger: Merger, node: Input) -> Input:
    merged = merger.known(node) or node
    assert isinstance(merged, Input)
    return merged
