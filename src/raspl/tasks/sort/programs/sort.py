"""The sort task's next token: SoS numbers > numbers in order EoS."""

from raspl import gt, kqv, program

TOKENS = ["SoS", ">", "EoS"]  # the numbers follow in order


@program
def sort(x):
    """The least token greater than this one. `>` has a lower id than every number."""
    return kqv(k=x, q=x, v=x, pred=gt, default="EoS", reduction="min")
