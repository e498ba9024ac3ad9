"""`raspl play`: what it says when it can't."""

from __future__ import annotations

import socket
import subprocess
import sys

from raspl.web.serving import options_for


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
