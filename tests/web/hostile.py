"""Requests that mean harm: huge, deep, malformed, slow, and such as would like to be executed."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Callable
from dataclasses import dataclass

CALLS = ("check", "complete", "hover", "trace", "network", "attempt", "records", "ask")


@dataclass(frozen=True)
class Outcome:
    """What a request came to: a status, or 0 where the server hung up."""

    kind: str
    status: int
    body: bytes


class Attacker:
    """Draws requests; the same for the same seed."""

    def __init__(self, port: int, seed: int, marker: str) -> None:
        self._port = port
        self._rng = random.Random(seed)
        self._marker = marker
        """A file that appears if any of our programs is executed."""
        self._kinds: dict[str, Callable[[], bytes]] = {
            "huge": self._huge,
            "deep JSON": self._deep_json,
            "deep program": self._deep_program,
            "malformed": self._malformed,
            "noise": self._noise,
            "executable": self._executable,
            "heavy": self._heavy,
            "odd fields": self._odd_fields,
            "paths": self._paths,
            "slow": self._slow,
            "chunked": self._chunked,
        }

    def attack(self) -> Outcome:
        """One request; it must be answered, or the connection closed."""
        kind = self._rng.choice(list(self._kinds))
        raw = self._kinds[kind]()
        with socket.create_connection(("127.0.0.1", self._port), timeout=60) as connection:
            try:
                connection.sendall(raw)
                if kind == "slow":
                    return Outcome(kind, 0, b"")  # gone before it is finished
                body = b""
                while piece := connection.recv(65536):
                    body += piece
            except (ConnectionResetError, BrokenPipeError):
                return Outcome(kind, 0, b"")
        status = int(body.split(b" ", 2)[1]) if body.startswith(b"HTTP/1.1 ") else 0
        return Outcome(kind, status, body)

    def _post(self, call: str, body: bytes, **headers: str) -> bytes:
        lines = {
            "Host": "localhost",
            "Connection": "close",
            "Content-Length": str(len(body)),
            **headers,
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"POST /api/{call} HTTP/1.1\r\n{head}\r\n".encode() + body

    def _program(self, text: str) -> bytes:
        call = self._rng.choice(("check", "complete", "hover", "trace", "attempt"))
        fields: dict[str, object] = {"text": text}
        if call in ("complete", "hover"):
            fields |= {"line": self._rng.randint(1, 30), "column": self._rng.randint(1, 80)}
        if call == "trace":
            fields |= {"input": "1 2 3", "generate": self._rng.random() < 0.5}
        if call == "attempt":
            fields |= {"puzzle": "previous-token"}
        return self._post(call, json.dumps(fields).encode())

    def _huge(self) -> bytes:
        size = self._rng.choice((30_000, 60_000, 65_537, 500_000))
        body = json.dumps({"text": "x" * size}).encode()
        return self._post(self._rng.choice(CALLS), body)

    def _deep_json(self) -> bytes:
        depth = self._rng.choice((50, 2_000, 30_000))
        return self._post("check", b'{"text":' * depth if depth < 99 else b"[" * depth)

    def _deep_program(self) -> bytes:
        depth = self._rng.choice((30, 90, 200, 2_000))
        inside = self._rng.choice(
            (
                "(" * depth + "x" + ")" * depth,
                "-" * depth + "x",
                "x" + " + x" * depth,
                "shift_right(" * depth + "x" + ", 1)" * depth,
                "tok_map(x, lambda a: " + "abs(" * depth + "a" + ")" * depth + ")",
                "[" * depth + "]" * depth,
            )
        )
        return self._program(f"def f(x):\n    return {inside}\n"[:20_000])

    def _malformed(self) -> bytes:
        return self._rng.choice(
            (
                b"\x16\x03\x01\x02\x00\x01\x00",
                b"GET\r\n\r\n",
                b"POST /api/check HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
                b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1e9\r\n\r\n",
                b"POST /api/check HTTP/9.9\r\nHost: localhost\r\n\r\n",
                b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"A: b\r\n" * 9_000 + b"\r\n",
                b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
                b"\0" * 1_000,
            )
        )

    def _noise(self) -> bytes:
        body = self._rng.randbytes(self._rng.randint(0, 4_000))
        return self._post(self._rng.choice(CALLS), body)

    def _executable(self) -> bytes:
        harm = f"__import__('os').system('touch {self._marker}')"
        return self._program(
            self._rng.choice(
                (
                    f"{harm}\ndef f(x):\n    return x\n",
                    f"def f(x, n={harm}):\n    return x\n",
                    f"@{harm}\ndef f(x):\n    return x\n",
                    f"def f(x):\n    return tok_map(x, lambda a: {harm})\n",
                    f"def f(x: {harm}):\n    return x\n",
                    f"class A:\n    {harm}\n\ndef f(x):\n    return x\n",
                    f'def f(x):\n    return full(x, f"{{{harm}}}")\n',
                    f"from raspl import program\nimport os; os.system('touch {self._marker}')\n",
                    f'def f(x):\n    return eval("{harm}")\n',
                    f"A = {harm}\n\n\ndef f(x):\n    return full(x, A)\n",
                )
            )
        )

    def _heavy(self) -> bytes:
        lines = self._rng.randint(50, 400)
        body = "\n".join(f"    x = num_prev(x == {n}, x == 1) == indices(x)" for n in range(lines))
        heads = "\n".join(f"    x = maximum(x + shift_right(x, {n}))" for n in range(lines))
        doubled = "\n".join(f"def g{n}(x): return g{n - 1}(g{n - 1}(x))" for n in range(1, lines))
        text = self._rng.choice(
            (
                f"def f(x):\n{body}\n    return x\n",
                f"def f(x):\n{heads}\n    return x\n",
                f"def g0(x): return x + 1\n{doubled}\n",
                f"def f(x):\n    return full(x, {'9' * 5_000})\n",
                f"def f(x):\n    return tok_map(x, lambda a: {' ** '.join('9' * lines)})\n",
            )
        )
        return self._program(text[:20_000])

    def _odd_fields(self) -> bytes:
        odd: tuple[object, ...] = (
            None,
            -1,
            10**400,
            "\ud800",
            "\0",
            [],
            {},
            True,
            1.5,
            "x" * 300,
            "nan",
        )
        fields = {
            name: self._rng.choice(odd)
            for name in ("text", "line", "column", "input", "puzzle", "name", "generate", "until")
            if self._rng.random() < 0.6
        }
        if self._rng.random() < 0.7:
            fields["text"] = "def f(x):\n    return x\n"
        return self._post(self._rng.choice(CALLS), json.dumps(fields).encode())

    def _paths(self) -> bytes:
        path = self._rng.choice(
            (
                "/static/../../../../etc/passwd", "/static/%2e%2e%2f%2e%2e%2fapp.py",
                "//etc/passwd", "/static/", "/static/..%5capp.py", "/api/../static/app.js", "/%00",
                "/api/records/1",
                "/static/sources.txt%00.js", "*",
            )
        )  # fmt: skip
        method = self._rng.choice(("GET", "POST", "DELETE", "TRACE", "OPTIONS", "HEAD"))
        return f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode()

    def _slow(self) -> bytes:
        whole = self._post("check", b'{"text": "def f(x): return x"}')
        return whole[: self._rng.randint(1, len(whole) - 1)]

    def _chunked(self) -> bytes:
        pieces = self._rng.choice((1, 20, 200))
        body = b"".join(b"1000\r\n" + b"a" * 4096 + b"\r\n" for _ in range(pieces)) + b"0\r\n\r\n"
        head = (
            b"POST /api/check HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        return head + body
