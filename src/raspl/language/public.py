"""The functions of the language as Python sees them: with a signature, and a docstring that `help`
shows. They are for the text of programs; only the comparisons can be called from Python too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter as PythonParameter
from inspect import Signature
from typing import Any

from raspl.language.ir.primitives import CORE
from raspl.language.ir.scalar import COMPARISON_NAMES, NAMED
from raspl.language.ir.signatures import Declaration, Parameter
from raspl.language.parsing.scope import Core, Scalar


def drawn(function: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """What a call makes if an argument knows how to write it down (`raspl.draw`), else None."""
    for each in (*args, *kwargs.values()):
        write = getattr(type(each), "__raspl_call__", None)
        if write is not None:
            return write(each, function, args, kwargs)
    return None


def core_functions() -> dict[str, Callable[..., Any]]:
    """The functions of the core by name."""
    return {name: _core_function(declared) for name, declared in CORE.items()}


def comparisons() -> dict[str, Callable[[int, int], int]]:
    """The named comparisons: `equals`, `lt` and their like."""
    return {name: _comparison(name, op) for name, op in COMPARISON_NAMES.items()}


def _core_function(declared: Declaration) -> Callable[..., Any]:
    def function(*args: object, **kwargs: object) -> Any:
        made = drawn(function, args, kwargs)
        if made is None:
            raise TypeError(
                f"{declared.name} is RASP-L, not Python: use it in a function that carries "
                "@program, or on the x of raspl.draw"
            )
        return made

    parameters = [_parameter(name, taken) for name, taken in declared.parameters.items()]
    return _public(function, Core(declared.name), declared.doc, Signature(parameters))


def _parameter(name: str, taken: Parameter) -> PythonParameter:
    default = taken.default if taken.optional else PythonParameter.empty
    return PythonParameter(name, PythonParameter.POSITIONAL_OR_KEYWORD, default=default)


def _comparison(name: str, op: str) -> Callable[[int, int], int]:
    fn = NAMED[name]

    def function(a: int, b: int) -> int:
        return fn(a, b)

    plain = [PythonParameter(side, PythonParameter.POSITIONAL_OR_KEYWORD) for side in "ab"]
    return _public(function, Scalar(name, fn), comparison_doc(name, op), Signature(plain))


def comparison_doc(name: str, op: str) -> str:
    """What a named comparison does, with an example."""
    return (
        f"Whether a {op} b. As a predicate of `select`, a is the key and b the query.\n\n"
        f">>> {name}(1, 2)\n{NAMED[name](1, 2)}"
    )


def _public(
    function: Callable[..., Any], meaning: Core | Scalar, doc: str, signature: Signature
) -> Callable[..., Any]:
    """A Python function that stands for a name of RASP-L."""
    function.__name__ = function.__qualname__ = meaning.name
    function.__module__ = "raspl"
    function.__doc__ = doc
    # `scope` knows the function by this, under whatever name it was imported.
    vars(function)["__raspl__"] = meaning
    vars(function)["__signature__"] = signature
    return function
