"""What was written by hand about the results that ship: on all of them, and study by study."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from raspl.errors import RasplError
from raspl.studies.catalogue import STUDIES
from raspl.tasks import Scale

HEADING = re.compile(r"^## +(.+?) *$", re.MULTILINE)


@dataclass(frozen=True)
class Notes:
    """Plain text, with blank lines between paragraphs."""

    general: str = ""
    of: Mapping[str, str] = field(default_factory=dict)
    """By the study's id."""


def shipped(results: Path | None, scale: Scale) -> Notes:
    """On the results of a scale, if there are any."""
    return Notes() if results is None else read(results / scale / "notes.md")


def read(path: Path) -> Notes:
    """A text in which a heading of the second level is the id of the study that follows."""
    if not path.exists():
        return Notes()
    general, *rest = HEADING.split(path.read_text())
    found: dict[str, str] = {}
    for name, text in zip(rest[::2], rest[1::2], strict=True):
        if name not in STUDIES or name in found:
            why = "comes twice" if name in found else "is no study's id"
            raise RasplError(f"{path}: the heading {name!r} {why}; `raspl study list` shows them.")
        found[name] = text.strip()
    return Notes(general.strip(), found)
