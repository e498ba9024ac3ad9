"""A finished run in numbers: the record that figures and claims are made from."""

from raspl.tasks.generalisation import CONVERGED
from raspl.validated import Record


class Score(Record):
    """How a model does on one distribution at one length."""

    on: str
    length: int
    examples: int
    exact: float
    """Share of examples whose whole output is right, end token included."""
    exact_without_end: float
    """The same, whatever stands in the end token's place."""


class Logged(Record):
    """A line of a training curve."""

    step: int
    loss: float
    scores: tuple[Score, ...] = ()
    """At an evaluation: the longest training length first, then the test lengths."""


class Overlap(Record):
    """The share of test examples of a length that training drew."""

    length: int
    share: float
    steps: int | None = None
    """How many steps were drawn again to find out; None if that was not kept."""


class FinalAnswers(Record):
    """The share of decoded final answers that are right, whatever the scratchpad says."""

    on: str
    length: int
    accuracy: float


class Counterfactuals(Record):
    """The share passed of each counterfactual test."""

    length: int
    shares: dict[str, float]


class Agreement(Record):
    """How often a model and its task's program predict the same token on random answers."""

    length: int
    share: float | None
    """None if there was nothing to compare."""
    by_position: tuple[float | None, ...]
    """By the number of the answer's token, the end token's included."""


class Comparison(Record):
    """What a model says where a program and the truth differ, on examples of the task."""

    program: str
    """The name of the program that is wrong there."""
    length: int
    asked: int
    """Tokens that the model was asked for."""
    differing: int
    """Those of them on which the program is wrong."""
    like_program: float | None
    """Share of these on which the model says what the program says; None if there are none."""
    like_truth: float | None
    by_position: tuple[tuple[float, float] | None, ...]
    """Both shares by the number of the answer's token, the end token's included."""


class Result(Record):
    """Scores at the end of the schedule."""

    run: str
    """The run's name."""
    weight_count: int
    weights: str
    """A digest of the weights: equal digests are equal models."""
    as_trained: Score
    """On examples as training draws them, of all lengths up to the longest."""
    in_distribution: tuple[Score, ...]
    """The training distribution, by length."""
    tested: tuple[Score, ...]
    """The distribution that the run is judged on, by length."""
    overlap: tuple[Overlap, ...]
    also: tuple[Score, ...] = ()
    """Other distributions of the task."""
    final_answers: tuple[FinalAnswers, ...] = ()
    counterfactual: tuple[Counterfactuals, ...] = ()
    """At the longest training length, then at the longest test length."""
    agreement_with_program: tuple[Agreement, ...] = ()
    compared: tuple[Comparison, ...] = ()
    """With the program that the configuration names, at each test length."""
    metrics: str = ""
    """A digest of the training curve."""

    @property
    def converged(self) -> bool:
        """Was it trained to completion? If not, it shows nothing about longer examples."""
        return self.as_trained.exact >= CONVERGED
