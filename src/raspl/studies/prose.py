"""Claims that stand in the paper's prose and in none of its figures, and choices it leaves open."""

from raspl.studies.arms import (
    ADDITION_FURTHER,
    BEYOND_FEW,
    CONJUNCTION,
    CONJUNCTION_ANSWER,
    CONJUNCTION_AT_START,
    CONJUNCTION_BARE,
    CONJUNCTION_BARE_AT_START,
    CONJUNCTION_MLP,
    COUNT,
    COUNT_AT_START,
    COUNT_FEW,
    COUNT_SHIFTED,
    MODE_FEW,
    ONE_LENGTH,
    PARITY_ALL_HINTS,
    PARITY_FEW_HINTS,
    PARITY_FURTHER,
    REPEAT,
    REPEAT_TIGHT,
    UNIQUE,
    UNIQUE_AT_START,
)
from raspl.studies.checks import AtLeast, AtMost, Below, Follows
from raspl.studies.conditions import Check
from raspl.studies.paper import NUMBERS
from raspl.studies.study import Study
from raspl.tasks import SHIPPED, Scale

CHOICES = (
    CONJUNCTION,
    CONJUNCTION_AT_START,
    CONJUNCTION_BARE,
    CONJUNCTION_BARE_AT_START,
    CONJUNCTION_ANSWER,
)


def further_checks(scale: Scale) -> tuple[Check, ...]:
    """At chance 5 beyond the training length, and at the scale's own test length if that is as far.

    Addition is trained to completion; parity does not even fit its training data.
    """
    checks: list[Check] = []
    for arm in (ADDITION_FURTHER, PARITY_FURTHER):
        lengths = arm.lengths(scale)
        (least,) = (lengths.own + length for length in arm.further)
        for far in sorted({least, max(least, lengths.target)}):
            fits = arm is not PARITY_FURTHER
            checks.append(AtMost(arm, far=far, fits=fits, paper=NUMBERS["further"]))
    return tuple(checks)


PROSE = (
    Study(
        "count-one-length",
        "Count trained on one length",
        "Trained on sequences of all the same length, count does not generalise.",
        (COUNT, ONE_LENGTH),
        lambda scale: (AtMost(ONE_LENGTH, paper=NUMBERS["one-length"]),),
        "over-length",
        "section on length generalisation, count",
    ),
    Study(
        "packing",
        "With and without packed and shifted contexts",
        "Packing and shifting the context matters: without them, models generalise worse.",
        (COUNT, COUNT_SHIFTED, COUNT_AT_START, UNIQUE, UNIQUE_AT_START),
        lambda scale: (
            Below(COUNT_AT_START, COUNT, paper=NUMBERS["packing"]),
            Below(UNIQUE_AT_START, UNIQUE, paper=NUMBERS["packing"]),
        ),
        "bars",
        "section on the experimental setup",
    ),
    Study(
        "plain-beyond",
        "Plain addition and plain parity, 5 beyond",
        "On examples 5 or more tokens longer than in training, plain addition and plain parity do "
        "not exceed random chance.",
        (ADDITION_FURTHER, PARITY_FURTHER),
        further_checks,
        "over-length",
        "section on unsuccessful length generalisation",
    ),
    Study(
        "conjunction-mlp",
        "Conjunction with an MLP in place of the Transformer",
        "The result on conjunction does not hold for MLPs: it is specific to the Transformer.",
        (CONJUNCTION_AT_START, CONJUNCTION_MLP),
        lambda scale: (Below(CONJUNCTION_MLP, CONJUNCTION_AT_START, paper=NUMBERS["mlp"]),),
        "bars",
        "section on min-degree interpolators",
    ),
    Study(
        "shortcuts",
        "Does a model learn the shortest program that fits?",
        "The toy model: trained on too little diversity, a model behaves out of distribution as "
        "the shortcut that the search finds.",
        (COUNT_FEW, MODE_FEW),
        lambda scale: tuple(
            Follows(arm, further, paper=NUMBERS["shortcut"])
            for arm in (COUNT_FEW, MODE_FEW)
            for further in BEYOND_FEW
        ),
        "shortcut",
        "section on the RASP-L conjecture",
    ),
    Study(
        "conjunction-choices",
        "Conjunction, by the choices that the paper leaves open",
        "Left open: does it get 100 % on the unseen half, whether or not examples are shifted, a "
        "separator stands before the answer, and the bits count in the loss?",
        CHOICES,
        lambda scale: tuple(
            AtLeast(arm, share=0.99, paper=NUMBERS["conjunction"]) for arm in CHOICES
        ),
        "bars",
        None,
    ),
    Study(
        "repeat-context",
        "Repeat copy, by the length of the context",
        "Left open: does repeat copy fail in a context hardly longer than an example, too?",
        (REPEAT, REPEAT_TIGHT),
        lambda scale: tuple(
            AtMost(arm, paper=NUMBERS["copy-repeat"]) for arm in (REPEAT, REPEAT_TIGHT)
        ),
        "bars",
        None,
    ),
    Study(
        "parity-hints",
        "Parity with a scratchpad, by the number of hints",
        "Left open: does it generalise with hardly more hints than bits, and with as many as in "
        "the paper's runs?",
        (PARITY_FEW_HINTS, PARITY_ALL_HINTS),
        lambda scale: tuple(
            AtLeast(arm, paper=SHIPPED[arm.task].paper_exact_match)
            for arm in (PARITY_FEW_HINTS, PARITY_ALL_HINTS)
        ),
        "bars",
        None,
    ),
)
