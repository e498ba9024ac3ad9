"""What happens at one position: tokenwise maps as linear forms and hidden units.

Proofs are in docs/compiler.md under the headings that the comments name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from raspl.analysis import arrays
from raspl.compiler.bounds import integers
from raspl.compiler.context import Lowering, Refused
from raspl.compiler.residual import MODULI, ZERO, Encoding, Finite, Form, Scalar, total
from raspl.language.ir.primitives import Node, SeqMap, TokMap, Where
from raspl.language.ir.types import NULL

MOST_PAIRS = 1 << 22
FAILED = np.iinfo(np.int64).min
"""Stands in a table where the program would stop with an error."""


def nothing() -> Scalar:
    """None at every position: every form is 0."""
    return Scalar(ZERO, ZERO, 0, 0, tuple((ZERO,) * m for m in MODULI))


def tok_map(low: Lowering, node: TokMap) -> Encoding:
    """Of an index a successor; of a finite value a sum of its forms (docs, "Linear maps")."""
    if node.x.type.is_index:
        shift = node.fn.shift
        assert shift is not None
        return low.scalar(node.x).shifted(shift)
    linear = linear_map(low, node)
    if linear is not None:
        return linear
    x = low.finite(node.x)
    image = table(node, [np.array(x.values)])
    values = low.values[node].tolist()
    return _grouped(low, x, image, values)


def linear_map(low: Lowering, node: Node) -> Finite | None:
    """A node that follows from one source only is linear in it (docs, "Linear maps")."""
    tables = low.values.joint([node])
    if tables is None:
        return None
    table = tables[0]
    sources = [s for s in table.sources if len(low.values[s]) > 1]
    if len(sources) > 1 or node in sources:
        return None
    image = np.where(table.alive, table.values, FAILED).reshape(-1)
    values = low.values[node].tolist()
    if not sources:
        return low.constant(values[0])
    axis = {v: place for place, v in enumerate(low.values[sources[0]].tolist())}
    source = low.finite(sources[0])
    return _grouped(low, source, image[[axis[v] for v in source.values]], values)


def _grouped(low: Lowering, x: Finite, image: NDArray[np.int64], values: Iterable[int]) -> Finite:
    """f(x) as sums of the forms of x."""
    images = image.tolist()
    return Finite(
        tuple(values),
        tuple(
            low.member(x, (a for a, b in zip(x.values, images, strict=True) if b == v))
            for v in values
        ),
    )


def table(node: TokMap | SeqMap, columns: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The values of a map at many arguments, `FAILED` where it stops with an error."""
    values, failed = arrays.apply(node.fn, list(columns))
    if failed is None:
        return values.astype(np.int64)
    return np.where(failed, FAILED, values).astype(np.int64)


def seq_map(low: Lowering, node: SeqMap) -> Encoding:
    """A table of two finite values, or a comparison of two indices."""
    if node.x.type.is_index:
        return _comparison(low, node)
    linear = linear_map(low, node)
    return linear if linear is not None else _pair_table(low, node)


def _pair_table(low: Lowering, node: SeqMap) -> Finite:
    """One unit for each class of the one argument and each result (docs, "Pair tables")."""
    x, y = low.finite(node.x), low.finite(node.y)
    if len(x.values) * len(y.values) > MOST_PAIRS:
        raise Refused(
            node,
            "too many pairs",
            f"`{low.names[node]}` is a table of {len(x.values):,} × {len(y.values):,} pairs, "
            f"more than {MOST_PAIRS:,}: give a smaller alphabet",
        )
    grid = np.broadcast_arrays(np.array(x.values)[:, None], np.array(y.values))
    cells = np.where(_reachable(low, node, x, y), table(node, grid), FAILED)
    by_x, by_y = _rectangles(cells), _rectangles(cells.T)
    swapped = len(by_y) < len(by_x)
    first, second = (y, x) if swapped else (x, y)
    values = low.values[node].tolist()
    rest = _most_common([v for _, _, v in (by_y if swapped else by_x)], values)
    return _from_rectangles(low, node, (first, second), by_y if swapped else by_x, rest)


Rectangle = tuple[tuple[int, ...], tuple[int, ...], int]
"""Rows, columns and the value that a table has at every one of their crossings."""


def _rectangles(cells: NDArray[np.int64]) -> list[Rectangle]:
    """Rows that are alike are one class; within a class, the columns of each value are another."""
    classes: dict[bytes, list[int]] = {}
    for number, row in enumerate(np.ascontiguousarray(cells)):
        classes.setdefault(row.tobytes(), []).append(number)
    rectangles = []
    for rows in classes.values():
        row = cells[rows[0]]
        for value in np.unique(row).tolist():
            if value != FAILED:
                columns = tuple(np.flatnonzero(row == value).tolist())
                rectangles.append((tuple(rows), columns, value))
    return rectangles


def _most_common(found: Sequence[int], values: Sequence[int]) -> int:
    return max(values, key=found.count) if len(values) < 64 else values[0]


def _from_rectangles(
    low: Lowering, node: SeqMap, sides: tuple[Finite, Finite], found: list[Rectangle], rest: int
) -> Finite:
    first, second = sides
    conjunctions: dict[int, list[tuple[Form, Form]]] = {}
    for rows, columns, value in found:
        if value != rest:
            a = low.member(first, (first.values[r] for r in rows))
            b = low.member(second, (second.values[c] for c in columns))
            conjunctions.setdefault(value, []).append((a, b))
    values = low.values[node].tolist()
    name = low.names[node]
    known = {v: conjoined(low, f"{name} = {v}", name, pairs) for v, pairs in conjunctions.items()}
    return low.one_hot(values, known, rest)


