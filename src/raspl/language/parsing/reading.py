"""Reading one text statement by statement: its constants, its functions, what it imports."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable

from raspl.language.ir.scalar import Fn, Lit, Op
from raspl.language.limits import MAX_TOKENS
from raspl.language.parsing.builder import headline
from raspl.language.parsing.clipping import clip
from raspl.language.parsing.frames import Report, checked_literal
from raspl.language.parsing.lambdas import BINARY, is_docstring
from raspl.language.parsing.scope import (
    BUILTIN,
    Beside,
    Constant,
    Definition,
    FileScope,
    Foreign,
    Missing,
    Package,
)
from raspl.language.parsing.siblings import Siblings
from raspl.language.parsing.stated import read_vocabulary, with_given
from raspl.language.rules import Violation
from raspl.language.source import Source, count_tokens, too_many_tokens
from raspl.language.vocabulary import FEW, STATED_AS, UNREADABLE, Vocabulary

ARITHMETIC = ("+", "-", "*", "//", "%")
"""What a constant may be calculated with."""


def _sibling(source: Source, siblings: Siblings, report: Report) -> FileScope:
    """What a file beside the first one defines."""
    reader = Reader(source, report, None, siblings)
    reader.read_all()
    return reader.scope


class Reader:
    """Reads the statements of a text one by one."""

    def __init__(
        self,
        source: Source,
        report: Report,
        vocabulary: Vocabulary | None,
        siblings: Siblings | None,
    ) -> None:
        self.definitions: dict[str, Definition] = {}
        self.decorated: set[str] = set()
        self.imports_raspl = False
        self.scope = FileScope(vocabulary)
        self._source = source
        self._report = report
        self._given = vocabulary
        self._siblings = siblings

    def read_all(self) -> None:
        """Read the whole text; a statement that is nested too deeply is left out."""
        for statement in syntax(self._source, self._report):
            try:
                self.read(statement)
            except RecursionError:
                self._add(nested_too_deeply(), headline(statement))

    def read(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef():
                self._define(statement)
            case ast.Import() | ast.ImportFrom():
                self._import(statement)
            case ast.Assign(targets=targets, value=value):
                self._constants(targets, value)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._constants([target], value)
            case ast.AugAssign(target=ast.Name() as target, op=op, value=value):
                before = ast.copy_location(ast.Name(target.id, ast.Load()), target)
                after = ast.copy_location(ast.BinOp(before, op, value), statement)
                self._constants([target], after)
            case _ if not is_docstring(statement):
                what = f"`{clip(statement).splitlines()[0]}` is not executed"
                instead = "keep constants, imports from raspl and functions in the file"
                self._add(Violation("W002", what, instead), headline(statement))

    def _define(self, node: ast.FunctionDef) -> None:
        if node.name in self.definitions:
            earlier = self._source.span(self.definitions[node.name].node).line
            what = f"`{node.name}` is defined twice: on line {earlier} and here"
            instead = "give each function a name of its own"
            self._add(Violation("R109", what, instead), headline(node))
        definition = Definition(node.name, node, self._source, self.scope)
        self.definitions[node.name] = self.scope.meanings[node.name] = definition
        if any(is_program_decorator(decorator) for decorator in node.decorator_list):
            self.decorated.add(node.name)

    def _constants(self, targets: Iterable[ast.expr], value: ast.expr) -> None:
        for target in targets:
            try:
                if isinstance(target, ast.Name) and target.id == STATED_AS:
                    self.scope.vocabulary = UNREADABLE
                    self.scope.vocabulary = with_given(read_vocabulary(value), self._given)
                else:
                    _read_constants(target, value, self.scope)
            except Violation as violation:
                self._add(violation, value)

    def _import(self, statement: ast.Import | ast.ImportFrom) -> None:
        """Names from raspl are known by themselves; of other modules only files beside are read."""
        for alias in statement.names:
            try:
                self._bind(statement, alias)
            except Violation as violation:
                bound = alias.asname or alias.name.partition(".")[0]
                self.scope.meanings[bound] = Foreign("an import that failed", is_reported=True)
                self._add(violation, statement)

    def _bind(self, statement: ast.Import | ast.ImportFrom, alias: ast.alias) -> None:
        """What one name of an import stands for."""
        is_from = isinstance(statement, ast.ImportFrom)
        module = (statement.module or "") if isinstance(statement, ast.ImportFrom) else alias.name
        level = statement.level if isinstance(statement, ast.ImportFrom) else 0
        bound = alias.asname or alias.name.partition(".")[0]
        if module.partition(".")[0] == "raspl" and not level:
            self.imports_raspl = True
            meaning = BUILTIN.find(alias.name) if is_from else Package()
            self.scope.meanings[bound] = meaning or Missing(alias.name)
        elif module == "__future__":
            pass
        elif is_from and not module:  # from . import helpers
            self.scope.meanings[bound] = self._beside(alias.name, level)
        elif is_from:
            self._take(self._beside(module, level), alias, bound)
        else:
            whole = alias.asname is not None or "." not in alias.name
            self.scope.meanings[bound] = self._beside(alias.name if whole else bound, level)
        if isinstance(self.scope.meanings.get(bound), Foreign):
            name = module or alias.name
            what = f"the import of `{name}` is ignored: a checked file is read, never run"
            file = f"{name.replace('.', '/')}.py"
            instead = f"put {file} beside this file if it is yours; else write what you need here"
            self._add(Violation("W002", what, instead), statement)

    def _beside(self, module: str, level: int) -> Beside | Foreign:
        """The file of a module, if one stands beside this."""
        place = None if self._siblings is None else self._siblings.find(module, level)
        if level and place is None:
            message = f"there is no file {module.replace('.', '/')}.py beside this one"
            raise Violation("R116", message, "import from a file in the same folder")
        if self._siblings is None or place is None:
            return Foreign(f"imported from `{module}`")
        return Beside(place.name, self._siblings.scope(place, _sibling))

    def _take(self, found: Beside | Foreign, alias: ast.alias, bound: str) -> None:
        """The name that is imported from a file, or all of them."""
        if isinstance(found, Foreign):
            self.scope.meanings[bound] = found
            return
        if alias.name in ("*", STATED_AS) and found.scope.vocabulary is not None:
            self.scope.vocabulary = with_given(found.scope.vocabulary, self._given)
        if alias.name == "*":
            self.scope.meanings |= found.scope.meanings
        elif alias.name != STATED_AS:
            meaning = found.scope.own(alias.name)
            if meaning is None:
                message = f"{found.file} does not define `{alias.name}` in RASP-L"
                known = found.scope.defined()
                instead = f"it defines {', '.join(known[:FEW])}" if known else "define it there"
                raise Violation("R116", message, instead)
            if isinstance(meaning, Constant) and isinstance(meaning.value, str):
                # A string means what it means where it stands.
                meaning = Constant(_numbered(meaning.value, found.scope.vocabulary))
            self.scope.meanings[bound] = meaning

    def _add(self, violation: Violation, node: ast.AST) -> None:
        self._report.add(violation, self._source.span(node))


def nested_too_deeply() -> Violation:
    """Of a text that Python's parser takes, and no reader that recurses."""
    return Violation("R100", "the program is nested too deeply", "split it into lines")


