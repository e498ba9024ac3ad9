"""From the syntax of a lambda, or of a one-line function, to a scalar function."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from raspl.language.ir.scalar import OPERATORS, Expr, Fn, Lit, Op, Var
from raspl.language.limits import (
    MAX_FUNCTION_DEPTH,
    MAX_FUNCTION_NODES,
    NODES_A_STEP,
)
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.frames import Literal, Value, checked_integer, token
from raspl.language.parsing.scope import Constant, Definition, Foreign, Scalar, Scope
from raspl.language.parsing.work import Work
from raspl.language.rules import Violation
from raspl.language.source import Source
from raspl.language.vocabulary import Vocabulary
from raspl.words import counted

BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
}  # fmt: skip
COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
REMEDY = (
    "use integers, parameters, + - * // %, comparisons, and, or, not, "
    "`a if c else b`, `a in (1, 2)`, abs, min and max"
)


@dataclass(frozen=True)
class Problem:
    """A violation inside of a scalar function, with the place that commits it."""

    violation: Violation
    node: ast.AST
    source: Source


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a scalar function: what it computes, and what is known of it as it was written.

    Whether it is a truth value is a matter of the text and the types, not of what comes out: 1 - 1
    is an integer, though it is always 0.
    """

    expr: Expr
    is_truth: bool = False
    nodes: int = 1
    depth: int = 1


UNKNOWN = Part(Lit(0), is_truth=True)
"""What stands for a part that was refused, so that nothing else is blamed for it."""


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is only a string."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


