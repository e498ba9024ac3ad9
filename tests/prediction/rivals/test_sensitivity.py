"""Sensitivity, dependence and degree profile on functions where they are known."""

import numpy as np
import pytest

from raspl.prediction.rivals.sensitivity import rival_measures
from raspl.prediction.sources import find_source


def test_parity_depends_on_everything() -> None:
    found = rival_measures(find_source("parity_plain"), 5)
    assert found.sensitivity == found.dependence == 5
    assert found.degree_profile == (0, 0, 0, 0, 0, 1)


def test_a_copied_token_depends_on_one() -> None:
    found = rival_measures(find_source("copy_unique"), 6)
    assert found.sensitivity == found.dependence == 1
    assert found.degree_profile is None


def test_majority_lives_on_odd_degrees() -> None:
    profile = rival_measures(find_source("majority"), 3).degree_profile
    assert profile == pytest.approx((0, 0.75, 0, 0.25))


def test_weights_of_a_boolean_function_add_up_to_one() -> None:
    profile = rival_measures(find_source("parity_sum"), 4).degree_profile
    assert profile is None or np.sum(profile) == pytest.approx(1)


def test_labelled_functions_are_asked_at_their_end() -> None:
    assert rival_measures(find_source("shift"), 4).dependence == 1
