"""The headline as README.md has it: a figure and a sentence, written from the results that ship.

They stand between two marks and are of the scale that leads (studies/scales.py); `raspl study
publish` writes them anew.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from raspl.files import write_text
from raspl.studies.claims import Claim
from raspl.studies.scales import PAPERS_LENGTHS
from raspl.studies.verdicts import Verdict
from raspl.words import duration

HEADLINE = "headline"
BEGIN, END = "<!-- headline -->", "<!-- /headline -->"
BETWEEN = re.compile(f"(?<={BEGIN}\n).*?(?={END})", re.DOTALL)


def headline_words(claim: Claim) -> str:
    """The headline in one sentence."""
    met, all_of_it = len(claim.of(Verdict.REPRODUCED)), len(claim.findings)
    evidence = claim.evidence
    return (
        f"At {evidence.scale} scale, {met} of the {all_of_it} lines of the paper's table are "
        f"reproduced on {evidence.seeds_in_words.removesuffix(' per point')}, with "
        f"{duration(evidence.seconds)} of one core in all.{lengths_in_words(claim)}"
    )


def lengths_in_words(claim: Claim) -> str:
    """Which lines stand at the paper's lengths, at a scale that is about them."""
    if claim.evidence.scale not in PAPERS_LENGTHS:
        return ""
    others = [one.part for one in claim.findings if not one.at_the_papers_lengths]
    if not others:
        return " All of them are trained and tested at the paper's lengths."
    return f" All are trained and tested at the paper's lengths but {' and '.join(others)}."


def tally_words(claims: Sequence[Claim]) -> str:
    """How many of the paper's claims have each verdict."""
    papers = [claim for claim in claims if claim.study.is_of_the_paper]
    counts = {one: sum(claim.verdict is one for claim in papers) for one in Verdict}
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)


def block(claims: Sequence[Claim]) -> str:
    """What stands between the marks."""
    claim = next(one for one in claims if one.study.id == HEADLINE)
    folder = f"results/{claim.evidence.scale}"
    return (
        f"![Exact match beyond the training length: {claim.study.title}]"
        f"({folder}/figures/{HEADLINE}.png)\n\n"
        f"{headline_words(claim)} [The scorecard]({folder}/scorecard.md) has our runs claim by\n"
        f"claim, each with an interval over seeds: {tally_words(claims)}.\n"
    )


def update(path: Path, claims: Sequence[Claim]) -> None:
    """Write the block into a README that has the marks."""
    if path.is_file() and BEGIN in (text := path.read_text()):
        write_text(path, BETWEEN.sub(block(claims), text))
