"""Reference, stream and batch agree: on values, on None, and on which error is raised."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import pytest

from raspl import Program, RasplError, parse, programs
from raspl.executors import batch, reference, stream
from raspl.executors.batch import executor as batch_executor
from raspl.executors.batch import heads as batch_heads
from raspl.executors.batch import inputs as batch_inputs
from raspl.executors.batch import scan as batch_scan
from raspl.executors.inputs import InputError
from raspl.executors.stream.executor import code_of
from raspl.language.ir.graph import Graph
from raspl.language.ir.primitives import Where
from raspl.language.ir.printer import shape, to_source
from tests.agreement import REFERENCE, Outcome, counterexample, disagreement, shrunk
from tests.fuzz import case_of
from tests.sampling import Case, Columns, random_case

# 20 parts of 22 programs with 5 inputs each are 2,200 pairs, and 150 more for each large batch.
PARTS = range(20)


@pytest.mark.parametrize("part", PARTS)
def test_random_programs_on_random_inputs(part: int) -> None:
    for number in range(22):
        found = counterexample(case_of(1_000_000 + part * 1000 + number))
        assert found is None, found


@pytest.mark.parametrize("number", range(4))
def test_random_programs_on_large_batches(number: int) -> None:
    found = counterexample(case_of(2_000_099 + 100 * number))
    assert found is None, found


@pytest.mark.parametrize(
    "ways",
    [
        [(batch_inputs, "POSITIONS", 10)],
        [(batch_executor, "LONGEST", 5)],
        [(batch_scan, "STEP", 0)],
        [(batch_scan, "STEP", 0), (batch_heads, "TABLE", 4)],
        [(batch_scan, "STEP", 10**9)],
        [(batch_scan, "STEP", 10**9), (batch_heads, "VALUE", 10**9), (batch_heads, "PAIRS", 16)],
        [(batch_scan, "STEP", 10**9), (batch_heads, "PAIR", 10**9)],
    ],
    ids=lambda ways: " ".join(f"{name}={value}" for _, name, value in ways),
)
def test_whichever_way_a_batch_takes(
    ways: list[tuple[object, str, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Costs decide between methods; here they are set so that each is taken."""
    for module, name, value in ways:
        monkeypatch.setattr(module, name, value)
    for seed in range(3_000_000, 3_000_060):
        found = counterexample(case_of(seed))
        assert found is None, found


def prompts(name: str, rng: Random) -> list[int]:
    """Tokens such as the program is made for, and such as it is not."""
    low = -8 if name != "conjunction" else 0
    alphabet = [*range(low, 12), -100, -101, -102] if name.startswith("add") else range(low, 12)
    return [rng.choice(alphabet) for _ in range(rng.randint(1, 60))]


@pytest.mark.parametrize("name", programs.NAMES)
def test_shipped_programs(name: str) -> None:
    rng = Random(name)
    graph = programs.load(name).graph
    inputs: tuple[Columns, ...] = tuple([[*prompts(name, rng)]] for _ in range(20))
    assert disagreement(Case(graph, (), inputs)) is None


@pytest.mark.parametrize("name", programs.NAMES)
def test_generation_agrees_for_one_prompt_and_for_many(name: str) -> None:
    rng = Random(name)
    graph = programs.load(name).graph
    given = [prompts(name, rng) for _ in range(8)]
    many = stream.generate_many(graph, given, until=-2, limit=25)
    for prompt, one in zip(given, many, strict=True):
        expected = generated(reference.generate, graph, prompt)
        assert generated(stream.generate, graph, prompt) == expected
        listed = one.identity if isinstance(one, reference.RunError) else one.tolist()
        assert listed == expected


def generated(executor: object, graph: Graph, prompt: list[int]) -> object:
    """What is written after a prompt, or the identity of the error."""
    assert callable(executor)
    try:
        return executor(graph, prompt, until=-2, limit=25).tolist()
    except reference.RunError as error:
        return error.identity


