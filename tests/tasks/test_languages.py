"""Automata and languages, against Python's own regexes and plain definitions."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raspl.tasks import NOTHING, Purpose, TaskError, find, language, stream
from raspl.tasks.automata import NOWHERE, Automaton
from raspl.tasks.regexes import minimal

REGEXES = st.recursive(
    st.sampled_from("ab"),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from("*+?")).map(lambda two: f"({two[0]}){two[1]}"),
    ),
    max_leaves=6,
)
WORDS = ["".join(word) for size in range(6) for word in product("ab", repeat=size)]


def random_automaton(seed: int) -> Automaton:
    rng = np.random.default_rng(seed)
    states, symbols = int(rng.integers(1, 6)), int(rng.integers(1, 4))
    moves = rng.integers(NOWHERE, states, size=(states, symbols))
    accepting = rng.random(states) < 0.5
    accepting[0] = True  # so that there is a word
    return Automaton.trimmed(tuple("abc"[:symbols]), moves, accepting)


@settings(deadline=None, max_examples=60)
@given(REGEXES)
def test_an_automaton_accepts_what_pythons_regex_matches(regex: str) -> None:
    automaton = minimal(regex)
    for word in WORDS:
        state = automaton.after(word)
        accepted = state is not None and bool(automaton.accepting[state])
        assert accepted == (re.fullmatch(regex, word) is not None), word


@settings(deadline=None, max_examples=40)
@given(REGEXES)
def test_states_differ_in_what_may_follow(regex: str) -> None:
    automaton = minimal(regex)

    def accepts(state: int, word: str) -> bool:
        for symbol in word:
            if symbol not in automaton.symbols:
                return False
            state = int(automaton.moves[state, automaton.symbols.index(symbol)])
            if state == NOWHERE:
                return False
        return bool(automaton.accepting[state])

    follows = {tuple(accepts(state, word) for word in WORDS) for state in range(automaton.states)}
    assert len(follows) == automaton.states or automaton.states > 5


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_words_are_uniform_among_those_of_their_length(seed: int) -> None:
    automaton = random_automaton(seed)
    length = automaton.nearest(4)
    every = [
        word
        for word in product(range(len(automaton.symbols)), repeat=length)
        if (state := automaton.after([automaton.symbols[one] for one in word])) is not None
        and automaton.accepting[state]
    ]
    drawn = automaton.words(np.random.default_rng(seed), np.full(4000, length))
    counts = dict.fromkeys(every, 0)
    for row in drawn.tolist():
        counts[tuple(row)] += 1  # a KeyError is a word that is none
    share = np.array(list(counts.values())) / 4000
    assert np.abs(share - 1 / len(every)).max() < 5 * np.sqrt(1 / len(every) / 4000)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32))
def test_runs_are_those_of_plain_python(seed: int) -> None:
    automaton = random_automaton(seed)
    lengths = np.array([automaton.nearest(length) for length in (0, 3, 9, 14)])
    words = automaton.words(np.random.default_rng(seed), lengths)
    for word, states, length in zip(words, automaton.runs(words), lengths, strict=True):
        assert (word[length:] == NOTHING).all()
        assert (states[length + 1 :] == NOTHING).all()
        names = [automaton.symbols[one] for one in word[:length]]
        expected = [automaton.after(names[:end]) for end in range(length + 1)]
        assert states[: length + 1].tolist() == expected


@settings(deadline=None, max_examples=100)
@given(seed=st.integers(0, 2**32))
def test_lengths_and_order_of_an_automaton(seed: int) -> None:
    automaton = random_automaton(seed)
    reached = {0: {0}}
    for length in range(1, 31):
        moves = automaton.moves[sorted(reached[length - 1])]
        reached[length] = set(moves[moves != NOWHERE].tolist())
    has = [length for length in reached if automaton.accepting[sorted(reached[length])].any()]
    assert [length for length in range(31) if automaton.has_words(length)] == has
    near = min(has, key=lambda length: (abs(length - 6), length))
    assert automaton.nearest(6) == near
    # Nothing comes back iff some order of the states is never gone against.
    left = set(range(automaton.states))
    while True:
        last = {
            state
            for state in left
            if not ({*automaton.moves[state].tolist()} - {NOWHERE, state}) & left
        }
        if not last:
            break
        left -= last
    assert automaton.is_partially_ordered == (not left)


def test_state_prediction_is_asked_at_every_mark() -> None:
    task = language("(ab|bba)*")
    drawn = task.examples(stream(0, Purpose.SHOW), np.full(50, 10)).left_aligned()
    assert drawn.labels is not None
    for row, labels in zip(drawn.tokens, drawn.labels, strict=True):
        names = task.names(row)
        assert names[0] == "SoS"
        assert set(names[1::2]) == {"&"}
        word = "".join(names[2::2])
        assert re.fullmatch("(ab|bba)*", word)
        assert 9 <= len(word) <= 11
        states = ["".join(task.names([label])) for label in labels[: len(names)]]
        assert states[1] == "q0"
        assert states[2::2] == [""] * len(word)
        assert all(
            (state == "q0") == (re.fullmatch("(ab|bba)*", word[:end]) is not None)
            for end, state in enumerate(states[1::2])
        )
    task.check_solver(12)


def test_a_language_is_found_by_its_regex() -> None:
    assert find("language:a|bc").longest == 2
    assert find("language:(aa)*").labels == ["q0", "q1"]


@pytest.mark.parametrize(
    ("regex", "sentence"),
    [
        ("", "has no symbols"),
        ("()*", "has no symbols"),
        ("(a", "brackets don't match"),
        ("a)", "brackets don't match"),
        ("*a", "each need something before them"),
        ("a|", "each need something before them"),
        ("a{9}", "'{' can't stand in the regex"),
        ("a b", "' ' can't stand in the regex"),
        ("a" * 301, "at most 300 characters, not 301"),
        ("(a|b)*a" + "(a|b)" * 40, "more than 1,000 states"),
    ],
)
def test_a_regex_that_is_none_gets_a_sentence(regex: str, sentence: str) -> None:
    with pytest.raises(TaskError) as error:
        language(regex)
    assert sentence in str(error.value)


@pytest.mark.parametrize(
    "regex", ["(" * 149 + "a" + ")" * 149, "(" * 90 + "a" + "+)" * 90, "(a?)" * 75, "a" * 300]
)
def test_deep_and_long_regexes_are_read(regex: str) -> None:
    minimal(regex)
