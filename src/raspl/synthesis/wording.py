"""The components in words."""

from __future__ import annotations

from raspl.synthesis.components import BOOL_MAPS, INDEX_MAPS, INT_MAPS, PREDICATES, SHIFTS
from raspl.synthesis.fragments import Fragment


def describe(literals: tuple[int, ...], fragment: Fragment) -> str:
    """What a statement of exhaustion is about."""
    values = ", ".join(map(str, literals))
    has_selves = fragment.compares("Count", "==")
    orders = fragment.compares("Index", "<")
    indices = "indices, " if fragment.positions else ""
    selves = ["integers", *(["indices"] if fragment.positions else [])]
    predicates = " ".join(PREDICATES)
    nexts = " or ".join([*selves[1:], *(["counts"] if has_selves else [])])
    parts = [
        f"tokens, literals {{{values}}}, {indices}None and truth values as integers for nothing"
        if fragment.positions
        else f"tokens, literals {{{values}}} and truth values as integers for nothing",
        f"for one, maps: {' '.join(INT_MAPS)} of two integers, + 1, - 1, a literal replaced by "
        f"another, {' '.join(BOOL_MAPS)} ~ of truth values, where with integers",
        "for two: a count == or != its maximum or minimum so far",
        "for one, heads: max, min, mean of integers that are no literals (default 0) and of truth "
        "values (default 0 or 1), has, width; at the output of literals too, and with any literal "
        "as default",
        f"selecting k {predicates} q of integers if k is no literal, or for one more if it is; "
        "true keys; everything; for one more, keys equal to the maximum or minimum so far of "
        "integers or counts",
        "at the output, tables of one or two integers, for one an entry",
    ]
    if fragment.positions:
        ops = predicates if orders else "=="
        parts += [
            f"of indices: {' '.join(INDEX_MAPS)}, + 1, - 1, where; max, min; selecting k {ops} q, "
            "keys equal to the maximum or minimum so far; the position "
            f"{' or '.join(map(str, SHIFTS))} back; that at an index plus -1, 0 or 1",
        ]
    if nexts:
        parts.append(f"k == q + 1 of {nexts} with themselves")
    if has_selves:
        parts.append(f"k {predicates} q of counts with themselves")
    if fragment.rules == "strict":
        parts.append("strictly: widths of the same keys for all, or of the tokens with themselves")
    if fragment.rules == "compilable":
        parts.append("compilable: no order of indices in a selector, no width of indices")
    return "; ".join(parts)
