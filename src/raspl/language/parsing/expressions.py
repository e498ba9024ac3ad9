"""Expressions: from syntax to nodes of the graph."""

from __future__ import annotations

import ast

from raspl.language.ir.primitives import Full, Input, Node, SeqMap, Site, TokMap
from raspl.language.ir.scalar import Expr, Fn, Lit, Op, Var
from raspl.language.ir.types import BOOL, SELECTOR
from raspl.language.parsing import idioms
from raspl.language.parsing.calls import Calls, Program
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.frames import (
    BAD,
    Bad,
    Frame,
    Literal,
    Value,
    checked_literal,
    index_literal,
    integer,
)
from raspl.language.parsing.lambdas import BINARY, COMPARE
from raspl.language.parsing.refusals import refusal, searchable, unknown
from raspl.language.parsing.scope import Constant, Core, Definition, Foreign, Scalar
from raspl.language.rules import Violation
from raspl.language.vocabulary import Token, Vocabulary, quoted


class Expressions:
    """Reads the expressions of one body."""

    def __init__(self, frame: Frame, program: Program) -> None:
        self.frame = frame
        self._program = program
        self._calls = Calls(self, program)

    def read(self, node: ast.expr) -> Value:
        """The value of an expression, or BAD after reporting what is wrong with it."""
        self.frame.report.work.spend()
        try:
            return self._legal(node)
        except Violation as violation:
            self.frame.add(violation, node)
            return BAD

    def sequence(self, node: ast.expr) -> Value:
        """The value of an expression that must be a sequence or a selector.

        A literal stands for the sequence that has it at every position.
        """
        value = self.operand(node)
        if not isinstance(value, Literal):
            return value
        try:
            return Full.constant(self.site(node), index_literal(value))
        except Violation as violation:
            self.frame.add(violation, node)
            return BAD

    def operand(self, node: ast.expr) -> Value:
        """The value of an expression, in which a string must be the name of a token."""
        value = self.read(node)
        if isinstance(value, Literal) and isinstance(value.value, str):
            try:
                return Literal(integer(value))
            except Violation as violation:
                self.frame.add(violation, node)
                return BAD
        return value

    def literal(self, node: ast.expr, is_token: bool = True) -> Literal | None:
        """The value of an expression that must be known before the program runs.

        A string is the name of a token, or else of a reduction.
        """
        value = self.operand(node) if is_token else self.read(node)
        if isinstance(value, Node):
            self.frame.violate(
                "R203",
                node,
                f"`{clip(node)}` is a sequence",
                "give a literal here: an integer, a constant, a literal parameter",
            )
        return value if isinstance(value, Literal) else None

    @property
    def _vocabulary(self) -> Vocabulary | None:
        return self.frame.definition.scope.vocabulary or self._program.vocabulary

    def _legal(self, node: ast.expr) -> Value:
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Constant(value=bool() | int() as value):
                return Literal(checked_literal(int(value)))
            case ast.Constant(value=None | str() as value):
                return Literal(checked_literal(value), self._vocabulary)
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Compare():
                return self._compare(node)
            case ast.Call():
                return self._calls.read(node)
        for part in searchable(node):
            self.read(part)
        raise refusal(node)

    def _name(self, node: ast.Name) -> Value:
        frame = self.frame
        if node.id in frame.values:
            return frame.values[node.id]
        meaning = frame.definition.scope.find(node.id)
        if isinstance(meaning, Constant):
            if isinstance(meaning.value, int):
                self._program.progress.constants[node.id] = meaning.value
            return Literal(meaning.value, self._vocabulary)
        if isinstance(meaning, Core | Definition | Scalar):
            is_scalar = isinstance(meaning, Scalar)
            raise Violation(
                "R113",
                f"`{node.id}` is a function, and a sequence is needed here",
                idioms.of_scalar(node.id) if is_scalar else f"call it: {node.id}(…)",
            )
        if node.id in frame.unknown or (isinstance(meaning, Foreign) and meaning.is_reported):
            return BAD
        frame.unknown.add(node.id)
        raise unknown(node.id, meaning, frame)

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.operand(node.left), self.operand(node.right)
        op = BINARY.get(type(node.op))
        if op is None or op == "^":
            instead = idioms.OPERATORS.get(type(node.op), "use + - * // % & |")
            raise Violation(
                "R113", f"`{clip(node)}` uses an operator that RASP-L does not have", instead
            )
        return self._apply(op, left, right, node)

    def _compare(self, node: ast.Compare) -> Value:
        op = COMPARE.get(type(node.ops[0]))
        left = self.operand(node.left)
        if op is None:
            raise _not_a_comparison(node)
        values = [left, *map(self.operand, node.comparators)]
        if len(values) > 2:
            instead = "write (a < b) & (b < c), with the parentheses: `&` binds tighter than `<`"
            raise Violation("R111", "a chained comparison", instead)
        left, right = values
        literal = next((v for v in values if isinstance(v, Literal)), None)
        node_ = next((v for v in values if isinstance(v, Node)), None)
        if literal is not None and node_ is not None and node_.type.is_index:
            if literal.value is None:
                raise Violation(
                    "R312",
                    "a comparison with None is false everywhere",
                    "write `i == i`, which is true exactly where i is not None",
                )
            raise self._with_literal(node_, literal)
        if literal is not None and isinstance(node_, Input):
            self._warn_of_number(literal, node)
        return self._apply(op, left, right, node)

    def _warn_of_number(self, literal: Literal, node: ast.Compare) -> None:
        """`x == 2` where a token is called "2" and has another number."""
        number, names = literal.value, self._vocabulary
        if names is None or not isinstance(number, int) or isinstance(number, Token):
            return
        if names.numbers.get(str(number), number) != number:
            here = names.name(number)
            which = f"the token {quoted(here)}" if here else "no token"
            self.frame.violate(
                "W004",
                node,
                f"`{clip(node)}` compares with the number {number}, which is {which}",
                f'write "{number}" for the token of that name',
            )

    def _with_literal(self, value: Node, literal: Literal) -> Violation:
        """An index meets a literal; the first position and the first few times have idioms."""
        name = self.frame.report.called(value)
        what, called = value.type.kind.lower(), f" `{name}`" if name else ""
        instead = (
            "the first position is `indices(x) == minimum(indices(x))`; "
            "compare it with another index, such as indices(x) or firsts(x, q)"
        )
        if what == "count" and literal.value in (0, 1):
            instead = f"{idioms.SOME}; {idioms.NONE_SO_FAR}"
        elif what == "count":
            instead = (
                "compare it with values of the same count (its maximum, its value elsewhere); "
                'the cookbook has "at least three times"'
            )
        a_count = f"the {what}{called} ({value.type})"
        return Violation("R304", f"{a_count} is compared with the literal {literal.value}", instead)

    def _unary(self, node: ast.UnaryOp) -> Value:
        operand = self.operand(node.operand)
        if isinstance(operand, Bad):
            return BAD
        match node.op:
            case ast.UAdd():
                return operand
            case ast.USub() if isinstance(operand, Literal):
                return Literal(-integer(operand))
            case ast.USub() if isinstance(operand, Node):
                return self._map(Op("neg", (Var(0),)), operand, node)
            case ast.Invert() if isinstance(operand, Node):
                _need_bool("~", operand)
                return self._map(Op("not", (Var(0),)), operand, node)
            case ast.Not():
                raise Violation("R111", "`not` on a sequence", "write `~x`, or `x == 0` for an Int")
        raise Violation("R113", f"`{clip(node)}` is not RASP-L", "use integers and sequences")

    def _apply(self, op: str, left: Value, right: Value, node: ast.expr) -> Value:
        """An operator as the map that it stands for."""
        if isinstance(left, Bad) or isinstance(right, Bad):
            return BAD
        if isinstance(left, Literal) and isinstance(right, Literal):
            return _fold(op, left, right)
        if op in ("&", "|"):
            for side in (left, right):
                _need_bool(op, side)
        if isinstance(left, Literal):
            assert isinstance(right, Node)
            return self._map(Op(op, (Lit(integer(left)), Var(0))), right, node)
        if isinstance(right, Literal):
            return self._map(Op(op, (Var(0), Lit(integer(right)))), left, node)
        func = Fn(2, Op(op, (Var(0), Var(1))))
        return SeqMap.build(self.site(node), x=left, y=right, func=func)

    def _map(self, body: Expr, operand: Node, node: ast.expr) -> Node:
        return TokMap.build(self.site(node), x=operand, func=Fn(1, body))

    def site(self, node: ast.expr) -> Site:
        """Where a primitive is applied."""
        origin = self.frame.origin(node, self._program.next_order())
        return Site(origin, self._program.bits, self._program.new_family)


