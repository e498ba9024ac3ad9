"""`raspl play`: what it says when it can't."""

from __future__ import annotations

import http.client
import socket
import subprocess
import sys
import time

from raspl.web.serving import options_for
from tests.web.running import Playground


def test_a_port_that_is_taken_is_told_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "raspl", "play", "--no-browser", "--no-board", "--port", port],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == 2
    assert "can't listen on 127.0.0.1" in done.stderr
    assert "Traceback" not in done.stderr


def test_only_this_machine_trains_unless_it_is_said() -> None:
    def offers(host: str, ask: bool | None) -> bool:
        return options_for(host, records=None, ask=ask, workers=1, names=()).ask

    assert offers("127.0.0.1", None)
    assert not offers("0.0.0.0", None)
    assert offers("0.0.0.0", True)
    assert not offers("127.0.0.1", False)


def test_a_local_server_answers_to_local_names_only() -> None:
    local = options_for("127.0.0.1", records=None, ask=None, workers=1, names=("box",))
    assert {"localhost", "127.0.0.1", "box"} <= set(local.hosts)
    public = options_for("0.0.0.0", records=None, ask=None, workers=1, names=())
    assert public.hosts == ()


def test_an_answer_does_not_wait_for_its_head_to_be_acknowledged(playground: Playground) -> None:
    """With Nagle's algorithm every answer but the first of a connection takes 40 ms and more."""
    connection = http.client.HTTPConnection("127.0.0.1", playground.port, timeout=60)
    seconds = []
    for _ in range(20):
        begun = time.perf_counter()
        connection.request("GET", "/api/settings")
        connection.getresponse().read()
        seconds.append(time.perf_counter() - begun)
    connection.close()
    assert min(seconds[1:]) < 0.035
