"""From stored runs to judged claims."""

from collections.abc import Mapping, Sequence

from raspl.runs.records import RunRecord
from raspl.runs.store import Store
from raspl.studies import conjecture
from raspl.studies.catalogue import STUDIES, study_of
from raspl.studies.claims import Claim, judge
from raspl.studies.scales import FIRST_SEED, SEEDS
from raspl.studies.study import Arm, Study
from raspl.tasks import Scale
from raspl.training.configuration import Configuration


def named(ids: Sequence[str]) -> list[str]:
    """Each study once; `all` stands for all of the paper's."""
    each = [one for given in ids for one in (STUDIES if given == "all" else (study_of(given).id,))]
    return list(dict.fromkeys(each))


def configurations(ids: Sequence[str], scale: Scale, seeds: int) -> dict[str, Configuration]:
    """Every run of the studies, each once; all of the first seed first."""
    found = [study_of(one).runs(scale, seeds) for one in ids]
    merged = {name: config for runs in found for name, config in runs.items()}
    return dict(sorted(merged.items(), key=lambda item: item[1].seed))


def left_to_run(
    ids: Sequence[str], scale: Scale, seeds: int, store: Store
) -> dict[str, Configuration]:
    """Every run of the studies but those that ship; the user's own finished ones cost nothing."""
    wanted = configurations(ids, scale, seeds)
    done = Store(None, store.results).collect(wanted.values())
    return {name: config for name, config in wanted.items() if name not in done}


def seeds_of(scale: Scale, seeds: int | None) -> int:
    return SEEDS[scale] if seeds is None else seeds


def seeds_there(scale: Scale, seeds: int | None, store: Store) -> int:
    """The seeds asked for; or else the scale's, and those after them that any run is there of."""
    if seeds is not None:
        return seeds
    number = SEEDS[scale]
    while store.collect(of_one_seed(scale, number)):
        number += 1
    return number


def of_one_seed(scale: Scale, number: int) -> list[Configuration]:
    """Every run of the seed after as many others."""
    wanted = configurations(list(STUDIES), scale, number + 1).values()
    return [config for config in wanted if config.seed == FIRST_SEED[scale] + number]


def records_of(ids: Sequence[str], scale: Scale, seeds: int, store: Store) -> dict[str, RunRecord]:
    return store.collect(configurations(ids, scale, seeds).values())


def claims_of(ids: Sequence[str], scale: Scale, seeds: int | None, store: Store) -> list[Claim]:
    """Every study judged on the seeds asked for, or else on those of which no run is missing."""
    records = records_of(ids, scale, seeds_there(scale, seeds, store), store)
    studies = [study_of(one) for one in ids]
    return [
        judge(study, scale, seeds or whole_seeds(study, scale, records), records)
        for study in studies
    ]


def own_claims(ids: Sequence[str], scale: Scale, store: Store) -> dict[str, Claim]:
    """The same studies judged on the user's runs alone, to stand beside what ships.

    Those of which the user has a run; none where nothing ships, as then all claims are the user's.
    """
    ships = Store(None, store.results)
    if not ships.collect(configurations(ids, scale, 1).values()):
        return {}
    claims = claims_of(ids, scale, None, Store(store.root, None))
    return {claim.study.id: claim for claim in claims if claim.begun}


def whole_seeds(study: Study, scale: Scale, records: Mapping[str, RunRecord]) -> int:
    """How many seeds a study has all runs of; 1 if it has none, which makes it incomplete."""
    number = 1
    while (
        len(more := study.runs(scale, number + 1)) > len(study.runs(scale, number))
        and more.keys() <= records.keys()
    ):
        number += 1
    return number


def lines_of(
    scale: Scale, seeds: int | None, store: Store, arms: tuple[Arm, ...] | None = None
) -> list[conjecture.Line]:
    """The conjecture's scorecard, of all tasks unless some are named."""
    chosen = conjecture.arms_of_all_tasks() if arms is None else arms
    number = seeds_there(scale, seeds, store)
    records = records_of([arm.task for arm in chosen], scale, number, store)
    return conjecture.scorecard(scale, number, records, store.folders(scale), chosen)
