"""The code of heads: what is remembered of each key, and how a query finds it.

What a head keeps and where depends on two things: the pattern of its select, and its reduction.
A constant value needs no reduction at all, only whether anything is selected; values that rise
with the position (`indices`) make the greatest the latest and the least the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from raspl.analysis.predicates import Pattern, position_shift
from raspl.executors.stream.memory import COUNT_BITS
from raspl.executors.stream.writer import Writer, integer
from raspl.language.ir.primitives import Aggr, Full, Node, Select, SelWidth

DELAY_LINE = 8
"""Up to this distance a shifted sequence is kept in variables, which forget what is not needed."""


@dataclass(frozen=True, slots=True)
class Head:
    """A head with the texts that its code is made of."""

    node: Node
    select: Select
    found: Pattern
    number: int
    kind: Literal["count", "any", "mean", "max", "min"]
    value: str
    """The value at this position; for "any" the constant that shows where a key is selected."""
    value_node: Node | None
    empty: str
    """What shows where nothing is selected."""

    @property
    def kept(self) -> str:
        """What the state remembers for one key, as one integer."""
        if self.kind == "mean":
            return f"({self.value} << {COUNT_BITS}) + 1"
        return "1" if self.kind in ("count", "any") else self.value

    @property
    def combine(self) -> str:
        """How two of them become one."""
        named = {"max": "max", "min": "min", "any": "max"}
        return named.get(self.kind, "added")

    @property
    def rises(self) -> bool:
        """Whether later values are greater ones."""
        return self.value_node is not None and position_shift(self.value_node) is not None


def write_width(writer: Writer, node: SelWidth) -> None:
    """How many keys are selected."""
    head = Head(node, node.s, writer.pattern(node.s), writer.number(node), "count", "1", None, "0")
    WRITERS[head.found.kind](writer, head)


def write_aggr(writer: Writer, node: Aggr) -> None:
    """The mean, max or min of the selected values."""
    found, number, empty = writer.pattern(node.s), writer.number(node), integer(node.default)
    if isinstance(node.v, Full):
        if node.v.value is None:
            writer.assign(node, empty)
            return
        value = integer(node.v.value)
        head = Head(node, node.s, found, number, "any", value, None, empty)
    else:
        value = writer.name(node.v)
        head = Head(node, node.s, found, number, node.reduction, value, node.v, empty)
    WRITERS[found.kind](writer, head)


def _conditions(writer: Writer, head: Head, keyed: bool) -> list[str]:
    """What must hold for this position to be taken into the state."""
    conditions = []
    if head.found.keep is not None:
        conditions.append(f"keep{writer.number(head.select)}")
    if keyed and writer.is_nullable(head.select.k):
        conditions.append(f"{writer.sides[head.select][0]} is not None")
    if head.value_node is not None and writer.is_nullable(head.value_node):
        conditions.append(f"{head.value} is not None")
    return conditions


def _take(writer: Writer, conditions: list[str], statement: str) -> None:
    writer.line(f"if {' and '.join(conditions)}: {statement}" if conditions else statement)


def _answer(writer: Writer, head: Head, text: str, keyed: bool = False) -> None:
    """The value of the head, if the query asks for any."""
    conditions = []
    if head.found.ask is not None:
        conditions.append(f"ask{writer.number(head.select)}")
    if keyed and writer.is_nullable(head.select.q):
        conditions.append(f"{writer.sides[head.select][1]} is not None")
    if conditions:
        text = f"({text}) if {' and '.join(conditions)} else {head.empty}"
    writer.assign(head.node, text)


def _shown(head: Head, kept: str) -> str:
    """The value of a head of which `kept` was found, a name that is None where nothing was."""
    some = {"mean": f"mean({kept})", "any": head.value}.get(head.kind, kept)
    return f"{head.empty} if {kept} is None else {some}"


def _never(writer: Writer, head: Head) -> None:
    writer.assign(head.node, head.empty)


def _all(writer: Writer, head: Head) -> None:
    """Every key that is kept is selected: the state is one running number."""
    number, value = head.number, head.value
    conditions = _conditions(writer, head, keyed=False)
    if head.kind == "count" and not conditions:
        _answer(writer, head, "position + 1")
    elif head.kind == "any" and not conditions:
        _answer(writer, head, value)
    elif head.kind == "count":
        writer.state(f"count{number} = 0")
        _take(writer, conditions, f"count{number} += 1")
        _answer(writer, head, f"count{number}")
    elif head.kind == "mean":
        total, count = f"total{number}", f"count{number}"
        writer.state(f"{total} = {count} = 0")
        _take(writer, conditions, f"{total} += {value}; {count} += 1")
        mean = f"{total} // {count} if {total} >= 0 else -(-{total} // {count})"
        _answer(writer, head, f"{head.empty} if {count} == 0 else {mean}" if conditions else mean)
    else:
        best = f"best{number}"
        writer.state(f"{best} = None")
        if head.kind == "any" or (head.rises and head.kind == "max"):
            _take(writer, conditions, f"{best} = {value}")
        elif head.rises:
            _take(writer, [*conditions, f"{best} is None"], f"{best} = {value}")
        else:
            better = f"({best} is None or {value} {_sign(head)} {best})"
            _take(writer, [*conditions, better], f"{best} = {value}")
        _answer(writer, head, f"{head.empty} if {best} is None else {best}")


def _sign(head: Head) -> str:
    return ">" if head.kind == "max" else "<"


def _look_up(writer: Writer, head: Head) -> None:
    """The key at position j is j + offset, so the query says where to look."""
    offset, number = head.found.offset, head.number
    moved = position_shift(head.select.q)
    if moved is not None:
        _delayed(writer, head, offset - moved)
        return
    query, place = writer.name(head.select.q), f"place{number}"
    where = f"{query} - {integer(offset)}" if offset else query
    if writer.is_nullable(head.select.q):
        where = f"-1 if {query} is None else {where}"
    column = "" if head.kind in ("count", "any") else f"{_column(writer, head)}[{place}]"
    writer.line(f"{place} = {where}")
    writer.assign(
        head.node, f"{column or head.value} if 0 <= {place} <= position else {head.empty}"
    )


def _column(writer: Writer, head: Head) -> str:
    assert head.value_node is not None
    return writer.column(head.value_node)


def _delayed(writer: Writer, head: Head, distance: int) -> None:
    """A query for the position `distance` back, which is a shifted sequence."""
    number = head.number
    if distance < 0:
        _never(writer, head)
    elif distance == 0:
        writer.assign(head.node, head.value)
    elif head.kind in ("count", "any"):
        writer.assign(head.node, f"{head.value} if position >= {distance} else {head.empty}")
    elif distance <= DELAY_LINE:
        line = [f"delay{number}_{step}" for step in range(distance)]
        writer.state(*(f"{name} = {head.empty}" for name in line))
        writer.assign(head.node, line[-1])
        for later, earlier in zip(line[:0:-1], line[-2::-1], strict=True):
            writer.line(f"{later} = {earlier}")
        writer.line(f"{line[0]} = {head.value}")
    else:
        column = _column(writer, head)
        place = f"position - {distance}"
        writer.assign(head.node, f"{column}[{place}] if position >= {distance} else {head.empty}")


def _compare(writer: Writer, head: Head) -> None:
    if head.found.op == "==":
        _equal(writer, head)
    elif head.found.op == "!=":
        _differing(writer, head)
    else:
        _ordered(writer, head)


def _equal(writer: Writer, head: Head) -> None:
    """A dictionary from keys to what is kept. None is never in it, so it finds nothing."""
    key, query = writer.sides[head.select]
    conditions, kept = _conditions(writer, head, keyed=True), f"kept{head.number}"
    writer.state(f"{kept} = {{}}")
    if head.kind in ("count", "mean"):
        _take(writer, conditions, f"{kept}[{key}] = {kept}.get({key}, 0) + {head.kept}")
    elif head.kind == "any" or (head.rises and head.kind == "max"):
        _take(writer, conditions, f"{kept}[{key}] = {head.value}")
    elif head.rises:
        _take(writer, conditions, f"{kept}.setdefault({key}, {head.value})")
    else:
        better = f"({key} not in {kept} or {head.value} {_sign(head)} {kept}[{key}])"
        _take(writer, [*conditions, better], f"{kept}[{key}] = {head.value}")
    if head.kind == "mean":
        found = f"found{head.number}"
        writer.line(f"{found} = {kept}.get({query})")
        _answer(writer, head, _shown(head, found))
    else:
        _answer(writer, head, f"{kept}.get({query}, {head.empty})")


def _differing(writer: Writer, head: Head) -> None:
    """What is kept for all keys, without what is kept for the query's own."""
    key, query = writer.sides[head.select]
    number, conditions = head.number, _conditions(writer, head, keyed=True)
    if head.kind in ("max", "min"):
        writer.state(f"others{number} = Others({head.kind == 'max'})")
        _take(writer, conditions, f"others{number}.add({key}, {head.value})")
        writer.line(f"found{number} = {_if_asked(writer, head, f'others{number}.best({query})')}")
        _answer(writer, head, _shown(head, f"found{number}"))
        return
    total, kept = f"total{number}", f"kept{number}"
    writer.state(f"{total} = 0", f"{kept} = {{}}")
    one = f"kept_{number}"
    added = f"{one} = {head.kept}; {total} += {one}; {kept}[{key}] = {kept}.get({key}, 0) + {one}"
    _take(writer, conditions, added)
    rest = f"rest{number}"
    writer.line(f"{rest} = {total} - {kept}.get({query}, 0)")
    some = {"mean": f"mean({rest})", "any": head.value, "count": rest}[head.kind]
    _answer(writer, head, f"{some} if {rest} else {head.empty}", keyed=True)


