"""Where our runs contradict the paper: at its own lengths, with models that learned their data."""

from collections.abc import Sequence

from raspl.studies.claims import Claim
from raspl.studies.verdicts import Finding, Verdict


def contradictions(claim: Claim) -> list[Finding]:
    """Conditions that converged runs at the paper's lengths violate."""
    return [one for one in claim.of(Verdict.NOT_REPRODUCED) if one.at_the_papers_lengths]


def against(claims: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in claims if contradictions(claim)]


def paragraph(claim: Claim) -> str:
    """What the paper says, and what we measured instead."""
    measured = "; ".join(f"{one.sentence}: {one.numbers}" for one in contradictions(claim))
    return f"The paper: {claim.study.claim} Not so in our runs. {measured}."
