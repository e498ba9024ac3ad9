"""Records with chosen numbers: what claims, figures and reports are tested on."""

from collections.abc import Callable

from raspl.prediction.prediction import Judgement, Prediction, Verdict
from raspl.runs.records import RunRecord
from raspl.studies.assess import configurations
from raspl.tasks import SHIPPED, Scale
from raspl.training.configuration import Configuration
from raspl.training.result import (
    Comparison,
    Counterfactuals,
    FinalAnswers,
    Logged,
    Result,
    Score,
)

Exact = Callable[[Configuration, str, int], float]
"""Exact match by run, distribution and length."""


def always(share: float) -> Exact:
    return lambda config, on, length: share


def record(config: Configuration, exact: Exact, trained: float = 1.0) -> RunRecord:
    task = config.build_task()
    on, own = config.judged_on(task), config.max_length
    lengths = sorted({own, *config.test_lengths})

    def score(on: str, length: int) -> Score:
        share = exact(config, on, length)
        return Score(on=on, length=length, examples=100, exact=share, exact_without_end=share)

    def fitted(share: float) -> Score:
        return score(config.train_on, own).replace(exact=share)

    words = {} if task.counterfactual is None else task.counterfactual.words
    result = Result(
        run=config.name,
        weight_count=1000,
        weights="",
        overlap=(),
        as_trained=fitted(trained),
        in_distribution=(fitted(trained),),
        tested=tuple(score(on, length) for length in lengths),
        also=tuple(score(name, length) for name in task.variants for length in lengths),
        final_answers=tuple(
            FinalAnswers(on=on, length=n, accuracy=exact(config, on, n)) for n in lengths
        ),
        counterfactual=tuple(
            Counterfactuals(length=length, shares=dict.fromkeys(words, 1.0))
            for length in ((own, lengths[-1]) if words else ())
        ),
        compared=tuple(
            Comparison(
                program=config.compared_with,
                length=length,
                asked=9,
                differing=6,
                like_program=1.0,
                like_truth=0.0,
                by_position=(None, (1.0, 0.0)),
            )
            for length in (config.test_lengths if config.compared_with else ())
        ),
    )
    curve = tuple(
        Logged(step=step, loss=1.0, scores=(fitted(share),))
        for step, share in ((10, 0.1), (20, trained))
    )
    return RunRecord(
        config=config, result=result, curve=curve, seconds=2.0, sessions=1, threads=1, device="cpu"
    )


def records(
    ids: list[str], exact: Exact, scale: Scale = "smoke", seeds: int = 1, trained: float = 1.0
) -> dict[str, RunRecord]:
    wanted = configurations(ids, scale, seeds)
    return {name: record(config, exact, trained) for name, config in wanted.items()}


def as_the_paper_says(config: Configuration, on: str, length: int) -> float:
    """Perfect where the paper is, nothing where the paper has nothing."""
    forward_hard = (config.task, config.train_on, on) == ("addition_forward", "train", "hard")
    if config.task == "parity_plain" or config.architecture == "mlp":
        return 0.5
    if config.task == "conjunction":
        return 1.0
    generalises = SHIPPED[config.task].program is not None and not forward_hard
    as_usual = config.positions == "learned" and config.offset == "random" and not config.min_length
    return 1.0 if generalises and as_usual else 0.0


def said(task: str, verdict: Verdict, reason: str = "", made: str = "2026") -> Prediction:
    judged = Judgement(verdict=verdict, realizability=reason, simplicity="", diversity="")
    return Prediction(
        task=task, verdict=verdict, made=made, trained_to=5, readings={"letter": judged}
    )
