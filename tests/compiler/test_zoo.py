"""Folders of a zoo: they run without raspl, check themselves, and are the same bytes each time."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
import torch
from safetensors.torch import load_file, save_file

from raspl import parse, programs
from raspl.compiler.export import load
from raspl.compiler.network import Cache, NetworkError
from raspl.compiler.verify import random_columns
from raspl.compiler.zoo import Entry, build, listing, write_index
from raspl.compiler.zoo.model import Network, main
from tests.compiler.examples import ALPHABETS, NAMES

SMALL = ("conjunction_paper", "mode_paper", "copy_unique_paper")


def entry_of(name: str) -> Entry:
    program = programs.load(name)
    text = programs.path(name).read_text("utf-8")
    return Entry(program, text, ALPHABETS[name], "About it.")


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("zoo")
    for name in NAMES:
        build(entry_of(name), root)
    write_index(root)
    return root


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    """The self-test of a folder, by an interpreter that can't see raspl."""
    hidden = "import sys; sys.modules['raspl'] = None; import runpy; sys.argv = ['model.py']; "
    code = f"{hidden}runpy.run_path('model.py', run_name='__main__')"
    return subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_folder_checks_itself_without_raspl(zoo: Path) -> None:
    done = run(zoo / "count_paper")
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"count_paper: right on \d+ examples, \d+ positions\n", done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_the_plain_model_is_the_network(name: str, zoo: Path) -> None:
    """Its own page of code gives the same stream, bit for bit where that is exact."""
    network, plain = load(zoo / name), Network(zoo / name)
    assert plain.names == list(network.description.dims)
    assert plain.longest == network.longest
    for length in (1, 2, 50):
        columns = random_columns(network, Random(length), length)
        assert plain.predict(*columns) == network.predict(*columns).tolist()
        cache = Cache()
        x = network.embed(network.numbers(*columns), cache)
        states = plain.stream(*columns)
        assert torch.equal(states[0], x[0])
        for block, state in zip(network.blocks, states[1:], strict=True):
            x = block(x, cache)
            assert torch.allclose(state, x[0], atol=1e-3)


def test_an_index_output_in_plain_pytorch(tmp_path: Path) -> None:
    text = "from raspl import *\ndef f(x):\n    return firsts(x, full(x, 1))"
    program = parse(text)["f"]
    folder = build(Entry(program, text, range(3), "The first 1."), tmp_path)
    x = [0, 2, 1, 1, 0]
    assert Network(folder).predict(x) == program(x).tolist() == [-1, -1, 2, 2, 2]


@pytest.mark.parametrize("name", SMALL)
def test_two_builds_are_the_same_bytes(name: str, zoo: Path, tmp_path: Path) -> None:
    again = build(entry_of(name), tmp_path)
    files = sorted(file.name for file in again.iterdir())
    assert files == sorted(file.name for file in (zoo / name).iterdir())
    assert len(files) == 7
    for file in files:
        assert (again / file).read_bytes() == (zoo / name / file).read_bytes(), file


@pytest.mark.parametrize(
    "file", ["README.md", "examples.json", "network.json", "weights.safetensors", "program.py"]
)
def test_a_changed_file_is_noticed(file: str, zoo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(zoo / "conjunction_paper", tmp_path / "changed")
    (folder / file).write_bytes((folder / file).read_bytes() + b" ")
    with pytest.raises(SystemExit, match=f"{file} is not as it was written"):
        main(folder)


def test_wrong_weights_are_noticed_even_if_their_sum_is_right(zoo: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(zoo / "conjunction_paper", tmp_path / "wrong")
    weights = load_file(folder / "weights.safetensors")
    weights["unembedding"] = -weights["unembedding"]
    save_file(weights, folder / "weights.safetensors")
    (folder / "SHA256SUMS").write_text("", "utf-8")
    with pytest.raises(SystemExit, match="wrong on"):
        main(folder)


def test_the_card_names_every_dimension_and_its_code_runs(
    zoo: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = zoo / "sort_paper"
    card = (folder / "README.md").read_text("utf-8")
    known = load(folder).description
    for number, name in enumerate(known.dims):
        assert f"| {number} | {name} |" in card
    digest = json.loads((folder / "network.json").read_text("utf-8"))["digest"]
    assert digest in card
    (plain, _) = re.findall(r"```python\n(from [mr].*?)```", card, re.DOTALL)
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    exec(plain, {})  # our own page, as a reader would run it
    first = json.loads((folder / "examples.json").read_text("utf-8"))[0]
    assert capsys.readouterr().out.splitlines()[0] == str(first["output"])


def test_examples_are_what_the_program_says(zoo: Path) -> None:
    for name in NAMES:
        for example in json.loads((zoo / name / "examples.json").read_text("utf-8")):
            assert programs.load(name)(*example["inputs"]).tolist() == example["output"]


def test_a_zoo_is_listed(zoo: Path, tmp_path: Path) -> None:
    found = listing(zoo)
    assert [entry["name"] for entry in found] == sorted(NAMES)
    assert json.loads((zoo / "index.json").read_text("utf-8")) == found
    page = (zoo / "README.md").read_text("utf-8")
    assert all(f"[{name}]({name}/)" in page for name in NAMES)
    with pytest.raises(NetworkError, match="there are no networks in"):
        listing(tmp_path)
