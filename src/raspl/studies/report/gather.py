"""From stored runs to the parts of a page: one for each scale there are results of."""

from collections.abc import Sequence

from raspl.errors import RasplError
from raspl.runs.costs import Estimator
from raspl.runs.store import Store
from raspl.studies import assess, inside
from raspl.studies.catalogue import STUDIES
from raspl.studies.claims import Claim
from raspl.studies.departures import PAPER
from raspl.studies.minutes import Minutes, minutes
from raspl.studies.report import notes
from raspl.studies.report.page import Part
from raspl.studies.report.readme import HEADLINE
from raspl.studies.scales import LEADING
from raspl.tasks import Scale
from raspl.tasks.shipped import SCALES


def part(ids: Sequence[str], scale: Scale, seeds: int | None, store: Store) -> Part:
    """The claims of a scale, with the user's own runs beside what ships."""
    claims = assess.claims_of(ids, scale, seeds, store)
    return Part(
        scale,
        claims,
        assess.lines_of(scale, seeds, store),
        notes.shipped(store.results, scale),
        assess.own_claims(ids, scale, store),
        costs(claims, scale, store),
        inside.shipped(store.results, scale),
    )


def costs(claims: Sequence[Claim], scale: Scale, store: Store) -> list[Minutes]:
    """Of the headline's lines, unless they are the paper's recipe themselves."""
    headline = [claim for claim in claims if claim.study.id == HEADLINE]
    if not headline or scale == PAPER:
        return []
    known = assess.records_of(list(STUDIES), PAPER, 1, store)
    return minutes(headline[0].evidence, Estimator(known))


def parts(ids: Sequence[str], scale: Scale | None, seeds: int | None, store: Store) -> list[Part]:
    """Of one scale; or, if none is named, of all that have results, the leading one first."""
    scales = [scale] if scale is not None else there(store)
    found = [part(ids, one, seeds, store) for one in scales]
    kept = [one for one in found if any(claim.begun for claim in one.claims)]
    if not kept:
        at = f" at {scale} scale" if scale is not None else ""
        folders = " or ".join(str(one) for one in (store.root, store.results) if one is not None)
        raise RasplError(
            f"There are no runs of these studies{at} in {folders}, so there is nothing to report. "
            "`raspl study run` trains some; --root and --results name other folders."
        )
    return kept


def there(store: Store) -> list[Scale]:
    """The leading scale, and the others that results ship of."""
    shipped = [
        scale
        for scale in SCALES
        if store.results is not None and (store.results / scale / "runs").is_dir()
    ]
    return list(dict.fromkeys([LEADING, *shipped]))
