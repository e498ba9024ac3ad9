"""The public object: a program that can be run, generated with, traced and measured."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from inspect import Parameter as PythonParameter
from inspect import Signature
from typing import TYPE_CHECKING, Any, Self, overload

from raspl.errors import RasplError
from raspl.language.diagnostics import IllegalProgram
from raspl.language.ir.graph import Graph
from raspl.language.limits import MAX_LITERAL
from raspl.language.parsing.builder import Builder
from raspl.language.parsing.frames import LiteralValue, Parameter, Report
from raspl.language.parsing.module import (
    WIDTHS,
    build,
    declared_bits,
)
from raspl.language.parsing.scope import Definition, definition_of, library
from raspl.language.public import drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from raspl import _Sequence
    from raspl.analysis.cost import Measures
    from raspl.analysis.disciplines import Discipline
    from raspl.executors.batch.inputs import Results
    from raspl.executors.reference import RunError
    from raspl.trace import Trace

ENDS = ("EoS", "END")
"""What programs call the token that ends a generation."""
Tokens = str | Iterable[int | str | None]
"""Tokens by number, or by name: in a list, or as words of a string."""


class Program:
    """A RASP-L program: a checked definition, with its literal parameters fixed.

    Calling it runs one pass and gives a NumPy array of the length of the input, in which None
    ("no such index") is -1. The verbs live in `executors`, `trace` and `analysis`; they are looked
    up when first used, so that importing raspl loads nothing that a check does not need.
    """

    def __init__(
        self,
        definition: Definition,
        bits: int | None = None,
        literals: Mapping[str, LiteralValue] | None = None,
    ) -> None:
        report = Report()
        self.definition = definition
        self.bits = bits or declared_bits(definition, report)
        self.literals = dict(literals or {})
        self.parameters: list[Parameter] = Builder(self.bits, report).signature(definition)
        raise_on_violations(report)
        # What `help` and editors show is what the author wrote.
        self.__name__ = self.__qualname__ = definition.name
        self.__doc__ = ast.get_docstring(definition.node)
        self.__signature__ = _python_signature(self.parameters, definition.node)

    def __get__(self, instance: object, owner: type | None = None) -> Self:
        """A program is a function, not a method: as an attribute of a class it stays itself.

        Having `__get__` is what makes `help` print a program as it prints a function.
        """
        return self

    @classmethod
    def of_graph(cls, graph: Graph, definition: Definition) -> Program:
        """A program whose graph was built already, with literals at their default values."""
        program = cls(definition, graph.bits)
        if not program.open_literals:
            program.__dict__["graph"] = graph
        return program

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.definition.name

    @cached_property
    def graph(self) -> Graph:
        """The typed graph of primitives. Raises IllegalProgram with every violation."""
        if unbound := self.open_literals:
            raise RasplError(
                f"{self.name} needs a value for {', '.join(unbound)}: "
                f"call it with {unbound[0]}=…, or --set {unbound[0]}=… on the command line"
            )
        report = Report()
        graph = build(self.definition, report, self.bits, self.literals)
        raise_on_violations(report)
        assert graph is not None
        return graph

    @property
    def open_literals(self) -> list[str]:
        """The literal parameters that have neither a value nor a default."""
        return [
            parameter.name
            for parameter in self.parameters
            if parameter.literal
            and parameter.default is None
            and parameter.name not in self.literals
        ]

    def bind(self, **literals: LiteralValue) -> Program:
        """The same program with other values for its literal parameters."""
        known = {parameter.name for parameter in self.parameters if parameter.literal}
        for name, value in literals.items():
            if isinstance(value, int) and abs(value) > MAX_LITERAL:
                bits = MAX_LITERAL.bit_length()
                raise RasplError(f"{name} is too large: a literal has at most {bits} bits")
            if name not in known:
                listed = ", ".join(sorted(known)) or "none"
                raise RasplError(f"{self.name} has no literal parameter {name}; it has: {listed}")
        return Program(self.definition, self.bits, {**self.literals, **literals})

    @overload
    def __call__(self, x: _Sequence, /, *more: Any, **named: Any) -> _Sequence: ...
    @overload
    def __call__(self, x: Tokens, /, *more: Any, **named: Any) -> NDArray[Any]: ...
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """One pass: a value at every position. Arguments may be named, as in a program."""
        made = drawn(self, arguments, named)
        if made is not None:
            return made
        from raspl.executors import stream

        program, sequences = self._bound(arguments, named)
        return stream.run(program.graph, *sequences)

    def _bound(
        self, arguments: tuple[Any, ...], named: Mapping[str, Any]
    ) -> tuple[Program, tuple[Tokens, ...]]:
        sequences = [parameter.name for parameter in self.parameters if not parameter.literal]
        names = [parameter.name for parameter in self.parameters if parameter.literal]
        count, literals = len(sequences), dict(named)
        for name in sequences[len(arguments) :]:
            if name not in literals:
                break
            arguments = (*arguments, literals.pop(name))
        given, extra = arguments[:count], arguments[count:]
        if extra and len(extra) <= len(names) and all(isinstance(e, int | None) for e in extra):
            literals = {**dict(zip(names, extra, strict=False)), **literals}
        else:
            given = arguments
        return (self.bind(**literals) if literals else self), given

    def generate(
        self, prompt: Tokens, until: int | str | None = None, limit: int = 1000
    ) -> NDArray[Any]:
        """The prompt, followed by the tokens that the program writes after it.

        Each next token is the last element of the program's output on all the tokens so far.
        Ends after the token `until`, which may be given by its name or by that of a constant of
        the program, or after `limit` new tokens.
        """
        from raspl.executors import stream

        return stream.generate(self.graph, prompt, self._token(until), limit)

    def batch(
        self, *inputs: Iterable[Tokens] | NDArray[Any], lengths: Sequence[int] | None = None
    ) -> Results:
        """Many sequences at once, of any lengths; or a padded 2-D array with `lengths`."""
        from raspl.executors import batch

        return batch.run(self.graph, *inputs, lengths=lengths)

    def generate_many(
        self, prompts: Iterable[Tokens], until: int | str | None = None, limit: int = 1000
    ) -> list[NDArray[Any] | RunError]:
        """`generate` for many prompts in lock step; one on which it fails gives its error."""
        from raspl.executors import stream

        return stream.generate_many(self.graph, prompts, self._token(until), limit)

    def _token(self, token: int | str | None) -> int | None:
        """A token that may be given by name."""
        if token is None or isinstance(token, int):
            return token
        constants, vocabulary = self.graph.constants, self.graph.vocabulary
        found = constants.get(token) if vocabulary is None else vocabulary.read(token)
        if found is None:
            known = f"a constant of {self.name} ({', '.join(constants) or 'it has none'})"
            if vocabulary is not None:
                known = f"one of the tokens {vocabulary.listed()}"
            raise RasplError(f"until={token!r} is not a token: give an integer or {known}")
        return found

    @property
    def end_token(self) -> int | None:
        """The token with which it ends a generation, if it is called EoS or END."""
        vocabulary = self.graph.vocabulary
        known = self.graph.constants if vocabulary is None else vocabulary.numbers
        return next((known[name] for name in ENDS if name in known), None)

    def names(self, tokens: Iterable[int]) -> list[str]:
        """Tokens by name, as far as the program has names for them; others as numbers."""
        vocabulary = self.graph.vocabulary
        return [str(token) if vocabulary is None else vocabulary.show(token) for token in tokens]

    def trace(self, *arguments: Tokens | int, **named: Tokens | LiteralValue) -> Trace:
        """Every named intermediate on an input; prints as a table, and as HTML in a notebook."""
        from raspl import trace

        program, sequences = self._bound(arguments, named)
        return trace.trace(program.graph, *sequences).with_source(self.source, self.first_line)

    def trace_generation(
        self, prompt: Tokens, until: int | str | None = None, limit: int = 1000
    ) -> Trace:
        """As `trace`, for what the program writes after a prompt, step by step."""
        from raspl import trace

        shown = trace.generation(self.graph, prompt, self._token(until), limit)
        return shown.with_source(self.source, self.first_line)

    def measure(self) -> Measures:
        """Lines, operations, heads, depth, width and bits."""
        from raspl.analysis import cost

        return cost.measure(self.graph)

    @property
    def disciplines(self) -> tuple[Discipline, ...]:
        """Which readings of the language it meets: letter, strict, compilable (docs/types.md)."""
        from raspl.analysis import disciplines

        return disciplines.disciplines_of(self.graph)

    def __repr__(self) -> str:
        parameters = ", ".join(parameter.name for parameter in self.parameters)
        return f"<RASP-L program {self.name}({parameters}), {self.bits} bits>"

    @property
    def source(self) -> str:
        """The text of the definition."""
        node = self.definition.node
        lines = self.definition.source.lines[node.lineno - 1 : node.end_lineno]
        return "\n".join(lines)

    @property
    def first_line(self) -> int:
        """The line of its file on which the definition begins."""
        return self.definition.node.lineno + self.definition.source.first_line - 1


def _python_signature(parameters: Iterable[Parameter], node: ast.FunctionDef) -> Signature:
    """The parameters of a program as Python's own tools read them."""
    keywords = {argument.arg for argument in node.args.kwonlyargs}
    shown = []
    for parameter in parameters:
        is_keyword = parameter.name in keywords
        kind = (PythonParameter.POSITIONAL_OR_KEYWORD, PythonParameter.KEYWORD_ONLY)[is_keyword]
        given = parameter.default
        default = PythonParameter.empty if given is None else given.value
        shown.append(PythonParameter(parameter.name, kind, default=default))
    return Signature(shown)


