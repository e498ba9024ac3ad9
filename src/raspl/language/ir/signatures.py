"""Signatures of the core: what a primitive is called, and what it takes.

A class declares itself with `@core("name", parameter=KIND, …)`. The parser, the printer, the public
functions and the typed stub all read that declaration; none of them knows a primitive by name.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import cleandoc
from typing import Any, Literal, TypeVar

ParameterKind = Literal["sequence", "selector", "function", "integer", "reduction"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a core function."""

    kind: ParameterKind
    arity: int = 0
    """Of a function: how many integers it takes."""
    optional: bool = False
    default: int | str | None = None

    def or_default(self, default: int | str | None) -> Parameter:
        """The same parameter where it may be left out."""
        return replace(self, optional=True, default=default)


SEQUENCE = Parameter("sequence")
SELECTOR = Parameter("selector")
INTEGER = Parameter("integer")
"""A literal: an integer, or None where it stands for an index."""
REDUCTION = Parameter("reduction")


def function(arity: int) -> Parameter:
    """A scalar function of so many integers."""
    return Parameter("function", arity)


@dataclass(frozen=True)
class Declaration:
    """A function of the core: its signature, its documentation and its typing rule."""

    name: str
    parameters: dict[str, Parameter]
    maker: type[Any]
    """The class that declares it. `build` takes the arguments by the names above."""

    @cached_property
    def optional(self) -> frozenset[str]:
        """The parameters that may be left out."""
        return frozenset(name for name, each in self.parameters.items() if each.optional)

    @cached_property
    def takes_function(self) -> bool:
        """Whether a parameter is a function of integers."""
        return any(each.kind == "function" for each in self.parameters.values())

    @property
    def doc(self) -> str:
        """What it does, with an example."""
        return cleandoc(self.maker.__doc__ or "")

    @property
    def build(self) -> Callable[..., Any]:
        """The typing rule: from a site and the arguments to a node, or a Violation."""
        rule: Callable[..., Any] = self.maker.build
        return rule


CORE: dict[str, Declaration] = {}
"""Every function of the core by name, in the order of their declarations."""
Maker = TypeVar("Maker", bound=type[Any])


def core(name: str, **parameters: Parameter) -> Callable[[Maker], Maker]:
    """Declare a class to be a function of the core."""

    def declare(maker: Maker) -> Maker:
        CORE[name] = Declaration(name, parameters, maker)
        return maker

    return declare
