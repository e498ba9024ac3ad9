"""The MLP stands in a Transformer's place, and is an MLP on the whole prefix."""

from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from raspl.runs.execute import execute
from raspl.runs.run import Run
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.evaluation import decode
from raspl.training.perceptron import Perceptron, build_model
from raspl.training.presets import configure

TOKENS, CONTEXT = 7, 9


def config(**changes: object) -> Configuration:
    fields = {"architecture": "mlp", "layout": "single", "offset": "zero", "layers": 3}
    return configure("count", "smoke", {**fields, "context": CONTEXT, "numbers": 4, **changes})


def by_hand(model: Perceptron, tokens: list[int]) -> torch.Tensor:
    """The next token's scores after a prefix: one vector through an MLP."""
    read = torch.cat([model.embed.weight[token] for token in tokens])
    matrix = torch.cat(list(model.first[: len(tokens)]), dim=1)
    x = functional.gelu(matrix @ read + model.bias)
    for layer in model.layers:
        x = functional.gelu(layer(x))
    scores: torch.Tensor = model.head(model.norm(x))
    return scores


def test_it_is_an_mlp_on_the_prefix() -> None:
    model = build_model(TOKENS, config())
    assert isinstance(model, Perceptron)
    tokens = torch.randint(TOKENS, (4, CONTEXT), generator=torch.Generator().manual_seed(0))
    found = model(tokens)
    for row, scores in zip(tokens.tolist(), found, strict=True):
        for end in range(1, CONTEXT + 1):
            expected = by_hand(model, row[:end])
            torch.testing.assert_close(scores[end - 1], expected, atol=1e-4, rtol=1e-4)


def test_decoding_with_its_memory_is_decoding_without() -> None:
    model = build_model(TOKENS, config())
    prompts = np.array([[0, 4, 5, 1], [0, 3, 1, 0]])
    written = decode(model, prompts, np.array([4, 3]), CONTEXT)
    for row, size in zip(written.tolist(), (4, 3), strict=True):
        for column in range(size, CONTEXT):
            if row[column] < 0:
                break
            with torch.inference_mode():
                scores = model(torch.tensor([row[:column]]))[0, -1]
            assert int(scores.argmax()) == row[column]


def test_it_trains_is_kept_and_refuses_what_it_cannot_do(tmp_path: Path) -> None:
    chosen = configure(
        "conjunction",
        "smoke",
        {"architecture": "mlp", "layout": "single", "offset": "zero", "optimiser": "adamw"},
    )
    result = execute(chosen, tmp_path)
    run = Run.at(tmp_path / chosen.name)
    assert isinstance(run.model, Perceptron)
    assert run.evaluate([20]) == list(result.tested)
    with pytest.raises(TrainingError, match="offset=zero"):
        config(offset="random")
    with pytest.raises(ValueError, match="shifted"):
        run.model.hidden(torch.zeros(1, 3, dtype=torch.long), offset=torch.tensor([2]))
