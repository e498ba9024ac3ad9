"""Will a Transformer learn it? The whole stream, and what stops it."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any

import pytest

from raspl.web import models
from tests.web.running import Playground, children, start

REQUEST = {"text": "def f(x):\n    return maximum(x)\n", "input": "1 2 3 5"}


def open_stream(playground: Playground, **fields: Any) -> tuple[Any, Any]:
    connection = http.client.HTTPConnection("127.0.0.1", playground.port, timeout=400)
    connection.request("POST", "/api/ask", json.dumps({**REQUEST, **fields}))
    return connection, connection.getresponse()


def events(response: Any) -> list[dict[str, Any]]:
    lines = response.read().decode().splitlines()
    found = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
    for event in found:
        models.Event.model_validate(event)
    return found


def test_a_program_that_is_no_task_ends_with_a_sentence(playground: Playground) -> None:
    pytest.importorskip("torch")
    _, response = open_stream(playground, text="def f(x):\n    return x[0]\n")
    (only,) = events(response)
    assert only["kind"] == "error"
    assert "fix the program first" in only["data"]["sentence"]


def test_scores_are_told_at_the_step_at_which_they_were_measured() -> None:
    """Else the curve would be a staircase."""
    pytest.importorskip("torch")
    from raspl.training.loop import Progress
    from raspl.training.result import Score
    from raspl.web.learning import watching

    told: list[dict[str, Any]] = []
    watch = watching(lambda kind, data: told.append(data))

    def measured() -> tuple[Score, ...]:
        return (Score(on="task", length=10, examples=1, exact=1.0, exact_without_end=1.0),)

    first, second = measured(), measured()
    for step, scores in enumerate([(), first, first, second, second]):
        watch(Progress(step, 5, 0.5, scores, 1.0, 1.0))
    assert [each["scores"] for each in told] == [{}, {"10": 1.0}, {}, {"10": 1.0}, {}]


def test_one_at_a_time_and_gone_with_its_caller(playground: Playground) -> None:
    pytest.importorskip("torch")
    before = set(children(playground.process.pid))
    connection, response = open_stream(playground)
    assert response.status == 200
    while (line := response.readline()) != b"event: task\n":
        assert line.startswith(b":") or line == b"\n"
    busy, refused = open_stream(playground)
    assert refused.status == 409
    busy.close()
    response.close()
    connection.close()
    ended = time.monotonic() + 60
    while set(children(playground.process.pid)) - before:
        assert time.monotonic() < ended
        time.sleep(0.2)


def test_a_public_server_does_not_train() -> None:
    public = start("--host", "0.0.0.0")
    try:
        assert public.get("settings")["ask"] is False
        assert public.send("POST", "/api/ask", json.dumps(REQUEST).encode())[0] == 403
    finally:
        public.stop()


@pytest.mark.slow
def test_a_forecast_and_a_training(playground: Playground) -> None:
    _, response = open_stream(playground)
    told = events(response)
    kinds = [event["kind"] for event in told]
    assert kinds[0] == "task"
    assert kinds[-2:] == ["trained", "done"]
    assert kinds.index("forecast") < kinds.index("training")
    forecast = next(event["data"] for event in told if event["kind"] == "forecast")
    assert forecast["sentence"] == "It should work on longer inputs, too."
    assert forecast["probability"].keys() == {"15", "20"}
    assert "def found(x):" in forecast["program"]
    exact = told[-2]["data"]["exact_match"]
    assert set(exact) >= {"10", "15", "20"}
    assert exact["10"] > 0.9
    assert told[-2]["data"]["trained"] > 0.9
    assert isinstance(told[-2]["data"]["is_converged"], bool)


def test_reasons_have_no_words_for_a_command_line() -> None:
    """What a forecast says of this program has asides, and the page leaves them out."""
    from raspl.web import learning
    from raspl.web.tasks_of_programs import task_of

    text = "def f(x):\n    return maximum(shift_right(x, 3)) + minimum(shift_right(x, 2)) * 3 - x\n"
    asked = {"text": text, "input": "1 2 3 5", "program": "", "generate": False, "until": ""}
    told: dict[str, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(learning, "SEARCH_SECONDS", 0.5)
        learning.forecast(task_of(asked), lambda kind, data: told.update({kind: data}))
    reasons = " ".join(told["forecast"]["reasons"])
    assert reasons.startswith("No program that is right at")
    assert "may exist." in reasons
    for word in ("--", "docs/", "program=", "comes with"):
        assert word not in reasons
