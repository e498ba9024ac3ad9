"""Expressions: from syntax to nodes of the graph."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterator
from typing import Protocol

from .frames import BAD, Bad, Frame, Literal, Parameter, Value
from .lambdas import BINARY, COMPARE, LambdaReader, clip
from .primitives import (
    Aggr,
    Full,
    Indices,
    Node,
    Select,
    SelWidth,
    SeqMap,
    TokMap,
    Where,
    need_selector,
    need_sequence,
)
from .rules import Violation
from .scalar import Expr, Fn, Lit, Op, Var
from .scope import (
    BUILTIN,
    Constant,
    Core,
    Definition,
    Foreign,
    Meaning,
    Package,
    Scalar,
)
from .source import Span
from .types import BOOL

CORE_SIGNATURES: dict[str, tuple[str, ...]] = {
    # A trailing "=" marks a parameter that may be left out.
    "full": ("x", "const"),
    "indices": ("x",),
    "tok_map": ("x", "func"),
    "seq_map": ("x", "y", "func"),
    "where": ("c", "a", "b"),
    "select": ("k", "q", "pred"),
    "sel_width": ("s",),
    "aggr": ("s", "v", "default=", "reduction="),
    "kqv": ("k", "q", "v", "pred", "default=", "reduction="),
}
PYTHON_HINTS = {
    "len": "the length of the input is not known causally; use indices(x), the position so far",
    "range": "indices(x) holds 0, 1, 2, …",
    "sum": "count positions with cumsum(condition)",
    "max": "use maximum(x) for the greatest so far, or seq_map(x, y, max)",
    "min": "use minimum(x) for the least so far, or seq_map(x, y, min)",
    "abs": "use tok_map(x, abs)",
    "int": "values are integers already, and an index can't be turned into one",
    "float": "values are integers",
    "sorted": "see the shipped program `sort`",
    "reversed": "reversal is not causal; attention looks values up instead",
    "print": "use `raspl trace` to see every intermediate",
}


class Program(Protocol):
    """What an expression needs of the program that it belongs to."""

    bits: int
    constants: dict[str, int]

    def new_family(self) -> int:
        """The number of a count that was not used before."""

    def signature(self, definition: Definition) -> list[Parameter]:
        """The parameters of a program that is called."""

    def inline(self, definition: Definition, values: dict[str, Value], site: Span) -> Value:
        """The result of a program that is called with these values."""


class Expressions:
    """Reads the expressions of one body."""

    def __init__(self, frame: Frame, program: Program) -> None:
        self.frame = frame
        self._program = program

    def read(self, node: ast.expr) -> Value:
        """The value of an expression, or BAD after reporting what is wrong with it."""
        try:
            return self._legal(node)
        except Violation as violation:
            self.frame.add(violation, node)
            return BAD

    def sequence(self, node: ast.expr) -> Value:
        """The value of an expression that must be a sequence or a selector."""
        value = self.read(node)
        if isinstance(value, Literal):
            self.frame.violate(
                "R308",
                node,
                f"{value.value!r} stands where a sequence is needed",
                f"write full(x, {value.value!r})",
            )
            return BAD
        return value

    def literal(self, node: ast.expr) -> Literal | None:
        """The value of an expression that must be known before the program runs."""
        value = self.read(node)
        if isinstance(value, Node):
            self.frame.violate(
                "R203",
                node,
                f"`{clip(node)}` is a sequence",
                "give a literal here: an integer, a constant, a literal parameter",
            )
        return value if isinstance(value, Literal) else None

    def _legal(self, node: ast.expr) -> Value:
        match node:
            case ast.Name():
                return self._name(node)
            case ast.Constant(value=bool() | int() as value):
                return Literal(int(value))
            case ast.Constant(value=None | str() as value):
                return Literal(value)
            case ast.BinOp():
                return self._binary(node)
            case ast.UnaryOp():
                return self._unary(node)
            case ast.Compare():
                return self._compare(node)
            case ast.Call():
                return self._call(node)
        for part in _searchable(node):
            self.read(part)
        raise _refusal(node)

    def _name(self, node: ast.Name) -> Value:
        frame = self.frame
        if node.id in frame.values:
            return frame.values[node.id]
        meaning = frame.definition.scope.find(node.id)
        if isinstance(meaning, Constant):
            if isinstance(meaning.value, int):
                self._program.constants[node.id] = meaning.value
            return Literal(meaning.value)
        if isinstance(meaning, Core | Definition | Scalar):
            raise Violation(
                "R113",
                f"`{node.id}` is a function and stands here as a value",
                f"call it: {node.id}(…)",
            )
        if node.id in frame.unknown:
            return BAD
        frame.unknown.add(node.id)
        raise self._unknown(node.id, meaning)

    def _unknown(self, name: str, meaning: Meaning | None) -> Violation:
        if isinstance(meaning, Foreign | Package):
            what = meaning.what if isinstance(meaning, Foreign) else "the package raspl"
            return Violation(
                "R201",
                f"`{name}` is {what}, which RASP-L does not know",
                "use core, library and RASP-L functions and integer constants",
            )
        if name in PYTHON_HINTS:
            return Violation("R201", f"`{name}` is Python, not RASP-L", PYTHON_HINTS[name])
        frame = self.frame
        known = {*frame.values, *frame.definition.scope.names()}
        close = difflib.get_close_matches(name, known, n=3, cutoff=0.6)
        guess = "assign it first, define it above, or import it from raspl"
        if close:
            guess = f"did you mean {' or '.join(f'`{match}`' for match in close)}?"
        return Violation("R201", f"`{name}` is not known here", guess)

    def _binary(self, node: ast.BinOp) -> Value:
        left, right = self.read(node.left), self.read(node.right)
        op = BINARY.get(type(node.op))
        if op is None or op == "^":
            raise Violation(
                "R113",
                f"the operator of `{clip(node)}` is not RASP-L",
                "use `//` for whole division, `*` for powers, `!=` for exclusive or",
            )
        return self._apply(op, left, right, node)

    def _compare(self, node: ast.Compare) -> Value:
        values = [self.read(node.left), *map(self.read, node.comparators)]
        if len(values) > 2:
            raise Violation("R111", "a chained comparison", "write (a < b) & (b < c)")
        op = COMPARE.get(type(node.ops[0]))
        if op is None:
            raise Violation(
                "R113",
                f"the comparison `{clip(node)}` is not RASP-L",
                "compare with == != < <= > >=",
            )
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
            raise Violation(
                "R304",
                f"a value of type {node_.type} meets the literal {literal.value}",
                "compare it with another index, such as indices(x) or firsts(x, q)",
            )
        return self._apply(op, left, right, node)

    def _unary(self, node: ast.UnaryOp) -> Value:
        operand = self.read(node.operand)
        if isinstance(operand, Bad):
            return BAD
        match node.op:
            case ast.UAdd():
                return operand
            case ast.USub() if isinstance(operand, Literal):
                return Literal(-_integer(operand))
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
            return self._map(Op(op, (Lit(_integer(left)), Var(0))), right, node)
        if isinstance(right, Literal):
            return self._map(Op(op, (Var(0), Lit(_integer(right)))), left, node)
        return SeqMap.build(left, right, Fn(2, Op(op, (Var(0), Var(1)))), self.frame.origin(node))

    def _map(self, body: Expr, operand: Node, node: ast.expr) -> Node:
        return TokMap.build(operand, Fn(1, body), self.frame.origin(node))

    def _call(self, node: ast.Call) -> Value:
        callee = self._callee(node)
        if isinstance(callee, Core):
            return self._call_core(node, callee.name)
        if isinstance(callee, Definition):
            return self._call_program(node, callee)
        for part in _searchable(node):
            if part is not node.func:
                self.read(part)
        return BAD

    def _callee(self, node: ast.Call) -> Core | Definition | None:
        """What is called, or None after saying why it can't be."""
        frame, func = self.frame, node.func
        if isinstance(func, ast.Attribute):
            meaning = self._of_package(func)
            if isinstance(meaning, Core | Definition):
                return meaning
            self.read(func)
            return None
        if not isinstance(func, ast.Name):
            self._not_callable(func, "is not the name of a function")
            self.read(func)
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
            instead = PYTHON_HINTS.get(name, f"write seq_map(x, y, {name}), or the operator")
            message = f"`{name}` is a function of integers, not of sequences"
            frame.violate("R207", func, message, instead)
        elif name not in frame.unknown:
            frame.unknown.add(name)
            frame.add(self._unknown(name, meaning), func)
        return None

    def _not_callable(self, func: ast.expr, why: str) -> None:
        instead = "call core, library and RASP-L functions by name"
        self.frame.violate("R207", func, f"`{clip(func)}` {why}", instead)

    def _of_package(self, attribute: ast.Attribute) -> Meaning | None:
        """What `raspl.name` stands for, if the base really is the package."""
        base = attribute.value
        if not isinstance(base, ast.Name) or base.id in self.frame.values:
            return None
        is_package = isinstance(self.frame.definition.scope.find(base.id), Package)
        return BUILTIN.find(attribute.attr) if is_package else None

    def _call_core(self, node: ast.Call, name: str) -> Value:
        signature = CORE_SIGNATURES[name]
        names = [parameter.rstrip("=") for parameter in signature]
        optional = {parameter.rstrip("=") for parameter in signature if parameter.endswith("=")}
        given = self._arguments(node, name, names, optional)
        nodes: dict[str, Node] = {}
        literals: dict[str, Literal] = {}
        function: Fn | None = None
        if any(parameter not in given and parameter not in optional for parameter in names):
            # The arguments may have slid into wrong places, so only their inside is searched.
            for argument in given.values():
                for part in _searchable(argument):
                    self.read(part)
            return BAD
        complete = True
        for parameter, argument in given.items():
            if parameter in ("func", "pred"):
                continue
            if parameter in ("const", "default", "reduction"):
                literal = self.literal(argument)
                if literal is not None:
                    literals[parameter] = literal
                complete &= literal is not None
            else:
                value = self._argument(argument, selector=parameter == "s")
                if isinstance(value, Node):
                    nodes[parameter] = value
                complete &= isinstance(value, Node)
        # The function comes last: how `~` is read in it depends on the types of the sequences.
        written = given.get("func") or given.get("pred")
        if written is not None:
            truth = [value.type == BOOL for value in nodes.values()]
            function = self._function(written, 1 if name == "tok_map" else 2, [*truth, False])
            complete &= function is not None
        if not complete:
            return BAD
        try:
            return self._construct(node, name, nodes, literals, function)
        except Violation as violation:
            self.frame.add(violation, _blamed(violation, given) or node)
            return BAD

    def _construct(
        self,
        node: ast.Call,
        name: str,
        nodes: dict[str, Node],
        literals: dict[str, Literal],
        fn: Fn | None,
    ) -> Node:
        origin, bits = self.frame.origin(node), self._program.bits
        default = _index_literal(literals.get("default", Literal(None)))
        reduction = literals.get("reduction", Literal("mean")).value
        match name:
            case "full":
                return Full.build(_index_literal(literals["const"]), bits, origin)
            case "indices":
                return Indices.build(origin)
            case "where":
                return Where.build(nodes["c"], nodes["a"], nodes["b"], origin)
            case "sel_width":
                return SelWidth.build(nodes["s"], self._program.new_family(), origin)
            case "aggr":
                return Aggr.build(nodes["s"], nodes["v"], default, str(reduction), bits, origin)
        assert fn is not None
        match name:
            case "tok_map":
                return TokMap.build(nodes["x"], fn, origin)
            case "seq_map":
                return SeqMap.build(nodes["x"], nodes["y"], fn, origin)
            case "select":
                return Select.build(nodes["k"], nodes["q"], fn, origin)
        head = Select.build(nodes["k"], nodes["q"], fn, origin)
        return Aggr.build(head, nodes["v"], default, str(reduction), bits, origin)

    def _argument(self, argument: ast.expr, selector: bool) -> Value:
        """An argument of a core function: a selector or a sequence, as the function needs."""
        value = self.sequence(argument)
        try:
            if isinstance(value, Node):
                (need_selector if selector else need_sequence)(value)
            return value
        except Violation as violation:
            self.frame.add(violation, argument)
            return BAD

    def _call_program(self, node: ast.Call, definition: Definition) -> Value:
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
                values[parameter.name] = self.literal(argument) or BAD
            else:
                values[parameter.name] = self._declared(parameter, argument)
        if any(isinstance(value, Bad) for value in values.values()):
            return BAD
        return self._program.inline(definition, values, self.frame.site or self.frame.span(node))

    def _declared(self, parameter: Parameter, argument: ast.expr) -> Value:
        """A parameter declared as Index takes indices only; other declarations bind less."""
        value = self.read(argument)
        if parameter.type.is_index and isinstance(value, Node) and value.type.is_int:
            self.frame.violate(
                "R302",
                argument,
                f"`{parameter.name}` is an index, and this is of type {value.type}",
                "pass an index: indices(x), firsts(x, q), lasts(x, q), …",
            )
            return BAD
        return value

    def _arguments(
        self, node: ast.Call, name: str, names: list[str], optional: set[str]
    ) -> dict[str, ast.expr]:
        """Match the arguments of a call with parameters, reporting what doesn't fit."""
        given: dict[str, ast.expr] = {}
        usage = f"{name}({', '.join(n if n not in optional else n + '=…' for n in names)})"

        def complain(place: ast.AST, message: str) -> None:
            self.frame.violate("R202", place, message, f"call it as {usage}")

        for index, argument in enumerate(node.args):
            if isinstance(argument, ast.Starred):
                complain(argument, "arguments can't be unpacked")
            elif index >= len(names):
                complain(argument, f"`{name}` takes {len(names)} arguments")
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
        if missing := [n for n in names if n not in given and n not in optional]:
            listed = ", ".join(f"`{n}`" for n in missing)
            complain(node, f"the call of `{name}` leaves out {listed}")
        return given

    def _function(self, argument: ast.expr, arity: int, truth: list[bool]) -> Fn | None:
        """The scalar function that an argument writes down or names."""
        frame = self.frame
        local: dict[str, int | None] = {}
        for name, value in frame.values.items():
            known = value.value if isinstance(value, Literal) else None
            local[name] = known if isinstance(known, int) else None
        definition = frame.definition
        reader = LambdaReader(definition.scope, definition.source, local, truth)
        function: Fn | None = None
        meaning: Meaning | None = None
        if isinstance(argument, ast.Lambda):
            function = reader.read_lambda(argument)
        elif isinstance(argument, ast.Name) and argument.id not in frame.values:
            meaning = definition.scope.find(argument.id)
        elif isinstance(argument, ast.Attribute):
            meaning = self._of_package(argument)
        if isinstance(meaning, Scalar):
            function = meaning.fn
        elif isinstance(meaning, Definition) and not meaning.library:
            frame.report.visited.add(meaning)
            function = reader.read_definition(meaning, argument)
        for problem in reader.problems:
            self.frame.add(problem.violation, problem.node, problem.source)
        if function is None:
            self.frame.violate(
                "R206",
                argument,
                f"`{clip(argument)}` is not a scalar function",
                "give a lambda, a comparison name (equals, lt, leq, gt, geq) "
                "or a one-line function",
            )
            return None
        if function.arity != arity:
            self.frame.violate(
                "R206",
                argument,
                f"this function has {function.arity} parameters, and {arity} are needed here",
                "tok_map takes `lambda a: …`, seq_map and select `lambda a, b: …`",
            )
            return None
        return None if reader.problems else function


COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _searchable(node: ast.expr) -> Iterator[ast.expr]:
    """The parts of an illegal expression that may hold mistakes of their own.

    Lambdas and comprehensions have variables of their own, so what is inside can't be judged.
    """
    if isinstance(node, (ast.Lambda, *COMPREHENSIONS)):
        return
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Slice):
            yield from (part for part in (child.lower, child.upper, child.step) if part)
            continue
        part = child.value if isinstance(child, ast.Starred | ast.keyword) else child
        if isinstance(part, ast.expr) and not isinstance(part, ast.Lambda):
            yield part


def _refusal(node: ast.expr) -> Violation:
    """Why an expression that is never legal is not, and what to write instead."""
    text = clip(node)
    match node:
        case ast.IfExp():
            instead = "choose with where(condition, a, b)"
            return Violation("R102", f"`{text}` is a conditional expression", instead)
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            instead = "use tok_map(x, lambda a: …) for each position"
            return Violation("R103", f"`{text}` is a comprehension", instead)
        case ast.Subscript(slice=ast.Slice()):
            instead = "use shift_right(x, n), or mask(x, condition) to blank positions"
            return Violation("R105", f"`{text}` is a slice", instead)
        case ast.Subscript():
            instead = "look values up by attention: index_select(x, idx) or induct(k, q, offset)"
            return Violation("R104", f"`{text}` picks by subscript", instead)
        case ast.Attribute():
            instead = "call core, library and RASP-L functions on sequences"
            return Violation("R106", f"`{text}` reaches into an attribute", instead)
        case ast.BoolOp():
            return Violation("R111", f"`{text}` uses `and` or `or`", "write `&` or `|`")
        case ast.NamedExpr():
            return Violation("R108", f"`{text}` assigns inside of an expression", "use a line")
        case ast.Lambda():
            instead = "give it to tok_map, seq_map, select or kqv directly"
            return Violation("R206", "a lambda stands here as a value", instead)
    return Violation("R113", f"`{text}` is not an expression of RASP-L", "use integers and calls")


