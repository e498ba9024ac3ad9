"""The command that compiles."""

from __future__ import annotations

from pathlib import Path

import pytest
import rich
from rich.console import Console

from tests.cli.commands import raspl


def test_compile_shows_writes_verifies_and_draws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rich, "_console", Console(width=160))
    written = ("-o", str(tmp_path / "net"), "--picture", str(tmp_path / "sort.png"))
    words = ("--alphabet=START,END,0:9", "--verify", "20", "--input", "3 1 START")
    done = raspl("compile", "sort_paper", *words, *written)
    assert done.returncode == 0, done.stderr
    assert "takes the min of x" in done.stdout
    assert "Longest exact input" in done.stdout
    assert "weights sha256 " in done.stdout
    assert "no mismatch on 20 sequences of up to" in done.stdout
    assert "docs/compiler.md" in done.stdout
    assert (tmp_path / "net" / "weights.safetensors").exists()
    assert (tmp_path / "sort.png").stat().st_size > 1000


def test_one_sequence_is_one() -> None:
    done = raspl("compile", "sort", "--alphabet=0:3", "--verify", "1", "--longest", "1")
    assert "no mismatch on 1 sequence of 1 token, 1 position\n" in done.stdout


def test_mistakes_are_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "wide.py"
    file.write_text("from raspl import program\n@program(bits=16)\ndef wide(x):\n    return x\n")
    for args, sentence in [
        (["sort_paper", "--alphabet=a:b"], "'a' is not a token"),
        (["sort", "--alphabet=5:3"], "there are no tokens in it"),
        (["sort", "--picture", "x.png"], "go together"),
        ([str(file)], "name its tokens with --alphabet"),
        (["sort", "--bits", "9"], "the width is 8 or 16"),
        (["mode_paper", "--verify", "1", "--longest", "1369"], "at most 1368, or --dtype float64"),
        (["count_paper", "--verify", "1", "--longest", "5000000"], "give at most 4192253\n"),
    ]:
        done = raspl("compile", *args)
        assert done.returncode == 2
        assert sentence in done.stderr
