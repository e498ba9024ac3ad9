"""A study's claim, judged on the runs there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from raspl.runs.records import RunRecord
from raspl.studies.conditions import needed
from raspl.studies.evidence import Evidence
from raspl.studies.study import Study
from raspl.studies.verdicts import DECIDED, Finding, Verdict
from raspl.tasks import Scale
from raspl.words import percent

OPEN = (Verdict.NOT_REPRODUCED, Verdict.UNDECIDED, Verdict.NOT_CONVERGED)
"""In the order in which they weigh."""
NAMED = 3
"""Parts of a claim that its one line names; the others are counted."""


@dataclass(frozen=True)
class Claim:
    """A study and what its runs say."""

    evidence: Evidence
    verdict: Verdict
    findings: tuple[Finding, ...]

    @property
    def study(self) -> Study:
        return self.evidence.study

    @property
    def begun(self) -> bool:
        """Whether any run is there."""
        return bool(self.evidence.found)

    @property
    def decided(self) -> bool:
        return self.verdict in DECIDED

    def of(self, verdict: Verdict) -> list[Finding]:
        return [finding for finding in self.findings if finding.verdict is verdict]

    @property
    def tally(self) -> str:
        return f"{len(self.of(Verdict.REPRODUCED))} of {len(self.findings)}"

    @property
    def words(self) -> str:
        """Which parts are not reproduced, and why; nothing where the verdict says it all."""
        if self.verdict is Verdict.NOT_RUN:
            found, wanted = len(self.evidence.found), len(self.evidence.wanted())
            return f"{found} of {wanted} runs are there" if found else ""
        if len(self.findings) == 1:
            return ""
        parts = [
            f"{verdict}: {listed([finding.part for finding in self.of(verdict)])}"
            for verdict in OPEN
            if self.of(verdict)
        ]
        rest = self.verdict is not Verdict.PARTLY and self.of(Verdict.REPRODUCED)
        return "; ".join(parts) + ("; the rest is reproduced" if parts and rest else "")

    @property
    def paper(self) -> str:
        """The paper's numbers, each once."""
        return "; ".join(dict.fromkeys(finding.paper for finding in self.findings if finding.paper))

    @property
    def ours(self) -> str:
        """Our numbers: of what is not reproduced first, else of all as far as they fit a line."""
        telling = [f for f in self.findings if f.verdict is not Verdict.REPRODUCED]
        many = len(self.findings) > NAMED and all(f.middle is not None for f in self.findings)
        if many and not telling:
            return bounds(self.findings)
        return listed([finding.ours for finding in telling or self.findings])

    def seeds_needed(self, most: int) -> int | None:
        """How many seeds would decide it, by the spread of those there are; None if not so many."""
        return needed(self.study.checks(self.evidence.scale), self.evidence, most)


def bounds(findings: Sequence[Finding]) -> str:
    """The least median of what should generalise, and the greatest of what should not."""
    high, low = (
        [one.middle for one in findings if one.expected == expected and one.middle is not None]
        for expected in ("generalises", "does not")
    )
    parts = [f"{percent(min(high))} or more where it should generalise"] if high else []
    parts += [f"{percent(max(low))} or less where it should not"] if low else []
    return ", ".join(parts)


def listed(parts: Sequence[str]) -> str:
    """Each once, and no more than fit a line."""
    each = list(dict.fromkeys(parts))
    more = len(each) - NAMED
    # To count a single one would take as much room as to name it.
    return "; ".join(each if more <= 1 else [*each[:NAMED], f"{more} more"])


def judge(study: Study, scale: Scale, seeds: int, records: Mapping[str, RunRecord]) -> Claim:
    evidence = Evidence(study, scale, seeds, records)
    findings = tuple(check.judge(evidence) for check in study.checks(scale))
    return Claim(evidence, combined({finding.verdict for finding in findings}), findings)


def combined(verdicts: set[Verdict]) -> Verdict:
    """Of a claim, from those of its conditions."""
    if Verdict.NOT_RUN in verdicts:
        return Verdict.NOT_RUN
    if verdicts >= {Verdict.REPRODUCED, Verdict.NOT_REPRODUCED}:
        return Verdict.PARTLY
    return next((one for one in OPEN if one in verdicts), Verdict.REPRODUCED)
