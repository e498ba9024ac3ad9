"""Source text and places in it."""

from __future__ import annotations

import ast
import os
import stat
from dataclasses import dataclass, field, replace
from pathlib import Path

from raspl.errors import RasplError
from raspl.language.limits import MAX_BYTES, MAX_LINES, MAX_TOKENS


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text. Lines and columns count from 1, columns in characters."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str
    """The source line on which the stretch begins."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"

    @property
    def snippet(self) -> str:
        """The stretch itself, as far as it stands on its first line."""
        end = self.end_column - 1 if self.end_line == self.line else None
        return self.text[self.column - 1 : end]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a node comes from.

    `span` is a place that the author of the program can change; `via` names the library function
    that was inlined there, if the node is of its making.
    """

    span: Span
    via: str = ""
    order: int = field(default=0, compare=False)
    """Which of the program's operations this one is, in the order in which they are read."""


@dataclass(frozen=True)
class Source:
    """A text with the name that diagnostics give it.

    `first_line` and `indent` say where the text stood in a larger file, for a function whose
    source was cut out of its module.
    """

    text: str
    file: str = "<text>"
    first_line: int = 1
    indent: int = 0
    folder: Path | None = None
    """Where the files beside it are; a text that is no file has none."""
    lines: list[str] = field(init=False, repr=False, compare=False)
    _columns: dict[int, Columns] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "lines", self.text.split("\n"))
        object.__setattr__(self, "_columns", {})

    def span(self, node: ast.AST) -> Span:
        """The stretch of a syntax node."""
        line: int = getattr(node, "lineno", 1)
        end_line: int = getattr(node, "end_lineno", None) or line
        column = self._character(line, getattr(node, "col_offset", 0))
        end_column = self._character(end_line, getattr(node, "end_col_offset", None) or 0)
        return self.at(line, column + 1, end_line, max(end_column, 0) + 1)

    def at(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The stretch between two places of this text, both counted from 1."""
        text = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Span(
            self.file,
            line + self.first_line - 1,
            column + self.indent,
            end_line + self.first_line - 1,
            end_column + self.indent,
            " " * self.indent + text.rstrip("\r"),
        )

    def _character(self, line: int, byte: int) -> int:
        """`ast` counts columns in UTF-8 bytes; people count characters."""
        if not 0 < line <= len(self.lines):
            return byte
        text = self.lines[line - 1]
        if text.isascii():
            return byte
        columns = self._columns.get(line)
        if columns is None:
            columns = self._columns[line] = Columns(text)
        return columns.character(byte)


class Columns:
    """The columns of one line that is not ASCII: bytes on one side, characters on the other.

    A line may be megabytes long and hold a place for every few bytes, so how many characters begin
    in each block is counted once.
    """

    BLOCK = 256
    CONTINUATION = bytes(range(0x80, 0xC0))
    """The bytes of UTF-8 with which no character begins."""

    def __init__(self, text: str) -> None:
        self._raw = text.encode(errors="replace")
        self._before = [0]
        for start in range(0, len(self._raw), self.BLOCK):
            self._before.append(self._before[-1] + self._begun(start, start + self.BLOCK))

    def character(self, byte: int) -> int:
        """How many characters begin before a byte."""
        block = min(byte, len(self._raw)) // self.BLOCK
        return self._before[block] + self._begun(block * self.BLOCK, byte)

    def _begun(self, start: int, end: int) -> int:
        return len(self._raw[start:end].translate(None, self.CONTINUATION))


class UnreadableSource(Exception):
    """The bytes are not a RASP-L text; the message says why, `line` where."""

    def __init__(self, message: str, instead: str, line: int = 1) -> None:
        super().__init__(message)
        self.instead = instead
        self.line = line


def read(path: str | Path) -> Source:
    """Read a file that need not be trusted. It is only ever decoded, never imported."""
    # Opening a FIFO waits for a writer, and a device may never end.
    mode = os.stat(path).st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise RasplError(f"{path} is not a regular file: save the program in a file and name that")
    with open(path, "rb") as file:
        raw = file.read(MAX_BYTES + 1)
    return replace(decode(raw, short_path(path)), folder=Path(path).absolute().parent)


def short_path(path: str | Path) -> str:
    """A path as the user would type it."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def decode(raw: bytes, file: str) -> Source:
    """Decode the bytes of a file, refusing what can't be a program."""
    if len(raw) > MAX_BYTES:
        raise UnreadableSource(
            f"the file is larger than {MAX_BYTES // 2**20} MiB", "split the program into files"
        )
    if b"\0" in raw:
        line = raw[: raw.index(b"\0")].count(b"\n") + 1
        raise UnreadableSource("the file holds null bytes", "save it as UTF-8 text", line)
    if raw.count(b"\n") > MAX_LINES:
        raise UnreadableSource(
            f"the file has more than {MAX_LINES:,} lines", "split the program into files"
        )
    if count_tokens(raw) > MAX_TOKENS:
        raise UnreadableSource(too_many_tokens(), "split the program into files")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UnreadableSource(
            f"byte {error.start} (0x{raw[error.start]:02x}) is not UTF-8", "save it as UTF-8", line
        ) from None
    return Source(text.replace("\r\n", "\n").replace("\r", "\n"), file)


_CLASSES = bytes(
    ord("w") if chr(code).isalnum() or code == ord("_") or code > 127
    else ord(" ") if chr(code).isspace()
    else ord(".")
    for code in range(256)
)  # fmt: skip
"""For each byte: part of a word, white space, or a sign."""


def count_tokens(raw: bytes) -> int:
    """About how many words and signs a text has; those in comments and strings count too."""
    classes = b" " + raw.translate(_CLASSES)
    return classes.count(b".") + classes.count(b" w") + classes.count(b".w")


def too_many_tokens() -> str:
    """The sentence for a text that is too large to be parsed."""
    return f"the text has more than {MAX_TOKENS:,} words and signs"