def _if_asked(writer: Writer, head: Head, text: str) -> str:
    query = writer.sides[head.select][1]
    return f"None if {query} is None else {text}" if writer.is_nullable(head.select.q) else text


def _ordered(writer: Writer, head: Head) -> None:
    """A tree over the keys."""
    key, query = writer.sides[head.select]
    number, tree = head.number, f"tree{head.number}"
    saturates = head.combine != "added"
    writer.state(f"{tree} = OrderTree({head.combine}, {saturates})")
    _take(writer, _conditions(writer, head, keyed=True), f"{tree}.add({key}, {head.kept})")
    answers = {
        "<": f"{tree}.below({query})",
        "<=": f"{tree}.below({query} + 1)",
        ">": f"{tree}.above({query})",
        ">=": f"{tree}.above({query} - 1)",
    }
    found = f"found{number}"
    writer.line(f"{found} = {_if_asked(writer, head, answers[head.found.op])}")
    _answer(writer, head, _shown(head, found))


def _table(writer: Writer, head: Head) -> None:
    """The row of matching keys was found at the select; what is kept for them is combined."""
    number, row = head.number, f"row{writer.number(head.select)}"
    if head.kind == "any":
        writer.assign(head.node, f"{head.value} if {row} else {head.empty}")
        return
    key, kept, found = writer.name(head.select.k), f"kept{number}", f"found{number}"
    writer.state(f"{kept} = {{}}")
    old = f"old{number}"
    first = f"{head.kept} if {old} is None else {head.combine}({old}, {head.kept})"
    conditions = _conditions(writer, head, keyed=False)
    _take(writer, conditions, f"{old} = {kept}.get({key}); {kept}[{key}] = {first}")
    writer.line(f"{found} = gathered({kept}, {row}, {head.combine})")
    writer.assign(head.node, _shown(head, found))


WRITERS = {
    "never": _never,
    "all": _all,
    "look-up": _look_up,
    "compare": _compare,
    "table": _table,
}
