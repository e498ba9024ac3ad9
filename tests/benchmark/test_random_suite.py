"""The random suite is the first tasks of each stratum, whatever else was drawn."""

from __future__ import annotations

from raspl.benchmark.random_suite import chosen, is_complete, missing, stratum, wanted
from raspl.tasks.random.candidates import INSIDE, OUTSIDE
from tests.benchmark.made import entry, found


def test_strata_are_costs_inside_the_language_and_kinds_outside() -> None:
    made = {
        "cost 3": entry("random:program:1:1", found(3), found(1, failure="`a`")),
        "cost 7 or more": entry("random:program:1:5", found(31)),
        "no program found": entry("random:written:1:2", found(1, failure="`a`")),
        "automaton": entry("random:automaton:1:3", found(3)),
        "automaton, ruled out": entry("random:automaton:1:4", impossible="No program."),
    }
    for of, one in made.items():
        assert stratum(one.task, one.prediction) == of


def test_the_suite_has_as_many_from_outside_as_from_the_language() -> None:
    numbers = wanted()
    inside = sum(n for of, n in numbers.items() if not of.startswith(OUTSIDE))
    outside = sum(n for of, n in numbers.items() if of.startswith(OUTSIDE))
    assert inside >= 100
    assert outside >= 100


def test_a_full_stratum_takes_no_more() -> None:
    drawn = [entry(f"random:program:1:{index}", found(2)) for index in range(100)]
    kept = list(chosen(drawn))
    assert [one.task for one in kept] == [one.task for one in drawn[: wanted()["cost 2"]]]
    assert missing(drawn)["cost 2"] == 0
    assert not is_complete(INSIDE, drawn)


def test_a_group_is_complete_when_all_its_strata_are_full() -> None:
    kinds, numbers = ("transducer",), wanted()
    drawn = [entry(f"random:transducer:1:{index}") for index in range(numbers["transducer"])]
    assert not is_complete(kinds, drawn)
    ruled_out = range(numbers["transducer, ruled out"])
    drawn += [entry(f"random:transducer:2:{index}", impossible="No.") for index in ruled_out]
    assert is_complete(kinds, drawn)
