"""From runs on disk to claims, and from claims to the results that ship."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from raspl.files import write_text
from raspl.runs import store
from raspl.runs.records import Record
from raspl.studies import conjecture, predictions
from raspl.studies.catalogue import STUDIES, study_of
from raspl.studies.claims import Claim, judge
from raspl.studies.report import figures, notes, tables
from raspl.studies.report.notes import Notes
from raspl.studies.scales import FIRST_SEED, SEEDS
from raspl.studies.study import Arm, Study
from raspl.training.configuration import Configuration, Scale


@dataclass(frozen=True)
class Places:
    """Where runs and results are."""

    root: Path | None
    """The user's own runs; None to look at what ships only."""
    results: Path | None
    """What ships; None to look at the user's own runs only."""

    def folders(self, scale: Scale) -> tuple[Path, ...]:
        """Where predictions may be."""
        shipped = None if self.results is None else self.results / scale
        return tuple(folder for folder in (self.root, shipped) if folder is not None)

    def notes(self, scale: Scale) -> Notes:
        """What was written by hand about the results that ship."""
        return Notes() if self.results is None else notes.read(self.results / scale / "notes.md")


def named(ids: Sequence[str]) -> list[str]:
    """Each study once; `all` stands for all of them."""
    each = [one for given in ids for one in (STUDIES if given == "all" else (study_of(given).id,))]
    return list(dict.fromkeys(each))


def configurations(ids: Sequence[str], scale: Scale, seeds: int) -> dict[str, Configuration]:
    """Every run of the studies, each once; all of the first seed first."""
    found = [study_of(one).runs(scale, seeds) for one in ids]
    merged = {name: config for runs in found for name, config in runs.items()}
    return dict(sorted(merged.items(), key=lambda item: item[1].seed))


def left_to_run(
    ids: Sequence[str], scale: Scale, seeds: int, places: Places
) -> dict[str, Configuration]:
    """Every run of the studies but those that ship; the user's own finished ones cost nothing."""
    wanted = configurations(ids, scale, seeds)
    done = store.collect(wanted.values(), None, places.results)
    return {name: config for name, config in wanted.items() if name not in done}


def seeds_of(scale: Scale, seeds: int | None) -> int:
    return SEEDS[scale] if seeds is None else seeds


def seeds_there(scale: Scale, seeds: int | None, places: Places) -> int:
    """The seeds asked for; or else the scale's, and those after them that any run is there of."""
    if seeds is not None:
        return seeds
    number = SEEDS[scale]
    while store.collect(of_one_seed(scale, number), places.root, places.results):
        number += 1
    return number


def of_one_seed(scale: Scale, number: int) -> list[Configuration]:
    """Every run of the seed after as many others."""
    wanted = configurations(list(STUDIES), scale, number + 1).values()
    return [config for config in wanted if config.seed == FIRST_SEED + number]


def records_of(ids: Sequence[str], scale: Scale, seeds: int, places: Places) -> dict[str, Record]:
    wanted = configurations(ids, scale, seeds).values()
    return store.collect(wanted, places.root, places.results)


def claims_of(ids: Sequence[str], scale: Scale, seeds: int | None, places: Places) -> list[Claim]:
    """Every study judged on the seeds asked for, or else on those of which no run is missing."""
    records = records_of(ids, scale, seeds_there(scale, seeds, places), places)
    studies = [study_of(one) for one in ids]
    return [
        judge(study, scale, seeds or whole_seeds(study, scale, records), records)
        for study in studies
    ]


def whole_seeds(study: Study, scale: Scale, records: Mapping[str, Record]) -> int:
    """How many seeds a study has all runs of; 1 if it has none, which makes it incomplete."""
    number = 1
    while study.runs(scale, number + 1).keys() <= records.keys():
        number += 1
    return number


def lines_of(
    scale: Scale, seeds: int | None, places: Places, arms: tuple[Arm, ...] = conjecture.TASKS
) -> list[conjecture.Line]:
    """The conjecture's scorecard."""
    number = seeds_there(scale, seeds, places)
    records = records_of(list(STUDIES), scale, number, places)
    return conjecture.scorecard(scale, number, records, places.folders(scale), arms)


def publish(scale: Scale, seeds: int | None, root: Path, results: Path) -> list[Claim]:
    """Bring results/SCALE up to date with the runs: records, predictions, figures, scorecard."""
    ids, folder = list(STUDIES), results / scale
    places = Places(root, results)
    records = records_of(ids, scale, seeds_there(scale, seeds, places), places)
    for record in records.values():
        store.ship(results, record)
    store.drop_stale(results, scale, configurations(ids, scale, 1).values())
    for arm in conjecture.TASKS:
        said = predictions.stored(root, arm.configuration(scale, arm.lengths(scale).own, 0))
        if said is not None:
            predictions.store(folder, said)
    claims = claims_of(ids, scale, seeds, places)
    for claim in claims:
        figures.save(claim, folder / "figures")
    write_text(folder / "scorecard.md", tables.scorecard(claims, places.notes(scale)))
    return claims
