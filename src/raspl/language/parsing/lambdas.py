"""From the syntax of a lambda, or of a one-line function, to a scalar function."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from raspl.language.ir.scalar import Expr, Fn, Lit, Op, Var, depth_checked, is_truth
from raspl.language.parsing.scope import Constant, Definition, Foreign, Scalar, Scope
from raspl.language.rules import Violation
from raspl.language.source import Source

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


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is only a string."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


class LambdaReader:
    """Reads one scalar function and collects every problem in it.

    `local` holds the names of the enclosing program: an int for a literal, None for a sequence.
    `truth` says which parameters hold truth values, since `~` is logical on those.
    """

    def __init__(
        self,
        scope: Scope,
        source: Source,
        local: Mapping[str, int | None],
        truth: Sequence[bool],
    ) -> None:
        self.problems: list[Problem] = []
        self._scope = scope
        self._source = source
        self._local = local
        self._truth = truth
        self._args: dict[str, Expr] = {}
        self._calls: list[Definition] = []

    def read_lambda(self, node: ast.Lambda) -> Fn:
        """The function that a lambda writes down."""
        names = self._parameters(node.args, node)
        self._pad_truth(len(names))
        self._args = {name: Var(index) for index, name in enumerate(names)}
        return self._function(len(names), self._expr(node.body), node)

    def read_definition(self, definition: Definition, node: ast.AST) -> Fn:
        """The function of a one-line def that is used at `node`."""
        names = self._parameters(definition.node.args, node)
        self._pad_truth(len(names))
        body = self._inlined(definition, [Var(index) for index in range(len(names))], node)
        return self._function(len(names), body, node)

    def _pad_truth(self, arity: int) -> None:
        """A parameter to which no legal sequence was given is an integer like any other."""
        self._truth = [*self._truth, *[False] * (arity - len(self._truth))]

    def _function(self, arity: int, body: Expr, node: ast.AST) -> Fn:
        try:
            return Fn(arity, depth_checked(body))
        except Violation as violation:
            self.problems.append(Problem(violation, node, self._source))
            return Fn(arity, Lit(0))

    def _parameters(self, arguments: ast.arguments, node: ast.AST) -> list[str]:
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.defaults:
            violation = Violation(
                "R206",
                "a scalar function has plain parameters only",
                "write `lambda a: …` for a map, `lambda k, q: …` for a select",
            )
            self.problems.append(Problem(violation, node, self._source))
        return [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]

    def _expr(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(value=bool() | int() as value):
                return Lit(int(value))
            case ast.Name():
                return self._name(node)
            case ast.BinOp() if type(node.op) in BINARY:
                return _folded(BINARY[type(node.op)], self._expr(node.left), self._expr(node.right))
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Compare():
                return self._compare(node)
            case ast.BoolOp():
                name = "and" if isinstance(node.op, ast.And) else "or"
                first, *rest = (self._expr(value) for value in node.values)
                for part in rest:
                    first = _folded(name, first, part)
                return first
            case ast.IfExp():
                parts = (self._expr(part) for part in (node.test, node.body, node.orelse))
                return _folded("if", *parts)
            case ast.Call():
                return self._call(node)
        return self._refuse(node, f"`{clip(node)}` is not allowed in a scalar function")

    def _name(self, node: ast.Name) -> Expr:
        if node.id in self._args:
            return self._args[node.id]
        if node.id in self._local:
            value = self._local[node.id]
            if value is not None:
                return Lit(value)
            return self._refuse(
                node,
                f"the lambda uses `{node.id}`, a sequence from outside of it",
                code="R205",
                instead="pass the sequence through seq_map or select as a second argument",
            )
        meaning = self._scope.find(node.id)
        if isinstance(meaning, Constant) and isinstance(meaning.value, int):
            return Lit(meaning.value)
        what = f"; it is {meaning.what}" if isinstance(meaning, Foreign) else ""
        return self._refuse(
            node,
            f"`{node.id}` is not a parameter of this lambda nor an integer constant{what}",
            code="R201",
            instead="use the lambda's own parameters and constants",
        )

    def _unary(self, node: ast.UnaryOp) -> Expr:
        operand = self._expr(node.operand)
        match node.op:
            case ast.USub():
                return _folded("neg", operand)
            case ast.Not():
                return _folded("not", operand)
            case ast.Invert():
                return _folded("not" if is_truth(operand, self._truth) else "invert", operand)
            case _:
                return operand

    def _compare(self, node: ast.Compare) -> Expr:
        result: Expr | None = None
        left = self._expr(node.left)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            if isinstance(op, ast.In | ast.NotIn):
                part = self._member(left, comparator)
                if isinstance(op, ast.NotIn):
                    part = _folded("not", part)
            elif type(op) in COMPARE:
                right = self._expr(comparator)
                part = _folded(COMPARE[type(op)], left, right)
                left = right
            else:
                return self._refuse(node, "`is` compares Python objects")
            result = part if result is None else _folded("and", result, part)
        assert result is not None
        return result

    def _member(self, left: Expr, container: ast.expr) -> Expr:
        if not isinstance(container, ast.Tuple | ast.List | ast.Set) or not container.elts:
            return self._refuse(container, "`in` needs a list of integers")
        first, *rest = (_folded("==", left, self._expr(item)) for item in container.elts)
        for part in rest:
            first = _folded("or", first, part)
        return first

    def _call(self, node: ast.Call) -> Expr:
        if not isinstance(node.func, ast.Name) or node.keywords:
            return self._refuse(node, f"`{clip(node)}` is not a call of a scalar function")
        args = [self._expr(arg) for arg in node.args]
        name = node.func.id
        if name == "int" and len(args) == 1:
            return args[0]
        if name == "bool" and len(args) == 1:
            return _folded("!=", args[0], Lit(0))
        meaning = self._scope.find(name)
        if isinstance(meaning, Scalar) and meaning.fn.arity == len(args):
            assert isinstance(meaning.fn.body, Op)
            return _folded(meaning.fn.body.name, *args)
        if isinstance(meaning, Definition) and meaning not in self._calls:
            return self._inlined(meaning, args, node)
        return self._refuse(node, f"`{name}` is not a scalar function of {len(args)} arguments")

    def _inlined(self, definition: Definition, args: Sequence[Expr], node: ast.AST) -> Expr:
        body = [line for line in definition.node.body if not is_docstring(line)]
        arguments = definition.node.args
        names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
        if len(names) != len(args):
            return self._refuse(
                node, f"`{definition.name}` takes {len(names)} arguments, not {len(args)}"
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
    ) -> Expr:
        self.problems.append(Problem(Violation(code, message, instead), node, self._source))
        return Lit(0)


def _folded(name: str, *args: Expr) -> Expr:
    """The operator applied, or its value if all the arguments are literals."""
    op = Op(name, args)
    if all(isinstance(arg, Lit) for arg in args):
        try:
            return Lit(Fn(0, op)())
        except ZeroDivisionError:
            return op
    return op


def clip(node: ast.AST, limit: int = 40) -> str:
    """The source of an expression, shortened for a message."""
    text = ast.unparse(node)
    return text if len(text) <= limit else text[: limit - 1] + "…"
