"""A primitive is one declaration and one rule in each table, and a forgotten rule is noticed."""

from __future__ import annotations

import re

import pytest

from tests.architecture.copies import Copy
from tests.architecture.page import snippets

(DECLARATION,) = snippets("before")
RULES = [block for block in snippets("last") if "ign" in block.text]
IMPORT = "from raspl.language.ir.primitives import Sign"
TESTS = (
    "tests/test_rule_tables.py",
    "tests/language/ir/test_primitives.py",
    "tests/language/generator/test_programs.py",
    "tests/fuzz.py",
    "tests/agreement.py",
    "tests/sampling.py",
)
PAIRS = 300
TABLES = {
    "raspl.language.ir.printer.RULES",
    "raspl.analysis.values.RULES",
    "raspl.analysis.cost.ATTRIBUTES",
    "raspl.executors.reference.RULES",
    "raspl.executors.stream.code.RULES",
    "raspl.executors.batch.executor.RULES",
    "raspl.compiler.lower.RULES",
}
_FAILED = re.compile(r"^FAILED tests/\S+?::(\S+)", re.MULTILINE)


@pytest.fixture(scope="module")
def declared(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy with the declaration and no rules."""
    made = Copy.under(tmp_path_factory.mktemp("declared"))
    made.apply(DECLARATION)
    made.add_tests(*TESTS)
    return made


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """A copy with the declaration and every rule."""
    made = Copy.under(tmp_path_factory.mktemp("with_a_primitive"))
    made.add_tests(*TESTS)
    made.apply(DECLARATION)
    for block in RULES:
        made.apply(block)
        if "Sign" in block.text:
            made.add_import(block.info[2], IMPORT)
    return made


def pytest_in(copy: Copy, *arguments: str) -> set[str]:
    """The project's own tests that fail in a copy."""
    files = [file for file in TESTS if "/test_" in file]
    done = copy.attempt("-m", "pytest", "-q", "-p", "no:cacheprovider", *files, *arguments)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return set(_FAILED.findall(done.stdout))


def test_every_forgotten_rule_is_noticed(declared: Copy) -> None:
    assert pytest_in(declared, "-k", "complete or whole_language or makes_every") == {
        *(f"test_a_table_is_complete[{table}]" for table in TABLES),
        "test_the_whole_language_is_drawn",
        "test_the_search_makes_every_primitive_and_reduction",
    }


def test_with_every_rule_nothing_is_missing(copy: Copy) -> None:
    assert pytest_in(copy, "-k", "not forgotten and not depth") == set()


def test_the_executors_agree_on_random_programs_with_it(copy: Copy) -> None:
    copy.python("-m", "tests.fuzz", "--pairs", str(PAIRS))


MEANINGS = """
import raspl
from raspl.analysis.values import infer
from raspl.executors import batch, reference, stream
from raspl.language.ir.printer import shape, to_source
from raspl.language.stub import declarations

program = raspl.parse("def f(x): return maximum(sign(x)) + sign(x)")["f"]
graph, x = program.graph, [-3, 0, 5, -1]
assert [run(graph, x).tolist() for run in (reference.run, stream.run)] == [[-2, 0, 2, 0]] * 2
assert batch.run(graph, [x])[0].tolist() == [-2, 0, 2, 0]
(again,) = raspl.parse(to_source(graph)).values()
assert shape(again.graph) == shape(graph)
assert program.measure().heads == 1
assert infer(graph)[graph.output].tolist() == [-2, -1, 0, 1, 2]
network = raspl.compile(program, alphabet=range(-3, 6))
assert network.predict(x).tolist() == [-2, 0, 2, 0]
assert "sign" in dir(raspl)
assert "below, at or above" in raspl.sign.__doc__
assert "def sign(" in declarations()
assert "R301" in str(raspl.check("def f(x): return sign(indices(x))").diagnostics[0])
"""

SEARCH = """
import raspl
from raspl.synthesis import search, settings_for
from raspl.synthesis.examples import LabelledSource
from raspl.synthesis.program_text import program_text

source = LabelledSource(
    "signs",
    lambda rng, length: rng.integers(-9, 10, size=length).tolist(),
    lambda prefix: (prefix[-1] > 0) - (prefix[-1] < 0),
    literals=(0,),
)
find = search(source, settings_for(source, 5, budget=20)).finds[0]
text = program_text(find.term, 8)
assert find.cost == 1, text
assert "sign(x)" in text, text
assert raspl.parse(text)["found"]([5, 0, -7]).tolist() == [1, 0, -1]
"""


def test_it_has_every_meaning(copy: Copy) -> None:
    copy.python("-c", MEANINGS)


def test_the_search_finds_it(copy: Copy) -> None:
    copy.python("-c", SEARCH)


def test_every_command_knows_it(copy: Copy) -> None:
    (copy.folder / "signs.py").write_text(
        "from raspl import program, sign\n\n\n@program\ndef signs(x):\n    return sign(x)\n"
    )
    assert copy.raspl("check", "signs.py").strip() == "legal: signs"
    assert copy.raspl("run", "signs.py", "5", "0", "-7").split() == ["1", "0", "-1"]
    assert "1 0 -1" in copy.raspl("trace", "signs.py", "5", "0", "-7")
    assert "signs" in copy.raspl("measure", "signs.py")
