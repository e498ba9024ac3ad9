"""The puzzles of the playground: what they ask, how a solution is judged, who holds the records."""

from raspl.web.puzzles.catalogue import PUZZLES

__all__ = ["PUZZLES"]
