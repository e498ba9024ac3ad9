"""Networks on disk, and what a spoilt file is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raspl import programs
from raspl.compiler import Precision, compile
from raspl.compiler.export import description_hash, load, save, weights_hash
from raspl.compiler.network import NetworkError
from raspl.compiler.report import size


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["sort_paper", "mode_paper", "conjunction_paper"])
def test_a_network_comes_back_without_its_program(
    name: str, dtype: Precision, tmp_path: Path
) -> None:
    network = compile(programs.load(name), range(2), dtype)
    save(network, tmp_path)
    again = load(tmp_path)
    assert again.description == network.description
    assert again.dtype == network.dtype
    assert weights_hash(again) == weights_hash(network)
    assert size(again) == size(network)
    x = [0, 1, 1, 0, 1, 1]
    assert again.predict(x).tolist() == programs.load(name)(x).tolist()


def test_an_index_output_comes_back(tmp_path: Path) -> None:
    from raspl import parse

    program = parse("from raspl import *\ndef f(x):\n    return firsts(x, full(x, 1))")["f"]
    save(compile(program, range(3)), tmp_path)
    x = [0, 2, 1, 1, 0]
    assert load(tmp_path).predict(x).tolist() == program(x).tolist() == [-1, -1, 2, 2, 2]


def test_the_hash_does_not_depend_on_the_run() -> None:
    first, second = (compile(programs.load("count_paper"), range(-2, 9)) for _ in range(2))
    assert weights_hash(first) == weights_hash(second)


def test_spoilt_folders_are_refused(tmp_path: Path) -> None:
    save(compile(programs.load("sort_paper"), range(-2, 4)), tmp_path)
    description = tmp_path / "network.json"
    data = json.loads(description.read_text("utf-8"))
    del data["digest"]
    description.write_text(json.dumps(data), "utf-8")
    with pytest.raises(NetworkError, match="older version"):
        load(tmp_path)
    other = data | {"sha256": "0"}
    description.write_text(json.dumps(other | {"digest": description_hash(other)}), "utf-8")
    with pytest.raises(NetworkError, match="not those that were described"):
        load(tmp_path)
    description.write_text("{}", "utf-8")
    with pytest.raises(NetworkError, match="does not describe a network"):
        load(tmp_path)
    description.write_text("{", "utf-8")
    with pytest.raises(NetworkError, match="not JSON"):
        load(tmp_path)


def _saved(folder: Path) -> Path:
    save(compile(programs.load("sort_paper"), range(-2, 4)), folder)
    return folder


@pytest.mark.parametrize("field", ["inputs", "output", "dims", "blocks", "limits", "dtype"])
def test_a_changed_description_is_refused(field: str, tmp_path: Path) -> None:
    path = _saved(tmp_path) / "network.json"
    data = json.loads(path.read_text("utf-8"))
    data[field] = "float64" if field == "dtype" else data[field] and type(data[field])()
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(NetworkError, match="changed or is damaged"):
        load(tmp_path)


@pytest.mark.parametrize("name", ["network.json", "weights.safetensors"])
def test_a_network_that_is_cut_or_changed_anywhere_is_refused(name: str, tmp_path: Path) -> None:
    path = _saved(tmp_path) / name
    whole = path.read_bytes()
    for end in [0, 1, 7, 8, 9, *range(16, len(whole) - 1, len(whole) // 20)]:
        path.write_bytes(whole[:end])
        with pytest.raises(NetworkError):
            load(tmp_path)
    for place in range(0, len(whole), len(whole) // 40):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x15]) + whole[place + 1 :])
        with pytest.raises(NetworkError):
            load(tmp_path)
    path.unlink()
    with pytest.raises(NetworkError, match="can't be read"):
        load(tmp_path)


@pytest.mark.parametrize("text", ["[]", "5", "null", '"network"', "[" * 100_000])
def test_json_that_is_no_description_is_refused(text: str, tmp_path: Path) -> None:
    (_saved(tmp_path) / "network.json").write_text(text, "utf-8")
    with pytest.raises(NetworkError):
        load(tmp_path)
