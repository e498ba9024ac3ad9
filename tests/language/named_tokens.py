"""A module whose programs name tokens, as a user's own would."""

from raspl import program, where

TOKENS = ["a", "b", "#"]


@program
def after_mark(x):  # type: ignore[no-untyped-def]  # RASP-L has types of its own
    return where(x == "b", "#", where(x == "#", "b", "a"))
