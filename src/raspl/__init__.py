"""raspl: write an algorithm the way a Transformer would run it.

>>> from raspl import program, kqv, equals, full
"""

from __future__ import annotations

from typing import Any

from raspl import programs
from raspl.errors import RasplError
from raspl.language.diagnostics import Diagnostic, IllegalProgram
from raspl.language.ir.types import BOOL as Bool
from raspl.language.ir.types import INDEX as Index
from raspl.language.ir.types import INT as Int
from raspl.language.ir.types import Type
from raspl.language.parsing.scope import COMPARISON_NAMES, CORE, SCALARS, Core
from raspl.loading import check, load, parse
from raspl.program import Program, library_programs, program

Count = Type("Count")

full, indices, tok_map, seq_map, where, select, sel_width, aggr, kqv = map(Core, CORE)
equals, leq, lt, geq, gt = (SCALARS[name] for name in COMPARISON_NAMES)
_library = library_programs()
shift_right = _library["shift_right"]
cumsum = _library["cumsum"]
mask = _library["mask"]
maximum = _library["maximum"]
minimum = _library["minimum"]
argmax = _library["argmax"]
argmin = _library["argmin"]
num_prev = _library["num_prev"]
has_seen = _library["has_seen"]
firsts = _library["firsts"]
lasts = _library["lasts"]
index_select = _library["index_select"]
first_true = _library["first_true"]
induct_kqv = _library["induct_kqv"]
induct = _library["induct"]
induct_prev = _library["induct_prev"]

__version__ = "0.1.0"
__all__ = [
    "Bool", "Count", "Diagnostic", "IllegalProgram", "Index", "Int", "Program", "RasplError",
    "aggr", "argmax", "argmin", "check", "cumsum", "equals", "first_true", "firsts", "full",
    "geq", "gt", "has_seen", "index_select", "indices", "induct", "induct_kqv", "induct_prev",
    "kqv", "lasts", "leq", "load", "lt", "mask", "maximum", "minimum", "num_prev", "parse",
    "program", "programs", "sel_width", "select", "seq_map", "shift_right", "tok_map", "where",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """`raspl.compile` is looked up when first used: the compiler is no part of the language."""
    if name == "compile":
        from raspl.compiler import compile

        return compile
    raise AttributeError(f"module 'raspl' has no attribute {name!r}")