def _numbered(text: str, vocabulary: Vocabulary | None) -> int | str:
    """The token of a name, or the text if it names none."""
    token = None if vocabulary is None else vocabulary.token(text)
    return text if token is None else token


def syntax(source: Source, report: Report) -> list[ast.stmt]:
    """The statements of a text, or none after reporting why it can't be read."""
    line, column, message = 1, 1, ""
    if count_tokens(source.text.encode(errors="replace")) > MAX_TOKENS:
        violation = Violation("R100", too_many_tokens(), "split the program into files")
        report.add(violation, source.at(1, 1, 1, 1))
        return []
    try:
        with warnings.catch_warnings():
            # Python's remarks on style would come without the name of the file.
            warnings.simplefilter("ignore")
            return ast.parse(source.text).body
    except SyntaxError as error:
        line, column = error.lineno or 1, error.offset or 1
        message = error.msg
    except (RecursionError, MemoryError):
        message = "the text is nested too deeply"
    except ValueError as error:
        message = str(error)
    violation = Violation("R100", f"this can't be read: {message}", _syntax_fix(message))
    report.add(violation, source.at(line, column, line, column + 1))
    return []


def _read_constants(target: ast.expr, value: ast.expr, scope: FileScope) -> None:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for part, its_value in zip(target.elts, value.elts, strict=False):
            _read_constants(part, its_value, scope)
    elif isinstance(target, ast.Name):
        try:
            literal = _literal(value, scope)
        except Violation:
            scope.meanings[target.id] = Foreign("too large a literal")
            raise
        scope.meanings[target.id] = literal or Foreign("not a literal integer")


def _literal(node: ast.expr, scope: FileScope) -> Constant | None:
    """The value of a constant expression, or None if it is not one."""
    match node:
        case ast.Constant(value=bool() | int() as value):
            return Constant(checked_literal(int(value)))
        case ast.Constant(value=None | str() as value):
            return Constant(checked_literal(value))
        case ast.Name(id=name):
            meaning = scope.find(name)
            return meaning if isinstance(meaning, Constant) else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _calculated("neg", scope, operand)
        case ast.BinOp(left=left, op=op, right=right) if BINARY.get(type(op)) in ARITHMETIC:
            return _calculated(BINARY[type(op)], scope, left, right)
    return None


def _calculated(op: str, scope: FileScope, *nodes: ast.expr) -> Constant | None:
    literals = [_literal(node, scope) for node in nodes]
    values = [item.value for item in literals if item is not None]
    numbers = [value for value in values if isinstance(value, int)]
    if len(numbers) != len(nodes) or (op in ("//", "%") and numbers[1] == 0):
        return None
    return Constant(checked_literal(Fn(0, Op(op, tuple(Lit(number) for number in numbers)))()))


def is_program_decorator(node: ast.expr) -> bool:
    """Whether a decorator is @program, with or without a width."""
    func = node.func if isinstance(node, ast.Call) else node
    name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", None)
    return name == "program"


def _syntax_fix(message: str) -> str:
    """What to do about a text that is not Python; `=` for `==` is a slip that beginners make."""
    slips = ("positional argument follows keyword", "Maybe you meant '=='")
    if any(slip in message for slip in slips):
        return "compare with `==`: `=` names an argument or a value"
    return "fix the syntax"
