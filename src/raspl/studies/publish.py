"""From claims to the results that ship."""

from pathlib import Path

from raspl.files import write_text
from raspl.prediction import store as predictions
from raspl.runs.store import Store, drop_stale, ship
from raspl.studies.assess import claims_of, configurations, lines_of, records_of, seeds_there
from raspl.studies.catalogue import STUDIES
from raspl.studies.claims import Claim
from raspl.studies.conjecture import arms_of_all_tasks
from raspl.studies.report import figures, gather, notes, readme, tables
from raspl.studies.scales import FIRST_SEED, LEADING
from raspl.tasks import Scale


def publish(scale: Scale, seeds: int | None, root: Path, results: Path) -> list[Claim]:
    """Bring results/SCALE up to date with the runs: records, predictions, figures, scorecard."""
    ids, folder, store = list(STUDIES), results / scale, Store(root, results, own_first=True)
    records = records_of(ids, scale, seeds_there(scale, seeds, store), store)
    for record in records.values():
        ship(results, record)
    drop_stale(results, scale, configurations(ids, scale, 1).values(), FIRST_SEED[scale])
    for arm in arms_of_all_tasks():
        values = arm.configuration(scale, arm.lengths(scale).own, 0).parameters
        said = predictions.stored(root, arm.task, values, scale)
        if said is not None:
            predictions.store(folder, said, scale)
    claims = claims_of(ids, scale, seeds, store)
    for claim in claims:
        if claim.begun:
            figures.save(claim, folder / "figures")
    lines = lines_of(scale, seeds, store)
    costs = gather.costs(claims, scale, store)
    card = tables.scorecard(claims, lines, notes.shipped(results, scale), costs)
    write_text(folder / "scorecard.md", card)
    if scale == LEADING:
        readme.update(results.parent / "README.md", claims)
    return claims
