"""What attention does with what it selects: one head for each aggregate.

The score of a key is -FORBIDDEN for each condition that it breaks, plus an integer by which the
keys that break none are ordered, times GAP. The sink, a key in front of the first token, has the
score -FORBIDDEN/2: below every key that may be attended, above every key that may not. Nothing
stands in the stream at the sink, so a head that attends it moves nothing. See docs/compiler.md.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from raspl.compiler.bounds import FORBIDDEN, GAP, averaged, integers, ordered, ranked
from raspl.compiler.conditions import Condition, condition
from raspl.compiler.context import Asked, Coder, Lowering
from raspl.compiler.features import Vector, extended
from raspl.compiler.indices import made_of, nothing
from raspl.compiler.maps import coded_relu
from raspl.compiler.plan import Channel, Head
from raspl.compiler.residual import Form, Scalar, total
from raspl.language.ir.primitives import Aggr, Reduction, SelWidth
from raspl.language.ir.tables import Rules


def aggr(low: Lowering, node: Aggr) -> Coder | Scalar:
    """One head, and for a mean of different values the MLPs that truncate it."""
    reduced = REDUCED[node.reduction]
    asked = condition(low, node.s)
    if node.type.is_index:
        return _aggr_index(low, node, asked)
    if asked.never:
        return lambda code, _: float(_default(low, node, code)) * low.build.one
    return reduced(low, node, asked)


def _default(low: Lowering, node: Aggr, code: Vector) -> int:
    """What a code says of the default."""
    assert node.default is not None
    return int(extended(low.values[node], code, np.array([node.default]))[0])


def head(low: Lowering, node: Aggr | SelWidth, does: str, channels: list[Channel]) -> Head:
    """A head with the sink's channel added."""
    sink = Channel(-FORBIDDEN / 2 * low.build.one, low.build.sink)
    selector = low.selectors.index(node.s)
    return low.build.head(low.names[node], does, [*channels, sink], selector)


def _latest(low: Lowering) -> Channel:
    """Of keys that are equal so far, the latest."""
    return Channel(GAP * low.build.one, low.build.position)


def _pick(low: Lowering, node: Aggr, condition: Condition) -> Coder:
    """The selected value that is greatest or least, from one key (docs, "Max and min")."""
    build = low.build
    values, of_keys = low.values[node], low.values[node.v]
    channels = list(condition.channels)
    if not node.s.is_lookup:
        channels.append(_latest(low))
        if len(of_keys) > 1:
            ranks = low.feature(node.v, np.arange(len(of_keys)))
            channels.append(Channel(SIGN[node.reduction] * GAP * build.position, ranks))
        build.limit(ranked(f"head {low.names[node]}", len(of_keys)))
    verb = "looks up" if node.s.is_lookup else VERB[node.reduction]
    made = head(low, node, f"{verb} {low.names[node.v]}", channels)

    def coder(code: Vector, asked: Asked) -> Form:
        # Nothing is moved from the sink, so what is moved is what the code adds to the default's.
        rest = int(code[0]) if condition.always else _default(low, node, code)
        added = extended(values, code, of_keys) - rest
        sign = 1 if int(added.max()) > 0 else -1
        held = asked.changed(sign, -sign * rest)
        form = low.feature(node.v, sign * added)
        moved = build.move(made, form, held.name, held.variable, held.code)
        return float(rest) * build.one + float(sign) * moved

    return coder


