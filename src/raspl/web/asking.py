"""One forecast and training at a time, streamed to the one who asked."""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import Process
from collections.abc import AsyncIterator
from typing import Any

from raspl.web.pool import end, start_python

SECONDS = 600.0
"""The longest that one training may take."""
HEARTBEAT = 2.0
"""Seconds between signs of life, without which nobody would notice that the caller has gone."""


class Busy(Exception):
    """Somebody else's training is running."""


class Asking:
    """The process that searches and trains, if there is one."""

    def __init__(self) -> None:
        self._is_busy = False

    def start(self, request: dict[str, Any]) -> AsyncIterator[bytes]:
        """The events of a training; ending the iterator ends the process."""
        if self._is_busy:
            raise Busy
        self._is_busy = True
        return self._events(request)

    async def _events(self, request: dict[str, Any]) -> AsyncIterator[bytes]:
        process = None
        try:
            process = await start_python("raspl.web.learning")
            assert process.stdin is not None
            process.stdin.write(json.dumps(request).encode() + b"\n")
            async for event in self._told(process):
                yield event
        finally:
            if process is not None:
                await end(process)
            self._is_busy = False

    async def _told(self, process: Process) -> AsyncIterator[bytes]:
        assert process.stdout is not None
        now = asyncio.get_running_loop().time
        until = now() + SECONDS
        reading = asyncio.ensure_future(process.stdout.readline())
        try:
            while now() < until:
                done, _ = await asyncio.wait([reading], timeout=HEARTBEAT)
                if not done:
                    yield b": still at work\n\n"
                    continue
                line = reading.result()
                if not line:
                    yield _event(_error("the training failed"))
                    return
                event = json.loads(line)
                yield _event(event)
                if event["kind"] in ("done", "error"):
                    return
                reading = asyncio.ensure_future(process.stdout.readline())
            yield _event(_error("the training took too long"))
        finally:
            reading.cancel()


def _error(sentence: str) -> dict[str, Any]:
    return {"kind": "error", "data": {"sentence": sentence}}


def _event(event: dict[str, Any]) -> bytes:
    return f"event: {event['kind']}\ndata: {json.dumps(event)}\n\n".encode()
