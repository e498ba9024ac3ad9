"""Figures as in the paper, drawn from records: every seed a point, the median a line.

What stands on each of them is in panels.py; here are the title, the caption and the files.
"""

import textwrap
from collections.abc import Mapping
from io import BytesIO, StringIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from raspl.files import write_bytes, write_text
from raspl.studies.claims import Claim
from raspl.studies.evidence import Evidence
from raspl.studies.report.panels import HEIGHT, PANELS, WIDTH
from raspl.words import duration

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

MEDIANS = "median of the converged runs if most converged"
MARKS: Mapping[str, str] = MappingProxyType(
    {
        "bars": f"Bars: {MEDIANS}.",
        "over-length": f"Lines: {MEDIANS}; bands: interval over seeds.",
        "over-training-length": f"Lines: {MEDIANS}, with their interval over seeds.",
        "training": "Thick: median of all seeds; thin: every seed.",
        "counterfactual": f"Lines: {MEDIANS}.",
        "shortcut": "Thick: median of all seeds; thin: every seed.",
    }
)
"""What a figure's lines are; its legend has the rest."""


def caption(evidence: Evidence) -> str:
    """Scale, seeds and cost: what a reader must know before believing a figure."""
    found, wanted = len(evidence.found), len(evidence.wanted())
    runs = f"{wanted} runs" if found == wanted else f"{found} of {wanted} runs"
    devices = sorted({record.device.split(":")[0] for record in evidence.found}) or ["cpu"]
    where = " or ".join("CPU core" if one == "cpu" else one.upper() for one in devices)
    return (
        f"{evidence.study.id}: {evidence.scale} scale, {evidence.seeds_in_words}, {runs}, "
        f"{duration(evidence.seconds)} of one {where}. {MARKS[evidence.study.figure]}"
    )


def draw(claim: Claim, width: float = WIDTH, titled: bool = True) -> "Drawing":
    from matplotlib.figure import Figure

    evidence = claim.evidence
    figure = Figure(figsize=(width, HEIGHT), layout="constrained")
    PANELS[claim.study.figure](figure, evidence)
    if titled:
        tally = f" ({claim.tally} conditions)" if len(claim.findings) > 1 else ""
        whose = "the paper's claim" if claim.study.is_of_the_paper else "our own question"
        told = [claim.study.title, f"{whose}: {claim.verdict}{tally}"]
        title = "\n".join(textwrap.fill(line, int(66 * width / WIDTH)) for line in told)
        figure.suptitle(title, fontsize=12 if width == WIDTH else 10.5, fontweight="bold")
    words = textwrap.fill(caption(evidence), int(125 * width / WIDTH))
    figure.supxlabel(words, fontsize=7.5, color="#444444", x=0.01, ha="left")
    return figure


def save(claim: Claim, folder: Path) -> None:
    """PNG for pages, SVG for print; the same bytes for the same records."""
    folder.mkdir(parents=True, exist_ok=True)
    picture = BytesIO()
    draw(claim).savefig(picture, format="png", dpi=130, metadata={"Software": None})
    write_bytes(folder / f"{claim.study.id}.png", picture.getvalue())
    write_text(folder / f"{claim.study.id}.svg", svg(claim))


def svg(claim: Claim, transparent: bool = False, width: float = WIDTH, titled: bool = True) -> str:
    """`transparent` for a page, which may be dark; `width` in inches."""
    import matplotlib

    text = StringIO()
    with matplotlib.rc_context({"svg.hashsalt": claim.study.id, "svg.fonttype": "none"}):
        figure = draw(claim, width, titled)
        figure.savefig(text, format="svg", metadata={"Date": None}, transparent=transparent)
    return text.getvalue()
