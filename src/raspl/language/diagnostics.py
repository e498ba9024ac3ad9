"""What is wrong with a program, where, and what to write instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from raspl.errors import RasplError
from raspl.language.limits import MAX_SHOWN_LINE
from raspl.language.rules import Rule
from raspl.language.source import Span
from raspl.words import counted


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One violation at one place."""

    rule: Rule
    message: str
    instead: str
    span: Span
    note: str = ""

    def __str__(self) -> str:
        return "\n".join(self.parts())

    def parts(self) -> list[str]:
        """Headline, source line, caret line, rule and remedy: one line each, unstyled."""
        lines = [f"{self.span}: {self.rule.code} {self.rule.name}: {self.message}"]
        if self.span.text.strip():
            gutter = " " * len(number := f"{self.span.line:>5}")
            text, caret = self._shown()
            lines += [f"{number} | {text}", f"{gutter} | {caret}"]
        lines.append(f"      rule: {self.rule.sentence}")
        lines.append(f"      instead: {self.instead}")
        if self.note:
            lines.append(f"      note: {self.note}")
        return lines

    def as_json(self) -> dict[str, Any]:
        """A flat record for editors; lines and columns count from 1."""
        return {
            "file": self.span.file,
            "line": self.span.line,
            "column": self.span.column,
            "end_line": self.span.end_line,
            "end_column": self.span.end_column,
            "code": self.rule.code,
            "name": self.rule.name,
            "severity": "warning" if self.rule.is_warning else "error",
            "message": self.message,
            "rule": self.rule.sentence,
            "instead": self.instead,
            "note": self.note,
        }

    def _shown(self) -> tuple[str, str]:
        """The source line and the carets below it; of a long line the part around them."""
        text, start = self.span.text, self.span.column - 1
        one_line = self.span.end_line == self.span.line
        end = self.span.end_column - 1 if one_line else len(text)
        if len(text) > MAX_SHOWN_LINE:
            first = max(0, start - MAX_SHOWN_LINE // 2)
            text = text[first : first + MAX_SHOWN_LINE]
            start, end = start - first, min(end - first, len(text))
            text = "…" * (first > 0) + text[first > 0 :]
        # Tabs before the caret are kept so that it lines up however wide they are shown.
        lead = "".join("\t" if c == "\t" else " " for c in text[:start])
        return text, lead + "^" * max(1, end - start)


class IllegalProgram(RasplError):
    """A program breaks the rules of RASP-L; `diagnostics` holds every violation."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        heading = f"{counted(len(diagnostics), 'violation')} of RASP-L"
        super().__init__("\n\n".join([heading, *map(str, diagnostics)]))
