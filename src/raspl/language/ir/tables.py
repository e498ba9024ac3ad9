"""Tables of rules: every meaning of a program is one rule a primitive, or one a reduction.

A primitive or reduction that a table forgets must never pass for another one. So a table raises an
error that names itself and what it lacks, and a `match` over reductions ends in `no_rule`, which
mypy accepts only where every reduction has its case.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Never, TypeVar

Key = TypeVar("Key")
Rule = TypeVar("Rule")


class MissingRule(NotImplementedError):
    """A table has no rule for a primitive or a reduction that a program uses."""

    def __init__(self, table: str, key: object) -> None:
        name = key.__name__ if isinstance(key, type) else repr(key)
        super().__init__(f"{table} has no rule for {name}")


class Rules(dict[Key, Rule]):
    """A table of rules under the name that its error gives it."""

    def __init__(self, name: str, rules: Mapping[Key, Rule]) -> None:
        super().__init__(rules)
        self.name = name

    def __missing__(self, key: Key) -> Rule:
        raise MissingRule(self.name, key)


def no_rule(table: str, key: Never) -> MissingRule:
    """What a `match` raises in its last case, which nothing that is known can reach."""
    return MissingRule(table, key)