def _mean(low: Lowering, node: Aggr, condition: Condition) -> Coder:
    """The mean, spread over all selected keys, then truncated (docs, "Truncated mean").

    Values are moved as their distance from the least one, which keeps the error small.
    """
    values = low.values[node.v]
    if node.s.is_lookup or len(values) <= 1:
        # Whichever key is attended holds the mean already.
        return _pick(low, node, condition)
    name, build = low.names[node], low.build
    lowest, highest = int(values[0]), int(values[-1])
    made = head(low, node, f"averages {low.names[node.v]}", list(condition.channels))
    above = low.feature(node.v, values - lowest)
    mean = build.move(made, above, f"{name}: mean above {lowest}", name)
    found = build.move(made, build.one, f"{name}: found", name)
    build.limit(averaged(f"mean {name}", highest - lowest))
    steps = np.arange(lowest, highest + 1)
    reached: dict[int, Form] = {}

    def coder(code: Vector, asked: Asked) -> Form:
        at_rest = _default(low, node, code)
        gates: list[tuple[float, Form]] = []
        last = at_rest
        for t in steps[np.isin(steps, low.values[node])].tolist():
            number = int(code[np.searchsorted(low.values[node], t)])
            if number != last:
                if t not in reached:
                    reached[t] = _at_least(low, name, t, lowest, mean, found)
                gates += _snapped(low, float(number - last), reached[t])
                last = number
        written = coded_relu(low, asked.changed(1, -at_rest), gates)
        return float(at_rest) * build.one + written

    return coder


def _at_least(low: Lowering, name: str, t: int, lowest: int, mean: Form, found: Form) -> Form:
    """About 1 where the truncated mean is at least t, about 0 elsewhere or where none is selected.

    n(mean - t) is at least 0 or at most -1 if t > 0, and n(mean - t + 1) at least 1 or at most 0
    if t <= 0, since the mean of m <= n integers is a multiple of 1/m.
    """
    build = low.build
    reciprocal = build.formula("1 / position")
    steps = (0.75, 0.25) if t > 0 else (-0.25, -0.75)
    threshold = (t if t > 0 else t - 1) - lowest
    beyond = total((mean, float(1 - threshold) * found, -1.0 * build.one))
    terms = [
        (weight, beyond + step * reciprocal, build.position)
        for weight, step in zip((2.0, -2.0), steps, strict=True)
    ]
    return build.units(f"{name}: nearly ≥ {t}", name, terms)


def _snapped(low: Lowering, weight: float, nearly: Form) -> list[tuple[float, Form]]:
    """Exactly 0 or 1 from what is within a quarter of it (docs, "Snapping")."""
    half = 0.5 * low.build.one
    double = 2.0 * nearly
    return [(weight, double - half), (-weight, double - 3.0 * half)]


def _aggr_index(low: Lowering, node: Aggr, condition: Condition) -> Scalar:
    """The greatest, least or looked-up index, from one key (docs, "Latest and first")."""
    build, name = low.build, low.names[node]
    v = low.scalar(node.v)
    if condition.never or v.present.is_zero:
        return nothing()
    channels = list(condition.channels)
    if not node.s.is_lookup:
        sign = SIGN[node.reduction]
        if v.positional:
            channels.append(Channel(sign * GAP * build.one, build.position))
            build.limit(integers(f"head {name}", 1))
        else:
            channels += [_latest(low), Channel(sign * GAP * build.position, v.value)]
            build.limit(ordered(f"head {name}", max(abs(v.low), abs(v.high)) + 1))
        if not build.is_one(v.present):
            channels.append(Channel(-FORBIDDEN * build.one, build.one - v.present))
    verb = "looks up" if node.s.is_lookup else VERB[node.reduction]
    made = head(low, node, f"{verb} {low.names[node.v]}", channels)
    present = build.one
    if not (condition.always and build.is_one(v.present)):
        present = build.move(made, v.present, f"{name} is there", name)
    # The shift is the same for every key, so what is moved is the base.
    return made_of(
        low, node, [v], present, lambda part, forms: build.move(made, forms[0], part, name)
    )


REDUCED: Rules[Reduction, Callable[[Lowering, Aggr, Condition], Coder]] = Rules(
    "the compiler (REDUCED)", {"mean": _mean, "max": _pick, "min": _pick}
)
"""How values of a finite set are reduced."""
SIGN: Rules[Reduction, float] = Rules("the compiler (SIGN)", {"max": 1.0, "min": -1.0})
"""Whether a key attracts by a greater value or by a lesser one; a mean has no best key."""
VERB: Rules[Reduction, str] = Rules(
    "the compiler (VERB)",
    {"mean": "takes any", "max": "takes the max of", "min": "takes the min of"},
)
"""What a head that attends one of several keys does."""
