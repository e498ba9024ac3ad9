"""Reading on where an earlier check of nearly the same text stood.

While someone types, a text differs from the one before it in a line or so. What reading a body has
come to after a statement depends on the body up to there and on what its names mean, and never on
the statements to come. So it is kept, and the next check reads from the first line that differs.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from raspl.language.diagnostics import Diagnostic
from raspl.language.ir.primitives import Input, Node
from raspl.language.limits import MAX_LISTED, MAX_STEPS
from raspl.language.parsing.frames import Frame, Progress, Value
from raspl.language.parsing.scope import Definition, FileScope

MOST_RECORDINGS = 12
"""Bodies whose checkpoints are kept."""
MOST_KEPT = 60_000
"""Values and names that the checkpoints of one body hold: a few MB. In a body of more than 200
statements, not all of them get one."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What reading a body has come to after some of its statements. It never changes."""

    statements: int
    end_line: int
    """The line of the text on which the last of them ends."""
    inputs: tuple[Input, ...]
    values: dict[str, Value]
    assigned: list[tuple[ast.Name, Node]]
    unknown: set[str]
    result: Value | None
    progress: Progress
    steps: int
    guesses_left: int
    names: dict[Node, str]
    log: list[Diagnostic]

    @property
    def size(self) -> int:
        """How many values, names and diagnostics it holds."""
        return len(self.values) + len(self.assigned) + len(self.names) + len(self.log)


@dataclass(frozen=True, slots=True)
class Setting:
    """All that a body is read with, besides its own lines."""

    bits: int
    guesses_left: int
    vocabulary: tuple[tuple[str, int], ...] | None
    names: tuple[str, ...]
    """All that the text defines, which a misspelt name may have meant."""
    first_line: int
    around: tuple[tuple[int, str], ...]
    """The lines outside of functions, and those of the functions that it may reach."""


@dataclass
class Recording:
    """The checkpoints of a body, and the lines of the definition to which they belong."""

    setting: Setting
    lines: list[str]
    checkpoints: list[Checkpoint] = field(default_factory=list)


class Memory:
    """The bodies that were read last. Give one and the same to each check of a growing text."""

    def __init__(self) -> None:
        self._recordings: list[Recording] = []

    def tape(self, frame: Frame, body: Sequence[ast.stmt], bits: int) -> Tape | None:
        """Records a body anew, after the checkpoints of an earlier reading that hold for it."""
        definition, report = frame.definition, frame.report
        scope = definition.scope
        around = _surroundings(definition)
        if around is None or not isinstance(scope, FileScope):
            return None
        vocabulary = scope.vocabulary
        setting = Setting(
            bits=bits,
            guesses_left=report.guesses_left,
            vocabulary=None if vocabulary is None else tuple(vocabulary.numbers.items()),
            names=tuple(scope.meanings),
            first_line=_first_line(definition),
            around=around,
        )
        recording = Recording(setting, _lines(definition))
        known = [each for each in self._recordings if each.setting == setting]
        if known:
            recording.checkpoints = list(_still_valid(known[0], recording.lines, definition))
        others = [each for each in self._recordings if each.setting != setting]
        self._recordings = [recording, *others][:MOST_RECORDINGS]
        return Tape(recording, frame, body)


class Tape:
    """Records one reading of a body."""

    def __init__(self, recording: Recording, frame: Frame, body: Sequence[ast.stmt]) -> None:
        self._recording = recording
        self._frame = frame
        self._body = body
        report = frame.report
        self._steps = report.work.steps
        self._logged = len(report.log)
        self._named = len(report.names)
        # Each holds about three entries for every statement before it.
        self._every = 1 + 3 * len(body) ** 2 // (2 * MOST_KEPT)
        self._kept = _thin_out(recording.checkpoints)

    def latest(self) -> Checkpoint | None:
        """The last checkpoint from which the reading may go on."""
        for checkpoint in reversed(self._recording.checkpoints):
            if self._steps + checkpoint.steps <= MAX_STEPS and _ends_alike(checkpoint, self._body):
                return checkpoint
        return None

    def resume(self, checkpoint: Checkpoint) -> Progress:
        """Put frame and report where they stood; what the builder itself has to know."""
        frame, report = self._frame, self._frame.report
        frame.values = dict(checkpoint.values)
        frame.assigned = list(checkpoint.assigned)
        frame.unknown = set(checkpoint.unknown)
        frame.result = checkpoint.result
        report.work.spend(checkpoint.steps)
        report.guesses_left = checkpoint.guesses_left
        report.names |= checkpoint.names
        for diagnostic in checkpoint.log:
            report.enter(diagnostic)
        return checkpoint.progress.copy(frame.definition.scope)

    def keep(self, statements: int, inputs: Sequence[Input], progress: Progress) -> None:
        """Keep what the reading has come to, if this is a place to go on from."""
        frame, report = self._frame, self._frame.report
        if (
            (statements % self._every and statements < len(self._body))
            or not _stands_alone(self._body, statements)
            or len(report.log) > MAX_LISTED
        ):
            return
        checkpoint = Checkpoint(
            statements=statements,
            end_line=_end(self._body[statements - 1]),
            inputs=tuple(inputs),
            values=dict(frame.values),
            assigned=list(frame.assigned),
            unknown=set(frame.unknown),
            result=frame.result,
            progress=progress.copy(frame.definition.scope),
            steps=report.work.steps - self._steps,
            guesses_left=report.guesses_left,
            names=dict(islice(report.names.items(), self._named, None)),
            log=report.log[self._logged :],
        )
        self._kept += checkpoint.size
        if self._kept <= MOST_KEPT:
            self._recording.checkpoints.append(checkpoint)


