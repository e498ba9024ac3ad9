"""Calls: of the core, which make nodes, and of programs, which are inlined."""

from __future__ import annotations

import ast
from collections.abc import Set
from typing import TYPE_CHECKING, Protocol

from raspl.language.ir.primitives import (
    CORE,
    REDUCTIONS,
    Node,
    need_selector,
    need_sequence,
)
from raspl.language.ir.scalar import Fn
from raspl.language.ir.signatures import Declaration, ParameterKind
from raspl.language.ir.types import BOOL, INT
from raspl.language.parsing import idioms
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.frames import (
    BAD,
    Bad,
    Literal,
    Parameter,
    Progress,
    Value,
    index_literal,
)
from raspl.language.parsing.lambdas import LambdaReader
from raspl.language.parsing.refusals import searchable, unknown
from raspl.language.parsing.scope import (
    Core,
    Definition,
    Foreign,
    Meaning,
    Missing,
    Scalar,
    member,
)
from raspl.language.rules import Violation
from raspl.language.source import Span
from raspl.language.vocabulary import Vocabulary
from raspl.words import counted

if TYPE_CHECKING:
    from raspl.language.parsing.expressions import Expressions


class Program(Protocol):
    """What an expression needs of the program that it belongs to."""

    bits: int
    progress: Progress
    vocabulary: Vocabulary | None

    def new_family(self) -> int:
        """The number of a count that was not used before."""

    def next_order(self) -> int:
        """The number of the operation that is read now."""

    def signature(self, definition: Definition) -> list[Parameter]:
        """The parameters of a program that is called."""

    def inline(self, definition: Definition, values: dict[str, Value], site: Span) -> Value:
        """The result of a program that is called with these values."""


