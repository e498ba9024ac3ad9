"""From a regex to its minimal automaton, by automata-lib: whatever the text, in bounded time."""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np

from raspl.tasks.automata import Automaton
from raspl.tasks.examples import TaskError

MOST_CHARACTERS = 300
MOST_STATES = 1_000
"""Of an automaton before it is minimised: that of a short regex can have exponentially many."""
EMPTY = ""
"""In automata-lib's tables: a move that reads nothing."""


def minimal(regex: str) -> Automaton:
    """The minimal automaton of a regex."""
    check_characters(regex)
    try:
        from automata.base.exceptions import RegexException
        from automata.fa.dfa import DFA
        from automata.fa.nfa import NFA
    except ImportError:
        raise TaskError(
            "Languages need automata-lib: `pip install 'raspl[languages]'`, or in a clone "
            "`pip install -e '.[languages]'`."
        ) from None
    try:
        parsed = NFA.from_regex(regex)
    except RegexException as error:
        raise TaskError(f"The regex {regex!r} can't be read: {reason(str(error))}.") from None
    symbols = sorted(parsed.input_symbols)
    sets = determined(regex, parsed.transitions, parsed.initial_state, symbols)
    numbers = {states: number for number, states in enumerate(sets)}
    dfa = DFA(
        states=set(numbers.values()),
        input_symbols=set(symbols),
        transitions={
            numbers[states]: {symbol: numbers[after] for symbol, after in moves.items()}
            for states, moves in sets.items()
        },
        initial_state=0,
        final_states={number for states, number in numbers.items() if states & parsed.final_states},
    ).minify()
    order = sorted(dfa.states, key=lambda state: state != dfa.initial_state)
    place = {state: number for number, state in enumerate(order)}
    moves = [[place[dfa.transitions[state][symbol]] for symbol in symbols] for state in order]
    accepting = [state in dfa.final_states for state in order]
    automaton = Automaton.trimmed(symbols, np.array(moves), np.array(accepting))
    if automaton.longest == 0:
        raise TaskError(f"The language of {regex!r} has no word but the empty one.")
    return automaton


def check_characters(regex: str) -> None:
    if len(regex) > MOST_CHARACTERS:
        raise TaskError(f"A regex has at most {MOST_CHARACTERS} characters, not {len(regex)}.")
    wrong = re.search(r"[^A-Za-z0-9|*+?()]", regex)
    if wrong:
        raise TaskError(
            f"{wrong[0]!r} can't stand in the regex of a language: write letters and digits, which "
            "stand for themselves, and | * + ? ( )."
        )
    if not re.search(r"[A-Za-z0-9]", regex):
        raise TaskError(f"The regex {regex!r} has no symbols; write one such as '(ab|bba)*'.")


def reason(message: str) -> str:
    """What is wrong with a regex, from what the library says."""
    if "pare" in message:
        return "its brackets don't match"
    return "| * + ? each need something before them, and | also after it (a? is a or nothing)"


def determined(
    regex: str,
    transitions: Mapping[int, Mapping[str, AbstractSet[int]]],
    start: int,
    symbols: Sequence[str],
) -> dict[frozenset[int], dict[str, frozenset[int]]]:
    """Every set of states that a word can lead to, the start first, and where it goes.

    The library's own construction can't be stopped, and its work can be exponential.
    """

    def closed(states: frozenset[int]) -> frozenset[int]:
        found, new = set(states), list(states)
        while new:
            more = transitions.get(new.pop(), {}).get(EMPTY, frozenset()) - found
            found |= more
            new.extend(more)
        return frozenset(found)

    begin = closed(frozenset({start}))
    made: dict[frozenset[int], dict[str, frozenset[int]]] = {}
    new = [begin]
    for states in new:
        if len(made) > MOST_STATES:
            raise TaskError(
                f"The automaton of {regex!r} has more than {MOST_STATES:,} states; take a simpler "
                "regex."
            )
        if states not in made:
            after = {
                symbol: closed(
                    frozenset().union(*(transitions.get(s, {}).get(symbol, ()) for s in states))
                )
                for symbol in symbols
            }
            made[states] = after
            new.extend(after.values())
    return made
