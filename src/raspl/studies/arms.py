"""The arms of studies: a task in one format, with what its training departs in from the preset."""

from dataclasses import replace
from types import MappingProxyType

from raspl.studies.study import Arm, Which

STANDARD = MappingProxyType({"train_on": "train"})
"""Carries as they come; the laptop presets of addition train on balanced ones."""
BALANCED = MappingProxyType({"train_on": "balanced"})
ROTARY = MappingProxyType({"positions": "rotary"})

COUNT = Arm("count", "count")
MODE = Arm("mode", "mode")
MODE_FREQUENCY = Arm("mode, scratchpad by frequency", "mode_scratchpad_frequency")
MODE_APPEARANCE = Arm("mode, scratchpad by appearance", "mode_scratchpad_appearance")
UNIQUE = Arm("unique copy", "copy_unique")
REPEAT = Arm("repeat copy", "copy_repeat")
REPEAT_TIGHT = replace(REPEAT, label="repeat copy, short context", like="copy_repeat_tight")
SORT = Arm("sort", "sort")
ADDITION = Arm("addition, reverse with hints", "addition_reverse")
ADDITION_FORWARD = Arm("addition, forward with hints", "addition_forward")
ADDITION_PLAIN = Arm("plain addition", "addition_plain")
PARITY = Arm("parity, scratchpad", "parity_scratchpad")
PARITY_FEW_HINTS = replace(PARITY, label="parity, few hints", like="parity_few_hints")
PARITY_ALL_HINTS = replace(PARITY, label="parity, all hints", like="parity_all_hints")
PARITY_PLAIN = Arm("plain parity", "parity_plain")
PARITY_SUM = Arm("parity, sum mod 10", "parity_sum")
CONJUNCTION = Arm("conjunction", "conjunction")
FORWARD = Arm(
    "forward", "addition_forward", "addition_forward_standard", changes=STANDARD, on="hard"
)
REVERSE = Arm("reverse", "addition_reverse", changes=STANDARD, on="hard")


def over(arm: Arm, which: Which = "all") -> Arm:
    return replace(arm, which=which)


def carries(arm: Arm, on: str, balanced: bool = False) -> Arm:
    """Addition trained on standard or balanced carries and tested on easy or hard ones."""
    label = f"{arm.label}, {on}"
    if balanced:
        arm = replace(arm, like=None, changes=BALANCED)
    return replace(arm, label=label, which="all", on=on)


def as_with(scratchpad: Arm) -> Arm:
    """Plain mode with the lengths and the training of a scratchpad, to compare with it."""
    return replace(MODE, like=scratchpad.task)


def final(arm: Arm) -> Arm:
    return replace(arm, label=f"{arm.label}, final answer", metric="final")


def rotary(arm: Arm) -> Arm:
    return replace(arm, label=f"{arm.label}, rotary", changes={**arm.changes, **ROTARY})


ONE_LENGTH = Arm("count, one length only", "count", one_length=True)
SINGLE = MappingProxyType({"layout": "single"})
AT_START = MappingProxyType({"layout": "single", "offset": "zero"})
COUNT_SHIFTED = Arm("count, shifted but not packed", "count", changes=SINGLE)
COUNT_AT_START = Arm("count, neither packed nor shifted", "count", changes=AT_START)
UNIQUE_AT_START = Arm("unique copy, neither", "copy_unique", changes=AT_START)
ADDITION_FURTHER = replace(ADDITION_PLAIN, further=(5,))
PARITY_FURTHER = replace(PARITY_PLAIN, further=(5,))
CONJUNCTION_AT_START = Arm("conjunction, no offset", "conjunction", changes=AT_START)
CONJUNCTION_MLP = Arm(
    "conjunction, MLP", "conjunction", changes={**AT_START, "architecture": "mlp"}
)
CONJUNCTION_BARE = Arm("conjunction, no separator", "conjunction", changes={"separator": False})
CONJUNCTION_ANSWER = Arm(
    "conjunction, loss on the answer", "conjunction", changes={"loss": "answer"}
)
CONJUNCTION_BARE_AT_START = Arm(
    "conjunction, no offset, no separator", "conjunction", changes={**AT_START, "separator": False}
)
FEW_LENGTHS = 2
"""Training lengths so few that a shortcut of cost 1 fits them (docs/theory.md)."""
BEYOND_FEW = (1, 8)
"""Where a model that was trained on them is compared with the shortcut."""
COUNT_FEW = Arm(
    f"count, length {FEW_LENGTHS} only",
    "count",
    changes={"compared_with": "count_shortcut"},
    only=FEW_LENGTHS,
    one_length=True,
    further=BEYOND_FEW,
)
MODE_FEW = Arm(
    f"mode to {FEW_LENGTHS}",
    "mode",
    changes={"compared_with": "mode_shortcut"},
    only=FEW_LENGTHS,
    further=BEYOND_FEW,
)
