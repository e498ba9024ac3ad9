"""The compiler: a RASP-L program as the weights of a Transformer, one set for all lengths.

>>> import raspl
>>> from raspl import programs
>>> network = raspl.compile(programs.load("sort"), alphabet=range(-2, 10))
>>> network.predict([3, 1, 2, -1])
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from raspl.compiler.context import Refused
from raspl.compiler.lower import lower
from raspl.compiler.simplify import simplify
from raspl.errors import RasplError
from raspl.language.ir.graph import Graph

if TYPE_CHECKING:
    from raspl.analysis.values import Alphabet
    from raspl.compiler.network import Network
    from raspl.program import Program

__all__ = ["Refused", "compile"]
Precision = Literal["float32", "float64"]


def compile(
    program: Program | Graph, alphabet: Alphabet | None = None, dtype: Precision = "float32"
) -> Network:
    """The network of a program, exact on every input over the alphabet up to a stated length.

    Raises `Refused` with the reason and the place where a program has no such network. The alphabet
    may be given by the names of tokens. Without one, the tokens that the program names may come in,
    or every Int of its width if it names none.
    """
    try:
        import torch
    except ImportError:
        raise RasplError("the compiler needs torch: pip install 'raspl[learn]'") from None
    from raspl.compiler.alphabets import checked_alphabet
    from raspl.compiler.assemble import assemble

    graph = program if isinstance(program, Graph) else program.graph
    plan, low = lower(graph, checked_alphabet(alphabet, graph.vocabulary))
    network = assemble(simplify(plan), graph.name, [i.name for i in graph.inputs], low.warnings())
    if network.description.longest(dtype) < 1:
        reason = network.description.reason(network.description.longest(dtype))
        raise Refused(
            graph.output,
            "no length is exact",
            f"no input at all is exact in {dtype} ({reason}): shift indices by less",
        )
    return network.to(getattr(torch, dtype))
