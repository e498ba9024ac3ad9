"""Languages and own tasks on the command line: sampled, and explained where they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from raspl.cli import app

WRONG = """
from raspl.tasks import Task, keep


def sample(rng, lengths):
    letters = keep(rng.integers(2, size=(len(lengths), lengths.max())), lengths)
    return letters, letters


task = Task("wrong", "", "ab", sample, lambda prompt: prompt[::-1])
"""


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_a_language_is_sampled_with_its_states() -> None:
    result = call("sample", "--language", "(ab)*", "--length", "4", "-n", "1")
    tokens, states = result.stdout.splitlines()
    assert tokens.split() == ["SoS", "&", "a", "&", "b", "&", "a", "&", "b", "&"]
    assert states.split() == ["·", "q0", "·", "q1", "·", "q0", "·", "q1", "·", "q0"]


@pytest.mark.parametrize("command", ["sample", "train", "predict", "search"])
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "Name one task, or give one --language"),
        (("sort", "--language", "a*"), "Name one task, or give one --language"),
        (("--language", "(a|b)*a" + "(a|b)" * 50), "more than 1,000 states"),
        (("--language", "(((("), "has no symbols"),
        (("--language", "a\x00*"), "can't stand in the regex"),
        (("language:(a",), "brackets don't match"),
    ],
)
def test_each_command_explains_what_is_no_task(
    command: str,
    arguments: tuple[str, ...],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    result = call(command, *arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr


@pytest.mark.parametrize("command", ["sample", "train", "predict", "search"])
def test_each_command_compares_the_sampler_with_the_solver(
    command: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.py").write_text(WRONG, "utf-8")
    result = call(command, "wrong.py")
    assert result.exit_code == 2
    assert "the sampler gives the answer" in result.stderr
    assert "and the solver" in result.stderr
