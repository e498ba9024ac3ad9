"""An editor in a few lines: real messages to a real server over its standard input and output."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import Any

PATIENCE = 60
"""Seconds for an answer: machines that run tests may be busy."""


class Editor:
    """Starts `raspl lsp`, and asks it."""

    def __init__(self, folder: Path, encodings: list[str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "raspl", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
        )
        self._folder = folder
        self._messages: Queue[dict[str, Any]] = Queue()
        self._number = 0
        self._held: list[dict[str, Any]] = []
        Thread(target=self._listen, daemon=True).start()
        general = {"positionEncodings": encodings} if encodings else {}
        capabilities = {"general": general, "textDocument": {"publishDiagnostics": {}}}
        self.abilities = self.ask(
            "initialize", processId=None, rootUri=folder.as_uri(), capabilities=capabilities
        )["capabilities"]
        self.tell("initialized")

    def uri(self, name: str) -> str:
        return (self._folder / name).as_uri()

    def open(self, name: str, text: str, language: str = "python") -> list[dict[str, Any]]:
        """Show a text to the server; its diagnostics."""
        document = {"uri": self.uri(name), "languageId": language, "version": 1, "text": text}
        self.tell("textDocument/didOpen", textDocument=document)
        return self.diagnostics(name, 1)

    def change(self, name: str, version: int, *changes: dict[str, Any]) -> None:
        document = {"uri": self.uri(name), "version": version}
        self.tell("textDocument/didChange", textDocument=document, contentChanges=list(changes))

    def diagnostics(self, name: str, version: int | None) -> list[dict[str, Any]]:
        """What the server published for a version of a text."""
        while True:
            message = self._next("textDocument/publishDiagnostics")
            found = message["params"]
            if found["uri"] == self.uri(name) and found.get("version") == version:
                listed: list[dict[str, Any]] = found["diagnostics"]
                return listed

    def at(self, what: str, name: str, line: int, character: int, **more: Any) -> Any:
        """A request about a place of a text."""
        return self.ask(
            f"textDocument/{what}",
            textDocument={"uri": self.uri(name)},
            position={"line": line, "character": character},
            **more,
        )

    def ask(self, method: str, **params: Any) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._next(None)
            if message.get("id") == self._number:
                assert "error" not in message, message["error"]
                return message["result"]
            self._held.append(message)

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def raw(self, data: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(data)
        self._process.stdin.flush()

    def close(self) -> int:
        """Shut the server down; its exit status."""
        self.ask("shutdown")
        self.tell("exit")
        status = self._process.wait(PATIENCE)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            pipe.close()
        return status

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def _next(self, method: str | None) -> dict[str, Any]:
        for message in self._held if method else []:
            if message.get("method") == method:
                self._held.remove(message)
                return message
        while True:
            try:
                message = self._messages.get(timeout=PATIENCE)
            except Empty:
                raise AssertionError(f"no {method or 'answer'} came") from None
            if method is None or message.get("method") == method:
                return message

    def _listen(self) -> None:
        assert self._process.stdout is not None
        while header := self._process.stdout.readline():
            length = int(header.split(b":")[1])
            while self._process.stdout.readline().strip():
                pass
            self._messages.put(json.loads(self._process.stdout.read(length)))