def _blamed(violation: Violation, given: dict[str, ast.expr]) -> ast.expr | None:
    """The argument at fault, so that the caret stands under it and not under the whole call."""
    at_fault = {
        "R204": ("reduction",),
        "R310": ("const", "default"),
        "R311": ("pred",),
        "R312": ("const", "default"),
    }
    names = at_fault.get(violation.rule.code, ())
    return next((given[name] for name in names if name in given), None)


def _integer(literal: Literal) -> int:
    if isinstance(literal.value, int):
        return literal.value
    if literal.value is None:
        raise Violation(
            "R312",
            "None stands where an integer is needed",
            "use None as a mask or default of indices only",
        )
    raise Violation("R113", f"the text {literal.value!r} is not an integer", "use integers")


def _index_literal(literal: Literal) -> int | None:
    return None if literal.value is None else _integer(literal)


def _fold(op: str, left: Literal, right: Literal) -> Literal:
    """An operator between two literals, calculated before the program runs."""
    a, b = _integer(left), _integer(right)
    if op in ("//", "%") and b == 0:
        raise Violation("R113", "this literal divides by zero", "use another divisor")
    return Literal(Fn(0, Op(op, (Lit(a), Lit(b))))())


def _need_bool(op: str, value: Value) -> None:
    if isinstance(value, Node) and value.type == BOOL:
        return
    if isinstance(value, Literal) and value.value in (0, 1):
        return
    what = f"of type {value.type}" if isinstance(value, Node) else "a literal"
    raise Violation(
        "R309", f"`{op}` is applied to a value {what}", "make it a condition first: `x != 0`"
    )