def _not_a_comparison(node: ast.Compare) -> Violation:
    instead = "`i == i` is true exactly where an index is not None; compare with == and !="
    constant = node.comparators[0]
    if isinstance(node.ops[0], ast.Is | ast.IsNot) and not (
        isinstance(constant, ast.Constant) and constant.value is None
    ):
        instead = "compare with == and !="
    if isinstance(node.ops[0], ast.In | ast.NotIn):
        instead = "tok_map(x, lambda a: a in (1, 2)) tests each value, has_seen(x, q) all so far"
    return Violation("R113", f"the comparison `{clip(node)}` is not RASP-L", instead)


def _fold(op: str, left: Literal, right: Literal) -> Literal:
    """An operator between two literals, calculated before the program runs."""
    a, b = integer(left), integer(right)
    if op in ("//", "%") and b == 0:
        raise Violation("R113", "this literal divides by zero", "use another divisor")
    return Literal(checked_literal(Fn(0, Op(op, (Lit(a), Lit(b))))()))


def _need_bool(op: str, value: Value) -> None:
    if isinstance(value, Node) and value.type == BOOL:
        return
    if isinstance(value, Literal) and value.value in (0, 1):
        return
    if isinstance(value, Node) and value.type == SELECTOR:
        raise Violation(
            "R306",
            f"`{op}` is applied to a selector",
            "put both conditions into one key and one query, such as select(a * 10 + b, "
            'c * 10 + d, equals): the cookbook has "two conditions"',
        )
    what = f"of type {value.type}" if isinstance(value, Node) else "a literal"
    raise Violation(
        "R309",
        f"`{op}` is applied to a value {what}",
        "make conditions first, in parentheses: `(x != 0) & (y == 1)`",
    )
