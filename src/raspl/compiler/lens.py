"""A network in TransformerLens: the same logits, its hooks and caches (extra `raspl[lens]`).

TransformerLens builds such models natively: no normalisation, gated ReLU MLPs, a position table.
Its heads and MLPs are of one size in all layers, so ours are padded with zeros, and positions must
be tabulated to a context length, which the caller chooses. The stream keeps its dimensions: number
n of the residual stream is `network.description.dims[n]`.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import Any

import torch
from torch import Tensor

from raspl.compiler.description import Description, FiniteOutput
from raspl.compiler.network import NONE_LOGIT, Block, Head, Network, NetworkError
from raspl.compiler.positions import positions

SCALE = 2.0
"""TransformerLens divides scores by a scale that may not be 1; queries are doubled instead."""


def to_lens(network: Network, n_ctx: int = 256) -> Any:
    """A TransformerBridge that computes what the network does, for up to n_ctx - 1 tokens.

    Its input is what `lens_tokens` gives: the sink first. Its logits at the sink mean nothing;
    those behind it are the network's own.
    """
    native, builder = _imported()
    known = network.description
    if len(known.inputs) != 1:
        raise NetworkError("TransformerLens reads one sequence of tokens")
    if n_ctx - 1 > network.longest:
        raise NetworkError(f"n_ctx={n_ctx} is more than the {network.longest:,} exact tokens")
    config = _config(network, n_ctx)
    with torch.no_grad():
        model = native(config).to(network.dtype)
        for parameter in model.parameters():
            parameter.zero_()
        _fill(model, network, n_ctx)
    model.requires_grad_(False)
    name = f"raspl/{known.program}"
    return builder(model, "TransformerLensNative", tl_config=config, model_name=name)


def lens_tokens(network: Network, sequence: Iterable[int]) -> Tensor:
    """Tokens as the bridge takes them: shape (1, length + 1), the sink in front."""
    numbers = network.numbers(sequence)[..., 0]
    return torch.cat([torch.full((1, 1), _sink(network.description)), numbers], dim=1)


def variable_dims(network: Network, variable: str) -> list[int]:
    """The dimensions of the stream that hold a variable of the program."""
    known = network.description
    found = [number for number, name in enumerate(known.variables) if name == variable]
    if not found:
        listed = ", ".join(dict.fromkeys(known.variables))
        raise NetworkError(f"{known.program} has no variable {variable!r}; it has: {listed}")
    return found


def _imported() -> tuple[Any, Any]:
    try:
        sources = import_module("transformer_lens.model_bridge.sources")
        native = import_module("transformer_lens.model_bridge.sources.native")
    except ImportError:
        raise NetworkError("this needs TransformerLens 4: pip install 'raspl[lens]'") from None
    return native.NativeModel, sources.build_bridge_from_module


def _sink(known: Description) -> int:
    """The number of the token that stands for the sink."""
    return max(len(known.inputs[0].tokens), 1)


def _config(network: Network, n_ctx: int) -> Any:
    known = network.description
    heads = [head for block in known.blocks for head in block.heads]
    return import_module("transformer_lens.config").TransformerBridgeConfig(
        # One dimension more: 1 at every token, from which an index output takes its constants.
        d_model=len(known.dims) + 1,
        d_head=max((max(h.channels, len(h.moves)) for h in heads), default=1),
        n_heads=max((len(block.heads) for block in known.blocks), default=1) or 1,
        n_layers=max(len(known.blocks), 1),
        n_ctx=n_ctx,
        d_mlp=max((block.hidden for block in known.blocks), default=1) or 1,
        d_vocab=_sink(known) + 1,
        d_vocab_out=len(network.values(n_ctx - 1)),
        act_fn="relu",
        gated_mlp=True,
        normalization_type=None,
        attn_scale=SCALE,
        init_weights=False,
        architecture="TransformerLensNative",
        dtype=network.dtype,
    )


def _fill(model: Any, network: Network, n_ctx: int) -> None:
    known = network.description
    width = len(known.dims)
    model.tok_embed.weight[: _sink(known), :width] = network.embedding[0]
    model.tok_embed.weight[: _sink(known), width] = 1
    formulas = list(known.formulas)
    if formulas:
        table = positions(list(known.formulas.values()), torch.arange(n_ctx), network.dtype)
        model.pos.weight[:, formulas] = table
    for layer, block in zip(model.layers, network.blocks, strict=False):
        assert isinstance(block, Block)
        for number, head in enumerate(block.heads):
            assert isinstance(head, Head)
            _fill_head(layer.attn, head, number, width)
        if block.mlp is not None:
            hidden = block.mlp.gate.shape[1]
            layer.mlp.gate.weight[:hidden, :width] = block.mlp.gate.T
            getattr(layer.mlp, "in").weight[:hidden, :width] = block.mlp.up.T
            layer.mlp.out.weight[:width, :hidden] = block.mlp.out.T
    model.head.weight[:, :width], model.head.weight[:, width] = _unembedding(network, n_ctx)


def _fill_head(attention: Any, head: Head, number: int, width: int) -> None:
    start = number * attention.d_head
    channels, moves = head.query.shape[1], head.value.shape[1]
    attention.q.weight[start : start + channels, :width] = SCALE * head.query.T
    attention.k.weight[start : start + channels, :width] = head.key.T
    attention.v.weight[start : start + moves, :width] = head.value.T
    attention.o.weight[:width, start : start + moves] = head.out.T


def _unembedding(network: Network, n_ctx: int) -> tuple[Tensor, Tensor]:
    """Rows of the unembedding, and what each takes from the constant."""
    matrix = network.unembedding
    values = network.values(n_ctx - 1)
    if isinstance(network.description.output, FiniteOutput):
        return matrix.T, torch.zeros(len(values), dtype=network.dtype)
    candidates = torch.tensor(values[1:], dtype=network.dtype)
    value, present = matrix[:, 0], matrix[:, 1]
    rows = torch.cat([-NONE_LOGIT * present.unsqueeze(0), 2 * torch.outer(candidates, value)])
    return rows, torch.cat([torch.ones(1, dtype=network.dtype), -(candidates**2)])
