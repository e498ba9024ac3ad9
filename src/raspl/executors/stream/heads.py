"""The code of heads: what is remembered of each key, and how a query finds it.

What a head keeps and where depends on two things: how its select finds keys, and its reduction.
A constant value needs no reduction at all, only whether anything is selected; values that rise
with the position (`indices`) make the greatest the latest and the least the first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from raspl.analysis.predicates import Access, AccessKind, position_shift
from raspl.executors.reductions import HeadKind, head_kind
from raspl.executors.stream.memory import COUNT_BITS
from raspl.executors.stream.writer import Writer, integer
from raspl.language.ir.primitives import Aggr, Full, Node, Select, SelWidth
from raspl.language.ir.tables import Rules, no_rule

DELAY_LINE = 8
"""Up to this distance a shifted sequence is kept in variables, which forget what is not needed."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What one kind of head remembers, as one integer a key; `{value}` is the value there."""

    kept: str
    """What is remembered of one position."""
    combine: str
    """The function that makes one of two such integers."""
    shown: str
    """The value of the head, from `{kept}`."""
    reads_value: bool
    """Whether the value of a key matters, or only that it is selected."""


SUMMARIES: Rules[HeadKind, Summary] = Rules(
    "the stream executor (SUMMARIES)",
    {
        "count": Summary("1", "added", "{kept}", reads_value=False),
        "any": Summary("1", "max", "{value}", reads_value=False),
        "mean": Summary(f"({{value}} << {COUNT_BITS}) + 1", "added", "mean({kept})", True),
        "max": Summary("{value}", "max", "{kept}", reads_value=True),
        "min": Summary("{value}", "min", "{kept}", reads_value=True),
    },
)
BETTER: Rules[HeadKind, str] = Rules("the stream executor (BETTER)", {"max": ">", "min": "<"})
"""How a new value compares with the best so far if it takes its place."""


@dataclass(frozen=True, slots=True)
class Head:
    """A head with the texts that its code is made of."""

    node: Node
    select: Select
    access: Access
    number: int
    kind: HeadKind
    value: str
    """The value at this position; for "any" the constant that shows where a key is selected."""
    value_node: Node | None
    empty: str
    """What shows where nothing is selected."""

    @property
    def summary(self) -> Summary:
        """What is remembered of the keys so far."""
        return SUMMARIES[self.kind]

    @property
    def kept(self) -> str:
        """What the state remembers for one key, as one integer."""
        return self.summary.kept.format(value=self.value)

    @property
    def rises(self) -> bool:
        """Whether later values are greater ones."""
        return self.value_node is not None and position_shift(self.value_node) is not None


def write_width(writer: Writer, node: SelWidth) -> None:
    """How many keys are selected."""
    access = writer.access(node.s)
    head = Head(node, node.s, access, writer.number(node), "count", "1", None, "0")
    WRITERS[access.kind](writer, head)


def write_aggr(writer: Writer, node: Aggr) -> None:
    """The mean, max or min of the selected values."""
    kind, empty = head_kind(node), integer(node.default)
    if isinstance(node.v, Full) and node.v.value is None:
        writer.assign(node, empty)
        return
    access = writer.access(node.s)
    value, value_node = writer.name(node.v), None if kind == "any" else node.v
    head = Head(node, node.s, access, writer.number(node), kind, value, value_node, empty)
    WRITERS[access.kind](writer, head)


def _conditions(writer: Writer, head: Head, keyed: bool) -> list[str]:
    """What must hold for this position to be taken into the state."""
    conditions = []
    if head.access.keep is not None:
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
    if head.access.ask is not None:
        conditions.append(f"ask{writer.number(head.select)}")
    if keyed and writer.is_nullable(head.select.q):
        conditions.append(f"{writer.sides[head.select][1]} is not None")
    if conditions:
        text = f"({text}) if {' and '.join(conditions)} else {head.empty}"
    writer.assign(head.node, text)


def _shown(head: Head, kept: str) -> str:
    """The value of a head of which `kept` was found, a name that is None where nothing was."""
    some = head.summary.shown.format(kept=kept, value=head.value)
    return f"{head.empty} if {kept} is None else {some}"


