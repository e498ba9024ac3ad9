"""Backwards: the best solution known."""

from raspl import induct, program, tok_map

START = -1
END = -3


@program
def backwards(x):
    return tok_map(induct(x, x, -1), lambda a: END if a == START else a)