def test_generation_writes_no_more_than_the_limit() -> None:
    graph = programs.load("copy_unique").graph
    for limit in (0, 1, 2, 7):
        expected = reference.generate(graph, [3, 4], limit=limit).tolist()
        assert stream.generate(graph, [3, 4], limit=limit).tolist() == expected
        (many,) = stream.generate_many(graph, [[3, 4]], limit=limit)
        assert not isinstance(many, reference.RunError)
        assert many.tolist() == expected


def wrong_where(graph: Graph, inputs: Sequence[Columns]) -> list[Outcome]:
    """An executor with a planted fault: it is off by one where a program chooses."""
    outcomes = REFERENCE(graph, inputs)
    if not any(isinstance(node, Where) for node in graph.nodes):
        return outcomes
    return [
        [v if v is None else v + 1 for v in outcome] if isinstance(outcome, list) else outcome
        for outcome in outcomes
    ]


def test_a_counterexample_is_shrunk_and_prints_as_source() -> None:
    faulty = {"faulty": wrong_where}

    def fails(case: Case) -> bool:
        return disagreement(case, faulty) is not None

    case = next(c for c in (random_case(Random(s), 25) for s in range(100)) if fails(c))
    least = shrunk(case, fails)
    assert fails(least)
    assert len(least.graph.nodes) < len(case.graph.nodes)
    assert isinstance(least.graph.output, Where)
    assert sum(len(columns[0]) for columns in least.batch) == 1
    text = to_source(least.graph)
    assert text in repr(least)
    (program,) = parse(text).values()
    assert shape(program.graph) == shape(least.graph)


def only(text: str) -> Program:
    """The one program of a text."""
    (program,) = parse(text).values()
    return program


@pytest.mark.parametrize(
    ("text", "inputs"),
    [
        # Steps on the way may leave every machine word; only the result is checked.
        ("def f(x): return tok_map(x, lambda a: " + "a * " * 30 + "a % 7)", [[5, -6, 9]]),
        ("def f(x): return tok_map(x, lambda a: " + "a * " * 30 + "a)", [[1, 0, 9]]),
        # A predicate fails on a pair that is not selected, at the first query that meets it.
        ("def f(x): return kqv(x, x, x, lambda k, q: 6 // (k - q + 2) > 9)", [[5, 6, 7, 5, 7]]),
        ("def f(x): return kqv(x, x, x, lambda k, q: 6 // k)", [[5, 6, 0, 5]]),
        ("def f(x): return kqv(x, x, x, lambda k, q: 6 // q)", [[5, 6, 0, 5]]),
        ("def f(x): return kqv(x, x, x, lambda k, q: 1 // 0)", [[5]]),
        # The divisor is known before the program runs, but not to the value sets: with the
        # constant in place nothing of the select is left to evaluate, nor to guard.
        (
            "@program(bits=16)\n"
            "def f(x): return kqv(full(x, 10), x, x, lambda k, q: k % 5 // (k >= k))",
            [[5, 0]],
        ),
        # What is not reached does not divide.
        ("def f(x): return tok_map(x, lambda a: 7 // a if a else 9)", [[0, 2]]),
        ("def f(x): return tok_map(x, lambda a: a and 7 // a)", [[0, 2]]),
        # Of two errors at one position that of the earlier operation counts.
        ("def f(x): return (7 // x) + (x * 100)", [[1, 2, 0]]),
        # An index is unbounded.
        ("def f(x): return indices(x) + 4000000000 - 4000000000", [[1, 2, 3]]),
        ("def f(x): return firsts(x, x) + 4000000000 == indices(x) + 4000000000", [[1, 2, 1]]),
        # Order comparisons of indices in a select, on both sides of zero.
        (
            "def f(x): return sel_width(select(indices(x) - 3, lasts(x, x + 1) - 3, leq))",
            [[1, 2, 3, 2, 1, 2, 3, 0, 1]],
        ),
        ("def f(b: Bool): return kqv(b, b, b, lambda k, q: (k & q) & 1)", [[0, 1, 1, 0]]),
    ],
)
def test_known_traps(text: str, inputs: Columns) -> None:
    case = Case(only(text).graph, (), (inputs, inputs))
    assert disagreement(case) is None


