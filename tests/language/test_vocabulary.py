"""Tokens by name: what gives a string its number, and that the name stays with the program."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import raspl
from raspl import RasplError, programs
from raspl.executors import batch, reference, stream
from raspl.executors.inputs import InputError
from raspl.language.generator.programs import random_graph
from raspl.language.ir.printer import shape, to_source
from raspl.language.ir.types import BOOL, INT
from raspl.language.source import Source
from raspl.language.vocabulary import Token, Vocabulary, literal_text
from raspl.loading import check_source
from raspl.tasks import SHIPPED

NAMES = st.text(min_size=1, max_size=8)
ALPHABETS = st.lists(NAMES | st.integers(0, 99).map(str), min_size=1, max_size=30, unique=True)


def wrong(text: str) -> list[tuple[str, str, str]]:
    found = check_source(Source(text)).diagnostics
    return [(d.rule.code, d.message, d.instead) for d in found]


@given(ALPHABETS)
def test_a_vocabulary_prints_as_the_statement_that_makes_it(names: list[str]) -> None:
    vocabulary = Vocabulary.of(names)
    text = f"{vocabulary.to_source()}\ndef f(x): return x"
    (program,) = raspl.parse(text).values()
    assert program.graph.vocabulary == vocabulary


@given(st.dictionaries(NAMES, st.integers(-128, 127), min_size=1, max_size=20))
def test_so_does_one_with_numbers_of_its_own(numbers: dict[str, int]) -> None:
    unique = {name: number for number, name in {v: k for k, v in numbers.items()}.items()}
    vocabulary = Vocabulary.of(unique)
    (program,) = raspl.parse(f"{vocabulary.to_source()}\ndef f(x): return x").values()
    assert program.graph.vocabulary == vocabulary
    assert all(vocabulary.read(vocabulary.show(number)) == number for number in range(-128, 128))


def test_runs_of_names_are_short() -> None:
    names = ["SoS", ">", "EoS", *"abcd", *map(str, range(155)), *map(str, range(200, 210)), "x"]
    assert Vocabulary.of(names).to_source() == (
        'TOKENS = ["SoS", ">", "EoS", *"abcd", *range(155), *range(200, 210), "x"]'
    )


@pytest.mark.parametrize("seed", range(60))
def test_named_literals_mean_their_numbers_everywhere(seed: int) -> None:
    """Every literal of a random program by name: the same values, and a text that says so."""
    graph = random_graph(Random(seed))
    low, high = -(1 << (graph.bits - 1)), (1 << (graph.bits - 1)) - 1
    vocabulary = Vocabulary.of({f"t{number}": number for number in range(low, high + 1)})
    text = to_source(graph)
    plain = raspl.parse(text)[graph.name]
    named = check_source(Source(_with_names(text, vocabulary)), tokens=vocabulary).programs
    if graph.name not in named:  # a name is no truth value, so `~` and `&` may refuse it
        return
    again = raspl.parse(to_source(named[graph.name].graph))[graph.name]
    assert shape(again.graph) == shape(named[graph.name].graph)
    rng = Random(seed)
    given = [[rng.randint(0, 1) for _ in range(12)] for _ in graph.inputs]
    for run in (reference.run, stream.run):
        assert _outcome(run, plain.graph, given) == _outcome(run, named[graph.name].graph, given)


def _with_names(text: str, vocabulary: Vocabulary) -> str:
    """The constants of `full` and the defaults by name."""
    import re

    def name(match: re.Match[str]) -> str:
        known = vocabulary.name(int(match[2]))
        return f'{match[1]}"{known}"{match[3]}' if known else match[0]

    text = re.sub(r"(= full_*\(\w+, )(-?\d+)(\))", name, text)
    return re.sub(r"(default=)(-?\d+)(,)", name, text)


def _outcome(run: object, graph: object, given: list[list[int]]) -> object:
    try:
        return run(graph, *given).tolist()  # type: ignore[operator]  # any executor
    except RasplError as error:
        return str(error).partition(" ")[2][:12]


TEXT = """
TOKENS = ["SoS", ">", "EoS", *"ab", *range(10)]
STOP = "EoS"

def is_digit(t):
    return "0" <= t <= "9"

def f(x, stop=STOP):
    digits = tok_map(x, is_digit)
    before = shift_right(x, 1, default=">")
    chosen = where(digits, before, stop)
    return where(has_seen(x, "a") & (x != "b"), chosen, "SoS")
