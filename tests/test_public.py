"""The public face: signatures, docstrings, names, the typed stub, and `check`."""

from __future__ import annotations

import doctest
import inspect
import pickle
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import raspl
from raspl.language import stub
from raspl.language.ir.primitives import CORE
from raspl.language.parsing.scope import library

PLAIN = pydoc.plaintext  # type: ignore[attr-defined]  # typeshed lacks it
EXPORTED: list[str] = vars(raspl)["__all__"]


def helped(name: str) -> str:
    """What `help(raspl.NAME)` prints."""
    return pydoc.render_doc(getattr(raspl, name), renderer=PLAIN)


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("select", "(k, q, pred)"),
        ("kqv", "(k, q, v, pred, default=None, reduction='mean')"),
        ("cumsum", "(x)"),
        ("shift_right", "(x, n, default=None)"),
        ("equals", "(a, b)"),
    ],
)
def test_help_shows_the_signature_and_an_example(name: str, signature: str) -> None:
    assert str(inspect.signature(getattr(raspl, name))) == signature
    assert f"{name}{signature}\n" in helped(name)
    assert f"{name}(" in helped(name).replace(f"{name}{signature}", "")


@pytest.mark.parametrize("name", [*CORE, "equals", "leq", "lt", "geq", "gt", *library()])
def test_every_function_is_documented(name: str) -> None:
    doc = inspect.getdoc(getattr(raspl, name)) or ""
    assert f"{name}(" in doc, "an example is missing"


@pytest.mark.parametrize("name", ["check", "parse", "equals", "geq", *library()])
def test_examples_in_docstrings_are_true(name: str) -> None:
    doc = inspect.getdoc(getattr(raspl, name)) or ""
    names = {known: getattr(raspl, known) for known in EXPORTED}
    example = doctest.DocTestParser().get_doctest(doc, names, name, None, 0)
    assert example.examples
    told: list[str] = []
    result = doctest.DocTestRunner().run(example, out=told.append)
    assert not result.failed, "".join(told)


def test_a_program_of_ones_own_has_a_signature_and_a_docstring() -> None:
    program = raspl.parse('def f(x, *, n: int, d=3):\n    """Doc."""\n    return x + n + d\n')["f"]
    assert str(inspect.signature(program)) == "(x, *, n, d=3)"
    assert inspect.getdoc(program) == "Doc."
    assert "f(x, *, n, d=3)\n    Doc." in pydoc.render_doc(program, renderer=PLAIN)
    assert str(inspect.signature(raspl.Program)).startswith("(definition")


def test_sequences_can_be_named_in_a_call() -> None:
    assert raspl.mask([5, 7], keep=[1, 0], mask_val=2).tolist() == [5, 2]
    assert raspl.mask(x=[5, 7], keep=[1, 0]).tolist() == [5, 0]
    with pytest.raises(raspl.RasplError, match="no literal parameter keep"):
        raspl.mask(keep=[1, 0])  # type: ignore[call-overload]


def test_core_functions_are_found_again_when_pickled_or_renamed() -> None:
    assert pickle.loads(pickle.dumps(raspl.select)) is raspl.select
    renamed = raspl.sel_width

    @raspl.program
    def count(x: raspl.Int) -> raspl.Int:
        return renamed(raspl.select(x, x, raspl.equals))

    assert count([5, 7, 5]).tolist() == [1, 1, 2]


def test_a_program_stays_itself_as_an_attribute_of_a_class() -> None:
    class Holder:
        count = raspl.cumsum

    assert Holder().count is raspl.cumsum
    assert Holder().count([1, 1]).tolist() == [1, 2]


def test_every_documented_name_is_listed_and_known_to_the_stub() -> None:
    lazy = {"align", "compile", "load_run", "predict", "search", "tasks", "train"}
    assert set(dir(raspl)) == {*EXPORTED, *lazy, "__version__"}
    assert not lazy & set(EXPORTED), "`from raspl import *` would load torch"
    text = stub.FILE.read_text("utf-8")
    for name in dir(raspl):
        declared = (f"def {name}(", f"{name}:", f"as {name}\n")
        assert any(form in text for form in declared), name


def test_the_stub_is_up_to_date() -> None:
    text = stub.FILE.read_text("utf-8")
    assert stub.updated(text) == text, "run `python -m raspl.language.stub`"


SNIPPET = """\
import raspl
from raspl import Index, Int, check, equals, full, indices, kqv, program, select, tok_map

@program
def head(x: Int, place: Index):
    best = kqv(k=x, q=x, v=x, pred=equals, default=0, reduction="max")
    kqv(x, x, x, lambda k, q: k < q, reduction="median")  # wrong: reduction
    tok_map(x, lambda a, b: a)  # wrong: arity
    raspl.aggr(x, x)  # wrong: no selector
    raspl.cumsum(select(x, x, equals))  # wrong: no sequence
    return raspl.shift_right(head_of(best + 1, place), n=1) == full(x, 3)

@program
def head_of(x: Int, place: Index):
    return raspl.index_select(x, place, default=0)

head([1, 2], [0, None]).tolist()
raspl.cumsum([0, 1]).tolist()
raspl.cumsum.measure().heads
result = check("def f(x): return x")
result.programs["f"], result.ok, result.diagnostics[0].span
programs, diagnostics = result
raspl.compile(head, alphabet=[0, 1])
raspl.train("count", max_length=15).exact_match
raspl.nope  # wrong: unknown
"""


def test_mypy_reads_the_stub(tmp_path: Path) -> None:
    (tmp_path / "snippet.py").write_text(SNIPPET, "utf-8")
    # Only what the snippet speaks of is read: the lint step checks the stub with all it imports.
    known = [stub.FILE, *(stub.FILE.parent / name for name in ("program.py", "loading.py"))]
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--follow-imports=skip",
        "snippet.py",
        *map(str, known),
    ]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    errors = [line for line in run.stdout.splitlines() if line.startswith("snippet.py:")]
    lines = {int(line.split(":")[1]) for line in errors if ": error:" in line}
    wrong = {number for number, line in enumerate(SNIPPET.splitlines(), 1) if "# wrong" in line}
    assert lines == wrong, run.stdout + run.stderr


def test_importing_raspl_loads_nothing_heavy() -> None:
    heavy = ["numpy", "torch", "pydantic", "rich", "typer", "jinja2"]
    code = f"import sys, raspl; print([name for name in {heavy} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"


LEGAL = "def f(x):\n    return x + 1\n"


def test_check_takes_a_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for text in (LEGAL, "def f(x): return x + 1", "# see other.py\ndef f(x): return x + 1"):
        programs, diagnostics = raspl.check(text)
        assert list(programs) == ["f"]
        assert diagnostics == []
    checked = raspl.check("def f(x): return x[0]")
    assert not checked.ok
    assert [each.rule.code for each in checked.diagnostics] == ["R104"]
    assert checked.diagnostics[0].span.file == "<text>"
    assert raspl.check("import os").ok, "a warning is no violation"


def test_check_takes_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("file.py", "program.txt"):
        (tmp_path / name).write_text("def f(x): return x[0]\n", "utf-8")
        for path in (name, Path(name), str(tmp_path / name)):
            (diagnostic,) = raspl.check(path).diagnostics
            assert diagnostic.span.file == name
    assert raspl.check("file.py", bits=16).programs == {}


def test_a_line_that_ends_in_py_is_a_path_that_must_exist() -> None:
    for path in ("missing.py", Path("missing")):
        with pytest.raises(FileNotFoundError):
            raspl.check(path)
