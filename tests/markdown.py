"""The code blocks of the documentation, for the tests that run them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: the words after the fence, and the text."""

    file: str
    line: int
    info: tuple[str, ...]
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {' '.join(self.info)}"


def blocks(name: str) -> list[Block]:
    """Every fenced block of a Markdown file, in order."""
    text = (ROOT / name).read_text("utf-8")
    return [
        Block(name, text[: m.start()].count("\n") + 2, tuple(m[1].split()), m[2])
        for m in _BLOCK.finditer(text)
    ]
