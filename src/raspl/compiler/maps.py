"""What happens at one position: tokenwise maps as codes, linear forms and hidden units.

Proofs are in docs/compiler.md under the headings that the comments name.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from raspl.analysis import arrays
from raspl.compiler.bounds import integers
from raspl.compiler.context import Asked, Coder, Lowering, Refused
from raspl.compiler.features import MOST_TOTAL, Vector, extended, numbering
from raspl.compiler.indices import made_of
from raspl.compiler.residual import ZERO, Form, Scalar, total
from raspl.compiler.tables import Sum, Way, bends, best_way
from raspl.language.ir.primitives import Node, SeqMap, TokMap, Where
from raspl.language.ir.types import NULL

MOST_PAIRS = 1 << 22
FEW_BENDS = 3
"""A code that bends no more often is computed from the variable's number, if that is there."""


def tok_map(low: Lowering, node: TokMap) -> Coder | Scalar:
    """Of an index a successor; of a finite value a code of what it is a function of."""
    if node.x.type.is_index:
        shift = node.fn.shift
        assert shift is not None
        return low.scalar(node.x).shifted(shift)
    mapped = _of_one_source(low, node)
    if mapped is not None:
        return mapped
    return low.mapped(node, node.x, _image(low, node, [low.values[node.x]]))


def _of_one_source(low: Lowering, node: Node) -> Coder | None:
    """A node that follows from one source only: a code of it is a code of that (docs, "Codes")."""
    tables = low.values.joint([node])
    if tables is None:
        return None
    table = tables[0]
    sources = [s for s in table.sources if len(low.values[s]) > 1]
    if len(sources) != 1 or node in sources:
        return None
    values = low.values[node]
    image = np.where(table.alive, table.values, values[0]).reshape(-1)
    return low.mapped(node, sources[0], image)


def _image(
    low: Lowering, node: TokMap | SeqMap, columns: Sequence[NDArray[np.int64]]
) -> NDArray[np.int64]:
    """The values of a map at many arguments; any where it stops with an error."""
    values, failed = arrays.apply(node.fn, list(columns))
    if failed is None:
        return values.astype(np.int64)
    return np.where(failed, low.values[node][0], values).astype(np.int64)


def seq_map(low: Lowering, node: SeqMap) -> Coder:
    """A table of two finite values, or a comparison of two indices."""
    if node.x.type.is_index:
        return _comparison(low, node)
    mapped = _of_one_source(low, node)
    return mapped if mapped is not None else _table(low, node)


def _table(low: Lowering, node: SeqMap) -> Coder:
    """Units for each code that is asked for (docs, "Tables")."""
    x, y = low.values[node.x], low.values[node.y]
    if len(x) * len(y) > MOST_PAIRS:
        raise Refused(
            node,
            "too many pairs",
            f"`{low.names[node]}` is a table of {len(x):,} × {len(y):,} pairs, "
            f"more than {MOST_PAIRS:,}: give a smaller alphabet",
        )
    grid = np.broadcast_arrays(x[:, None], y)
    cells = _image(low, node, grid)
    alive = _reachable(low, node) & np.isin(cells, low.values[node])

    def coded(code: Vector) -> Way | None:
        return best_way(x, y, extended(low.values[node], code, cells), alive)

    def coder(code: Vector, asked: Asked) -> Form:
        way = coded(code)
        number = numbering(low.values[node])
        if not np.array_equal(number, code):
            by_number = _bends_of_number(low, node, code)
            is_there = low.known(node, number)
            first = None if is_there else coded(number)
            if by_number is not None and (is_there or first is not None):
                cost = len(by_number) + (first.cost if first is not None else 0)
                if way is None or cost < way.cost:
                    return _from_number(low, node, code, by_number, asked)
        if way is None:
            return _from_flags(low, node, code, asked)
        return _from_way(low, node, way, asked)

    return coder


def _from_flags(low: Lowering, node: Node, code: Vector, asked: Asked) -> Form:
    """A code with numbers too large for sums of them: a unit for each value, of which one is 1.

    The table of a flag has entries 0 and 1, so there is always a way to compute it.
    """
    values = low.values[node]
    flags = [low.member(node, values == value) for value in values]
    gates = [(float(number), flag) for number, flag in zip(code, flags, strict=True) if number]
    return coded_relu(low, asked, gates)


def _bends_of_number(low: Lowering, node: Node, code: Vector) -> list[tuple[int, int]] | None:
    """A code as a function of the variable's number; None if it leaves what is exact."""
    number = numbering(low.values[node])
    found = bends(number, code)
    span = int(number[-1] - number[0])
    inexact = abs(int(code[0])) + sum(abs(bend) * span for _, bend in found) > MOST_TOTAL
    return None if inexact else found


def _from_number(
    low: Lowering, node: Node, code: Vector, found: list[tuple[int, int]], asked: Asked
) -> Form:
    """A code from the number of a variable: ReLUs where it bends."""
    number = low.feature(node, numbering(low.values[node]))
    one = low.build.one
    gates = [(float(bend), number - float(where) * one) for where, bend in found]
    first = int(code[0])
    return float(first) * one + coded_relu(low, asked.changed(1, -first), gates)


def _from_way(low: Lowering, node: SeqMap, way: Way, asked: Asked) -> Form:
    def read(s: Sum) -> Form:
        x, y = low.feature(node.x, s.x), low.feature(node.y, s.y)
        return total((float(s.constant) * low.build.one, x, y))

    gates = [(float(weight), read(gate)) for weight, gate in way.units]
    linear = read(way.linear)
    if not gates:
        return linear
    if way.linear.x.any() or way.linear.y.any():
        name = f"{asked.name}: what units add"
        return linear + low.build.relu(name, asked.variable, gates)
    return linear + coded_relu(low, asked.changed(1, -way.linear.constant), gates)


