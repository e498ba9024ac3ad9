"""Hostile requests: no traceback, no hang, memory bounded, nothing executed."""

from __future__ import annotations

import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from raspl.web.limits import SECONDS_HEAD
from tests.web.hostile import Attacker, Outcome
from tests.web.running import Playground, start

AT_ONCE = 6
MEGABYTE = 2**20
MOST_GROWTH = 700 * MEGABYTE
"""Of the server and its two workers together, over what they take before the first attack."""


def attack(playground: Playground, count: int) -> Counter[tuple[str, int]]:
    marker = playground.folder / "executed"
    before = playground.memory

    def some(seed: int) -> list[Outcome]:
        attacker = Attacker(playground.port, seed, str(marker))
        return [attacker.attack() for _ in range(count // AT_ONCE)]

    with ThreadPoolExecutor(AT_ONCE) as threads:
        outcomes = [outcome for found in threads.map(some, range(AT_ONCE)) for outcome in found]
    for outcome in outcomes:
        assert b"Traceback" not in outcome.body, outcome
        assert outcome.status < 500 or outcome.status == 503, outcome
    assert not marker.exists()
    assert "Traceback" not in playground.log.read_text("utf-8")
    assert playground.memory - before < MOST_GROWTH
    assert playground.call("trace", text="def f(x): return x", input="1")["trace"]["rows"]
    return Counter((outcome.kind, outcome.status) for outcome in outcomes)


def test_some_hostile_requests() -> None:
    playground = start("--no-ask")
    try:
        seen = attack(playground, 90)
    finally:
        playground.stop()
    assert len({kind for kind, _ in seen}) == 11


@pytest.mark.slow
def test_ten_thousand_hostile_requests() -> None:
    playground = start("--no-ask")
    try:
        seen = attack(playground, 10_000)
    finally:
        playground.stop()
    print(*sorted(seen.items()), sep="\n")


def test_who_never_finishes_a_request_is_hung_up_on(playground: Playground) -> None:
    with socket.create_connection(("127.0.0.1", playground.port), timeout=60) as connection:
        connection.sendall(b"POST /api/check HTTP/1.1\r\nHost: local")
        begun = time.monotonic()
        assert connection.recv(1000) == b""
        assert time.monotonic() - begun > SECONDS_HEAD / 2


def test_a_body_that_does_not_come_is_not_waited_for(playground: Playground) -> None:
    with socket.create_connection(("127.0.0.1", playground.port), timeout=60) as connection:
        connection.sendall(
            b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{"
        )
        assert b" 408 " in connection.recv(1000)


def test_the_server_reads_no_file_but_its_own(playground: Playground) -> None:
    secret = Path(playground.folder / "records.json").name
    for path in (f"/static/{secret}", f"/static/../{secret}", "/static/..%2f__init__.py"):
        assert playground.send("GET", path)[0] == 404