def _thin_out(checkpoints: list[Checkpoint]) -> int:
    """Leave room for new ones, as where a text grows line by line; the size of those that stay."""
    size = sum(checkpoint.size for checkpoint in checkpoints)
    while size > MOST_KEPT // 2 and len(checkpoints) > 1:
        del checkpoints[-2::-2]
        size = sum(checkpoint.size for checkpoint in checkpoints)
    return size


def _still_valid(
    earlier: Recording, lines: list[str], definition: Definition
) -> Iterator[Checkpoint]:
    """The checkpoints of an earlier reading that end before the first line that differs."""
    pairs = enumerate(zip(earlier.lines, lines, strict=False))
    shortest = min(len(earlier.lines), len(lines))
    same = next((number for number, (before, now) in pairs if before != now), shortest)
    for checkpoint in earlier.checkpoints:
        if checkpoint.end_line < _first_line(definition) + same:
            yield checkpoint


def _ends_alike(checkpoint: Checkpoint, body: Sequence[ast.stmt]) -> bool:
    """Whether a body of the same lines up to the checkpoint has the same statements there.

    A block may go on below the last line that is the same.
    """
    done = checkpoint.statements
    return (
        done <= len(body)
        and _end(body[done - 1]) == checkpoint.end_line
        and _stands_alone(body, done)
    )


def _stands_alone(body: Sequence[ast.stmt], done: int) -> bool:
    """Whether a line ends with the last of the first statements, and the next one begins below."""
    return done == len(body) or body[done].lineno > _end(body[done - 1])


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _first_line(definition: Definition) -> int:
    node = definition.node
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _numbers(definition: Definition) -> range:
    """The lines of a definition, counted from 1."""
    return range(_first_line(definition), _end(definition.node) + 1)


def _lines(definition: Definition) -> list[str]:
    return [definition.source.lines[number - 1] for number in _numbers(definition)]


def _surroundings(definition: Definition) -> tuple[tuple[int, str], ...] | None:
    """The lines outside of functions and those of every function that a body may reach.

    None where the body has a say in what stands above it: where it may reach itself, or where it
    reads other files.
    """
    scope, source = definition.scope, definition.source
    if not isinstance(scope, FileScope) or source.folder is not None:
        return None
    functions = {
        name: meaning
        for name, meaning in scope.meanings.items()
        if isinstance(meaning, Definition) and meaning.scope is scope
    }
    if functions.get(definition.name) is not definition:
        return None
    reached = {definition.name}
    found = [definition]
    for current in found:  # which grows meanwhile
        words = _words(current)
        if words.count(definition.name) > (current is definition) and _names(current, definition):
            return None
        new = functions.keys() & set(words) - reached
        reached |= new
        found += [functions[name] for name in new]
    inside = {number for each in functions.values() for number in _numbers(each)}
    read = {n for each in found[1:] for n in _numbers(each)}
    return tuple(
        (number, line)
        for number, line in enumerate(source.lines, 1)
        if line.strip() and (number in read or number not in inside)
    )


def _words(definition: Definition) -> list[str]:
    """Every word in the text of a definition, spelt as Python takes names."""
    return re.findall(r"\w+", unicodedata.normalize("NFKC", "\n".join(_lines(definition))))


def _names(one: Definition, other: Definition) -> bool:
    """Whether a body mentions a function, other than in a comment or string."""
    nodes = ast.walk(one.node)
    return any(isinstance(node, ast.Name) and node.id == other.name for node in nodes)
