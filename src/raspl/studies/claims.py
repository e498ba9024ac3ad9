"""A study's claim, judged on the runs there are."""

from collections.abc import Mapping
from dataclasses import dataclass

from raspl.runs.records import RunRecord
from raspl.studies.checks import Finding, Verdict
from raspl.studies.evidence import Evidence
from raspl.studies.study import Study
from raspl.tasks import Scale

WEIGHTIEST = (Verdict.INCOMPLETE, Verdict.FAILS, Verdict.NOT_CONVERGED, Verdict.HOLDS)
"""A claim is as good as its worst condition, in this order."""


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
    def decided(self) -> bool:
        return self.verdict in (Verdict.HOLDS, Verdict.FAILS)

    @property
    def tally(self) -> str:
        held = sum(finding.verdict is Verdict.HOLDS for finding in self.findings)
        return f"{held} of {len(self.findings)}"


def judge(study: Study, scale: Scale, seeds: int, records: Mapping[str, RunRecord]) -> Claim:
    evidence = Evidence(study, scale, seeds, records)
    findings = tuple(check.judge(evidence) for check in study.checks(scale))
    verdict = next(one for one in WEIGHTIEST if any(one is f.verdict for f in findings))
    return Claim(evidence, verdict, findings)
