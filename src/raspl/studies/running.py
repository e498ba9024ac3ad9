"""Running studies: predict before training, train what is missing, then judge."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from raspl.fleet.status import Fleet, Outcome, Watch
from raspl.prediction.before import Request, predict_before
from raspl.runs.costs import Estimator
from raspl.runs.store import Store, begun
from raspl.studies.assess import claims_of, left_to_run, records_of, seeds_of
from raspl.studies.claims import Claim
from raspl.studies.verdicts import Verdict
from raspl.tasks import Scale
from raspl.training.configuration import Configuration


@dataclass(frozen=True)
class Order:
    """Which studies to run, and what counts as done."""

    ids: Sequence[str]
    scale: Scale
    seeds: int | None
    """None for as many as the scale has."""
    root: Path
    results: Path
    with_shipped: bool = False
    """Whether runs that ship count as done, and are judged with the user's own."""

    @property
    def store(self) -> Store:
        return Store(self.root, self.results if self.with_shipped else None)

    @property
    def number(self) -> int:
        return seeds_of(self.scale, self.seeds)

    def configurations(self) -> list[Configuration]:
        """The runs to do; finished ones among them cost nothing."""
        return list(left_to_run(self.ids, self.scale, self.number, self.store).values())

    def estimator(self) -> Estimator:
        """What runs would cost, from all that were measured."""
        everything = Store(self.root, self.results)
        return Estimator(records_of(self.ids, self.scale, self.number, everything))

    def claims(self) -> list[Claim]:
        return claims_of(self.ids, self.scale, self.seeds, self.store)


def next_order(order: Order, most: int) -> Order | None:
    """The studies that are undecided, with the seeds that would decide them; None if none is.

    The estimate rests on few seeds, so it is made again when those that it named are there, and
    where it sees no end, the seeds are doubled. More than `most` are never asked for.
    """
    wanted = {
        claim.study.id: claim.seeds_needed(most) or 2 * order.number
        for claim in order.claims()
        if claim.verdict is not Verdict.NOT_RUN and claim.of(Verdict.UNDECIDED)
    }
    if not wanted or order.number >= most:
        return None
    seeds = min(max(min(wanted.values()), order.number + 1), most)
    return replace(order, ids=list(wanted), seeds=seeds)


def predict_first(root: Path, configs: Iterable[Configuration], budget: float) -> list[str]:
    """Predict every task whose training has not begun; sentences on what could not be predicted.

    A task whose training has begun is left without: a prediction after the fact is none.
    """
    first: dict[str, Configuration] = {}
    for config in configs:
        first.setdefault(config.task, config)
    requests = (
        Request(config.task, config.parameters, config.scale)
        for config in first.values()
        if not begun(root, config.task, config.scale)
    )
    return predict_before(requests, root, budget)


def run(
    order: Order,
    fleet: Callable[[Estimator], Fleet],
    predict: float,
    say: Callable[[str], None],
    watch: Watch,
) -> Outcome:
    """Do what an order asks for, in which seconds of search a task go into its prediction."""
    configs = order.configurations()
    if predict and order.scale != "smoke":  # whose training shows nothing to compare with
        say("Predicting before training starts …")
        for sentence in predict_first(order.root, configs, predict):
            say(sentence)
    return fleet(order.estimator()).run(configs, watch)


def run_until_decided(
    order: Order,
    most: int,
    fleet: Callable[[Estimator], Fleet],
    predict: float,
    say: Callable[[str], None],
    watch: Watch,
) -> tuple[Outcome, Order]:
    """The same, then more seeds of what is undecided, until nothing is or there are so many.

    All claims are judged at the end, each on the seeds for which it has every run.
    """
    outcome = run(order, fleet, predict, say, watch)
    following = next_order(order, most)
    while following is not None and not outcome.failed:
        say(f"Undecided: {', '.join(following.ids)}. Going on to {following.seeds} seeds …")
        outcome = run(following, fleet, 0, say, watch)
        following = next_order(following, most)
    return outcome, replace(order, seeds=None)
