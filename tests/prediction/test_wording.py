"""A prediction is told in whole sentences."""

from dataclasses import replace

import pytest

from raspl.prediction.predict import predict
from raspl.prediction.sources import find_source
from raspl.prediction.wording import told
from raspl.synthesis.engine import Settings


def lines(name, **settings):
    return list(told(predict(find_source(name), Settings(**settings))))


def test_what_is_found_is_shown():
    text = lines("sort", max_length=5)
    assert text[0] == "sort, trained on lengths 1 to 5: will generalise"
    at = next(number for number, line in enumerate(text) if line.startswith("  program"))
    assert [line[17:] for line in text[at : at + 4]] == [
        "@program",
        "def found(x):",
        '    v1 = kqv(x, x, x, gt, default=2, reduction="min")',
        "    return v1",
    ]
    assert not any("shortcut" in line for line in text)


def test_a_shortcut_is_shown_and_one_length_is_one_number():
    text = lines("count", max_length=2, min_length=2, max_cost=2)
    assert text[0] == "count, trained on length 2: will not generalise"
    assert any(line.startswith("  shortcut       @program") for line in text)
    assert not any(line.startswith("  program") for line in text)
    assert sum(line.startswith("  at length") for line in text) == 1


@pytest.fixture(scope="module")
def parity():
    return predict(find_source("parity-plain"), Settings(max_length=3, max_cost=1))


def test_no_names_of_code_and_nothing_empty(parity):
    text = list(told(parity))
    assert text[0] == "parity-plain, trained on lengths 1 to 3: will not generalise"
    assert not any("_" in line or line.endswith("-") for line in text)
    (row,) = [line for line in text if line.startswith("  at length 3")]
    assert "depends on 3.00 prompt tokens" in row
    assert row.endswith("Fourier weight is 1.00 at degree 3.")


def test_measures_that_do_not_apply_are_left_out(parity):
    none = {"length": 3, "sensitivity": None, "dependence": None, "degree_profile": None}
    text = list(told(replace(parity, predictors=(none,))))
    assert not any("at length 3" in line for line in text)


def test_costs_are_explained(parity):
    assert any("one for every map and one for every attention head" in row for row in told(parity))


def test_two_readings_are_told_apart(parity):
    (letter,) = parity.readings.values()
    both = {"letter": replace(letter, verdict="will generalise"), "intent": letter}
    text = list(told(replace(parity, verdict="unknown", readings=both)))
    assert text[0].endswith(": unknown whether it will generalise")
    assert "  by the letter of the language: will generalise" in text
    assert "  by the intent of the language: will not generalise" in text
