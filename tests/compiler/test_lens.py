"""Networks in TransformerLens: the same logits, caches and patches.

`make test-lens` installs it and runs these tests, and so does `make test` where CI is set.
Elsewhere they are skipped, for it brings 370 MB. It takes seconds to import, so collecting the
tests does not.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from random import Random

import pytest
import torch

from raspl import parse, programs
from raspl.compiler import Precision, compile
from raspl.compiler.export import load
from raspl.compiler.lens import lens_tokens, to_lens, variable_dims
from raspl.compiler.network import NetworkError
from raspl.compiler.verify import random_columns
from raspl.compiler.zoo import Entry, build
from tests.compiler.examples import ALPHABETS, NAMES

if find_spec("transformer_lens") is None and "RASPL_TEST_LENS" not in os.environ:
    pytest.skip("TransformerLens is not installed", allow_module_level=True)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", NAMES)
def test_the_bridge_has_the_same_logits(name: str, dtype: Precision) -> None:
    network = compile(programs.load(name), ALPHABETS[name], dtype)
    bridge = to_lens(network, n_ctx=64)
    for length in (1, 7, 63):
        (x,) = random_columns(network, Random(length), length)
        with torch.inference_mode():
            expected = network(network.numbers(x))
            given = bridge(lens_tokens(network, x))[:, 1:]
        assert torch.equal(given, expected)


def test_an_index_output_has_the_same_argmax() -> None:
    program = parse("from raspl import *\ndef f(x):\n    return firsts(x, full(x, 1))")["f"]
    network = compile(program, range(3))
    bridge = to_lens(network, n_ctx=16)
    x = [0, 2, 1, 1, 0]
    chosen = bridge(lens_tokens(network, x))[0, 1:].argmax(-1)
    assert [network.values(15)[c] for c in chosen] == program(x).tolist()


def test_a_cache_shows_the_variables_of_the_program() -> None:
    program = programs.load("mode_paper")
    network = compile(program, range(4))
    x = [1, 2, 2, 3, 1, 1]
    _, cache = to_lens(network, n_ctx=16).run_with_cache(lens_tokens(network, x))
    last = len(network.description.blocks) - 1
    stream = cache[f"blocks.{last}.hook_resid_post"][0, 1:]
    (dim,) = [
        d for d in variable_dims(network, "frequency") if network.description.dims[d] == "frequency"
    ]
    assert stream[:, dim].tolist() == [1, 1, 2, 1, 2, 3]


def test_a_patch_of_attention_changes_the_answer() -> None:
    network = compile(programs.load("sort_paper"), range(-2, 10))
    bridge = to_lens(network, n_ctx=16)
    x = [3, 7, 5, -1]

    def look_at_seven(pattern: torch.Tensor, hook: object) -> torch.Tensor:
        pattern = torch.zeros_like(pattern)
        pattern[..., 2] = 1
        return pattern

    tokens = lens_tokens(network, x)
    values = network.values(len(x))
    assert values[int(bridge(tokens)[0, -1].argmax())] == 3
    patched = bridge.run_with_hooks(
        tokens, fwd_hooks=[("blocks.0.attn.hook_pattern", look_at_seven)]
    )
    assert values[int(patched[0, -1].argmax())] == 7


def test_a_folder_of_a_zoo_is_bridged(tmp_path: Path) -> None:
    program = programs.load("copy_unique_paper")
    alphabet = ALPHABETS["copy_unique_paper"]
    folder = build(Entry(program, program.source, alphabet, "A copy."), tmp_path)
    network = load(folder)
    x = random_columns(network, Random(0), 40)[0]
    chosen = to_lens(network, n_ctx=64)(lens_tokens(network, x))[0, 1:].argmax(-1)
    assert [network.values(40)[c] for c in chosen] == program(x).tolist()


def test_what_can_not_be_bridged_is_refused() -> None:
    network = compile(programs.load("mode_paper"), range(4))
    with pytest.raises(NetworkError, match="more than the"):
        to_lens(network, n_ctx=5000)
    with pytest.raises(NetworkError, match="no variable 'nothing'"):
        variable_dims(network, "nothing")