def raise_on_violations(report: Report) -> None:
    if report.violations:
        raise IllegalProgram(report.violations)


@overload
def program(function: Callable[..., Any], /) -> Program: ...
@overload
def program(*, bits: int = 8) -> Callable[[Callable[..., Any]], Program]: ...
def program(
    function: Callable[..., Any] | None = None, /, *, bits: int = 8
) -> Program | Callable[[Callable[..., Any]], Program]:
    """Turn a Python function into a RASP-L program: its source is parsed, never executed.

    Raises IllegalProgram with every violation. Constants, scalar functions and other programs
    that the function mentions are found among its globals.
    """
    if bits not in WIDTHS:
        raise RasplError(f"bits={bits} is not a width of RASP-L: use 8 or 16")

    def decorate(function: Callable[..., Any]) -> Program:
        try:
            definition = definition_of(function)
        except (OSError, TypeError, SyntaxError):
            name = getattr(function, "__name__", repr(function))
            raise RasplError(
                f"the source of {name} can't be read, and RASP-L is parsed from source: "
                "put the function into a file or a notebook cell, or give its text to raspl.parse"
            ) from None
        report = Report()
        graph = build(definition, report, bits)
        raise_on_violations(report)
        assert graph is not None
        return Program.of_graph(graph, definition)

    return decorate if function is None else decorate(function)


def library_programs() -> dict[str, Program]:
    """The functions of the library as programs that can be run by themselves."""
    return {name: Program(definition) for name, definition in library().items()}
