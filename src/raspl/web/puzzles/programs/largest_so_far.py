"""Largest so far: the best solution known."""

from raspl import maximum, program


@program
def largest(x):
    return maximum(x)
