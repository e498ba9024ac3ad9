"""A network as tables for the terminal: layers, heads, bounds."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table

from raspl.compiler.bounds import MANTISSA, MOST
from raspl.compiler.description import BlockShape, Description
from raspl.compiler.network import Network
from raspl.words import counted

ATTENTION = "attention"
WORDS = (
    "A head's channels are the width of its queries and keys, its moves the values that it copies. "
    "The sink is a key in front of the first token, for where nothing is selected. n is the length "
    "of the input, ranks are the values that a max or min puts in order. More: docs/compiler.md"
)


def layers_table(network: Network) -> Table:
    """Every block in order: what each head computes, which variables each MLP writes."""
    table = Table("layer", "part", "writes", "by", "channels", "moves", title="Network")
    for column in ("channels", "moves"):
        table.columns[[c.header for c in table.columns].index(column)].justify = "right"
    known = network.description
    tokens = ", ".join(f"{i.name} ({len(i.tokens)} tokens)" for i in known.inputs)
    table.add_row("0", "embedding", tokens, "position: " + _formulas(known), "", "")
    for block in known.blocks:
        for number, head in enumerate(block.heads):
            part = f"{ATTENTION}, head {number}"
            moves = str(len(head.moves))
            channels = str(head.channels)
            table.add_row(str(block.layer), part, head.variable, head.does, channels, moves)
        if block.hidden:
            table.add_row(str(block.layer), "MLP", ", ".join(block.writes), _hidden(block), "", "")
    return table


def _formulas(known: Description) -> str:
    """The position's formulas, with all digits and all bits of an index as one."""
    found = [
        name.replace("digits² of", "digits of") if name.startswith("digits²") else
        "bits of " + name.partition(" of ")[2] if name.startswith("bit ") else name
        for name in known.formulas.values()
        if " // " not in name and " % " not in name
    ]  # fmt: skip
    return ", ".join(dict.fromkeys(found))


def _hidden(block: BlockShape) -> str:
    gated = f", {block.gated} of them gated" if block.gated else ""
    return f"{counted(block.hidden, 'unit')}{gated}"


def bounds_table(network: Network) -> Table:
    """The tightest bounds first."""
    table = Table("construction", "why", *MANTISSA, title="Longest exact input")
    for column in table.columns[2:]:
        column.justify = "right"
    limits = {limit.what: limit for limit in network.description.limits}
    for limit in sorted(limits.values(), key=lambda limit: limit.of("float32"))[:8]:
        table.add_row(limit.what, limit.reason, *(length_text(n) for _, n in limit.longest))
    longest = (length_text(network.description.longest(dtype)) for dtype in MANTISSA)
    table.add_row("[bold]the whole network", "", *(f"[bold]{text}" for text in longest))
    return table


def length_text(longest: int) -> str:
    """A bound as text; beyond any input that there could be it is no bound."""
    return f"{longest:,}" if longest < MOST else "any"


def size(network: Network) -> tuple[int, int]:
    """Parameters, and how many of them are not 0."""
    tensors = list(network.parameters())
    return sum(t.numel() for t in tensors), sum(int((t != 0).sum()) for t in tensors)


def report(network: Network) -> RenderableType:
    """Everything that can be said without running it."""
    parameters, nonzero = size(network)
    lines = [
        WORDS,
        network.description.summary,
        f"{parameters:,} parameters, {nonzero:,} of them not 0",
        *(f"warning: {warning}; the network says nothing meaningful after it"
          for warning in network.description.warnings),
    ]  # fmt: skip
    return Group(layers_table(network), bounds_table(network), *lines)
