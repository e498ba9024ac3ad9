"""The residual stream by name: it is what the network computes, and a patch acts as it should."""

from __future__ import annotations

import pytest

import raspl
from raspl.compiler.network import Network, NetworkError

INDUCTION = raspl.parse(
    """
def induction(x):
    before = shift_right(x, 1)
    return kqv(before, x, x, equals, default=0, reduction="max")
"""
)["induction"]
TOKENS = [3, 1, 4, 2, 3, 5]


@pytest.fixture(scope="module")
def network() -> Network:
    return raspl.compile(INDUCTION, alphabet=range(1, 6))


def test_every_dimension_stands_once_and_by_name(network: Network) -> None:
    stream = network.stream(TOKENS)
    dims = [dim for part in stream.parts for dim in part.dims]
    assert sorted(dims) == list(range(len(network.description.dims)))
    assert stream.output == network.predict(TOKENS).tolist() == INDUCTION(TOKENS).tolist()
    before = network.description.dims.index("before = 3")
    assert stream.values[:, before].tolist() == [0, 1, 0, 0, 0, 1]
    assert "layer 1: a head looks up x and writes before" in repr(stream)


def test_a_patch_changes_what_reads_it(network: Network) -> None:
    stream = network.stream(TOKENS)
    # Were the token before the 2 a 3, then what follows a 3 would be 1 or 2.
    patched = stream.patched("before", 3, 3)
    assert stream.output == [0, 0, 0, 0, 1, 0]
    assert patched.output == [0, 0, 0, 0, 2, 0]
    assert "#c2410c" in patched._repr_html_()
    assert "#c2410c" not in stream._repr_html_()


@pytest.mark.parametrize(
    ("patch", "sentence"),
    [
        (("after", 0, 1), "those that can are before, output, x"),
        (("before", 0, 77), "before is never 77"),
        (("before", 9, 1), "there is no position 9: the input has 6 tokens"),
    ],
)
def test_what_can_not_be_patched_is_said(
    network: Network, patch: tuple[str, int, int], sentence: str
) -> None:
    with pytest.raises(NetworkError, match=sentence):
        network.stream(TOKENS).patched(*patch)


def test_an_mlp_has_a_part_of_its_own() -> None:
    program = raspl.parse("def f(x):\n    up = x > shift_right(x, 1)\n    return where(up, x, 0)\n")
    stream = raspl.compile(program["f"], alphabet=range(4)).stream([1, 3, 2])
    assert any(part.is_mlp for part in stream.parts)
    assert stream.output == [1, 3, 0]
