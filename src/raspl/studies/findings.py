"""Where our runs contradict the paper: at its own lengths, with models that learned their data."""

from collections.abc import Sequence

from raspl.studies.claims import Claim
from raspl.studies.verdicts import Finding, Verdict


def contradictions(claim: Claim) -> list[Finding]:
    """Conditions that converged runs at the paper's lengths violate."""
    return [one for one in claim.of(Verdict.NOT_REPRODUCED) if one.at_the_papers_lengths]


def against(claims: Sequence[Claim]) -> list[Claim]:
    """Claims of the paper's own; a question that it leaves open contradicts nothing."""
    return [claim for claim in claims if claim.study.is_of_the_paper and contradictions(claim)]


def paragraph(claim: Claim) -> str:
    """What the paper says, and the parts of it that our runs contradict."""
    found = contradictions(claim)
    which = (
        "this" if len(claim.findings) == 1 else f"{len(found)} of {len(claim.findings)} conditions"
    )
    measured = "; ".join(f"{one.sentence}: {one.numbers}" for one in found)
    return f"The paper: {claim.study.claim} Our runs contradict {which}. {measured}."
