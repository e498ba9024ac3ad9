"""Places: raspl counts lines and characters from 1, the protocol from 0 and in code units.

A character outside of the Basic Multilingual Plane takes two code units of UTF-16, which is what
editors count in unless they agreed on something else with the server.
"""

from __future__ import annotations

from dataclasses import dataclass

from lsprotocol import types
from pygls.workspace import PositionCodec


@dataclass(frozen=True)
class Places:
    """The lines of one text, and the unit in which the editor counts columns."""

    lines: list[str]
    codec: PositionCodec

    @classmethod
    def of(cls, text: str, codec: PositionCodec) -> Places:
        """For the text of a document."""
        return cls(text.split("\n"), codec)

    def here(self, position: types.Position) -> tuple[int, int]:
        """Line and column of a position, from 1, in characters; at most the end of the text."""
        line = min(position.line, len(self.lines) - 1)
        units, column = position.character, 0
        for letter in self._text(line):
            if units <= 0:
                break
            units -= self.codec.client_num_units(letter)
            column += 1
        return line + 1, column + 1

    def there(self, line: int, column: int) -> types.Position:
        """The position of a line and column."""
        before = self._text(line - 1)[: max(column - 1, 0)]
        return types.Position(max(line - 1, 0), self.codec.client_num_units(before))

    def range(self, line: int, column: int, end_line: int, end_column: int) -> types.Range:
        """From one place to another."""
        return types.Range(self.there(line, column), self.there(end_line, end_column))

    def _text(self, line: int) -> str:
        return self.lines[line] if 0 <= line < len(self.lines) else ""
