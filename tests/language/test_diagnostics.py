"""Every rule has a section in the docs, whose examples break it and keep it."""

from __future__ import annotations

import json
import re

import pytest

from raspl import IllegalProgram, parse
from raspl.executors.inputs import InputError
from raspl.executors.reference import RunError
from raspl.language.rules import RULES
from raspl.language.source import Source
from raspl.loading import check_source
from tests.markdown import ROOT, Block, blocks

PAGE = "docs/diagnostics.md"
EXAMPLES = [block for block in blocks(PAGE) if block.info[:1] == ("python",)]
RUN_TIME = ("R401", "R402", "R403")


def codes(text: str) -> list[str]:
    return [d.rule.code for d in check_source(Source(text))[1]]


@pytest.mark.parametrize("block", EXAMPLES, ids=str)
def test_examples_of_the_page(block: Block) -> None:
    _, verdict, *given = block.info
    tokens = [int(token) for token in given[1:]]
    if verdict in RUN_TIME:
        (program,) = parse(block.text).values()
        with pytest.raises((RunError, InputError)) as caught:
            program(tokens)
        assert getattr(caught.value, "code", "R403") == verdict
    elif verdict == "legal":
        assert codes(block.text) == []
        programs = parse(block.text)
        if tokens:
            programs["f"](tokens)
    else:
        assert set(codes(block.text)) == {verdict}


def test_the_page_states_every_rule_by_its_sentence() -> None:
    text = (ROOT / PAGE).read_text("utf-8")
    sections = dict(re.findall(r"^### (\w\d+) .*\n(.*)$", text, re.MULTILINE))
    assert set(sections) == set(RULES)
    for code, sentence in sections.items():
        plain = RULES[code].sentence.replace("`", "")
        assert plain.startswith(sentence.replace("`", "").rstrip(".")), code


def test_every_rule_has_an_example_that_breaks_it() -> None:
    assert {block.info[1] for block in EXAMPLES} == {*RULES, "legal"}


def test_all_violations_of_a_text_are_found_in_one_run() -> None:
    text = """
def f(x):
    a = x[0]
    b = x.sort()
    c = indices(x) * 2
    d = tok_map(x, lambda t: t ** 2 + unknown)
    return a + b + c + d + nowhere

def g(x):
    while x:
        pass
"""
    assert sorted(codes(text)) == sorted(
        ["R104", "R106", "R301", "R206", "R201", "R201", "R101", "R110"]
    )


def test_a_diagnostic_shows_place_line_caret_rule_and_remedy() -> None:
    with pytest.raises(IllegalProgram) as caught:
        parse("def f(x):\n    y = x + 1\n    return y[2]\n")
    assert str(caught.value).splitlines() == [
        "1 violation of RASP-L",
        "",
        "<text>:3:12: R104 subscript: `y[2]` picks by subscript",
        "    3 |     return y[2]",
        "      |            ^^^^",
        "      rule: Positions can't be picked by subscript; attention looks values up.",
        "      instead: index_select(y, minimum(indices(y)) + 2): minimum(indices(y)) is the first "
        "position",
    ]


def test_the_caret_counts_characters_and_keeps_tabs() -> None:
    (diagnostic,) = check_source(Source("def f(é):\n\tü = é + é[0]\n\treturn ü\n"))[1]
    source, caret = diagnostic.parts()[1:3]
    assert source[caret.index("^") : caret.rindex("^") + 1] == "é[0]"
    assert caret.startswith("      | \t")


def test_json_has_a_record_for_each_diagnostic() -> None:
    (diagnostic,) = check_source(Source("def f(x):\n    return x[0]\n", "file.py"))[1]
    record = json.loads(json.dumps(diagnostic.as_json()))
    assert record["file"] == "file.py"
    assert (record["line"], record["column"], record["end_column"]) == (2, 12, 16)
    assert (record["code"], record["severity"]) == ("R104", "error")


def test_a_violation_inside_of_the_library_is_shown_where_it_was_called() -> None:
    (diagnostic,) = check_source(Source("def f(x):\n    return cumsum(indices(x))\n"))[1]
    assert diagnostic.span.line == 2
    assert "cumsum" in diagnostic.note


def test_one_mistake_is_reported_once() -> None:
    text = """
def helper(x):
    return x[0]

def f(x):
    y = nowhere + 1
    z = nowhere + y
    return helper(x) + helper(x + 1) + z
"""
    assert codes(text) == ["R104", "R201"]


def test_whoever_calls_an_illegal_helper_is_illegal() -> None:
    text = """
def helper(x):
    if x:
        pass
    return x

def f(x):
    return helper(x)

def g(x):
    return helper(x)
"""
    legal, found = check_source(Source(text))
    assert not legal
    assert len(found) == 1


def test_helpers_are_checked_with_the_types_they_are_called_with() -> None:
    text = """
def next_to(x, place):
    return index_select(x, place + 1)

def f(x):
    return next_to(x, firsts(x, x))
"""
    assert codes(text) == []
    assert codes(text.replace("firsts(x, x)", "x")) == ["R302"]


def test_mutual_recursion_is_found() -> None:
    assert "R107" in codes("def f(x):\n    return g(x)\n\ndef g(x):\n    return f(x)\n")


@pytest.mark.parametrize(
    ("line", "call"),
    [
        ("from raspl import kvq", "kvq"),
        ("from raspl import kvq as head", "head"),
        ("import raspl", "raspl.kvq"),
    ],
)
def test_a_misspelled_function_of_raspl_is_guessed_and_blames_nothing_else(
    line: str, call: str
) -> None:
    text = f"{line}\n\ndef f(x):\n    return {call}(x, x, x, pred=lambda k, q: k < q)\n"
    (diagnostic,) = check_source(Source(text))[1]
    assert diagnostic.message == "raspl has no RASP-L function `kvq`"
    assert diagnostic.instead == "did you mean `kqv`?"


def test_what_stands_in_a_refused_loop_or_branch_is_not_blamed_for_it() -> None:
    text = """
def f(x):
    for token in x:
        if token > 3:
            return token
        pass
    return x
"""
    assert codes(text) == ["R101", "R102"]


def test_close_names_are_suggested() -> None:
    (diagnostic,) = check_source(Source("def f(tokens):\n    return token + 1\n"))[1]
    assert "`tokens`" in diagnostic.instead


def test_the_order_of_named_arguments_does_not_matter() -> None:
    """How `~` is read depends on which parameter is a truth value, not on what comes first."""
    texts = [
        "def f(x): return seq_map(x == 1, x, lambda a, b: ~a + b)",
        "def f(x): return seq_map(y=x, x=x == 1, func=lambda a, b: ~a + b)",
        "def f(x): return seq_map(func=lambda a, b: ~a + b, y=x, x=x == 1)",
    ]
    assert [parse(text)["f"]([1, 2]).tolist() for text in texts] == [[1, 3]] * 3


def test_a_function_is_read_even_where_its_sequences_are_refused() -> None:
    assert codes("def f(x): return seq_map(y, z, lambda a, b: ~b)") == ["R201", "R201"]
    assert codes("def f(x): return tok_map(x, lambda a, b, c: ~c)") == ["R206"]