def _reachable(low: Lowering, node: SeqMap, x: Finite, y: Finite) -> NDArray[np.bool_]:
    """Which pairs of values can stand at one position."""
    tables = low.values.joint([node.x, node.y])
    shape = len(x.values), len(y.values)
    if tables is None:
        return np.ones(shape, dtype=bool)
    alive = tables[0].alive & tables[1].alive
    pairs = np.stack([tables[0].values[alive], tables[1].values[alive]], axis=1)
    reached = np.zeros(shape, dtype=bool)
    places = [{v: p for p, v in enumerate(side.values)} for side in (x, y)]
    for a, b in np.unique(pairs, axis=0).tolist():
        if a in places[0] and b in places[1]:
            reached[places[0][a], places[1][b]] = True
    return reached


def conjoined(low: Lowering, name: str, variable: str, pairs: Sequence[tuple[Form, Form]]) -> Form:
    """How many of the pairs have both parts 1: ReLU(a + b - 1) each (docs, "Pair tables")."""
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


def _comparison(low: Lowering, node: SeqMap) -> Finite:
    """Two indices at one position: ReLUs of their difference (docs, "Comparing indices")."""
    op = node.fn.comparison
    if NULL in (node.x.type, node.y.type):
        return low.constant(int(op == "!="))
    build, name = low.build, low.names[node]
    x, y = low.scalar(node.x), low.scalar(node.y)
    build.limit(integers(f"comparison {name}", _span(x, y)))
    if op in (">", ">="):
        x, y = y, x
    difference, up = y.value - x.value, _both_present(low, name, x, y)
    if op in ("<", "<=", ">", ">="):
        slack = difference + build.one if op in ("<=", ">=") else difference
        terms = [(1.0, slack, up), (-1.0, slack - build.one, up)]
        holds = build.units(f"{name} = 1", name, terms)
        return Finite((0, 1), (build.one - holds, holds))
    terms = [(w, difference + float(s) * build.one, up) for w, s in ((1, 1), (-2, 0), (1, -1))]
    equal = build.units(f"{name}: equal", name, terms)
    other = build.one - equal
    return Finite((0, 1), (equal, other) if op == "!=" else (other, equal))


def _span(x: Scalar, y: Scalar) -> int:
    return max(x.high, y.high) - min(x.low, y.low) + 2


def _both_present(low: Lowering, name: str, x: Scalar, y: Scalar) -> Form:
    build = low.build
    if x.present.key == y.present.key or build.is_one(y.present):
        return x.present
    if build.is_one(x.present):
        return y.present
    return conjoined(low, f"{name}: both present", name, [(x.present, y.present)])


def where(low: Lowering, node: Where) -> Encoding:
    """A choice: each form is (condition and a) or (no condition and b)."""
    condition = low.finite(node.c)
    chosen = low.member(condition, (v for v in condition.values if v))
    if low.build.is_one(chosen) or chosen.is_zero:
        return low.encoding(node.b if chosen.is_zero else node.a)
    if node.type.is_index:
        return _where_index(low, node, chosen)
    linear = linear_map(low, node)
    return linear if linear is not None else _where_finite(low, node, chosen)


def _where_finite(low: Lowering, node: Where, chosen: Form) -> Finite:
    a, b = low.finite(node.a), low.finite(node.b)
    name, values = low.names[node], low.values[node].tolist()
    other = low.build.one - chosen
    rest = next((v for v in values if v in a.values and v in b.values), values[0])
    known = {
        v: conjoined(low, f"{name} = {v}", name, [(chosen, a.of([v])), (other, b.of([v]))])
        for v in values
        if v != rest
    }
    return low.one_hot(values, known, rest)


def _where_index(low: Lowering, node: Where, chosen: Form) -> Scalar:
    """The value is gated by the condition (docs, "Choosing an index")."""
    build, name = low.build, low.names[node]
    a, b = low.scalar(node.a), low.scalar(node.b)
    sides = ((chosen, a), (build.one - chosen, b))
    terms = []
    for side, x in sides:
        if not x.present.is_zero:
            gate = side if build.is_one(x.present) else build.both(side, x.present)
            terms.append((1.0, gate, x.value))
    value = build.units(name, name, terms) if terms else ZERO
    if build.is_one(a.present) and build.is_one(b.present):
        present = build.one
    else:
        pairs = [(side, x.present) for side, x in sides]
        present = conjoined(low, f"{name} is there", name, pairs)
    residues = None
    if node in low.compared:
        assert a.residues is not None
        assert b.residues is not None
        residues = tuple(
            tuple(
                conjoined(low, label, name, [(sides[0][0], f), (sides[1][0], g)])
                for label, f, g in zip(labels, first, second, strict=True)
            )
            for labels, first, second in zip(
                low.residue_names(name), a.residues, b.residues, strict=True
            )
        )
    there = [x for _, x in sides if not x.present.is_zero]
    low_end = min((x.low for x in there), default=0)
    high_end = max((x.high for x in there), default=0)
    return Scalar(value, present, low_end, high_end, residues)
