"""Lengths on the command line: numbers with commas, or a sentence and exit status 2."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from raspl.cli import app


@pytest.mark.parametrize("text", ["", " ", ",", "a", "1.5"])
def test_lengths_that_are_none(text: str) -> None:
    result = CliRunner().invoke(app, ["train", "count", "--test", text])
    assert result.exit_code == 2
    assert "Lengths are numbers separated by commas" in result.output
    assert "Traceback" not in result.output
