"""Copy: the best solution known."""

from raspl import induct, program, tok_map

START = -1
GO = -2
END = -3


@program
def copy(x):
    asked = tok_map(x, lambda a: START if a == GO else a)
    return tok_map(induct(x, asked, 1), lambda a: END if a == GO else a)
