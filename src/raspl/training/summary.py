"""The result of a trained model: every score that figures and claims ask for."""

import numpy as np

from raspl.tasks import Task
from raspl.training.agreement import agreement, comparison, predictions
from raspl.training.configuration import Configuration
from raspl.training.evaluation import drawn_for_test, final_answers, score, score_as_trained
from raspl.training.model import Transformer
from raspl.training.overlap import REDRAWN, overlap
from raspl.training.result import Counterfactuals, FinalAnswers, Overlap, Result
from raspl.training.tensors import digest_of_tensors

CURVE = 12
"""Lengths in the curve of exact match over length, beside those asked for."""


def summary(model: Transformer, task: Task, config: Configuration) -> Result:
    longest = max(config.max_length, *config.test_lengths, task.shortest)
    between = np.linspace(task.shortest, longest, CURVE).round().astype(int).tolist()
    asked = sorted({config.max_length, *config.test_lengths})
    lengths = sorted({*asked, *between})
    trained = [length for length in lengths if config.min_length <= length <= config.max_length]
    on = config.judged_on(task)
    as_trained = score_as_trained(model, task, config)
    seen = overlap(task, config, trained)
    return Result(
        run=config.name,
        weight_count=sum(weight.numel() for weight in model.parameters()),
        weights=digest_of_tensors(dict(model.state_dict()), {}),
        as_trained=as_trained,
        in_distribution=tuple(score(model, task, config, config.train_on, n) for n in trained),
        tested=tuple(score(model, task, config, on, n) for n in lengths),
        overlap=tuple(
            Overlap(length=length, share=share, steps=min(config.steps, REDRAWN))
            for length, share in seen.items()
        ),
        also=tuple(
            score(model, task, config, other, length)
            for other in task.variants
            if other != on
            for length in asked
        ),
        final_answers=final_scores(model, task, config, on, asked),
        counterfactual=counterfactuals(model, task, config.seed, [config.max_length, longest]),
        agreement_with_program=tuple(
            agreement(model, task, config.seed, length, on)
            for length in ([config.max_length, longest] if task.program is not None else [])
        ),
        compared=tuple(
            comparison(model, task, config, length)
            for length in (config.test_lengths if config.compared_with else ())
        ),
    )


def final_scores(
    model: Transformer, task: Task, config: Configuration, on: str, lengths: list[int]
) -> tuple[FinalAnswers, ...]:
    """Of a task without a scratchpad the whole answer is final, and nothing needs saying."""
    if task.final is None:
        return ()
    return tuple(
        FinalAnswers(
            on=on,
            length=length,
            accuracy=final_answers(model, task, drawn_for_test(task, config, on, length)),
        )
        for length in lengths
    )


def counterfactuals(
    model: Transformer, task: Task, seed: int, lengths: list[int]
) -> tuple[Counterfactuals, ...]:
    """The task's own tests on sequences that no example looks like, if it has any."""
    tests = task.counterfactual
    if tests is None:
        return ()
    return tuple(
        Counterfactuals(
            length=length,
            shares=dict(tests.run(lambda tokens: predictions(model, tokens), seed, length)),
        )
        for length in lengths
    )
