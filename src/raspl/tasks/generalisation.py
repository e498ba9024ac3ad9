"""What counts as learned and as generalised: one threshold each, for the whole house."""

from math import ceil

GENERALISES = 0.9
"""Exact match from which a task counts as generalising to a length."""
FAILS = 0.1
"""Exact match, above what a guess gets, up to which it counts as not generalising."""
CONVERGED = 0.99
"""In-distribution exact match from which a run counts as trained to completion."""


def quarter_more(length: int) -> int:
    """The paper's step from training length 40 to test length 50, at any length."""
    return ceil(1.25 * length)