def coded_relu(low: Lowering, held: Asked, gates: Sequence[tuple[float, Form]]) -> Form:
    """A dimension of a variable's code, which hidden units write."""
    return low.build.relu(held.name, held.variable, gates, held.code)


def _reachable(low: Lowering, node: SeqMap) -> NDArray[np.bool_]:
    """Which pairs of values can stand at one position."""
    x, y = low.values[node.x], low.values[node.y]
    tables = low.values.joint([node.x, node.y])
    if tables is None:
        return np.ones((len(x), len(y)), dtype=bool)
    alive = tables[0].alive & tables[1].alive
    reached = np.zeros((len(x), len(y)), dtype=bool)
    rows, columns = (table.values[alive] for table in tables)
    reached[np.searchsorted(x, rows), np.searchsorted(y, columns)] = True
    return reached


def conjoined(low: Lowering, name: str, variable: str, pairs: Sequence[tuple[Form, Form]]) -> Form:
    """How many of the pairs have both parts 1: ReLU(a + b - 1) each (docs, "Tables")."""
    build = low.build
    linear: list[Form] = []
    gates: list[tuple[float, Form]] = []
    for a, b in pairs:
        if a.is_zero or b.is_zero:
            continue
        if build.is_one(a) or build.is_one(b):
            linear.append(b if build.is_one(a) else a)
        else:
            gates.append((1.0, build.both(a, b)))
    if gates:
        linear.append(build.relu(name, variable, gates))
    return total(linear)


def _comparison(low: Lowering, node: SeqMap) -> Coder:
    """Two indices at one position: ReLUs of their difference (docs, "Comparing indices")."""

    def coder(code: Vector, asked: Asked) -> Form:
        # There are two values, so the only code that is ever asked for is one of their flags.
        holds = _holds(low, node, asked)
        return holds if code[1] else low.build.one - holds

    return coder


def _holds(low: Lowering, node: SeqMap, asked: Asked) -> Form:
    op = node.fn.comparison
    assert NULL not in (node.x.type, node.y.type)
    build, name = low.build, low.names[node]
    x, y = low.scalar(node.x), low.scalar(node.y)
    build.limit(integers(f"comparison {name}", _span(x, y)))
    if op in (">", ">="):
        x, y = y, x
    difference, up = y.value - x.value, _both_present(low, name, x, y)
    if op in ("<", "<=", ">", ">="):
        slack = difference + build.one if op in ("<=", ">=") else difference
        terms = [(1.0, slack, up), (-1.0, slack - build.one, up)]
        return build.units(name, name, terms, asked.code)
    terms = [(w, difference + float(s) * build.one, up) for w, s in ((1, 1), (-2, 0), (1, -1))]
    if op == "!=":
        return build.one - build.units(f"{name}: equal", name, terms)
    return build.units(name, name, terms, asked.code)


def _span(x: Scalar, y: Scalar) -> int:
    return max(x.high, y.high) - min(x.low, y.low) + 2


def _both_present(low: Lowering, name: str, x: Scalar, y: Scalar) -> Form:
    build = low.build
    if x.present.key == y.present.key or build.is_one(y.present):
        return x.present
    if build.is_one(x.present):
        return y.present
    return conjoined(low, f"{name}: both present", name, [(x.present, y.present)])


def where(low: Lowering, node: Where) -> Coder | Scalar:
    """A choice: the one or the other is let through."""
    values = low.values[node.c]
    chosen = low.member(node.c, values != 0)
    if low.build.is_one(chosen) or chosen.is_zero:
        taken = node.b if chosen.is_zero else node.a
        if node.type.is_index:
            return low.scalar(taken)
        return low.mapped(node, taken, low.values[taken])
    if node.type.is_index:
        return _where_index(low, node, chosen)
    mapped = _of_one_source(low, node)
    return mapped if mapped is not None else _where_finite(low, node, chosen)


def _where_finite(low: Lowering, node: Where, chosen: Form) -> Coder:
    """One unit a side, which is 0 unless the side is chosen (docs, "Choosing a value")."""

    def coder(code: Vector, asked: Asked) -> Form:
        values = low.values[node]
        if low.known(node, numbering(values)):
            found = _bends_of_number(low, node, code)
            if found is not None and len(found) <= FEW_BENDS:
                return _from_number(low, node, code, found, asked)
        one = low.build.one
        least = int(code.min())
        gates = []
        for side, is_chosen in ((node.a, chosen), (node.b, one - chosen)):
            above = extended(values, code, low.values[side]) - least
            span = int(above.max())
            if span:
                gate = low.feature(side, above) + float(span) * (is_chosen - one)
                gates.append((1.0, gate))
        return float(least) * one + coded_relu(low, asked.changed(1, -least), gates)

    return coder


def _where_index(low: Lowering, node: Where, chosen: Form) -> Scalar:
    """The value is gated by the condition (docs, "Choosing an index")."""
    build, name = low.build, low.names[node]
    a, b = low.scalar(node.a), low.scalar(node.b)
    sides = ((chosen, a), (build.one - chosen, b))

    def gated(label: str, forms: Sequence[Form]) -> Form:
        terms = []
        for (side, x), form in zip(sides, forms, strict=True):
            if not form.is_zero:
                gate = side if build.is_one(x.present) else build.both(side, x.present)
                terms.append((1.0, gate, form))
        return build.units(label, name, terms) if terms else ZERO

    if build.is_one(a.present) and build.is_one(b.present):
        present = build.one
    else:
        pairs = [(side, x.present) for side, x in sides]
        present = conjoined(low, f"{name} is there", name, pairs)
    return made_of(low, node, [a, b], present, gated)
