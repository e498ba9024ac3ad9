"""Every call of the JSON interface, against a running server and the published schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel

import raspl
from raspl.web import models
from raspl.web.schema import CALLS
from tests.web.running import Playground

PROGRAM = "def f(x):\n    before = shift_right(x, 1)\n    return before + x\n"
WRITER = 'GO = -2\nEND = -3\ndef f(x):\n    return kqv(x, x, x, gt, default=END, reduction="min")\n'


def checked(model: type[BaseModel], answer: dict[str, Any]) -> dict[str, Any]:
    """An answer that has the form that the schema gives it."""
    model.model_validate_json(json.dumps(answer))
    return answer


def test_check(playground: Playground) -> None:
    answer = checked(models.Checked, playground.call("check", text=PROGRAM))
    assert answer["diagnostics"] == []
    (program,) = answer["programs"]
    measured = raspl.parse(PROGRAM)["f"].measure()
    assert program["measures"]["bits"] == measured.bits
    assert program["measures"]["heads"] == measured.heads == 1

    wrong = checked(models.Checked, playground.call("check", text="def f(x):\n    return x / 2\n"))
    assert wrong["programs"] == []
    assert wrong["diagnostics"][0]["fixes"][0]["edits"][0]["text"] == "x // 2"


def test_complete_and_hover(playground: Playground) -> None:
    place = {"text": "def f(x):\n    return shift_right(x, ", "line": 2, "column": 27}
    answer = checked(models.Completions, playground.call("complete", **place))
    assert answer["call"]["parameters"][answer["call"]["active"]] == "n"
    hovered = playground.call("hover", text=PROGRAM, line=2, column=6)
    assert checked(models.Hovered, hovered)["found"]["type"] == "Int"


def test_trace_and_steps_into_the_library(playground: Playground) -> None:
    answer = checked(models.Traced, playground.call("trace", text=PROGRAM, input="3 1 4"))
    rows = answer["trace"]["rows"]
    assert [row["values"] for row in rows] == [[3, 1, 4], [0, 3, 1], [3, 4, 5]]
    assert [step["via"] for step in rows[1]["steps"]] == ["shift_right"] * 3
    assert "kqv(" in answer["trace"]["library"]["shift_right"]


def test_trace_of_a_generation_ends_at_the_programs_own_end(playground: Playground) -> None:
    answer = playground.call("trace", text=WRITER, input="4 7 2 GO", generate=True)
    assert answer["trace"]["tokens"] == [[4, 7, 2, -2, 2, 4, 7, -3]]
    assert answer["trace"]["names"]["-3"] == "END"


def test_tokens_go_by_the_names_of_the_vocabulary(playground: Playground) -> None:
    text = (
        'TOKENS = ["SoS", ">", "EoS", *"abc"]\n\n\n'
        'def f(x):\n    return where(x == ">", shift_right(x, 1), full(x, "EoS"))\n'
    )
    answer = playground.call("trace", text=text, input="SoS b a >", generate=True)
    names = answer["trace"]["names"]
    assert [names[str(token)] for token in answer["trace"]["tokens"][0]][-2:] == ["a", "EoS"]
    assert answer["trace"]["rows"][0]["named"]
    refused = playground.call("trace", text=text, input="SoS d >")
    assert "`d` is not a token: the tokens are SoS > EoS a b c" in refused["error"]


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": "def f(x):\n    return x[0]\n", "input": "1"}, "fix the program first: line 2"),
        ({"text": PROGRAM, "input": "1 two"}, "`two` is not a token"),
        ({"text": PROGRAM, "input": "1 / 2"}, "reads 1 sequence"),
        ({"text": PROGRAM, "input": "300"}, "outside of -128…127"),
        ({"text": PROGRAM, "input": "1 " * 300}, "shows 200 tokens"),
        ({"text": PROGRAM, "input": "", "generate": True}, "a prompt needs a token"),
        ({"text": PROGRAM, "input": "1", "program": "g"}, "no legal program 'g'"),
    ],
)
def test_what_has_no_trace_is_told_in_a_sentence(
    playground: Playground, fields: dict[str, Any], said: str
) -> None:
    answer = checked(models.Traced, playground.call("trace", **fields))
    assert said in answer["error"]


def test_network(playground: Playground) -> None:
    pytest.importorskip("torch")
    answer = checked(models.Networked, playground.call("network", text=PROGRAM, input="3 1 4"))
    network = answer["network"]
    assert network["agrees"]
    assert network["output"] == [3, 4, 5]
    (head,) = network["layers"][0]["heads"]
    assert [row.index(1.0) for row in head["attention"]] == [0, 1, 2]
    refused = playground.call("network", text=PROGRAM, input="1 " * 50)
    assert "1 to 32 tokens" in refused["error"]


def test_attempt_and_records(playground: Playground) -> None:
    right = "def f(x):\n    return shift_right(x, 1)\n"
    puzzle = "previous-token"
    judged = checked(models.Judged, playground.call("attempt", puzzle=puzzle, text=right))
    assert judged["solved"]
    wrong = playground.call("attempt", puzzle=puzzle, text="def f(x):\n    return x\n")
    assert checked(models.Judged, wrong)["counterexample"]["input"] == "1"

    claim = {"puzzle": puzzle, "name": "  Ada   L. "}
    board = checked(models.Records, playground.call("records", text=right, **claim))
    assert board["records"][puzzle][0]["name"] == "Ada L."
    assert playground.get("records") == board
    refused = json.dumps({**claim, "text": "def f(x):\n    return x\n"}).encode()
    assert playground.send("POST", "/api/records", refused)[0] == 409
    kept = json.loads((playground.folder / "records.json").read_text("utf-8"))
    assert kept[puzzle][0]["text"] == right
    assert "shift_right" not in json.dumps(board)


def test_puzzles_settings_and_schema(playground: Playground) -> None:
    assert len(checked(models.Puzzles, playground.get("puzzles"))["puzzles"]) == 30
    assert checked(models.Settings, playground.get("settings"))["version"] == raspl.__version__
    schema = playground.get("schema")
    assert {path for _, path, *_ in CALLS} == set(schema["paths"])
    assert "maxLength" in json.dumps(schema["components"]["schemas"]["TraceRequest"])


def test_pages_come_with_a_strict_policy(playground: Playground) -> None:
    import http.client

    connection = http.client.HTTPConnection("127.0.0.1", playground.port, timeout=20)
    connection.request("GET", "/")
    response = connection.getresponse()
    policy = response.getheader("content-security-policy", "")
    assert "script-src 'self';" in policy
    assert "default-src 'none'" in policy
    page = response.read().decode()
    assert "<script>" not in page
    assert "http://" not in page
    assert "https://" not in page


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("POST", "/api/check", b"{", 422),
        ("POST", "/api/check", b'{"text": 3}', 422),
        ("POST", "/api/check", b'{"text": "", "more": 1}', 422),
        ("POST", "/api/check", json.dumps({"text": "x" * 20_001}).encode(), 422),
        ("POST", "/api/check", b" " * 70_000, 413),
        ("GET", "/api/check", None, 405),
        ("GET", "/api/nothing", None, 404),
        ("GET", "/static/../app.py", None, 404),
        ("GET", "/static/%2e%2e/app.py", None, 404),
        ("POST", "/api/ask", b"{}", 422),
    ],
)
def test_what_is_refused_at_the_door(
    playground: Playground, method: str, path: str, body: bytes | None, status: int
) -> None:
    got, answer = playground.send(method, path, body)
    assert got == status
    assert json.loads(answer)["error"]


def test_other_hosts_are_refused(playground: Playground) -> None:
    """A page elsewhere may point its own name at this machine."""
    status, _ = playground.send("GET", "/api/records", Host="evil.example")
    assert status == 400
