import pytest
from typer.testing import CliRunner

from raspl.cli import app


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "A sweep varies something"),
        (["--vary", "heads"], "--vary takes NAME=A,B,C"),
        (["--vary", "learning_rate=3:1"], "A range goes from"),
        (["--vary", "headz=1,2"], "'headz' can't be set"),
        (["--vary", "seed=21,22", "--scale", "desk"], "Seeds from 21 on are the studies'"),
        (["--vary", "heads=1,2", "--scale", "dest"], "no scale 'dest'"),
    ],
)
def test_mistakes_are_sentences(
    arguments: list[str], sentence: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    root = str(tmp_path_factory.mktemp("runs"))
    result = CliRunner().invoke(app, ["sweep", "sort", "--root", root, *arguments])
    assert result.exit_code == 2
    assert sentence in " ".join((result.output + str(result.stderr)).split())
