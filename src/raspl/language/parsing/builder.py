"""From the syntax of definitions to a typed graph, reporting every violation on the way.

The body of a program is read as data. Calls of other programs are inlined, so a graph consists of
primitives only. After a violation reading goes on with `BAD` in the place of the value, which
keeps one mistake from being reported twice and lets the next one be found.
"""

from __future__ import annotations

import ast
from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence

from raspl.errors import RasplError
from raspl.language.ir.graph import Graph, Merger, Named, merge
from raspl.language.ir.primitives import Input, Node
from raspl.language.ir.types import BOOL, INDEX, INT, SELECTOR, Type, count_of
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.expressions import Expressions
from raspl.language.parsing.frames import (
    BAD,
    Bad,
    Frame,
    Literal,
    LiteralValue,
    Parameter,
    Progress,
    Report,
    Value,
)
from raspl.language.parsing.lambdas import is_docstring
from raspl.language.parsing.resuming import Memory
from raspl.language.parsing.scope import TYPE_NAMES, Definition
from raspl.language.rules import Violation
from raspl.language.source import Origin, Span
from raspl.language.vocabulary import STATED_AS, Vocabulary


class Builder:
    """Builds the graph of one definition."""

    def __init__(self, bits: int, report: Report, memory: Memory | None = None) -> None:
        self.bits = bits
        self.progress = Progress()
        self.vocabulary: Vocabulary | None = None
        """The names of the program's tokens, which all that it calls must agree with."""
        self._report = report
        self._memory = memory
        self._open: list[Definition] = []

    def build(self, definition: Definition, literals: Mapping[str, LiteralValue]) -> Graph | None:
        """The graph of a program, or None if anything in it is illegal."""
        before = self._report.breaches
        self.vocabulary = definition.scope.vocabulary
        frame = Frame(definition, self._report)
        try:
            inputs, output = self._read(frame, literals)
        finally:
            self._report.visited |= self.progress.visited
        if isinstance(output, Node) and output.type == SELECTOR:
            frame.violate(
                "R306",
                definition.node.body[-1],
                "the program returns a selector",
                "return aggr(selector, values) or sel_width(selector)",
            )
        if not isinstance(output, Node) or self._report.breaches > before:
            return None
        merger = Merger()
        merger(output)
        for target, node in frame.assigned:
            if merger.known(node) is None:
                message = f"the result does not use `{target.id}`"
                frame.violate("W001", target, message, "remove the line")
        return merge(
            Graph(
                name=definition.name,
                inputs=inputs,
                output=output,
                bits=self.bits,
                names=tuple(
                    Named(target.id, node, frame.span(target).line)
                    for target, node in frame.assigned
                ),
                return_line=frame.span(definition.node.body[-1]).line,
                # A view: a text may have many constants, and many programs that share them.
                constants=ChainMap(self.progress.constants, definition.scope.token_names()),
                lines=sum(self.progress.lines.values()),
                vocabulary=self.vocabulary,
            ),
            merger,
        )

    def _read(
        self, frame: Frame, literals: Mapping[str, LiteralValue]
    ) -> tuple[tuple[Input, ...], Value]:
        """What the program takes and gives, from where an earlier reading of it stood."""
        definition = frame.definition
        body = _straight_line(definition)
        tape = None
        if self._memory is not None and not literals:
            tape = self._memory.tape(frame, body, self.bits)
        checkpoint = None if tape is None else tape.latest()
        if tape is None or checkpoint is None:
            inputs = self._inputs(frame, literals)
        else:
            inputs = checkpoint.inputs
            self.progress = tape.resume(checkpoint)
        done = 0 if checkpoint is None else checkpoint.statements

        def after(statements: int) -> None:
            if tape is not None:
                tape.keep(statements, inputs, self.progress)

        return inputs, self._run(frame, done, after)

    def _inputs(self, frame: Frame, literals: Mapping[str, LiteralValue]) -> tuple[Input, ...]:
        """The sequences that the program takes, with all parameters among the values."""
        inputs: list[Input] = []
        for parameter in self.signature(frame.definition):
            if parameter.literal:
                given = parameter.name in literals
                chosen = parameter.default
                if given:
                    chosen = Literal(literals[parameter.name], self.vocabulary)
                # Types don't depend on the value of a literal, so any will do for a check.
                frame.values[parameter.name] = chosen or Literal(1)
            else:
                is_count = parameter.type.kind == "Count"
                type_ = count_of(-len(inputs) - 1) if is_count else parameter.type
                origin = Origin(frame.span(parameter.node))
                inputs.append(Input(type=type_, origin=origin, name=parameter.name))
                frame.values[parameter.name] = inputs[-1]
        return tuple(inputs)

    def inline(self, definition: Definition, values: dict[str, Value], site: Span) -> Value:
        """The result of a program that is called with these values."""
        if definition in self._open:
            raise Violation(
                "R107",
                f"`{definition.name}` calls itself",
                "write the steps out, or let generation repeat them one token at a time",
            )
        self._agree(definition)
        self._report.work.spend(len(values))
        return self._run(
            Frame(definition, self._report, site if definition.library else None, values)
        )

    def _agree(self, definition: Definition) -> None:
        """A program has one vocabulary: that of a function from elsewhere must not contradict."""
        other = definition.scope.vocabulary
        if other is None or other is self.vocabulary:
            return
        try:
            self.vocabulary = other.with_names(self.vocabulary) if self.vocabulary else other
        except RasplError as error:
            message = f"`{definition.name}` names the tokens differently: {error}"
            raise Violation("R208", message, f"write the same {STATED_AS} in both files") from None

    def new_family(self) -> int:
        """The number of a count that was not used before."""
        self.progress.families += 1
        return self.progress.families

    def next_order(self) -> int:
        """The number of the operation that is read now."""
        self.progress.operations += 1
        return self.progress.operations

    def signature(self, definition: Definition) -> list[Parameter]:
        """The parameters of a definition: sequences first, then literals."""
        known = self.progress.signatures.get(definition)
        if known is None:
            known = _Signature(
                definition, Expressions(Frame(definition, self._report), self)
            ).read()
            self.progress.signatures[definition] = known
        return known

    def _run(
        self, frame: Frame, done: int = 0, after: Callable[[int], None] = lambda statements: None
    ) -> Value:
        """The result of a body, of which the first statements may be done already."""
        definition = frame.definition
        body = _straight_line(definition)
        if not done:
            self.progress.visited.add(definition)
            for star in (definition.node.args.vararg, definition.node.args.kwarg):
                if star is not None:
                    frame.values[star.arg] = BAD
        if not definition.library or not self._open:
            self.progress.lines[definition] = len(body)
        self._open.append(definition)
        _Body(frame, Expressions(frame, self)).read(body, done, after)
        self._open.pop()
        if frame.result is None:
            frame.violate(
                "R110",
                headline(definition.node),
                f"`{definition.name}` has no return",
                "end it with `return sequence`",
            )
            return BAD
        return frame.result