class LambdaReader:
    """Reads one scalar function and collects every problem in it.

    `local` holds the values of the enclosing program by name. `truth` says which parameters hold
    truth values, since `~` is defined on those alone. `vocabulary` numbers the names of tokens.
    """

    def __init__(
        self,
        scope: Scope,
        source: Source,
        local: Mapping[str, Value],
        truth: Sequence[bool],
        work: Work,
        vocabulary: Vocabulary | None,
    ) -> None:
        self.problems: list[Problem] = []
        self._scope = scope
        self._source = source
        self._local = local
        self._truth = truth
        self._work = work
        self._vocabulary = vocabulary
        self._args: dict[str, Part] = {}
        self._calls: list[Definition] = []

    def read_lambda(self, node: ast.Lambda) -> Fn:
        """The function that a lambda writes down."""
        names = self._parameters(node.args, node)
        self._args = dict(zip(names, self._variables(len(names)), strict=True))
        return self._function(len(names), self._expr(node.body), node)

    def read_definition(self, definition: Definition, node: ast.AST) -> Fn:
        """The function of a one-line def that is used at `node`."""
        names = self._parameters(definition.node.args, node)
        body = self._inlined(definition, self._variables(len(names)), node)
        return self._function(len(names), body, node)

    def _variables(self, arity: int) -> list[Part]:
        """The parameters. Of one to which no sequence was given nothing is known."""
        truth = [*self._truth, *[True] * (arity - len(self._truth))]
        return [Part(Var(index), truth[index]) for index in range(arity)]

    def _function(self, arity: int, body: Part, node: ast.AST) -> Fn:
        self._work.spend(body.nodes // NODES_A_STEP)
        if body.depth > MAX_FUNCTION_DEPTH:
            self._refuse(
                node,
                f"this function nests more than {MAX_FUNCTION_DEPTH} operators",
                instead="split it into several maps",
            )
        return Fn(arity, body.expr)

    def _parameters(self, arguments: ast.arguments, node: ast.AST) -> list[str]:
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            violation = Violation(
                "R206",
                "a scalar function has plain parameters only",
                "write `lambda a: …` for a map, `lambda k, q: …` for a select",
            )
            self.problems.append(Problem(violation, node, self._source))
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        if len(set(names)) < len(names):
            self._refuse(
                node,
                "two parameters of this function have one name",
                instead="give each parameter a name of its own",
            )
        return names

    def _expr(self, node: ast.expr) -> Part:
        self._work.spend()
        match node:
            case ast.Constant(value=bool() | int() as value):
                return self._literal(int(value), node, is_truth=value in (0, 1))
            case ast.Constant(value=str() as name):
                return self._token(name, node)
            case ast.Name():
                return self._name(node)
            case ast.BinOp() if type(node.op) in BINARY:
                left, right = self._expr(node.left), self._expr(node.right)
                return self._apply(node, BINARY[type(node.op)], left, right)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp():
                name = "and" if isinstance(node.op, ast.And) else "or"
                first, *rest = (self._expr(value) for value in node.values)
                for part in rest:
                    first = self._apply(node, name, first, part)
                return first
            case ast.IfExp():
                parts = [self._expr(part) for part in (node.test, node.body, node.orelse)]
                return self._apply(node, "if", *parts)
            case ast.Call():
                return self._call(node)
        return self._refuse(node, f"`{clip(node)}` is not allowed in a scalar function")

    def _literal(self, value: int, node: ast.AST, is_truth: bool = False) -> Part:
        try:
            return Part(Lit(checked_integer(value)), is_truth)
        except Violation as violation:
            self.problems.append(Problem(violation, node, self._source))
            return UNKNOWN

    def _token(self, name: str, node: ast.AST) -> Part:
        try:
            return Part(Lit(token(name, self._vocabulary)))
        except Violation as violation:
            self.problems.append(Problem(violation, node, self._source))
            return UNKNOWN

    def _apply(self, node: ast.AST, name: str, *args: Part) -> Part:
        """The operator applied, or its value if all the arguments are literals."""
        nodes = 1 + sum(arg.nodes for arg in args)
        if nodes > MAX_FUNCTION_NODES:
            return self._refuse(
                node,
                f"this function comes to more than {MAX_FUNCTION_NODES:,} operators and operands",
                instead="split it into several maps",
            )
        kind = OPERATORS[name].truth
        results = args[1:] if name == "if" else args
        is_truth = kind == "always" or (kind == "args" and all(arg.is_truth for arg in results))
        op = Op(name, tuple(arg.expr for arg in args))
        if all(isinstance(arg.expr, Lit) for arg in args):
            try:
                return self._literal(Fn(0, op)(), node, is_truth)
            except ZeroDivisionError:
                pass
        return Part(op, is_truth, nodes, 1 + max(arg.depth for arg in args))

    def _name(self, node: ast.Name) -> Part:
        if node.id in self._args:
            return self._args[node.id]
        if node.id in self._local:
            known = self._local[node.id]
            if isinstance(known, Literal) and isinstance(known.value, int):
                return Part(Lit(known.value))
            if isinstance(known, Literal) and isinstance(known.value, str):
                return self._token(known.value, node)
            return self._refuse(
                node,
                f"the lambda uses `{node.id}`, a sequence from outside of it",
                code="R205",
                instead="pass the sequence through seq_map or select as a second argument",
            )
        meaning = self._scope.find(node.id)
        if isinstance(meaning, Constant) and isinstance(meaning.value, int):
            return self._literal(meaning.value, node)
        if isinstance(meaning, Constant) and isinstance(meaning.value, str):
            return self._token(meaning.value, node)
        what = f"; it is {meaning.what}" if isinstance(meaning, Foreign) else ""
        return self._refuse(
            node,
            f"`{node.id}` is not a parameter of this lambda nor an integer constant{what}",
            code="R201",
            instead="use the lambda's own parameters and constants",
        )

    def _unary(self, node: ast.UnaryOp) -> Part:
        operand = self._expr(node.operand)
        match node.op:
            case ast.USub():
                return self._apply(node, "neg", operand)
            case ast.Not():
                return self._apply(node, "not", operand)
            case ast.Invert() if operand.is_truth:
                return self._apply(node, "not", operand)
            case ast.Invert():
                return self._refuse(
                    node,
                    f"`{clip(node)}` could mean two things, since `{clip(node.operand)}` is an "
                    "integer",
                    code="R309",
                    instead="write `not a` for the logical not, `-1 - a` for the complement",
                )
            case _:
                return operand

    def _compare(self, node: ast.Compare) -> Part:
        result: Part | None = None
        left = self._expr(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                part = self._member(left, comparator)
                if isinstance(op, ast.NotIn):
                    part = self._apply(node, "not", part)
            elif type(op) in COMPARE:
                right = self._expr(comparator)
                part = self._apply(node, COMPARE[type(op)], left, right)
                left = right
            else:
                return self._refuse(node, "`is` compares Python objects")
            result = part if result is None else self._apply(node, "and", result, part)
        assert result is not None
        return result

    def _member(self, left: Part, container: ast.expr) -> Part:
        if not isinstance(container, ast.Tuple | ast.List | ast.Set) or not container.elts:
            return self._refuse(container, "`in` needs a list of integers")
        first, *rest = (self._apply(item, "==", left, self._expr(item)) for item in container.elts)
        for part in rest:
            first = self._apply(container, "or", first, part)
        return first

    def _call(self, node: ast.Call) -> Part:
        if not isinstance(node.func, ast.Name) or node.keywords:
            return self._refuse(node, f"`{clip(node)}` is not a call of a scalar function")
        args = [self._expr(arg) for arg in node.args]
        name = node.func.id
        if name == "int" and len(args) == 1:
            return replace(args[0], is_truth=False)
        if name == "bool" and len(args) == 1:
            return self._apply(node, "!=", args[0], Part(Lit(0)))
        meaning = self._scope.find(name)
        if isinstance(meaning, Scalar) and meaning.fn.arity == len(args):
            assert isinstance(meaning.fn.body, Op)
            return self._apply(node, meaning.fn.body.name, *args)
        if isinstance(meaning, Scalar):
            arity, first = meaning.fn.arity, f"{name}(a, b)"
            return self._refuse(
                node,
                f"`{name}` takes {'one argument' if arity == 1 else 'two arguments'} in a scalar "
                f"function, but gets {len(args)}",
                instead=f"call it in itself: `{name}({first}, c)`" if len(args) > arity > 1
                else f"write `{first if arity == 2 else name + '(a)'}`",
            )  # fmt: skip
        if isinstance(meaning, Definition) and meaning not in self._calls:
            return self._inlined(meaning, args, node)
        return self._refuse(
            node, f"`{name}` is not a scalar function of {counted(len(args), 'argument')}"
        )

    def _inlined(self, definition: Definition, args: Sequence[Part], node: ast.AST) -> Part:
        body = [line for line in definition.node.body if not is_docstring(line)]
        arguments = definition.node.args
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        if len(names) != len(args):
            return self._refuse(
                node,
                f"`{definition.name}` takes {counted(len(names), 'argument')}, not {len(args)}",
            )
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            return self._refuse(
                node,
                f"`{definition.name}` is used as a scalar function but is not one line",
                instead="write it as one `return` of an expression over its parameters",
            )
        outer = self._scope, self._source, self._args, self._local
        self._scope, self._source, self._local = definition.scope, definition.source, {}
        self._args = dict(zip(names, args, strict=True))
        self._calls.append(definition)
        result = self._expr(body[0].value)
        self._calls.pop()
        self._scope, self._source, self._args, self._local = outer
        return result

    def _refuse(
        self, node: ast.AST, message: str, *, code: str = "R206", instead: str = REMEDY
    ) -> Part:
        self.problems.append(Problem(Violation(code, message, instead), node, self._source))
        return UNKNOWN
