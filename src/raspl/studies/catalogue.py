"""Every result of the paper by its id (shared names: the table in docs/studies.md)."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Literal

from raspl.errors import RasplError
from raspl.studies.arms import (
    ADDITION,
    ADDITION_FORWARD,
    ADDITION_PLAIN,
    CONJUNCTION,
    COUNT,
    FORWARD,
    MODE,
    MODE_APPEARANCE,
    MODE_FREQUENCY,
    PARITY,
    PARITY_PLAIN,
    PARITY_SUM,
    REPEAT,
    REVERSE,
    SORT,
    UNIQUE,
    as_with,
    carries,
    final,
    over,
    rotary,
)
from raspl.studies.checks import (
    AtLeast,
    AtMost,
    Below,
    Faster,
    NeverFits,
    PassesTest,
    Rises,
)
from raspl.studies.conditions import Check, Far, Place
from raspl.studies.paper import NUMBERS
from raspl.studies.prose import PROSE
from raspl.studies.scales import PAPERS_LENGTHS
from raspl.studies.study import Arm, Study
from raspl.tasks import SHIPPED, Scale
from raspl.words import either, guesses

HEADLINE_ARMS = (
    COUNT, MODE, UNIQUE, SORT, ADDITION, PARITY, MODE_FREQUENCY, REPEAT, ADDITION_PLAIN,
    PARITY_PLAIN,
)  # fmt: skip
DEMO_ARMS = (COUNT, MODE, UNIQUE, MODE_FREQUENCY, REPEAT, PARITY_PLAIN)


def table_checks(arms: tuple[Arm, ...]) -> tuple[Check, ...]:
    """Lines of the paper's table: tasks with a program generalise, tasks without do not."""
    return tuple(
        AtLeast(arm, paper=SHIPPED[arm.task].paper_exact_match)
        if arm.has_program
        else AtMost(
            arm, paper=SHIPPED[arm.task].paper_exact_match, fits=arm.task != PARITY_PLAIN.task
        )
        for arm in arms
    )


def trained_from(arm: Arm, least: int, scale: Scale) -> tuple[Place, ...]:
    """All of the paper's training lengths from one on; a smaller scale's own length is its last.

    So it is at a desk's for a task whose lengths are not the paper's there."""
    if scale not in PAPERS_LENGTHS:
        return ("own",)
    return tuple(length for length in arm.trained(scale) if length >= least) or ("own",)


def reaches(
    arm: Arm, least: int, scale: Scale, paper: str, of: Literal["median", "all"] = "median"
) -> tuple[Check, ...]:
    """It generalises from a training length on."""
    places = trained_from(arm, least, scale)
    return tuple(AtLeast(arm, place, of=of, paper=paper) for place in places)


def none_reaches(arm: Arm, scale: Scale, paper: str) -> tuple[Check, ...]:
    """No run generalises, from any training length of the paper's, or a smaller scale's longest."""
    places = trained_from(arm, 0, scale)
    return tuple(AtMost(arm, place, of="all", paper=paper) for place in places)


def count_checks(scale: Scale) -> tuple[Check, ...]:
    arm, paper = over(COUNT), NUMBERS["count-far"]
    rises = Rises(arm, paper=NUMBERS["count-rises"])
    places = trained_from(arm, 60, scale)
    return (*(AtLeast(arm, place, "farthest", paper=paper) for place in places), rises)


def mode_checks(scale: Scale) -> tuple[Check, ...]:
    arm = over(MODE)
    beyond = (
        AtLeast(arm, trained, "beyond", paper=NUMBERS["mode-beyond"])
        for trained in arm.trained(scale)
    )
    far: Far = 60 if scale in PAPERS_LENGTHS else "farthest"
    short = AtLeast(arm, "shortest", far, 0.45, paper=NUMBERS["mode-short"], expected=None)
    return (*beyond, short)


def scratchpad_arms(pad: Arm) -> tuple[Arm, ...]:
    """Mode without and with a scratchpad, and with it by the final answer alone."""
    return over(as_with(pad)), over(pad), final(over(pad))


def scratchpad_checks(arm: Arm) -> tuple[Check, ...]:
    """The scratchpad hurts, by exact match and by the final answer alone."""
    plain, pad, answer = scratchpad_arms(arm)
    return (
        Below(pad, plain, paper=NUMBERS["mode-exact"]),
        Below(answer, plain, paper=NUMBERS["mode-final"]),
    )


def parity_checks(scale: Scale) -> tuple[Check, ...]:
    arm = over(PARITY)
    some: Place = 30 if scale in PAPERS_LENGTHS else "three quarters"
    return (
        AtLeast(arm, some, of="some", paper=NUMBERS["parity-some"], expected=None),
        *reaches(arm, 40, scale, NUMBERS["parity-all"], of="all"),
    )


def balanced_checks(scale: Scale) -> tuple[Check, ...]:
    return tuple(AtLeast(arm, paper=NUMBERS["balanced"]) for arm in BALANCED_ARMS)


