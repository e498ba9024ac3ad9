"""What the numbers of a task stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from raspl.language.vocabulary import FEW, Vocabulary, quoted


@dataclass(frozen=True)
class Names:
    """The names of a task's tokens, and of its labels if they are no tokens."""

    tokens: Vocabulary
    labels: Mapping[int, str] = field(default_factory=dict)

    def to_source(self) -> str:
        """The statement that a program needs to use the names, and in a comment the labels."""
        return "\n".join([self.tokens.to_source(), *self._labels_in_words()])

    def _labels_in_words(self) -> list[str]:
        if all(name == str(number) for number, name in self.labels.items()):
            return []
        parts = [f"{number} is {quoted(name)}" for number, name in self.labels.items()]
        more = ", …" if len(parts) > FEW else ""
        return [f"# Of the labels, {', '.join(parts[:FEW])}{more}."]