def test_an_index_input_may_be_of_any_size() -> None:
    graph = only("def f(i: Index, x): return index_select(x, i + 1)").graph
    inputs: Columns = [[0, None, 2**40, 10**30, 1], [5, 6, 7, 8, 9]]
    assert disagreement(Case(graph, (), (inputs,))) is None


def test_a_long_program_and_a_deep_function() -> None:
    chain = only("def f(x):\n" + "    x = 1 - x\n" * 3000 + "    return x")
    assert disagreement(Case(chain.graph, (), ([[0, 1, 1]],))) is None
    deep = only("def f(x): return tok_map(x, lambda a: " + "(1 - " * 99 + "a" + ")" * 99 + ")")
    assert disagreement(Case(deep.graph, (), ([[0, 1, 1]],))) is None


def test_no_text_of_a_program_gets_into_its_code() -> None:
    text = (
        "def f(mine, yours: Index):\n    ours = index_select(mine, yours)\n    return ours + mine"
    )
    code = code_of(only(text).graph).text
    assert not any(word in code for word in ("mine", "yours", "ours", "index_select"))


def test_an_error_ends_a_machine() -> None:
    machine = stream.Machine(only("def f(x): return 6 // x").graph)
    assert machine.step(3) == 2
    with pytest.raises(reference.RunError):
        machine.step(0)
    with pytest.raises(RasplError, match="start a new one"):
        machine.step(3)


def test_the_code_of_a_program_is_made_once() -> None:
    graph = programs.load("mode").graph
    assert code_of(graph) is code_of(graph)


def test_a_batch_may_be_ragged_or_padded() -> None:
    graph = programs.load("sort").graph
    rows = [[3, 1, 2, -1], [], [5, -1], [2, 9, 4, 7, -1]]
    padded = np.array([row + [77] * (5 - len(row)) for row in rows])
    ragged = batch.run(graph, rows)
    shaped = batch.run(graph, padded, lengths=[len(row) for row in rows])
    for number, row in enumerate(rows):
        expected = reference.run(graph, row).tolist()
        assert ragged[number].tolist() == shaped[number].tolist() == expected


def test_a_failed_sequence_does_not_spoil_the_others() -> None:
    graph = only("def f(x): return 12 // x").graph
    results = batch.run(graph, [[1, 2], [3, 0, 0], [4]])
    assert results[0].tolist() == [12, 6]
    assert results[2].tolist() == [3]
    assert set(results.errors) == {1}
    with pytest.raises(reference.RunError, match="division by zero"):
        results[1]


@pytest.mark.parametrize("given", [[[1, 2.5]], [["a"]], [[1, None]], [[300]], [[[1]]]])
def test_a_batch_is_checked_like_a_sequence(given: list[list[object]]) -> None:
    graph = programs.load("sort").graph
    with pytest.raises(InputError) as expected:
        reference.run(graph, *given)
    with pytest.raises(InputError) as found:
        batch.run(graph, [[1], *given])
    assert str(found.value) == str(expected.value)


def state_sizes(name: str, tokens: list[int]) -> dict[str, int]:
    """How much each variable of a stream holds after some tokens."""
    running = code_of(programs.load(name).graph).start()
    for token in tokens:
        running.send(token)
    frame = getattr(running, "gi_frame")  # noqa: B009 (unknown to the type of a generator)
    return {key: len(v) for key, v in frame.f_locals.items() if isinstance(v, dict | list)}


@pytest.mark.parametrize("name", programs.NAMES)
def test_what_a_stream_remembers_is_bounded_by_the_alphabet_or_one_entry_a_token(name: str) -> None:
    rng = Random(name)
    tokens = [rng.choice((-3, -2, -1, 0, 1, 2, 11, 12)) for _ in range(2000)]
    if name == "conjunction":
        tokens = [token & 1 for token in tokens]
    sizes = state_sizes(name, tokens)
    columns = {key for key in sizes if key.startswith("column")}
    assert all(sizes[key] == len(tokens) for key in columns)
    assert all(sizes[key] <= len(tokens) for key in sizes)
    if name in ("sort", "conjunction", "parity_scratchpad"):
        # No look-ups and no counts: nothing grows with the length.
        assert sizes == state_sizes(name, tokens[:1000])
