"""A prediction is worded in whole sentences."""

import json
from typing import Any

import pytest

from raspl.prediction import Prediction, find_source, predict
from raspl.prediction.forecast.explaining import explanation_lines
from raspl.prediction.prediction import RivalMeasures
from raspl.prediction.store import brief
from raspl.prediction.wording import measure_lines
from raspl.synthesis.settings import Settings

VERDICT = "  conjecture     {} (as the paper states it)"


def lines(name: str, **settings: Any) -> list[str]:
    return str(predict(find_source(name), Settings(**settings))).splitlines()


def test_what_is_found_is_shown() -> None:
    text = lines("sort", max_length=5)
    assert text[0] == "sort, trained on lengths 1 to 5"
    assert VERDICT.format("will generalise") in text
    assert text[1] == "  tested at           7    10    15    50"
    assert text[2].count("%") == 5
    at = next(number for number, line in enumerate(text) if line.startswith("  program"))
    assert [line[17:] for line in text[at : at + 5]] == [
        'TOKENS = ["SoS", ">", "EoS", *range(100)]',
        "@program",
        "def found(x):",
        '    v1 = kqv(x, x, x, gt, default="EoS", reduction="min")',
        "    return v1",
    ]
    assert not any("shortcut" in line for line in text)


def test_what_does_not_compile_is_named_by_its_cost() -> None:
    made = predict(find_source("sort"), Settings(max_length=5))
    (judgement,) = made.readings.values()
    cheapest = judgement.programs[0].replace(disciplines=("letter", "strict"))
    other = made.replace(readings={"letter": judgement.replace(programs=(cheapest,))})
    said = [line for line in str(other).splitlines() if line.startswith("  compiles")]
    assert "The cheapest program, of cost 1 and shown below, does not" in said[0]
    assert "compiles" not in str(made)


def test_a_length_that_the_task_does_not_have_is_not_forecast() -> None:
    text = lines("sort", max_length=30)
    assert text[1] == "  tested at          38    60    90   300"
    assert text[2].count("%") == 4
    assert text[2].count("–") == 1
    assert "The task has no examples longer than 100." in text[3]
    assert "300" not in text[4]


def test_a_shortcut_is_shown_and_one_length_is_one_number() -> None:
    text = lines("count", max_length=2, min_length=2, max_cost=2)
    assert text[0] == "count, trained on length 2"
    assert VERDICT.format("will not generalise") in text
    assert any(line.startswith("  shortcut       TOKENS = ") for line in text)
    assert not any(line.startswith("  program") for line in text)


@pytest.fixture(scope="module")
def parity() -> Prediction:
    return predict(find_source("parity_plain"), Settings(max_length=3, max_cost=1))


def test_no_names_of_code_and_nothing_empty(parity: Prediction) -> None:
    text = str(parity).splitlines()
    assert text[0] == "parity_plain, trained on lengths 1 to 3"
    assert VERDICT.format("will not generalise") in text
    assert not any("_" in line or line.endswith("-") for line in text[1:])
    (row,) = [line for line in measure_lines(parity) if line.startswith("  at length 3")]
    assert "depends on 3.00 prompt tokens" in row
    assert "0% of swaps of two neighbours" in row
    assert row.endswith("Fourier weight is 1.00 at degree 3.")


def test_measures_that_do_not_apply_are_left_out(parity: Prediction) -> None:
    none = RivalMeasures(length=3)
    said = "".join(measure_lines(parity.model_copy(update={"rivals": (none,)})))
    assert "at length 3" not in said


def test_costs_are_explained(parity: Prediction) -> None:
    assert "one for each map, attention head and entry of a table" in str(parity)


def test_two_readings_are_shown_apart(parity: Prediction) -> None:
    (letter,) = parity.readings.values()
    both = {"letter": letter.model_copy(update={"verdict": "will generalise"}), "intent": letter}
    text = str(parity.model_copy(update={"verdict": "unknown", "readings": both})).splitlines()
    assert VERDICT.format("unknown whether it will generalise") in text
    assert "  by the letter of the language: will generalise" in text
    assert "  by the intent of the language: will not generalise" in text


def test_without_a_forecast_the_verdict_leads(parity: Prediction) -> None:
    """Predictions of early versions have none."""
    text = str(parity.model_copy(update={"forecast": None}))
    assert text.startswith("parity_plain, trained on lengths 1 to 3: will not generalise")


def test_it_is_said_what_a_forecast_rests_on(parity: Prediction) -> None:
    unsettled = parity.model_copy(update={"impossible": None, "readings": {}})
    assert "The search settled nothing" in str(unsettled)
    assert "The search settled nothing" not in str(parity)


def test_an_explanation_adds_up(parity: Prediction) -> None:
    said = list(explanation_lines(parity))[1:]
    end = next(number for number, line in enumerate(said) if line.startswith("  together"))
    parts, together = said[:end], said[end]
    numbers = [[float(word) for word in line.split()[:4]] for line in parts]
    totals = [float(word) for word in together.split()[1:]]
    for column, total in zip(zip(*numbers, strict=True), totals, strict=True):
        assert sum(column) == pytest.approx(total, abs=0.05 * len(numbers) + 0.05)


def test_where_verdict_and_forecast_differ_it_says_so(parity: Prediction) -> None:
    assert parity.forecast is not None
    sure = parity.forecast.model_copy(update={"probability": {1.25: 0.9, 2.0: 0.2}})
    assert "The two differ" in str(parity.model_copy(update={"forecast": sure}))
    low = parity.forecast.model_copy(update={"probability": {1.25: 0.1, 2.0: 0.1}})
    assert "The two differ" not in str(parity.model_copy(update={"forecast": low}))


def test_lengths_that_a_task_lacks_have_no_number(parity: Prediction) -> None:
    short = parity.model_copy(update={"longest": 4})
    told = json.loads(brief(short))
    assert told["lengths"] == {"1.25": 4, "2": None, "3": None, "10": None}
    assert [one is None for one in told["probability"].values()] == [False, True, True, True]
    assert "none: the task has no longer examples" in str(parity.model_copy(update={"longest": 3}))