"""


def test_names_stand_wherever_an_integer_may() -> None:
    f = raspl.parse(TEXT)["f"]
    by_hand = raspl.parse(
        TEXT.replace("TOKENS", "NOTHING").replace('"SoS"', "0").replace('">"', "1")
        .replace('"EoS"', "2").replace('"a"', "3").replace('"b"', "4").replace('"0"', "5")
        .replace('"9"', "14").replace('*"ab", *range(10)', "3")
    )["f"]  # fmt: skip
    x = [3, 7, 4, 14, 1, 5, 2]
    for run in (reference.run, stream.run):
        assert run(f.graph, x).tolist() == run(by_hand.graph, x).tolist()
    assert batch.run(f.graph, [x])[0].tolist() == f(x).tolist() == f("a 2 b 9 > 0 EoS").tolist()
    assert f.names(f(["a", "2", "b", "9"])) == ["EoS", "a", "SoS", "b"]
    assert f.bind(stop="b").names(f.bind(stop="b")("a 2")) == ["b", "a"]


def test_what_it_shows_it_shows_by_name() -> None:
    f = raspl.parse(TEXT)["f"]
    table = f.trace("a 2 b").table(selectors=True)
    assert 'select(k=x, q="a", k == q)' in table
    rows = {line.split()[1]: line.split("│")[1].split() for line in table.splitlines()[2:7]}
    assert rows["x"] == ["a", "2", "b"]
    assert rows["digits"] == ["0", "1", "0"]
    assert rows["output"] == ["EoS", "a", "SoS"]
    assert '"0" <= a' in to_source(f.graph)


def test_a_named_token_is_no_truth_value() -> None:
    named = raspl.parse('TOKENS = ["SoS", ">"]\ndef f(x): return full(x, "SoS")')["f"]
    assert named.graph.output.type == INT
    assert raspl.parse("def f(x): return full(x, 0)")["f"].graph.output.type == BOOL
    assert [code for code, *_ in wrong('TOKENS = ["a"]\ndef f(x): return ~full(x, "a")')] == [
        "R309"
    ]


def test_a_token_is_an_integer_that_remembers_its_name() -> None:
    token = Token(7, ">")
    assert token == 7
    assert literal_text(token) == '">"'
    assert literal_text(token + 0) == "7"
    again = pickle.loads(pickle.dumps(token))
    assert (again, again.name) == (7, ">")


@pytest.mark.parametrize(
    ("stated", "why"),
    [
        ("[3]", "`3` does not name tokens"),
        ('["a", "a"]', 'the token "a" is named twice'),
        ('{"a": 1, "b": 1}', 'the token 1 is "a" and also "b"'),
        ('{"a": True}', "`True` does not name tokens"),
        ("[]", "a vocabulary without tokens names nothing"),
        ("[*range(10**9)]", "does not name tokens"),
        ("[*range(99999999)]", "at most 65,536 tokens"),
        ("[*range(65537)]", "at most 65,536 tokens"),
        ('[*open("/etc/passwd")]', "does not name tokens"),
        ("task.alphabet", "`task.alphabet` does not name tokens"),
        ('[""]', "a token's name is a string of 1 to 100 characters"),
        ("{**other}", "does not name tokens"),
    ],
)
def test_what_states_no_vocabulary_is_refused_once(stated: str, why: str) -> None:
    ((code, message, instead),) = wrong(f'TOKENS = {stated}\ndef f(x): return x == "zz"')
    assert code == "R208"
    assert why in message
    assert "TOKENS" in instead


def test_a_string_without_a_number_is_refused_where_it_stands() -> None:
    text = 'def f(x):\n    return where(x == "a", has_seen(x, "b"), mask(x, x > 1, mask_val="c"))'
    found = check_source(Source(text)).diagnostics
    assert [(d.rule.code, d.span.snippet) for d in found] == [
        ("R208", '"a"'), ("R208", '"b"'), ("R208", '"c"'),
    ]  # fmt: skip
    assert "TOKENS" in found[0].instead
    assert '"SoS"' in wrong('TOKENS = ["SoS"]\ndef f(x): return x == "sos"')[0][2]


def test_given_names_and_stated_ones_must_agree() -> None:
    text = 'TOKENS = ["a", "b"]\ndef f(x): return x == "c"'
    assert raspl.parse(text, tokens=["a", "b", "c"])["f"]([2]).tolist() == [1]
    (found,) = raspl.check(text, tokens=["b", "a", "c"]).diagnostics
    assert found.rule.code == "R208"
    assert 'the token "a" is 1 and also 0' in found.message


def test_an_unknown_token_in_the_input_is_named() -> None:
    f = raspl.parse(TEXT)["f"]
    with pytest.raises(InputError, match='x\\[1\\]: there is no token "c"'):
        f("a c")
    with pytest.raises(RasplError, match="until='c' is not a token"):
        f.generate("a", until="c")


def test_without_names_strings_are_no_input() -> None:
    with pytest.raises(InputError, match="not a sequence of integers"):
        raspl.parse("def f(x): return x")["f"]("a b")


def test_a_python_function_finds_the_names_of_its_module() -> None:
    from tests.language import named_tokens

    assert named_tokens.after_mark([0, 1, 2]).tolist() == [0, 2, 1]


@pytest.mark.parametrize("name", [n for n in programs.NAMES if not n.endswith("_paper")])
def test_what_a_shipped_program_states_is_its_tasks_alphabet(name: str) -> None:
    alone = raspl.load(programs.path(name))[name].graph.vocabulary
    assert alone is not None
    alphabet = SHIPPED[name].build().alphabet
    assert tuple(alone.numbers) == alphabet[: len(alone.numbers)]
    assert programs.load(name).graph.vocabulary == Vocabulary.of(alphabet)


def test_a_number_that_is_another_tokens_name_is_pointed_out() -> None:
    stated = 'TOKENS = ["SoS", ">", "EoS", *range(5)]'
    ((code, message, instead),) = wrong(f"{stated}\ndef f(x): return x == 2")
    assert code == "W004"
    assert message == '`x == 2` compares with the number 2, which is the token "EoS"'
    assert instead == 'write "2" for the token of that name'
    for quiet in ('x == "2"', "x == 9", "x % 5 == 2", "x > -1"):
        assert wrong(f"{stated}\ndef f(x): return {quiet}") == []
    assert wrong("TOKENS = [*range(5)]\ndef f(x): return x == 2") == []
