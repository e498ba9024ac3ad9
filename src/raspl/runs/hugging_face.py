"""A trained model in Hugging Face's GPT-2 layout: `GPT2LMHeadModel.from_pretrained(folder)`."""

import json
from pathlib import Path

from safetensors.torch import save
from torch import Tensor

from raspl.runs.files import write_whole
from raspl.runs.run import Run
from raspl.tasks import END, START
from raspl.training.configuration import TrainingError
from raspl.training.model import Transformer

NAMES = {
    "norm_1": "ln_1",
    "attention.qkv": "attn.c_attn",
    "attention.out": "attn.c_proj",
    "norm_2": "ln_2",
    "expand": "mlp.c_fc",
    "shrink": "mlp.c_proj",
}


def to_hugging_face(run: Run, folder: Path) -> None:
    """Weights, configuration and token names."""
    config = run.config
    if config.architecture != "transformer":
        raise TrainingError("GPT-2 is a Transformer; this run's network is an MLP.")
    if config.positions != "learned":
        raise TrainingError(f"GPT-2 has learned positions; this run's are {config.positions}.")
    model, alphabet = run.model, run.task.alphabet
    description = {
        "architectures": ["GPT2LMHeadModel"],
        "model_type": "gpt2",
        "vocab_size": len(alphabet),
        "n_positions": config.context,
        "n_embd": config.width,
        "n_layer": config.layers,
        "n_head": config.heads,
        "activation_function": "gelu",  # the exact one; GPT-2's own is the tanh approximation
        "layer_norm_epsilon": model.norm.eps,
        "resid_pdrop": 0.0,
        "embd_pdrop": 0.0,
        "attn_pdrop": 0.0,
        "bos_token_id": START,
        "eos_token_id": END,
        "tie_word_embeddings": True,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise TrainingError(f"Can't write in {folder}: {error.strerror}.") from error
    write_whole(folder / "config.json", (json.dumps(description, indent=2) + "\n").encode())
    write_whole(folder / "tokens.json", (json.dumps(alphabet) + "\n").encode())
    weights = save(renamed(model), metadata={"format": "pt"})
    write_whole(folder / "model.safetensors", weights)


def renamed(model: Transformer) -> dict[str, Tensor]:
    """GPT-2's names. It keeps its matrices transposed."""
    result = {}
    for name, weight in model.state_dict().items():
        if name.startswith("blocks."):
            _, layer, rest = name.split(".", 2)
            part, kind = rest.rsplit(".", 1)
            target = f"transformer.h.{layer}.{NAMES[part]}.{kind}"
            result[target] = weight.T.contiguous() if weight.dim() == 2 else weight
        else:
            part, kind = name.rsplit(".", 1)
            target = {"embed": "wte", "place": "wpe", "norm": "ln_f"}[part]
            result[f"transformer.{target}.{kind}"] = weight
    return result