class _Signature:
    """Reads the parameters of one definition."""

    def __init__(self, definition: Definition, expressions: Expressions) -> None:
        self._definition = definition
        self._expressions = expressions
        self._violate = expressions.frame.violate

    def read(self) -> list[Parameter]:
        arguments = self._definition.node.args
        plain = [*arguments.posonlyargs, *arguments.args]
        defaults = [None] * (len(plain) - len(arguments.defaults)) + [*arguments.defaults]
        pairs = [
            *zip(plain, defaults, strict=True),
            *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
        ]
        for star in (arguments.vararg, arguments.kwarg):
            if star is not None:
                message = f"`{star.arg}` gathers any number of arguments"
                self._violate("R114", star, message, "name each parameter")
        parameters: list[Parameter] = []
        names: set[str] = set()
        for argument, default in pairs:
            parameter = self._parameter(argument, default)
            if argument.arg in names:
                message = f"`{argument.arg}` names two parameters"
                self._violate("R114", argument, message, "give each parameter a name of its own")
            names.add(argument.arg)
            if parameters and parameters[-1].literal and not parameter.literal:
                self._violate(
                    "R114",
                    argument,
                    f"the sequence `{argument.arg}` comes after a literal parameter",
                    "put sequences first; mark a literal as `n: int`",
                )
            parameters.append(parameter)
        if all(parameter.literal for parameter in parameters):
            self._violate(
                "R114",
                headline(self._definition.node),
                f"`{self._definition.name}` has no sequence to work on",
                "give it a first parameter, the tokens",
            )
        return parameters

    def _parameter(self, argument: ast.arg, default: ast.expr | None) -> Parameter:
        known = {"Int": INT, "Bool": BOOL, "Index": INDEX, "Count": Type("Count")}
        annotation = argument.annotation
        name = "Int" if annotation is None else annotated_name(annotation)
        if annotation is not None and name not in ("int", *TYPE_NAMES):
            self._violate(
                "R114",
                annotation,
                f"`{clip(annotation)}` is not a type of RASP-L",
                "write Int, Bool, Index or Count for a sequence, int for a literal",
            )
        value = None if default is None else self._expressions.literal(default) or Literal(0)
        literal = name == "int" or default is not None
        return Parameter(argument.arg, literal, known.get(name, INT), value, argument)