class Calls:
    """Reads the calls of one body."""

    def __init__(self, expressions: Expressions, program: Program) -> None:
        self._expressions = expressions
        self._frame = expressions.frame
        self._program = program

    def read(self, node: ast.Call) -> Value:
        """The value of a call, or BAD after reporting what is wrong with it."""
        callee = self._callee(node)
        if isinstance(callee, Core):
            return self._core(node, CORE[callee.name])
        if isinstance(callee, Definition):
            return self._inlined(node, callee)
        for part in searchable(node):
            # What was meant to be called may well take a function.
            if part is not node.func and not self._is_function(part):
                self._expressions.read(part)
        return BAD

    def _is_function(self, node: ast.expr) -> bool:
        return isinstance(self._named(node), Core | Definition | Scalar)

    def _named(self, node: ast.expr) -> Meaning | None:
        """What a name stands for, unless the body gives it a value."""
        if isinstance(node, ast.Name) and node.id not in self._frame.values:
            return self._frame.definition.scope.find(node.id)
        return self._of_package(node) if isinstance(node, ast.Attribute) else None

    def _callee(self, node: ast.Call) -> Core | Definition | None:
        """What is called, or None after saying why it can't be."""
        frame, func = self._frame, node.func
        if isinstance(func, ast.Attribute):
            meaning = self._of_package(func)
            if isinstance(meaning, Core | Definition):
                return meaning
            if isinstance(meaning, Missing):
                frame.add(unknown(meaning.name, meaning, frame), func)
            else:
                self._expressions.read(func)
            return None
        if not isinstance(func, ast.Name):
            self._not_callable(func, "is not the name of a function")
            self._expressions.read(func)
            return None
        name = func.id
        if name in frame.values:
            if not isinstance(frame.values[name], Bad):
                self._not_callable(func, "is a value, not a function")
            return None
        meaning = frame.definition.scope.find(name)
        if isinstance(meaning, Core | Definition):
            return meaning
        if isinstance(meaning, Scalar):
            message = f"`{name}` is a function of integers, not of sequences"
            frame.violate("R207", func, message, idioms.of_scalar(name))
        elif name not in frame.unknown and not (
            isinstance(meaning, Foreign) and meaning.is_reported
        ):
            frame.unknown.add(name)
            frame.add(unknown(name, meaning, frame), func)
        return None

    def _not_callable(self, func: ast.expr, why: str) -> None:
        instead = "call core, library and RASP-L functions by name"
        self._frame.violate("R207", func, f"`{clip(func)}` {why}", instead)

    def _of_package(self, attribute: ast.Attribute) -> Meaning | None:
        """What `raspl.name` or `file.name` stands for, if the base really is one of these."""
        base = attribute.value
        if not isinstance(base, ast.Name) or base.id in self._frame.values:
            return None
        return member(self._frame.definition.scope.find(base.id), attribute.attr)

    def _core(self, node: ast.Call, declared: Declaration) -> Value:
        parameters = declared.parameters
        given = self._arguments(node, declared.name, list(parameters), declared.optional)
        if any(name not in given and name not in declared.optional for name in parameters):
            # The arguments may have slid into wrong places, so only their inside is searched.
            for argument in given.values():
                for part in searchable(argument):
                    self._expressions.read(part)
            return BAD
        if self._is_disordered(declared, given):
            return BAD
        values = self._core_values(declared, given)
        if values is None:
            return BAD
        site = self._expressions.site(node)
        try:
            arguments = {
                name: _settled(value, declared.parameters[name].kind)
                for name, value in values.items()
            }
            built: Node = declared.build(site, **arguments)
        except Violation as violation:
            self._frame.add(violation, _blamed(violation, declared, given) or node)
            return BAD
        return built

    def _is_disordered(self, declared: Declaration, given: dict[str, ast.expr]) -> bool:
        """Whether a function stands in the place of a sequence, as in kqv(k, q, lt, v)."""
        if not declared.takes_function:
            return False
        kinds = {name: parameter.kind for name, parameter in declared.parameters.items()}
        functions = [name for name, argument in given.items() if self._is_scalar(argument)]
        misplaced = [name for name in functions if kinds[name] != "function"]
        if not misplaced or len(misplaced) < len(functions):
            return False
        name = misplaced[0]
        required = [n for n, parameter in declared.parameters.items() if not parameter.optional]
        self._frame.violate(
            "R206",
            given[name],
            f"`{clip(given[name])}` is a function, and `{name}` must be a sequence",
            f"the order of the arguments is {declared.name}({', '.join(required)})",
        )
        for name, argument in given.items():
            if name not in misplaced and kinds[name] != "function":
                self._expressions.read(argument)
        return True

    def _is_scalar(self, node: ast.expr) -> bool:
        """Whether an argument is a function of integers, or a program, which may be one."""
        return isinstance(node, ast.Lambda) or isinstance(self._named(node), Definition | Scalar)

    def _core_values(
        self, declared: Declaration, given: dict[str, ast.expr]
    ) -> dict[str, Node | Literal | Fn] | None:
        """What the arguments of a core function stand for, or None if any was refused."""
        values: dict[str, Node | Literal | Fn | None] = {}
        functions: dict[str, ast.expr] = {}
        for name, argument in given.items():
            match declared.parameters[name].kind:
                case "function":
                    functions[name] = argument
                case "integer" | "reduction" as kind:
                    if self._is_misplaced_reduction(argument, kind):
                        values[name] = None
                    else:
                        values[name] = self._expressions.literal(argument, kind == "integer")
                case "sequence" | "selector" as kind:
                    values[name] = self._argument(argument, selector=kind == "selector")
        # Functions come last: how `~` is read in them depends on the types of the sequences.
        truth = [
            # Of a sequence that was refused nothing is known, so `~` is not blamed for it.
            not isinstance(node := values.get(name), Node) or node.type == BOOL
            for name, parameter in declared.parameters.items()
            if parameter.kind == "sequence"
        ]
        for name, argument in functions.items():
            values[name] = self._function(argument, declared.parameters[name].arity, truth)
        complete = {name: value for name, value in values.items() if value is not None}
        if len(complete) < len(given):
            return None
        for name, parameter in declared.parameters.items():
            if parameter.optional and name not in given:
                complete[name] = Literal(parameter.default)
        return complete

    def _is_misplaced_reduction(self, argument: ast.expr, kind: ParameterKind) -> bool:
        """Whether this is `aggr(s, x, "max")` or `aggr(s, x, reduction=max)`, which it reports."""
        match argument:
            case ast.Constant(value=str(name)) if kind == "integer":
                is_meant = not (self._frame.definition.scope.vocabulary or self._program.vocabulary)
            case ast.Name(id=name):
                is_meant = name not in self._frame.values
            case _:
                return False
        if not is_meant or name not in REDUCTIONS:
            return False
        message = f"`{name}` is a reduction, which is given by its name"
        self._frame.violate("R204", argument, message, f'write reduction="{name}"')
        return True

    def _argument(self, argument: ast.expr, selector: bool) -> Node | None:
        """An argument of a core function: a selector or a sequence, as the function needs."""
        value = self._expressions.sequence(argument)
        if not isinstance(value, Node):
            return None
        try:
            (need_selector if selector else need_sequence)(value)
        except Violation as violation:
            self._frame.add(violation, argument)
            return None
        return value

    def _inlined(self, node: ast.Call, definition: Definition) -> Value:
        parameters = self._program.signature(definition)
        names = [parameter.name for parameter in parameters]
        optional = {p.name for p in parameters if p.default is not None}
        given = self._arguments(node, definition.name, names, optional)
        values: dict[str, Value] = {}
        for parameter in parameters:
            argument = given.get(parameter.name)
            if argument is None:
                values[parameter.name] = parameter.default or BAD
            elif parameter.literal:
                values[parameter.name] = self._literal(argument)
            else:
                values[parameter.name] = self._declared(parameter, argument)
        if any(isinstance(value, Bad) for value in values.values()):
            return BAD
        if definition.library:
            self._warn_of_no_sum(definition.name, given, values)
            self._warn_of_ahead(definition.name, given, values)
        return self._program.inline(definition, values, self._frame.site or self._frame.span(node))

    def _literal(self, argument: ast.expr) -> Value:
        is_reduction = isinstance(argument, ast.Constant) and argument.value in REDUCTIONS
        return self._expressions.literal(argument, not is_reduction) or BAD

    def _declared(self, parameter: Parameter, argument: ast.expr) -> Value:
        """A parameter declared as Index takes indices only; other declarations bind less."""
        value = self._plain(argument)
        if not parameter.type.is_index:
            return value
        what = ""
        if isinstance(value, Node) and value.type.is_int:
            what = f"this is of type {value.type}"
        elif isinstance(value, Literal) and value.value is not None:
            what = f"{value.value} is an integer"
        if what:
            self._frame.violate(
                "R302",
                argument,
                f"`{parameter.name}` is an index, and {what}",
                "pass an index: indices(x), firsts(x, q), lasts(x, q), …; the first position is "
                "minimum(indices(x))",
            )
            return BAD
        return value

    def _plain(self, argument: ast.expr) -> Value:
        """A string may be the name of a reduction, for a parameter that is given to `aggr`."""
        is_reduction = isinstance(argument, ast.Constant) and argument.value in REDUCTIONS
        return (self._expressions.read if is_reduction else self._expressions.operand)(argument)

    def _warn_of_no_sum(
        self, name: str, given: dict[str, ast.expr], values: dict[str, Value]
    ) -> None:
        """`cumsum` of tokens looks like a sum and is none."""
        parameter = idioms.CONDITIONS.get(name, "")
        value = values.get(parameter)
        if isinstance(value, Node) and value.type == INT:
            argument = given[parameter]
            self._frame.violate(
                "W003",
                argument,
                f"`{name}` counts the positions at which `{clip(argument)}` is not 0; "
                "it doesn't add anything up",
                f"write the condition: {name}({clip(argument)} != 0)",
            )

    def _warn_of_ahead(
        self, name: str, given: dict[str, ast.expr], values: dict[str, Value]
    ) -> None:
        """`shift_right(x, -1)` looks like a look ahead and finds nothing."""
        parameter = idioms.BACKWARD.get(name, "")
        value = values.get(parameter)
        if isinstance(value, Literal) and isinstance(value.value, int) and value.value < 0:
            message = (
                f"this looks {counted(-value.value, 'position')} ahead: all it gives is the default"
            )
            self._frame.violate("W006", given[parameter], message, idioms.EARLIER)

    def _arguments(
        self, node: ast.Call, name: str, names: list[str], optional: Set[str]
    ) -> dict[str, ast.expr]:
        """Match the arguments of a call with parameters, reporting what doesn't fit."""
        given: dict[str, ast.expr] = {}

        def complain(place: ast.AST, message: str) -> None:
            usage = ", ".join(n if n not in optional else n + "=…" for n in names)
            self._frame.violate("R202", place, message, f"call it as {name}({usage})")

        for index, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                complain(argument, "arguments can't be unpacked")
            elif index >= len(names):
                complain(argument, f"`{name}` takes {counted(len(names), 'argument')}")
            else:
                given[names[index]] = argument
        for keyword in node.keywords:
            if keyword.arg is None:
                complain(keyword.value, "arguments can't be unpacked")
            elif keyword.arg not in names:
                complain(keyword, f"`{name}` has no parameter `{keyword.arg}`")
            elif keyword.arg in given:
                complain(keyword, f"`{keyword.arg}` is given twice")
            else:
                given[keyword.arg] = keyword.value
        # What was unpacked or misnamed is reported, and may well be what is missing.
        unclear = any(keyword.arg not in names for keyword in node.keywords)
        unclear |= any(isinstance(argument, ast.Starred) for argument in node.args)
        missing = [n for n in names if n not in given and n not in optional]
        if missing and not unclear:
            listed = ", ".join(f"`{n}`" for n in missing)
            complain(node, f"the call of `{name}` leaves out {listed}")
        return given

    def _function(self, argument: ast.expr, arity: int, truth: list[bool]) -> Fn | None:
        """The scalar function that an argument writes down or names."""
        frame = self._frame
        definition = frame.definition
        reader = LambdaReader(
            definition.scope,
            definition.source,
            frame.values,
            truth,
            frame.report.work,
            definition.scope.vocabulary or self._program.vocabulary,
        )
        function: Fn | None = None
        meaning = self._named(argument)
        if isinstance(argument, ast.Lambda):
            function = reader.read_lambda(argument)
        elif isinstance(argument, ast.Name) and frame.values.get(argument.id) == BAD:
            return None  # reported already, where it was assigned
        if isinstance(meaning, Scalar):
            function = meaning.fn
        elif isinstance(meaning, Definition) and not meaning.library:
            self._program.progress.visited.add(meaning)
            function = reader.read_definition(meaning, argument)
        for problem in reader.problems:
            self._frame.add(problem.violation, problem.node, problem.source)
        if function is None:
            instead = (
                "give a lambda, a comparison name (equals, lt, leq, gt, geq) or a one-line function"
            )
            if arity == 2 and isinstance(argument, ast.Constant) and argument.value is True:
                instead = "write `lambda k, q: True`, which takes every position so far"
            message = f"`{clip(argument)}` is not a scalar function"
            self._frame.violate("R206", argument, message, instead)
            return None
        if function.arity != arity:
            self._frame.violate(
                "R206",
                argument,
                f"this function has {counted(function.arity, 'parameter')}, and {arity} "
                f"{'is' if arity == 1 else 'are'} needed here",
                "tok_map takes `lambda a: …`, seq_map and select `lambda a, b: …`",
            )
            return None
        return None if reader.problems else function


def _settled(value: Node | Literal | Fn, kind: ParameterKind) -> Node | Fn | int | str | None:
    """An argument as the typing rule of a primitive takes it."""
    if not isinstance(value, Literal):
        return value
    return str(value.value) if kind == "reduction" else index_literal(value)


AT_FAULT: dict[str, ParameterKind] = {
    "R204": "reduction",
    "R310": "integer",
    "R311": "function",
    "R312": "integer",
}


def _blamed(
    violation: Violation, declared: Declaration, given: dict[str, ast.expr]
) -> ast.expr | None:
    """The argument at fault, so that the caret stands under it and not under the whole call."""
    kind = AT_FAULT.get(violation.rule.code)
    parameters = declared.parameters.items()
    names = [name for name, parameter in parameters if parameter.kind == kind]
    return next((given[name] for name in names if name in given), None)