def _never(writer: Writer, head: Head) -> None:
    writer.assign(head.node, head.empty)


def _all(writer: Writer, head: Head) -> None:
    """Every key that is kept is selected: the state is one running number."""
    conditions = _conditions(writer, head, keyed=False)
    match head.kind:
        case "count":
            _all_counted(writer, head, conditions)
        case "any":
            _all_asked(writer, head, conditions)
        case "mean":
            _all_averaged(writer, head, conditions)
        case "max" | "min":
            best = f"best{head.number}"
            writer.state(f"{best} = None")
            _keep_best(writer, head, conditions, f"{best} is None", best)
            _answer(writer, head, f"{head.empty} if {best} is None else {best}")
        case other:
            raise no_rule("the stream executor (_all)", other)


def _all_counted(writer: Writer, head: Head, conditions: list[str]) -> None:
    count = f"count{head.number}"
    if not conditions:
        _answer(writer, head, "position + 1")
        return
    writer.state(f"{count} = 0")
    _take(writer, conditions, f"{count} += 1")
    _answer(writer, head, count)


def _all_asked(writer: Writer, head: Head, conditions: list[str]) -> None:
    seen = f"best{head.number}"
    if not conditions:
        _answer(writer, head, head.value)
        return
    writer.state(f"{seen} = None")
    _take(writer, conditions, f"{seen} = {head.value}")
    _answer(writer, head, f"{head.empty} if {seen} is None else {seen}")


def _all_averaged(writer: Writer, head: Head, conditions: list[str]) -> None:
    total, count = f"total{head.number}", f"count{head.number}"
    writer.state(f"{total} = {count} = 0")
    _take(writer, conditions, f"{total} += {head.value}; {count} += 1")
    mean = f"{total} // {count} if {total} >= 0 else -(-{total} // {count})"
    _answer(writer, head, f"{head.empty} if {count} == 0 else {mean}" if conditions else mean)


def _keep_best(writer: Writer, head: Head, conditions: list[str], is_new: str, best: str) -> None:
    """Take the value into a place that holds the greatest or least so far."""
    take, better = f"{best} = {head.value}", BETTER[head.kind]
    if not head.rises:
        conditions = [*conditions, f"({is_new} or {head.value} {better} {best})"]
    elif head.kind == "min":
        conditions = [*conditions, is_new]
    _take(writer, conditions, take)


def _look_up(writer: Writer, head: Head) -> None:
    """The key at position j is j + offset, so the query says where to look."""
    offset, number = head.access.offset, head.number
    moved = position_shift(head.select.q)
    if moved is not None:
        _delayed(writer, head, offset - moved)
        return
    query, place = writer.name(head.select.q), f"place{number}"
    where = f"{query} - {integer(offset)}" if offset else query
    if writer.is_nullable(head.select.q):
        where = f"-1 if {query} is None else {where}"
    column = f"{_column(writer, head)}[{place}]" if head.summary.reads_value else ""
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
    elif not head.summary.reads_value:
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
    if head.access.op == "==":
        _equal(writer, head)
    elif head.access.op == "!=":
        _differing(writer, head)
    else:
        _ordered(writer, head)


def _equal(writer: Writer, head: Head) -> None:
    """A dictionary from keys to what is kept. None is never in it, so it finds nothing."""
    key, query = writer.sides[head.select]
    conditions, kept = _conditions(writer, head, keyed=True), f"kept{head.number}"
    writer.state(f"{kept} = {{}}")
    place, answer = f"{kept}[{key}]", f"{kept}.get({query}, {head.empty})"
    match head.kind:
        case "count" | "mean":
            _take(writer, conditions, f"{place} = {kept}.get({key}, 0) + {head.kept}")
        case "any":
            _take(writer, conditions, f"{place} = {head.value}")
        case "min" if head.rises:
            _take(writer, conditions, f"{kept}.setdefault({key}, {head.value})")
        case "max" | "min":
            _keep_best(writer, head, conditions, f"{key} not in {kept}", place)
        case other:
            raise no_rule("the stream executor (_equal)", other)
    if head.kind == "mean":
        found = f"found{head.number}"
        writer.line(f"{found} = {kept}.get({query})")
        answer = _shown(head, found)
    _answer(writer, head, answer)