class _Body:
    """Reads the statements of one body."""

    def __init__(self, frame: Frame, expressions: Expressions) -> None:
        self._frame = frame
        self._expressions = expressions
        self._violate = frame.violate

    def read(self, body: Sequence[ast.stmt], done: int, after: Callable[[int], None]) -> None:
        """Read a straight line from a statement on; nothing may follow the return."""
        for number in range(done, len(body)):
            before, statement = body[number - 1] if number else None, body[number]
            # A return inside of a loop or branch is not meant: those are reported themselves.
            if isinstance(before, ast.Return):
                self._violate(
                    "R110",
                    headline(statement),
                    "this comes after the return and never runs",
                    "make the return the last line",
                )
                return
            self._statement(statement)
            after(number + 1)

    def _nested(self, body: Sequence[ast.stmt]) -> None:
        """Statements that are illegal where they stand are still searched for mistakes."""
        for statement in body:
            # These belong to the statement around them, which is reported already.
            if not isinstance(statement, ast.Pass | ast.Break | ast.Continue):
                self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        expr = self._expressions.read
        match statement:
            case ast.Assign(targets=targets, value=value):
                self._assign(targets, value)
            case ast.AnnAssign(value=ast.expr() as value):
                self._annotated(statement.target, value, statement.annotation)
            case ast.AugAssign(target=ast.Name(id=name) as changed):
                load = ast.copy_location(ast.Name(name, ast.Load()), changed)
                operation = ast.BinOp(load, statement.op, statement.value)
                self._bind(changed, expr(ast.copy_location(operation, statement)))
            case ast.AugAssign(value=value):
                self._mutation(statement.target)
                expr(value)
            case ast.Delete(targets=targets):
                for target in targets:
                    self._mutation(target)
            case ast.Global() | ast.Nonlocal():
                message = f"`{clip(statement)}` reaches outside"
                self._violate("R108", statement, message, "return the value instead")
            case ast.Return():
                self._return(statement)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._loop(statement)
            case ast.If() | ast.Match():
                self._branch(statement)
            case ast.Expr(value=value):
                if not is_docstring(statement) and not isinstance(expr(value), Bad):
                    self._violate(
                        "R109",
                        statement,
                        "this value is computed and thrown away",
                        "assign it to a name or return it",
                    )
            case _:
                self._other(statement)

    def _assign(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        """What stands on the right is computed once, however many names it gets."""
        parts = value.elts if isinstance(value, ast.Tuple | ast.List) else []
        if parts and all(_takes_apart(target, len(parts)) for target in targets):
            results: list[Value] = [self._expressions.read(part) for part in parts]
            for target in targets:
                assert isinstance(target, ast.Tuple | ast.List)
                for name, result in zip(target.elts, results, strict=True):
                    self._bind(name, result)
            return
        result = self._expressions.read(value)
        for target in targets:
            if isinstance(target, ast.Tuple | ast.List):
                message = "a sequence can't be unpacked"
                self._violate("R109", target, message, "assign to one name at a time")
                for name in target.elts:
                    self._bind(name, BAD)
            else:
                self._bind(target, result)

    def _annotated(self, target: ast.expr, value: ast.expr, annotation: ast.expr) -> None:
        """A declared type is checked: an Int may hold truth values, every other holds its own."""
        result = self._expressions.read(value)
        declared = annotated_name(annotation)
        if declared not in ("int", *TYPE_NAMES):
            message = f"`{clip(annotation)}` is not a type of RASP-L"
            instead = "write Int, Bool, Index or Count, or leave the annotation out"
            self._violate("R114", annotation, message, instead)
        elif isinstance(result, Node) and not _is_of(result.type, declared):
            self._violate(
                "R114",
                annotation,
                f"`{clip(target)}` is declared {declared} and is of type {result.type}",
                f"write {result.type.kind}, or leave the annotation out",
            )
        elif isinstance(result, Literal) and declared != "int":
            message = f"`{clip(target)}` is declared {declared} and is a literal"
            self._violate("R114", annotation, message, "write int, or make a sequence with full")
        self._bind(target, result)

    def _bind(self, target: ast.expr, value: Value) -> None:
        if not isinstance(target, ast.Name):
            self._mutation(target)
            return
        self._frame.values[target.id] = value
        if isinstance(value, Node):
            self._frame.assigned.append((target, value))
            if self._frame.site is None:
                self._frame.report.names.setdefault(value, target.id)

    def _mutation(self, target: ast.expr) -> None:
        self._violate(
            "R108",
            target,
            f"`{clip(target)}` is changed in place",
            "make a new sequence, for example with where(condition, new, old)",
        )

    def _return(self, statement: ast.Return) -> None:
        result: Value = BAD
        if statement.value is None:
            self._violate("R110", statement, "nothing is returned", "return a sequence")
        else:
            result = self._expressions.sequence(statement.value)
        self._frame.result = result

    def _loop(self, statement: ast.For | ast.AsyncFor | ast.While) -> None:
        self._violate(
            "R101",
            headline(statement),
            f"a {'while' if isinstance(statement, ast.While) else 'for'} loop",
            "let attention work on all positions at once (select, aggr), "
            "or unroll the loop over the output with a scratchpad",
        )
        if isinstance(statement, ast.While):
            self._expressions.read(statement.test)
        else:
            self._expressions.read(statement.iter)
            for target in ast.walk(statement.target):
                if isinstance(target, ast.Name):
                    self._bind(target, BAD)
        self._nested([*statement.body, *statement.orelse])

    def _branch(self, statement: ast.If | ast.Match) -> None:
        self._violate(
            "R102",
            headline(statement),
            f"an `{'if' if isinstance(statement, ast.If) else 'match'}` statement",
            "compute both results and choose with where(condition, a, b)",
        )
        if isinstance(statement, ast.If):
            self._expressions.read(statement.test)
            self._nested([*statement.body, *statement.orelse])
        else:
            self._expressions.read(statement.subject)
            for case in statement.cases:
                self._nested(case.body)

    def _other(self, statement: ast.stmt) -> None:
        self._violate(
            "R109",
            headline(statement),
            STATEMENTS.get(type(statement), f"a `{type(statement).__name__.lower()}` statement"),
            "write assignments and one return; helper functions go at the top of the file",
        )
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            self._frame.values[statement.name] = BAD
        if isinstance(statement, ast.With | ast.AsyncWith | ast.Try):
            self._nested(statement.body)


STATEMENTS: dict[type[ast.stmt], str] = {
    ast.FunctionDef: "a function inside of a program",
    ast.AsyncFunctionDef: "a function inside of a program",
    ast.ClassDef: "a class inside of a program",
    ast.Import: "an import inside of a program",
    ast.ImportFrom: "an import inside of a program",
}


def _straight_line(definition: Definition) -> list[ast.stmt]:
    """The statements of a body, without what is only said."""
    return [statement for statement in definition.node.body if not is_docstring(statement)]


def annotated_name(annotation: ast.expr) -> str:
    """The name of the type that an annotation gives, or nothing if it gives none."""
    match annotation:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Constant(value=str(name)):
            return name
    return ""


def _is_of(type_: Type, declared: str) -> bool:
    """Whether a sequence may be declared so. None is an index of every family."""
    match declared:
        case "Int":
            return type_.is_int
        case "Index" | "Count":
            return type_.kind in (declared, "Null")
    return type_.kind == declared


def _takes_apart(target: ast.expr, parts: int) -> bool:
    return isinstance(target, ast.Tuple | ast.List) and len(target.elts) == parts


def headline(statement: ast.stmt) -> ast.AST:
    """The first line of a compound statement, which is enough to point at."""
    body = getattr(statement, "body", None) or getattr(statement, "cases", None)
    if not body:
        return statement
    mark = ast.Pass()
    mark.lineno = mark.end_lineno = statement.lineno
    mark.col_offset = statement.col_offset
    # The keyword itself: "for", "while", "if", "def", …
    word = {"FunctionDef": "def", "AsyncFunctionDef": "async", "ClassDef": "class"}
    keyword = word.get(type(statement).__name__, type(statement).__name__.lower())
    mark.end_col_offset = statement.col_offset + len(keyword)
    return mark
