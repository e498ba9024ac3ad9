"""The JSON interface: what each call takes and gives. `GET /api/schema` publishes it."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from raspl.web.limits import MAX_INPUT, MAX_NAME, MAX_TEXT


class _Model(BaseModel):
    """Nothing but the fields that are named, and of exactly these types."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Text(_Model):
    """A RASP-L program, as it stands in the editor."""

    text: str = Field(max_length=MAX_TEXT)


class Place(Text):
    """A place in a text; lines and columns count from 1."""

    line: int = Field(ge=1, le=MAX_TEXT)
    column: int = Field(ge=1, le=MAX_TEXT + 1)


class OnInput(Text):
    """A program and what it reads."""

    program: str = Field(default="", max_length=100, description="by name; the last one if empty")
    input: str = Field(
        max_length=MAX_INPUT,
        description="tokens, by number or by the name of a constant; / begins another sequence",
    )


class TraceRequest(OnInput):
    """A program on an input: one pass, or what it writes after a prompt."""

    generate: bool = Field(
        default=False, description="let the program generate tokens after the input"
    )
    until: str = Field(default="", max_length=100, description="the token that ends generation")


class Attempt(Text):
    """A solution of a puzzle."""

    puzzle: str = Field(max_length=60)


class Claim(Attempt):
    """A solution that is to stand on the record board."""

    name: str = Field(min_length=1, max_length=MAX_NAME)


class Edit(_Model):
    """Replaces a stretch of the text."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Fix(_Model):
    """Edits that end a violation."""

    title: str
    edits: list[Edit]


class Found(_Model):
    """A diagnostic."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    code: str
    name: str
    severity: str
    message: str
    rule: str
    instead: str
    note: str
    fixes: list[Fix]


class Measures(_Model):
    """What a program costs (docs/language.md)."""

    lines: int
    operations: int
    heads: int
    depth: int
    width: int
    bits: float


class ProgramFacts(_Model):
    """A legal program of a text."""

    name: str
    line: int
    inputs: list[str]
    output: str = Field(description="the type of the output")
    measures: Measures
    tokens: dict[str, int] = Field(description="the program's names for tokens")


class Checked(_Model):
    """Everything wrong or odd in a text, and the programs that are legal."""

    diagnostics: list[Found]
    programs: list[ProgramFacts]
    seconds: float = Field(description="of the server's processor")


class Symbol(_Model):
    """A name with its documentation."""

    name: str
    kind: str
    signature: str
    doc: str


class Call(_Model):
    """The call that is being written."""

    name: str
    signature: str
    parameters: list[str]
    active: int
    doc: str


class Completions(_Model):
    """What may stand at a place; `from` is the column that it replaces from."""

    from_: int = Field(alias="from")
    items: list[Symbol]
    call: Call | None


class Hovered(_Model):
    """What stands at a place."""

    found: dict[str, Any] | None


class Traced(_Model):
    """A trace, as `raspl.trace.page.payload` describes it, or the sentence why there is none."""

    trace: dict[str, Any] | None = None
    error: str = ""


class Networked(_Model):
    """A compiled network on an input, layer by layer, or the sentence why there is none."""

    network: dict[str, Any] | None = None
    error: str = ""


class Counterexample(_Model):
    """An input on which a solution is wrong: the shortest that was found."""

    input: str
    generate: bool
    expected: list[int | None] = Field(description="None where any value is right")
    got: list[int | None]
    at: int = Field(description="the first wrong position; of a generation, of what was written")
    sentence: str


class Judged(_Model):
    """Whether a solution is right, and what it costs beside the best known one."""

    solved: bool
    error: str = ""
    counterexample: Counterexample | None = None
    tested: int = Field(default=0, description="inputs on which it was right")
    measures: Measures | None = None
    best: Measures | None = None


class Example(_Model):
    """An input of a puzzle and what is wanted there."""

    input: str
    output: str


class Use(_Model):
    """A function, in one line."""

    signature: str
    doc: str


class PuzzleText(_Model):
    """What is told of a puzzle; its specification and its solution stay on the server."""

    id: str
    number: int
    chapter: str
    title: str
    goal: str
    example: Example
    generate: bool
    until: str
    hints: list[str]
    start: str = Field(description="the text to begin with")
    uses: list[Use] = Field(description="functions worth knowing here")
    best: Measures


class Puzzles(_Model):
    puzzles: list[PuzzleText]


class Record(_Model):
    """A line of the record board."""

    name: str
    heads: int
    depth: int
    bits: float
    when: str


class Records(_Model):
    """The best solutions of each puzzle, best first."""

    records: dict[str, list[Record]]
    is_kept: bool = Field(description="whether this server keeps a board")


class Settings(_Model):
    """What this server offers."""

    version: str
    ask: bool
    network: bool
    seconds: dict[str, float]
    max_text: int


class Refusal(_Model):
    """Why a request was not answered."""

    error: str


class Event(_Model):
    """One event of `ask`, in the order: task, search…, forecast, training…, done; or error."""

    kind: str
    data: dict[str, Any]
