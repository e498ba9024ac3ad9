"""The card of a network: what it computes, how exactly, how to load it, what each dimension is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from raspl.compiler.bounds import MANTISSA
from raspl.compiler.network import MLP, Head, Network
from raspl.compiler.report import length_text, size

if TYPE_CHECKING:
    from raspl.compiler.zoo import Entry

FEW = 12
"""So many values of a code, or tokens of an example, are written out."""


def card(entry: Entry, network: Network, examples: Sequence[Mapping[str, Any]], digest: str) -> str:
    """The page of one network, as Markdown with the header that hubs read."""
    name = entry.program.name
    dtype = str(network.dtype).removeprefix("torch.")
    sections = [
        HEADER.format(name=name),
        f"# {name}\n\n{entry.about}",
        "A [RASP-L](https://arxiv.org/abs/2310.16028) program as the weights of a Transformer, by "
        "`raspl`. It was compiled, not trained: on every input over its tokens, up to the length "
        "below, the argmax at every position is exactly what the program says.",
        _facts(network),
        LOADING.format(
            name=name, context=min(network.longest + 1, 64), example=_shown(examples[0])
        ),
        "## The program\n\n```python\n" + entry.source.strip() + "\n```",
        "## Examples\n\n" + _examples(entry, examples),
        "## Blocks\n\n" + _blocks(network),
        "## Dimensions of the residual stream\n\n" + _dimensions(network),
        f"## Hash\n\n`network.json` and `weights.safetensors` ({dtype}) together: `{digest}`. "
        "`SHA256SUMS` covers every file here; `python model.py` checks them all.",
    ]
    return "\n\n".join(sections) + "\n"


HEADER = """---
license: mit
library_name: pytorch
tags: [raspl, rasp, interpretability, compiled, transformer]
model_name: raspl/{name}
---"""
LOADING = """## Load it

In plain PyTorch (torch and safetensors, nothing else), from this folder:

```python
from model import Network

network = Network(".")
print(network.predict({example}))
states = network.stream({example})  # the residual stream after each block
print(network.names)  # what its dimensions are
```

In TransformerLens (`pip install 'raspl[lens]'`), with hooks and caches:

```python
from raspl.compiler import export, lens

network = export.load(".")
bridge = lens.to_lens(network, n_ctx={context})
logits, cache = bridge.run_with_cache(lens.lens_tokens(network, {example}))
```"""


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _facts(network: Network) -> str:
    known = network.description
    parameters, nonzero = size(network)
    longest = known.longest("float32")
    rows: list[tuple[str, object]] = [
        ("tokens", ", ".join(f"{len(i.tokens)} ({i.name})" for i in known.inputs)),
        ("attention layers", known.layers),
        ("heads", sum(len(block.heads) for block in known.blocks)),
        ("blocks", len(known.blocks)),
        ("width", len(known.dims)),
        ("hidden units", sum(block.hidden for block in known.blocks)),
        ("parameters", f"{parameters:,}, of which {nonzero:,} are not 0"),
        *((f"exact to, in {d}", f"{length_text(known.longest(d))} tokens") for d in MANTISSA),
        ("what sets the bound in float32", known.reason(longest)),
        *(("says nothing meaningful after", warning) for warning in known.warnings),
    ]
    return table(("", ""), rows)


def _shown(example: Mapping[str, Any]) -> str:
    return ", ".join(str(list(column)) for column in example["inputs"])


def _examples(entry: Entry, examples: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for example in examples[:6]:
        columns = " / ".join(_tokens(entry, column) for column in example["inputs"])
        rows.append((columns, _tokens(entry, example["output"])))
    return "What the program says at each position; all are in `examples.json`.\n\n" + table(
        ("input", "output"), rows
    )


def _tokens(entry: Entry, tokens: Sequence[int]) -> str:
    words = entry.words
    named = [words[t] if words and 0 <= t < len(words) else str(t) for t in tokens]
    more = [] if len(named) <= 3 * FEW else ["…"]
    return "`" + " ".join([*named[: 3 * FEW], *more]) + "`"


def _blocks(network: Network) -> str:
    rows: list[tuple[object, ...]] = []
    for number, block in enumerate(network.description.blocks):
        for place, head in enumerate(block.heads):
            size = f"{head.channels} channels, {len(head.moves)} moved"
            rows.append((number, block.layer, f"head {place}", head.variable, head.does, size))
        if block.hidden:
            gated = f", {block.gated} gated" if block.gated else ""
            rows.append((number, block.layer, "MLP", ", ".join(block.writes), "",
                         f"{block.hidden} units{gated}"))  # fmt: skip
    return table(("block", "attention layer", "part", "writes", "does", "size"), rows)


def _dimensions(network: Network) -> str:
    known = network.description
    written = _written(network)
    rows = [
        (number, name, variable, written[number], _holds(known.codes.get(number, {})))
        for number, (name, variable) in enumerate(zip(known.dims, known.variables, strict=True))
    ]
    return table(("", "name", "variable", "written by", "holds, by value"), rows)


def _holds(code: Mapping[int, int]) -> str:
    if not code or all(value == number for value, number in code.items()):
        return "the value" if code else ""
    shown = ", ".join(f"{value} → {number}" for value, number in list(code.items())[:FEW])
    return shown + (", …" if len(code) > FEW else "")


def _written(network: Network) -> list[str]:
    """For each dimension, what writes it."""
    known = network.description
    found = ["positions" if n in known.formulas else "" for n in range(len(known.dims))]
    sources = [("tokens", table) for table in network.embedding]
    for number, block in enumerate(network.blocks):
        for place, head in enumerate(block.heads):  # type: ignore[arg-type]
            assert isinstance(head, Head)
            sources.append((f"block {number}, head {place}", head.out))
        if isinstance(block.mlp, MLP):
            sources.append((f"block {number}, MLP", block.mlp.out))
    for name, matrix in sources:
        for dim in matrix.any(0).nonzero().flatten().tolist():
            found[dim] = f"{found[dim]}; {name}" if found[dim] else name
    return found


def index_page(found: Sequence[Mapping[str, Any]]) -> str:
    """The page of a whole zoo."""
    rows = [
        (f"[{e['name']}]({e['name']}/)", e["tokens"], e["layers"], e["heads"], e["width"],
         f"{e['parameters']:,}", length_text(e["longest"]))
        for e in found
    ]  # fmt: skip
    header = ("program", "tokens", "attention layers", "heads", "width", "parameters", "exact to")
    return (
        "# A zoo of compiled Transformers\n\n"
        "Each folder is a RASP-L program as the weights of a Transformer, which are exact up to "
        "the stated length. Its `README.md` names every dimension and says how to load it; "
        "`python model.py` in the folder checks it.\n\n" + table(header, rows) + "\n"
    )
