"""What was written by hand about the results that ship: on all of them, and study by study."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

HEADING = re.compile(r"^## (\S+)$", re.MULTILINE)


@dataclass(frozen=True)
class Notes:
    """Plain text, with blank lines between paragraphs."""

    general: str = ""
    of: Mapping[str, str] = field(default_factory=dict)
    """By the study's id."""


def read(path: Path) -> Notes:
    """A text in which a heading of the second level is the id of the study that follows."""
    if not path.exists():
        return Notes()
    general, *rest = HEADING.split(path.read_text())
    texts = (text.strip() for text in rest[1::2])
    return Notes(general.strip(), dict(zip(rest[::2], texts, strict=True)))
