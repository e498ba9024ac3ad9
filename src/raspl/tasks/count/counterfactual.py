"""Count's four tests on random sequences (appendix "Counterfactual Analysis on Count").

A prompt, then random numbers in place of the answer, the last one b. Each test is a share that an
ideal counter has at 1.
"""

from collections.abc import Mapping

import numpy as np

from raspl.tasks.randomness import Purpose, stream
from raspl.tasks.task import END, FRAME, SEPARATOR, START, Counterfactual, Predict

SEQUENCES = 256
WORDS: Mapping[str, str] = {
    "starts_with_first": "starts with the first number",
    "ends_after_last": "ends after the last number",
    "adds_one": "else adds one",
    "ends_rightly": "no early end",
}


def counterfactual(numbers: int) -> Counterfactual:
    """The tests of count with so many numbers."""
    return Counterfactual(
        WORDS, lambda predict, seed, length: shares(predict, numbers, seed, length)
    )


def shares(predict: Predict, numbers: int, seed: int, length: int) -> dict[str, float]:
    rng = stream(seed, Purpose.PROBE, length)
    first = rng.integers(0, numbers - length + 1, size=SEQUENCES)
    last = first + length - 1
    noise = rng.integers(0, numbers, size=(SEQUENCES, length))
    noise[:, -1] = last
    symbols = np.concatenate((first[:, None], last[:, None], noise), axis=1) + len(FRAME)
    tokens = np.insert(symbols, [0, 2], [START, SEPARATOR], axis=1)
    guesses = predict(tokens)[:, 3:]
    shown, ends = noise + len(FRAME), noise == last[:, None]
    plain = ~ends & (noise < numbers - 1)
    after = guesses[:, 1:]
    written = guesses == END
    right = (after == END) & ends
    return {
        "starts_with_first": float((guesses[:, 0] == first + len(FRAME)).mean()),
        "ends_after_last": float((after == END)[ends].mean()),
        "adds_one": float((after == shown + 1)[plain].mean()) if plain.any() else 1.0,
        "ends_rightly": float(right.sum() / written.sum()) if written.any() else 1.0,
    }
