"""A trained model in Hugging Face's layout gives the same logits there."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from raspl.runs.execute import execute
from raspl.runs.hugging_face import to_hugging_face
from raspl.runs.run import Run
from raspl.training.configuration import Configuration, TrainingError
from raspl.training.presets import configure


def test_names_and_shapes_are_gpt2s(small: Configuration, tmp_path: Path) -> None:
    execute(small, tmp_path)
    run = Run.at(tmp_path / small.name)
    to_hugging_face(run, tmp_path / "hf")
    weights = load_file(tmp_path / "hf" / "model.safetensors")
    width = small.width
    assert weights["transformer.h.0.attn.c_attn.weight"].shape == (width, 3 * width)
    assert weights["transformer.h.0.mlp.c_proj.weight"].shape == (4 * width, width)
    assert weights["transformer.wpe.weight"].shape == (small.context, width)
    assert len(weights) == len(run.model.state_dict())


def test_logits_are_the_same_in_transformers(small: Configuration, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    execute(small, tmp_path)
    run = Run.at(tmp_path / small.name)
    to_hugging_face(run, tmp_path / "hf")
    theirs = transformers.GPT2LMHeadModel.from_pretrained(tmp_path / "hf").eval()
    tokens = torch.randint(12, (4, small.context), generator=torch.Generator().manual_seed(0))
    with torch.inference_mode():
        torch.testing.assert_close(theirs(tokens).logits, run.model(tokens))


def test_only_learned_positions_and_trained_models_can_be_exported(tmp_path: Path) -> None:
    rotary = configure("count", "smoke", {"positions": "rotary"})
    execute(rotary, tmp_path)
    with pytest.raises(TrainingError, match="this run's are rotary"):
        to_hugging_face(Run.at(tmp_path / rotary.name), tmp_path / "hf")
    other = configure("count", "smoke")
    execute(other, tmp_path)
    (tmp_path / other.name / "weights.safetensors").unlink()
    with pytest.raises(TrainingError, match="has not been trained to the end"):
        to_hugging_face(Run.at(tmp_path / other.name), tmp_path / "hf")
