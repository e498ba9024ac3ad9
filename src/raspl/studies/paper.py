"""What the paper says of each claim, in a few words.

These, and the numbers of its first table in the tasks' folders, are the only results here that were
typed by hand.
"""

from collections.abc import Mapping
from types import MappingProxyType

NUMBERS: Mapping[str, str] = MappingProxyType(
    {
        "count-far": "near perfect to 150 from train 60",
        "count-rises": "train further, reach further",
        "mode-beyond": "perfect to +10 and beyond",
        "mode-short": "50 % at 60, trained to 10",
        "copy-unique": "perfect at 50 from train 40",
        "copy-repeat": "fails",
        "mode-exact": "significantly worse",
        "mode-final": "significantly worse",
        "sort": "strong at 50 from train 35",
        "sort-rises": "better with longer training",
        "forward-hard": "none",
        "reverse-hard": "perfect from train 40, most runs",
        "easy": "strong",
        "balanced": "strong",
        "parity-some": "some runs from train 30",
        "parity-all": "all runs from train 40",
        "parity-sum": "no run",
        "speed-addition": "reverse is faster",
        "speed-parity": "easy scratchpad is faster",
        "speed-parity-plain": "does not fit",
        "speed-mode": "no scratchpad is faster",
        "starts_with_first": "near perfect, in and out",
        "adds_one": "near perfect, in and out",
        "ends_after_last": "robust if trained on long sequences",
        "ends_rightly": "fails where generalisation does",
        "rotary": "worse",
        "conjunction": "100 %",
        "one-length": "no generalisation",
        "packing": "an important detail",
        "further": "random chance from 5 beyond",
        "mlp": "not as the Transformer",
        "shortcut": "toy model: the shortest program that fits",
    }
)
