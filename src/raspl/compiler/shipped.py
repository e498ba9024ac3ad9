"""Alphabets for the shipped programs: the tokens of the paper's tasks.

A network has a row for each token, so a program is compiled for the tokens that it will meet.
"""

from __future__ import annotations

from raspl.errors import RasplError
from raspl.language.ir.types import int_range
from raspl.program import Program

_ADDITION = (*range(-200, -99), -5, -3, -2, -1, *range(10))
ALPHABETS: dict[str, tuple[int, ...]] = {
    "count": tuple(range(-2, 156)),
    "mode": tuple(range(10)),
    "copy_unique": tuple(range(-2, 128)),
    "sort": tuple(range(-2, 128)),
    "conjunction": (0, 1),
    # Hints for 100 digits and a leading zero.
    "add_reverse": _ADDITION,
    "add_forward": _ADDITION,
    # Hints for 118 bits.
    "parity_scratchpad": (-4, -3, -2, -1, 0, 1, *range(10, 128)),
}


def alphabet_of(program: Program) -> tuple[int, ...]:
    """The alphabet to compile for if the user names none."""
    shipped = ALPHABETS.get(program.name)
    if shipped is not None:
        return shipped
    if program.bits > 8:
        raise RasplError(
            f"{program.name} has {program.bits}-bit integers, too many for one row each: "
            "say which tokens it will meet with --alphabet, as in --alphabet=-2:100"
        )
    low, high = int_range(program.bits)
    return tuple(range(low, high + 1))
