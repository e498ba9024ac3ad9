"""The typed face of the core and the library: `python -m raspl.language.stub` writes it.

Type checkers and editors read `raspl/__init__.pyi`. Most of it is written by hand; the part between
two marks is made here from the declarations, so that it can't say anything else than they do.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from raspl.language.ir.primitives import CORE, REDUCTIONS, Select
from raspl.language.ir.scalar import COMPARISON_NAMES
from raspl.language.ir.signatures import Declaration, Parameter
from raspl.language.parsing.builder import Builder
from raspl.language.parsing.frames import Parameter as ProgramParameter
from raspl.language.parsing.frames import Report
from raspl.language.parsing.module import DEFAULT_BITS
from raspl.language.parsing.scope import Definition, library
from raspl.language.public import comparison_doc

FILE = Path(__file__).parents[1] / "__init__.pyi"
BEGIN = "# Made by `python -m raspl.language.stub` from the declarations, down to the next mark.\n"
END = "# The end of what is made.\n"


def updated(stub: str) -> str:
    """The text of the stub with its made part as the declarations have it now."""
    before, _, rest = stub.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{declarations()}\n{END}{after}"


def declarations() -> str:
    """The core, the comparisons and the library."""
    report = Report()
    reduction = f"_Reduction: TypeAlias = Literal[{', '.join(map(_literal, REDUCTIONS))}]"
    return "\n".join(
        [
            reduction,
            "",
            *(_core(declared) for declared in CORE.values()),
            *(_comparison(name, op) for name, op in COMPARISON_NAMES.items()),
            *(_program(each, report) for each in library().values()),
        ]
    )


def _core(declared: Declaration) -> str:
    parameters = [
        f"{name}: {_core_type(parameter)}"
        + (f" = {_literal(parameter.default)}" if parameter.optional else "")
        for name, parameter in declared.parameters.items()
    ]
    result = "_Selector" if declared.maker is Select else "_Sequence"
    return _function(declared.name, parameters, result, declared.doc)


def _core_type(parameter: Parameter) -> str:
    match parameter.kind:
        case "sequence":
            return "_Like"
        case "selector":
            return "_Selector"
        case "function":
            return f"Callable[[{', '.join(['Any'] * parameter.arity)}], object]"
        case "integer":
            return "int | str | None"
        case "reduction":
            return "_Reduction"


def _comparison(name: str, op: str) -> str:
    return _function(name, ["a: int", "b: int"], "int", comparison_doc(name, op))


def _program(definition: Definition, report: Report) -> str:
    """A library function: a Program that is called on sequences of a program, or on tokens."""
    parameters = Builder(DEFAULT_BITS, report).signature(definition)
    kind = "_" + definition.name.title().replace("_", "")
    doc = ast.get_docstring(definition.node) or ""
    return "\n".join(
        [
            f"class {kind}(Program):",
            *_docstring(doc),
            "",
            *_overload(parameters, ("_Sequence", "_Like"), "_Sequence"),
            *_overload(parameters, ("_Tokens", "_Tokens"), "NDArray[Any]"),
            "",
            f"{definition.name}: {kind}",
            "",
        ]
    )


def _overload(
    parameters: list[ProgramParameter], taken: tuple[str, str], result: str
) -> Iterator[str]:
    """`taken` are the types of the first sequence, which tells the overloads apart, and others."""
    yield "    @overload"
    yield "    def __call__("
    yield "        self,"
    for number, parameter in enumerate(parameters):
        default = "" if parameter.default is None else f" = {_literal(parameter.default.value)}"
        is_optional = parameter.default is not None and parameter.default.value is None
        literal = "int | str | None" if is_optional else "int | str"
        kind = literal if parameter.literal else taken[number > 0]
        yield f"        {parameter.name}: {kind}{default},"
    yield f"    ) -> {result}: ..."


def _function(name: str, parameters: list[str], result: str, doc: str) -> str:
    head = [f"def {name}(", *(f"    {parameter}," for parameter in parameters), f") -> {result}:"]
    return "\n".join([*head, *_docstring(doc), ""])


def _docstring(doc: str) -> Iterator[str]:
    first, *rest = doc.splitlines()
    yield f'    """{first}'
    for line in rest:
        yield f"    {line}".rstrip()
    yield '    """'


def _literal(value: int | str | None) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


if __name__ == "__main__":
    FILE.write_text(updated(FILE.read_text("utf-8")), "utf-8")
