"""Which part of the language is searched: a reading of the rules, with or without positions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from raspl.analysis.disciplines import Discipline
from raspl.synthesis.columns import Bools, Ids
from raspl.synthesis.components import Kind, Rule

ONE_FOR_ALL = ("all", "true_key", "gate")
"""Selectors that select the same keys whoever asks, or none."""
PLACES = ("Index", "Count")


@dataclass(frozen=True)
class Fragment:
    """What a term may be made of. What is refused here is refused in every term."""

    rules: Discipline = "letter"
    """The reading of the rules (docs/types.md)."""
    positions: bool = True
    """Whether there are indices, look-ups by position, and comparisons of running counts."""

    def compares(self, kind: Kind, op: str) -> bool:
        """Whether a selector may compare values of a kind with each other."""
        if kind == "Count":
            return self.rules != "strict" and self.positions
        return kind != "Index" or self.rules != "compilable" or op not in ("<", ">")

    def counts(self, rule: Rule, args: tuple[Ids, ...], leaves: int) -> Bools | bool:
        """Which of the selectors with these operands a width may count through.

        Of the integers, those numbered below `leaves` cost nothing: the tokens, then the literals.
        """
        if rule.name in ONE_FOR_ALL:
            return self.positions
        looks_at = rule.operands[0] if rule.operands else "Index"
        if looks_at in PLACES:
            return self.rules == "letter"
        if rule.name == "pair":
            is_literal = (args[1] > 0) & (args[1] < leaves)
            by_class = np.ones(len(args[1]), dtype=np.bool_)
            if self.rules == "strict":
                by_class = (args[0] == 0) & (args[1] == 0)
            return (is_literal & self.positions) | (~is_literal & by_class)
        return args[0] == 0 if self.rules == "strict" and rule.name == "self" else True


EVERYTHING: Fragment = Fragment()
