"""Pictures of networks at work."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from raspl import programs
from raspl.compiler import compile
from raspl.compiler.network import NetworkError
from raspl.compiler.picture import draw, heads_on
from tests.compiler.examples import ALPHABETS


@pytest.mark.parametrize(
    "name", ["count_paper", "sort_paper", "mode_paper", "addition_reverse_paper"]
)
def test_heads_attend_where_the_program_selects(name: str) -> None:
    """Only the uniform head of a count looks at what is not selected; only rounding selects by
    no selector; whatever has nothing selected looks at the sink."""
    network = compile(programs.load(name), ALPHABETS[name])
    x = [token for token in (-1, 5, 3, 5, 9, 2, 0) if token in ALPHABETS[name]]
    for head in heads_on(network, programs.load(name).graph, [x]):
        np.testing.assert_allclose(head.attention.sum(1), 1)
        if head.selector is None or "fraction" in head.shape.does:
            continue
        assert not head.attention[:, 1:][head.selector == 0].any()
        nothing = ~head.selector.any(1)
        assert np.array_equal(head.attention[:, 0] == 1, nothing)


def test_a_picture_is_written(tmp_path: Path) -> None:
    network = compile(programs.load("mode_paper"), range(4))
    graph = programs.load("mode_paper").graph
    file = tmp_path / "mode.png"
    draw(network, graph, [[1, 2, 2, 3]], file)
    assert file.read_bytes()[:4] == b"\x89PNG"
    with pytest.raises(NetworkError, match="a picture shows 1 to 64 tokens"):
        draw(network, graph, [[1] * 65], file)
