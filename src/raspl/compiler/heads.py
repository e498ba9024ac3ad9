"""What attention does with what it selects: one head for each aggregate.

The score of a key is -FORBIDDEN for each condition that it breaks, plus an integer by which the
keys that break none are ordered, times GAP. The sink, a key in front of the first token, has the
score -FORBIDDEN/2: below every key that may be attended, above every key that may not. Nothing
stands in the stream at the sink, so a head that attends it moves nothing. See docs/compiler.md.
"""

from __future__ import annotations

from collections.abc import Callable

from raspl.compiler.bounds import FORBIDDEN, GAP, averaged, integers, ordered, ranked
from raspl.compiler.conditions import Condition, condition
from raspl.compiler.context import Lowering
from raspl.compiler.maps import nothing
from raspl.compiler.plan import Channel
from raspl.compiler.residual import MODULI, ZERO, Encoding, Finite, Form, Scalar, total
from raspl.language.ir.primitives import Aggr, Reduction, SelWidth
from raspl.language.ir.tables import Rules


def aggr(low: Lowering, node: Aggr) -> Encoding:
    """One head, and for a mean of different values the MLPs that truncate it."""
    reduced = REDUCED[node.reduction]
    asked = condition(low, node.s)
    if node.type.is_index:
        return _aggr_index(low, node, asked)
    assert node.default is not None
    if asked.never:
        return low.constant(node.default)
    return reduced(low, node, asked, low.finite(node.v))


def head(
    low: Lowering, node: Aggr | SelWidth, does: str, channels: list[Channel],
    moves: list[tuple[Form, str]],
) -> tuple[Form, ...]:  # fmt: skip
    """A head with the sink's channel added."""
    sink = Channel(-FORBIDDEN / 2 * low.build.one, low.build.sink)
    selector = low.selectors.index(node.s)
    return low.build.head(low.names[node], does, [*channels, sink], moves, selector)


def _latest(low: Lowering) -> Channel:
    """Of keys that are equal so far, the latest."""
    return Channel(GAP * low.build.one, low.build.position)


def _pick(low: Lowering, node: Aggr, asked: Condition, v: Finite) -> Finite:
    """The selected value that is greatest or least, from one key (docs, "Max and min")."""
    name, build = low.names[node], low.build
    channels = list(asked.channels)
    if not node.s.is_lookup:
        channels.append(_latest(low))
        if len(v.values) > 1:
            ranks = total(float(r) * form for r, form in enumerate(v.forms))
            channels.append(Channel(SIGN[node.reduction] * GAP * build.position, ranks))
        build.limit(ranked(f"head {name}", len(v.values)))
    values = low.values[node].tolist()
    rest = next((x for x in values if x in v.values), values[0]) if asked.always else node.default
    assert rest is not None
    moved = [x for x in values if x != rest and x in v.values]
    moves = [(v.of([x]), f"{name} = {x}") for x in moved]
    verb = "looks up" if node.s.is_lookup else VERB[node.reduction]
    written = head(low, node, f"{verb} {low.names[node.v]}", channels, moves)
    return low.one_hot(values, dict(zip(moved, written, strict=True)), rest)


def _mean(low: Lowering, node: Aggr, asked: Condition, v: Finite) -> Finite:
    """The mean, spread over all selected keys, then truncated (docs, "Truncated mean").

    Values are moved as their distance from the least one, which keeps the error small.
    """
    if node.s.is_lookup or len(v.values) <= 1:
        # Whichever key is attended holds the mean already.
        return _pick(low, node, asked, v)
    name, build = low.names[node], low.build
    lowest, highest = v.values[0], v.values[-1]
    above = total(float(x - lowest) * form for x, form in zip(v.values, v.forms, strict=True))
    moves = [(above, f"{name}: mean above {lowest}"), (build.one, f"{name}: found")]
    does = f"averages {low.names[node.v]}"
    mean, found = head(low, node, does, list(asked.channels), moves)
    build.limit(averaged(f"mean {name}", highest - lowest))
    steps = range(lowest, highest + 1)
    reached = [_at_least(low, name, t, lowest, mean, found) for t in steps]
    assert node.default is not None
    known = {}
    for t, this, next_one in zip(steps, reached, [*reached[1:], ZERO], strict=True):
        if t != node.default:
            terms = [*_snapped(low, 1.0, this), *_snapped(low, -1.0, next_one)]
            known[t] = build.relu(f"{name} = {t}", name, terms)
    values = {*low.values[node].tolist(), node.default}
    return low.one_hot(sorted(values), known, node.default)


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
    return build.units(f"{name} ≥ {t}", name, terms)


def _snapped(low: Lowering, weight: float, nearly: Form) -> list[tuple[float, Form]]:
    """Exactly 0 or 1 from what is within a quarter of it (docs, "Snapping")."""
    if nearly.is_zero:
        return []
    half = 0.5 * low.build.one
    double = 2.0 * nearly
    return [(weight, double - half), (-weight, double - 3.0 * half)]


def _aggr_index(low: Lowering, node: Aggr, asked: Condition) -> Scalar:
    """The greatest, least or looked-up index, from one key (docs, "Latest and first")."""
    build, name = low.build, low.names[node]
    v = low.scalar(node.v)
    if asked.never or v.present.is_zero:
        return nothing()
    channels = list(asked.channels)
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
    moves = [(v.value, name), (v.present, f"{name} is there")]
    groups = v.residues if node in low.compared else None
    labels = low.residue_names(name)
    for forms, names in zip(groups or (), labels, strict=False):
        moves += list(zip(forms, names, strict=True))
    verb = "looks up" if node.s.is_lookup else VERB[node.reduction]
    value, present, *rest = head(low, node, f"{verb} {low.names[node.v]}", channels, moves)
    if asked.always and build.is_one(v.present):
        present = build.one
    residues = _regrouped(rest) if groups else None
    return Scalar(value, present, v.low, v.high, residues)


REDUCED: Rules[Reduction, Callable[[Lowering, Aggr, Condition, Finite], Finite]] = Rules(
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


def _regrouped(forms: list[Form]) -> tuple[tuple[Form, ...], ...]:
    rest = iter(forms)
    return tuple(tuple(next(rest) for _ in range(m)) for m in MODULI)