def rotary_checks(scale: Scale) -> tuple[Check, ...]:
    """No task is better with rotary positions, and those that generalise are worse."""
    return tuple(
        Below(rotary(arm), arm, margin=0.05 if arm.has_program else -0.05, paper=NUMBERS["rotary"])
        for arm in ROTARY_ARMS
    )


def counterfactual_checks(scale: Scale) -> tuple[Check, ...]:
    return tuple(
        PassesTest(over(COUNT), test, where, paper=NUMBERS[test])
        for test in ("starts_with_first", "adds_one", "ends_after_last", "ends_rightly")
        for where in ("inside", "outside")
    )


BALANCED_ARMS = tuple(
    carries(arm, on, balanced=True) for arm in (FORWARD, REVERSE) for on in ("easy", "hard")
)
EASY_ARMS = tuple(carries(arm, "easy") for arm in (FORWARD, REVERSE))
FORWARD_HARD, REVERSE_HARD = (carries(arm, "hard") for arm in (FORWARD, REVERSE))
ROTARY_ARMS = (
    COUNT,
    MODE,
    replace(ADDITION_FORWARD, on="easy"),  # on hard carries it may fail with learned ones too
    replace(ADDITION, on="hard"),
    PARITY,
    PARITY_SUM,
)
SPEED_ADDITION = (
    replace(REVERSE, which="speed", like=FORWARD.like),
    over(FORWARD, "speed"),
)
SPEED_PARITY = (over(PARITY, "speed"), over(PARITY_SUM, "speed"), over(PARITY_PLAIN, "speed"))
SPEED_MODE = (over(as_with(MODE_FREQUENCY), "speed"), over(MODE_FREQUENCY, "speed"))

ALL = (
    Study(
        "headline",
        "Tasks with a RASP-L program generalise, tasks without one don't",
        "Exact match at +10 length is near 100 % for count, mode, unique copy, sort, addition "
        "(hints, reverse) and parity (scratchpad); near 0 % for mode with a scratchpad, repeat "
        "copy, plain addition and plain parity.",
        HEADLINE_ARMS,
        lambda scale: table_checks(HEADLINE_ARMS),
        "bars",
        "first page, table",
    ),
    Study(
        "count-lengths",
        "Count, over test length",
        "Trained to 60 or more, it is near perfect up to length 150.",
        (over(COUNT),),
        count_checks,
        "over-length",
        "first page, figure",
    ),
    Study(
        "mode-lengths",
        "Mode, over test length",
        "Perfect at +10 and beyond; trained to 10, still 50 % at 60.",
        (over(MODE),),
        mode_checks,
        "over-length",
        "section on length generalisation",
    ),
    Study(
        "copy",
        "Copy with unique and with repeated tokens",
        "At test length 50, unique copy is perfect from training length 40; repeat copy fails.",
        (over(UNIQUE), over(REPEAT)),
        lambda scale: (
            *reaches(over(UNIQUE), 40, scale, NUMBERS["copy-unique"]),
            AtMost(over(REPEAT), paper=NUMBERS["copy-repeat"]),
        ),
        "over-training-length",
        "section on length generalisation",
    ),
    Study(
        "mode-scratchpad",
        "A scratchpad by frequency hurts mode",
        "The scratchpad hurts both exact match and the final answer.",
        scratchpad_arms(MODE_FREQUENCY),
        lambda scale: scratchpad_checks(MODE_FREQUENCY),
        "over-training-length",
        "section on length generalisation",
    ),
    Study(
        "mode-scratchpad-appearance",
        "A scratchpad by appearance hurts mode as well",
        "The same holds with counts in order of appearance, where nothing has to be sorted.",
        scratchpad_arms(MODE_APPEARANCE),
        lambda scale: scratchpad_checks(MODE_APPEARANCE),
        "over-training-length",
        "appendix, alternative scratchpad for mode",
    ),
    Study(
        "sort-50",
        "Sort, over training length",
        "Strong at test length 50 from training length 35.",
        (over(SORT),),
        lambda scale: reaches(over(SORT), 35, scale, NUMBERS["sort"]),
        "over-training-length",
        "appendix, additional ablations",
    ),
    Study(
        "sort-lengths",
        "Sort, over test length",
        "The more lengths are seen in training, the better it generalises.",
        (over(SORT),),
        lambda scale: (
            AtLeast(over(SORT), far="target", paper=NUMBERS["sort"]),
            Rises(over(SORT), paper=NUMBERS["sort-rises"]),
        ),
        "over-length",
        "appendix, additional ablations",
    ),
    Study(
        "addition-forward-hard",
        "Forward addition, hard carries",
        "Trained on standard carries, forward addition with hints does not generalise to hard "
        "carries.",
        (FORWARD_HARD,),
        lambda scale: none_reaches(FORWARD_HARD, scale, NUMBERS["forward-hard"]),
        "over-training-length",
        "section on index hints",
    ),
    Study(
        "addition-reverse-hard",
        "Reverse addition, hard carries",
        "Trained on standard carries, reverse addition with hints is perfect at 50 from training "
        "length 40.",
        (REVERSE_HARD,),
        lambda scale: reaches(REVERSE_HARD, 40, scale, NUMBERS["reverse-hard"]),
        "over-training-length",
        "section on index hints",
    ),
    Study(
        "addition-easy",
        "Addition, easy carries",
        "With hints, both directions generalise to easy carries.",
        EASY_ARMS,
        lambda scale: tuple(AtLeast(arm, paper=NUMBERS["easy"]) for arm in EASY_ARMS),
        "over-training-length",
        "appendix, easy carries",
    ),
    Study(
        "addition-balanced",
        "Addition trained on balanced carries",
        "Trained on balanced carries, both directions generalise, even to hard carries.",
        BALANCED_ARMS,
        balanced_checks,
        "over-training-length",
        "appendix, balanced carries",
    ),
    Study(
        "parity-scratchpad",
        "Parity with a scratchpad",
        "At test length 50, some runs are perfect from training length 30, all from 40.",
        (over(PARITY),),
        parity_checks,
        "over-training-length",
        "section on scratchpads",
    ),
    Study(
        "parity-sum",
        "Parity by the sum modulo 10",
        "No run generalises with the sum-mod-10 scratchpad.",
        (over(PARITY_SUM),),
        lambda scale: none_reaches(over(PARITY_SUM), scale, NUMBERS["parity-sum"]),
        "over-training-length",
        "appendix, training speed",
    ),
    Study(
        "speed-addition",
        "Training curves of addition",
        "Reverse addition is learned faster than forward addition.",
        SPEED_ADDITION,
        lambda scale: (Faster(*SPEED_ADDITION, paper=NUMBERS["speed-addition"]),),
        "training",
        "section on scratchpads",
    ),
    Study(
        "speed-parity",
        "Training curves of parity",
        "The easy scratchpad is learned faster than the sum; plain parity never fits its training "
        "data.",
        SPEED_PARITY,
        lambda scale: (
            Faster(SPEED_PARITY[0], SPEED_PARITY[1], paper=NUMBERS["speed-parity"]),
            NeverFits(SPEED_PARITY[2], paper=NUMBERS["speed-parity-plain"]),
        ),
        "training",
        "section on scratchpads",
    ),
    Study(
        "speed-mode",
        "Training curves of mode",
        "Mode is learned faster without the scratchpad.",
        SPEED_MODE,
        lambda scale: (Faster(*SPEED_MODE, paper=NUMBERS["speed-mode"]),),
        "training",
        "section on scratchpads",
    ),
    Study(
        "count-counterfactual",
        "Does count run the algorithm? Four tests on random sequences",
        "It nearly always starts with the first number and adds one, in and out of distribution; "
        "trained on long sequences, it also ends after the last number and not before.",
        (over(COUNT),),
        counterfactual_checks,
        "counterfactual",
        "appendix, counterfactual analysis",
    ),
    Study(
        "rotary",
        "Rotary vs. learned positions",
        "Count, mode, addition in both directions and parity with both scratchpads generalise "
        "worse with rotary positions.",
        tuple(one for arm in ROTARY_ARMS for one in (arm, rotary(arm))),
        rotary_checks,
        "bars",
        "appendix, rotary embedding",
    ),
    Study(
        "conjunction",
        "Conjunction, where the min-degree interpolator is wrong",
        "100 % on the unseen half, where the last five bits matter for the first time; the "
        "min-degree interpolator ignores them and is right half of the time.",
        (CONJUNCTION,),
        lambda scale: (AtLeast(CONJUNCTION, share=0.99, paper=NUMBERS["conjunction"]),),
        "bars",
        "section on min-degree interpolators",
    ),
    *PROSE,
)

