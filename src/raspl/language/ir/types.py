"""The types of RASP-L.

`Int` is a bounded integer and `Bool` an `Int` that is 0 or 1. `Index` comes from `indices`,
`Count` from `sel_width`; both are unbounded and know only order and successor. Every call of
`sel_width` makes a `Count` of a new family, and different families can't meet (paper, appendix
"RASP Specification"). `Null` is the type of the literal None, which every index family shares.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal["Int", "Bool", "Index", "Count", "Null", "Selector"]


@dataclass(frozen=True, slots=True)
class Type:
    """A type; `family` tells the counts of different `sel_width` calls apart."""

    kind: Kind
    family: int = 0

    def __str__(self) -> str:
        if self.kind != "Count":
            return self.kind
        # Counts that come in are numbered downwards, by the place of the input.
        return f"Count#{self.family}" if self.family > 0 else f"Count of input {-self.family}"

    @property
    def is_int(self) -> bool:
        """A bounded integer, truth values included."""
        return self.kind in ("Int", "Bool")

    @property
    def is_index(self) -> bool:
        """Unbounded, with order and successor only: Index, Count, or None itself."""
        return self.kind in ("Index", "Count", "Null")


INT = Type("Int")
BOOL = Type("Bool")
INDEX = Type("Index")
NULL = Type("Null")
SELECTOR = Type("Selector")


def count_of(family: int) -> Type:
    """The type of the family-th `sel_width` call."""
    return Type("Count", family)


def join(a: Type, b: Type) -> Type | None:
    """The least type that holds the values of both, or None where the two can't mix."""
    if a == b:
        return a
    if a.is_int and b.is_int:
        return INT
    if a.is_index and b.is_index:
        if a == NULL:
            return b
        if b == NULL:
            return a
    return None


def int_range(bits: int) -> tuple[int, int]:
    """The least and the greatest Int of a program of this width."""
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1
