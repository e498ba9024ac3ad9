from itertools import product

import pytest

from raspl.errors import RasplError
from raspl.sweeps.space import Choices, Range, points, read


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("heads=1,2,4", Choices("heads", (1, 2, 4))),
        ("learning-rate=1e-3, 2e-3", Choices("learning_rate", (1e-3, 2e-3))),
        ("layout=single,packed,single", Choices("layout", ("single", "packed"))),
        ("batch=8:64", Range("batch", 8, 64)),
        ("weight_decay=0.1:1", Range("weight_decay", 0.1, 1)),
    ],
)
def test_fields_are_read(text: str, field: Choices | Range) -> None:
    assert read(text) == field
    assert read(str(field)) == field


@pytest.mark.parametrize("text", ["heads", "=1,2", "heads=", "rate=0:1", "rate=2:1", "rate=a:b"])
def test_what_is_no_field_is_a_sentence(text: str) -> None:
    with pytest.raises(RasplError, match=r"--vary takes|A range goes"):
        read(text)


def test_test_lengths_are_never_varied() -> None:
    with pytest.raises(RasplError, match="must not choose"):
        read("test_lengths=20,30")


def test_every_combination_comes_once() -> None:
    fields = [Choices("a", (1, 2, 3)), Choices("b", ("x", "y"))]
    found = [(point["a"], point["b"]) for point in points(fields, None)]
    assert sorted(found) == sorted(product((1, 2, 3), ("x", "y")))
    assert points(fields, None) == points(fields, None)
    assert points(fields, 4) == points(fields, None)[:4]
    assert points(fields, 99) == points(fields, None)
    more = points([*fields, Range("c", 1, 9)], 13)
    assert len(more) == 13
    assert more[6:12] == more[:6]
