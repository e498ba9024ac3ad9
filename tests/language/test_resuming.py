"""A text that is checked after every key gets the same answer as one that is checked anew."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from raspl.language.ir.graph import Graph
from raspl.language.limits import MAX_GUESSES
from raspl.language.parsing import resuming, work
from raspl.language.parsing.resuming import MOST_KEPT, MOST_RECORDINGS, Memory
from raspl.language.source import Source
from raspl.loading import Checked, check_source
from tests.text_programs import Text

SESSIONS = 60
EDITS = 40

AT_THE_TOP = [
    "N = 3", "N = 4", "SEP = 7", "import raspl", "from raspl import shift_right",
    'TOKENS = ["a", "b", "c"]', 'TOKENS = ["b", "a", "c"]', "# nothing", "", "@program",
    "def plus(a):", "    return a + 1", "def helper(s):", "    return shift_right(s, 1)",
    "    return has_seen(s, s)", "def wrong(*s):", "    return s[0]", "def f(x):", "def f(x, y):",
    "def other(x):", "def f(x, n=2):",
]  # fmt: skip
IN_A_BODY = [
    "y = x", "y = shift_right(x, 1)", "z = y + 1", "x = x + N", "y = helper(x)", "z = wrong(y)",
    "y = tok_map(x, plus)", "y = tok_map(x, f)", "y = f(x)", "y = tok_map(x, lambda a: a % N)",
    'y = where(x == "a", x, y)', 'w = x == "b"', "return y", "return z", "return x", "return",
    "y = sihft_right(x, 1)", "y = helprr(x)", "y = unknown + 1", "for i in x:", "    y = x",
    "if x:", "else:", '"""What it does."""', "'''", "y = 1; z = 2", "y = (x", "    + 1)", "x.sum()",
    "y, z = x, x + 1", "c = sel_width(select(x, x, equals))", "d = sel_width(select(x, x, equals))",
    "y = c == d", "y = c == 2", "y = cumsum(x)", "y += 1", "# a remark", "f = x", "y = x[0]",
    "y = where(c > d, x, 0)", "y: Index = x", "def g(a):", "y = mean(x", "y = raspl.cumsum(x)",
]  # fmt: skip


def shown(graph: Graph) -> list[Any]:
    """Everything that there is about a graph, as data that can be compared."""
    numbers = {node: number for number, node in enumerate(graph.nodes)}
    nodes = [
        (
            type(n).__name__,
            n.type,
            n.origin,
            n.origin.order,
            n.attributes,
            [*map(numbers.get, n.args)],
        )
        for n in graph.nodes
    ]
    names = [(name, numbers[node], line) for name, node, line in graph.names]
    inputs = [(node.name, node.type, node.origin, numbers.get(node)) for node in graph.inputs]
    about = (graph.name, graph.bits, graph.return_line, graph.lines, dict(graph.constants))
    return [nodes, names, inputs, about, graph.vocabulary, numbers[graph.output]]


def answer(checked: Checked) -> Any:
    programs = {name: shown(program.graph) for name, program in checked.programs.items()}
    return list(checked.programs), programs, checked.diagnostics


def assert_same(text: str, memory: Memory) -> None:
    given = answer(check_source(Source(text), memory=memory))
    assert given == answer(check_source(Source(text))), text


def edited(lines: list[str], rng: Random) -> list[str]:
    """A text after one edit, most often one that a person would make."""
    lines = lines or ["def f(x):"]
    place = rng.randrange(len(lines))
    match rng.randrange(9):
        case 0 | 1 | 2:
            new = rng.choice(AT_THE_TOP) if rng.random() < 0.25 else f"    {rng.choice(IN_A_BODY)}"
            return [*lines[: place + 1], new, *lines[place + 1 :]]
        case 3:
            return [*lines[:place], *lines[place + 1 :]]
        case 4:
            return [*lines[:place], f"    {rng.choice(IN_A_BODY)}", *lines[place + 1 :]]
        case 5:
            other = rng.randrange(len(lines))
            lines = [*lines]
            lines[place], lines[other] = lines[other], lines[place]
            return lines
        case 6:
            return [*lines, f"    {rng.choice(IN_A_BODY)}"]
        case 7:
            return [*lines[:place], lines[place] + rng.choice(" +1x)#;\"'"), *lines[place + 1 :]]
    line = lines[place]
    cut = rng.randrange(len(line) + 1)
    return [*lines[:place], line[:cut] + line[cut + 1 :], *lines[place + 1 :]]


def first_text(rng: Random) -> list[str]:
    """A legal program that was written at random, and perhaps others around it."""
    written = Text(rng, 8, ("x", "y")[: rng.choice((1, 2))])
    written.write(rng.randint(3, 14))
    before = rng.sample(
        ["N = 3", "def helper(s):\n    return shift_right(s, 1)", "def plus(a):\n    return a + 1"],
        rng.randint(0, 3),
    )
    after = rng.choice(["", "def last(x):\n    return x + N\n", "N = 5\n"])
    return "\n".join([*before, written.source, after]).split("\n")


@pytest.mark.parametrize("seed", range(SESSIONS))
def test_edits_give_what_a_fresh_check_gives(seed: int) -> None:
    rng = Random(f"edits {seed}")
    memory = Memory()
    lines = first_text(rng)
    legal = lines
    for _ in range(EDITS):
        text = "\n".join(lines)
        assert_same(text, memory)
        if check_source(Source(text)).programs:
            legal = lines
        elif rng.random() < 0.5:
            lines = legal  # as one who undoes
        lines = edited(lines, rng)


BODY = "def f(x):\n    y = x\n" + "    y = shift_right(y, 1) + 1\n" * 30


def steps(text: str, memory: Memory) -> int:
    """How many expressions are really read."""
    read = 0
    original = resuming.Tape.resume

    def resumed(tape: resuming.Tape, checkpoint: resuming.Checkpoint) -> Any:
        nonlocal read
        read -= checkpoint.steps
        return original(tape, checkpoint)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resuming.Tape, "resume", resumed)
        original_spend = work.Work.spend

        def spend(self: work.Work, steps: int = 1) -> None:
            nonlocal read
            read += steps
            original_spend(self, steps)

        patch.setattr(work.Work, "spend", spend)
        check_source(Source(text), memory=memory)
    return read


def test_only_what_comes_after_the_edit_is_read() -> None:
    memory = Memory()
    whole = steps(BODY + "    return y", memory)
    assert steps(BODY + "    return y + 1", memory) < whole / 10
    assert steps(BODY + "    return y + 1 +", memory) == 0
    assert steps(BODY + "    return y + 1 + x", memory) < whole / 10
    middle = BODY.split("\n")
    middle[16] += " + x"
    assert whole * 0.4 < steps("\n".join(middle) + "    return y + 1 + x", memory) < whole * 0.6


def test_editing_one_of_two_programs_reads_only_that() -> None:
    memory = Memory()
    other = BODY.replace("def f", "def g") + "    return y\n\n"
    whole = steps(other + BODY + "    return y", memory)
    assert steps(other + BODY + "    return y + 1", memory) < whole / 10


UNKNOWN = "".join(f"    a{number} = wehre{number}\n" for number in range(MAX_GUESSES))
COUNT = "sel_width(select(x, x, equals))"
ON_INDICES = "def place(i):\n    return where(i == indices(i), 1, 0)\n\n"
PAIRS = {
    "a helper is changed": (
        "def g(s):\n    return shift_right(s, 1)\n\ndef f(x):\n    return g(x)",
        "def g(s):\n    return shift_right(s, 2)\n\ndef f(x):\n    return g(x)",
    ),
    "a block goes on": (
        "def f(x):\n    if x:\n        y = x\n    return x",
        "def f(x):\n    if x:\n        y = x\n        y = nothing\n    return x",
    ),
    "a name comes that may have been meant": (
        "def f(x):\n    y = helprr(x)\n    return y\n",
        "def f(x):\n    y = helprr(x)\n    return y\n\ndef helper(s):\n    return s",
    ),
    "another program leaves a guess": (
        f"def g(x):\n{UNKNOWN}    return x\ndef f(x):\n    return wehre(x, x, x)",
        f"def g(x):\n    a0 = x\n{UNKNOWN.split(chr(10), 1)[1]}    return x\n"
        "def f(x):\n    return wehre(x, x, x)",
    ),
    "the guesses are used up": (
        f"def f(x):\n{UNKNOWN}    return x",
        f"def f(x):\n{UNKNOWN}    return wehre(x, x, x)",
    ),
    "a body that is read as a function of integers": (
        "def f(x):\n    return tok_map(x, f)",
        "def f(x):\n    return tok_map(x, f)\n    return x",
    ),
    "a helper that is legal only where it is called": (
        f"{ON_INDICES}def f(x):\n    y = place(indices(x))\n    return y",
        f"{ON_INDICES}def f(x):\n    y = place(indices(x))\n    return y + 1",
    ),
    "counts of two families": (
        f"def f(x):\n    c = {COUNT}\n    return x",
        f"def f(x):\n    c = {COUNT}\n    d = {COUNT}\n    return where(c == d, x, 0)",
    ),
    "a remark becomes a statement on the same line": (
        "def f(x):\n    y = x  # + 1\n    return y",
        "def f(x):\n    y = x; y = x + 1\n    return y",
    ),
    "names of tokens change": (
        'TOKENS = ["a", "b"]\ndef f(x):\n    y = x == "b"\n    return y',
        'TOKENS = ["b", "a"]\ndef f(x):\n    y = x == "b"\n    return y',
    ),
}


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_pairs_of_texts(pair: tuple[str, str]) -> None:
    memory = Memory()
    for text in (*pair, *pair):
        assert_same(text, memory)


@pytest.mark.parametrize("most", range(150, 450, 25))
def test_the_limit_of_steps_is_the_same(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """`h` is a value in the end, so the estimate does not see that it is called."""
    monkeypatch.setattr(work, "MAX_STEPS", most)
    monkeypatch.setattr(resuming, "MAX_STEPS", most)
    long = "def h(x):\n    return x" + " + x" * 40 + "\n"
    lines = ["y = unknown", "y = h(h(h(x)))", "y = helprr(x)", "h = x", "return h"]
    body = "\n    ".join(["def f(x):", *lines])
    memory = Memory()
    for count in range(1, 60):
        first = "def a(x):\n    return x" + " + x" * count + "\n"
        assert_same(first + long + body, memory)


HELPER = "def h(s):\n" + "    s = s + 1\n" * 100 + "    return s\n"


@pytest.mark.parametrize("above", ["", HELPER], ids=["plain", "with a long helper"])
def test_checkpoints_do_not_pile_up(above: str) -> None:
    memory = Memory()
    line = "    x = h(x)" if above else "    x = x + 1"
    lines = [*above.split("\n")[:-1], "def f(x):", *[line] * 500]
    for count in range(len(lines) - 490, len(lines), 7):
        check_source(Source("\n".join(lines[:count])), memory=memory)
    kept = [sum(each.size for each in one.checkpoints) for one in memory._recordings]
    assert 0 < max(kept) <= MOST_KEPT
    assert len(memory._recordings) <= MOST_RECORDINGS


def test_a_long_text_has_checkpoints_near_its_end() -> None:
    memory = Memory()
    text = "def f(x):\n" + "    x = x + 1\n" * 500
    for ending in ("return x", "return x + 1"):
        whole = steps(f"{text}    {ending}", Memory())
        read = steps(f"{text}    {ending}", memory)
    assert read < whole / 10