STUDIES: Mapping[str, Study] = MappingProxyType({study.id: study for study in ALL})

DEMO = Study(
    "demo",
    "Three tasks that should generalise, three that should not",
    "Count, mode and unique copy generalise to longer inputs; mode with a scratchpad, repeat copy "
    "and plain parity do not.",
    DEMO_ARMS,
    lambda scale: table_checks(DEMO_ARMS),
    "bars",
    "first page, six lines of the table",
)


def study_of(identifier: str) -> Study:
    """A study of the paper's, the demonstration, or that of any one task."""
    if identifier == DEMO.id:
        return DEMO
    if identifier in STUDIES:
        return STUDIES[identifier]
    if identifier in SHIPPED:
        return study_of_task(identifier)
    close = guesses(identifier, [*STUDIES, *SHIPPED])
    guess = f" Did you mean {either(close)}?" if close else ""
    raise RasplError(f"No study is called {identifier!r}.{guess} `raspl study list` shows them.")


def study_of_task(task: str) -> Study:
    """One task by itself, so that any that ships can be predicted, trained and reported."""
    arm = Arm(task, task)
    checks: tuple[Check, ...] = (AtLeast(arm, expected=None),)
    claim = "One task on its own, of which the paper says nothing."
    if arm.is_of_the_paper:
        checks = table_checks((arm,))
        expected = "a RASP-L program: it should" if arm.has_program else "none: it should not"
        claim = f"One task on its own, for which raspl ships {expected}."
    return Study(
        task,
        f"Does {task} generalise?",
        claim,
        (arm,),
        lambda scale: checks,
        "bars",
        None,
    )