def _differing(writer: Writer, head: Head) -> None:
    """What is kept for all keys, without what is kept for the query's own."""
    match head.kind:
        case "max" | "min":
            _differing_best(writer, head)
        case "count" | "any" | "mean":
            _differing_sum(writer, head)
        case other:
            raise no_rule("the stream executor (_differing)", other)


def _differing_best(writer: Writer, head: Head) -> None:
    key, query = writer.sides[head.select]
    others, found = f"others{head.number}", f"found{head.number}"
    writer.state(f"{others} = Others({head.kind == 'max'})")
    _take(writer, _conditions(writer, head, keyed=True), f"{others}.add({key}, {head.value})")
    writer.line(f"{found} = {_if_asked(writer, head, f'{others}.best({query})')}")
    _answer(writer, head, _shown(head, found))


def _differing_sum(writer: Writer, head: Head) -> None:
    key, query = writer.sides[head.select]
    number, conditions = head.number, _conditions(writer, head, keyed=True)
    total, kept = f"total{number}", f"kept{number}"
    writer.state(f"{total} = 0", f"{kept} = {{}}")
    one = f"kept_{number}"
    added = f"{one} = {head.kept}; {total} += {one}; {kept}[{key}] = {kept}.get({key}, 0) + {one}"
    _take(writer, conditions, added)
    rest = f"rest{number}"
    writer.line(f"{rest} = {total} - {kept}.get({query}, 0)")
    some = head.summary.shown.format(kept=rest, value=head.value)
    _answer(writer, head, f"{some} if {rest} else {head.empty}", keyed=True)


def _if_asked(writer: Writer, head: Head, text: str) -> str:
    query = writer.sides[head.select][1]
    return f"None if {query} is None else {text}" if writer.is_nullable(head.select.q) else text


def _ordered(writer: Writer, head: Head) -> None:
    """A tree over the keys."""
    key, query = writer.sides[head.select]
    number, tree = head.number, f"tree{head.number}"
    combine = head.summary.combine
    writer.state(f"{tree} = OrderTree({combine}, {combine != 'added'})")
    _take(writer, _conditions(writer, head, keyed=True), f"{tree}.add({key}, {head.kept})")
    answers = {
        "<": f"{tree}.below({query})",
        "<=": f"{tree}.below({query} + 1)",
        ">": f"{tree}.above({query})",
        ">=": f"{tree}.above({query} - 1)",
    }
    found = f"found{number}"
    writer.line(f"{found} = {_if_asked(writer, head, answers[head.access.op])}")
    _answer(writer, head, _shown(head, found))


def _table(writer: Writer, head: Head) -> None:
    """The row of matching keys was found at the select; what is kept for them is combined."""
    number, row = head.number, f"row{writer.number(head.select)}"
    if head.kind == "any":
        writer.assign(head.node, f"{head.value} if {row} else {head.empty}")
        return
    key, kept, found = writer.name(head.select.k), f"kept{number}", f"found{number}"
    combine = head.summary.combine
    writer.state(f"{kept} = {{}}")
    old = f"old{number}"
    first = f"{head.kept} if {old} is None else {combine}({old}, {head.kept})"
    conditions = _conditions(writer, head, keyed=False)
    _take(writer, conditions, f"{old} = {kept}.get({key}); {kept}[{key}] = {first}")
    writer.line(f"{found} = gathered({kept}, {row}, {combine})")
    writer.assign(head.node, _shown(head, found))


WRITERS: Rules[AccessKind, Callable[[Writer, Head], None]] = Rules(
    "the stream executor (WRITERS)",
    {
        "never": _never,
        "all": _all,
        "look-up": _look_up,
        "compare": _compare,
        "table": _table,
    },
)
