"""A playground that runs for the tests, as a user starts it."""

from __future__ import annotations

import http.client
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Playground:
    """A server in a process of its own."""

    process: subprocess.Popen[str]
    port: int
    folder: Path
    log: Path = field(repr=False)

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}/"

    def send(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, bytes]:
        """One request as it is; the status and the body of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, response.read()
        finally:
            connection.close()

    def call(self, name: str, /, **fields: Any) -> dict[str, Any]:
        """A call that must succeed."""
        status, body = self.send("POST", f"/api/{name}", json.dumps(fields).encode())
        assert status == 200, body
        answer: dict[str, Any] = json.loads(body)
        return answer

    def get(self, name: str) -> dict[str, Any]:
        status, body = self.send("GET", f"/api/{name}")
        assert status == 200, body
        answer: dict[str, Any] = json.loads(body)
        return answer

    @property
    def memory(self) -> int:
        """Bytes of the server and its workers (Linux)."""
        own = {self.process.pid} | set(children(self.process.pid))
        return sum(resident(pid) for pid in own)

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def start(*options: str) -> Playground:
    """Start a server on a free port."""
    folder = Path(tempfile.mkdtemp(prefix="playground-"))
    log = folder / "log"
    with log.open("w") as errors:
        process = subprocess.Popen(
            [sys.executable, "-m", "raspl", "play", "--port", "0", "--no-browser",
             "--records", str(folder / "records.json"), *options],
            stdout=subprocess.PIPE, stderr=errors, text=True, cwd=folder,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
    assert process.stdout is not None
    said = process.stdout.readline()
    found = re.search(r"http://[^:]+:(\d+)/", said)
    assert found, said + log.read_text("utf-8")
    return Playground(process, int(found[1]), folder, log)


def children(pid: int) -> list[int]:
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(word) for word in file.read_text().split()] if file.exists() else []


def resident(pid: int) -> int:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
