"""The thirty puzzles in the order in which they teach."""

from __future__ import annotations

from raspl.web.puzzles import attention, counting, looking_back, looking_up, writing
from raspl.web.puzzles.puzzle import Puzzle

PUZZLES: dict[str, Puzzle] = {
    puzzle.id: puzzle
    for puzzle in (
        *looking_back.PUZZLES,
        *attention.PUZZLES,
        *looking_up.PUZZLES,
        *counting.PUZZLES,
        *writing.PUZZLES,
        *writing.FINALE,
    )
}
