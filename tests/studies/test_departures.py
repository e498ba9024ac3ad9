import pytest

from raspl.studies.arms import ADDITION, ADDITION_FORWARD, CONJUNCTION, COUNT, SORT
from raspl.studies.catalogue import study_of
from raspl.studies.departures import SENTENCES, SILENT, departures, of_arm
from raspl.training.configuration import Configuration
from raspl.training.presets import configure

OTHER = {
    "max_length": 30,
    "test_lengths": (60,),
    "parameters": {"hints": 70},
    "train_on": "balanced",
    "test_on": "easy",
    "positions": "rotary",
    "layout": "single",
    "loss": "answer",
    "optimiser": "muon",
    "offset": "zero",
    "architecture": "mlp",
    "min_length": 30,
    "layers": 3,
    "heads": 4,
    "width": 256,
}
"""Another value for each field that is no number, or not free."""
NEEDED: dict[str, dict[str, object]] = {
    "matrix_learning_rate": {"optimiser": "muon"},  # it has no part in AdamW
    "offset": {"layout": "single"},
    "architecture": {"layout": "single", "offset": "zero"},
}
"""What must be so for a field to be free."""


def another(value: float) -> float:
    return value + 1 if isinstance(value, int) else value / 2 or 0.5


def fields() -> list[str]:
    return sorted(Configuration.model_fields.keys() - SILENT)


def test_no_field_is_in_two_groups() -> None:
    listed = [name for group in SENTENCES for name in group]
    assert len(set(listed)) == len(listed)
    assert set(listed) <= set(fields())


@pytest.mark.parametrize("name", fields())
def test_every_field_that_differs_is_in_a_sentence(name: str) -> None:
    paper = configure("addition_reverse", "paper")
    paper = paper.replace(**NEEDED.get(name, {}))
    ours = paper.replace(**{name: OTHER[name] if name in OTHER else another(getattr(paper, name))})
    (sentence,) = departures(ours, paper)
    assert "; in the paper " in sentence
    assert sentence.endswith(".")
    mine, theirs = sentence.split("; in the paper ")
    assert mine.lower() != theirs.removesuffix(".").lower()


def test_the_paper_does_not_depart_from_itself() -> None:
    for arm in study_of("headline").arms:
        assert of_arm(arm, "paper") == ()


def test_departures_of_the_desk() -> None:
    for arm in (ADDITION, ADDITION_FORWARD):
        said = of_arm(arm, "desk")
        assert "Trained on balanced carries; in the paper trained on standard carries." in said
        shorter = [one.startswith("Trained to length 20 and tested at 25") for one in said]
        assert any(shorter) == (arm is ADDITION_FORWARD)
    # At a desk alphabets and lengths are the paper's, so neither is a departure.
    for arm in (SORT, COUNT, CONJUNCTION):
        sentences = " ".join(of_arm(arm, "desk"))
        assert "length 40" not in sentences
        assert "alphabet" not in sentences
