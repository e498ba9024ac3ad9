"""Workers: processes that compute one call at a time, within a deadline and a memory limit.

Nothing that a program makes raspl do can stall or fell the server, since it is done elsewhere. A
worker that exceeds its deadline or dies is replaced. Requests and answers cross as JSON, so that a
worker can hand back data and nothing else.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from typing import Any

from raspl.web.limits import MAX_ANSWER, MAX_WAITING, MEMORY, SECONDS_STARTING, SECONDS_WAITING

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class Overloaded(Exception):
    """Too many calls wait already."""


class OutOfBounds(Exception):
    """A call took too long or too much memory; the message is for the user."""


async def start_python(*arguments: str) -> Process:
    """A Python process of ours with pipes to it, which uses one thread."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", *arguments,
        stdin=PIPE, stdout=PIPE, limit=MAX_ANSWER, env={**os.environ, **ONE_THREAD},
    )  # fmt: skip


async def end(process: Process) -> None:
    """End a process, whatever it does."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()


class Worker:
    """A process that answers calls; it is started when it is first needed."""

    def __init__(self, module: str, memory: int) -> None:
        self._arguments = ("raspl.web.worker", module, str(memory))
        self.process: Process | None = None

    async def start(self) -> Process:
        """A process that lives."""
        if self.process is None or self.process.returncode is not None:
            self.process = await start_python(*self._arguments)
            assert self.process.stdout is not None
            # A busy machine may take long to import NumPy; that is not the caller's time.
            async with asyncio.timeout(SECONDS_STARTING):
                await self.process.stdout.readline()
        return self.process

    async def call(self, job: str, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer of the process, which is killed when the time is over."""
        try:
            process = await self.start()
        except (TimeoutError, asyncio.CancelledError):
            await self.stop()
            raise
        assert process.stdin is not None
        assert process.stdout is not None
        line = b""
        try:
            process.stdin.write(json.dumps({"job": job, "request": request}).encode() + b"\n")
            async with asyncio.timeout(seconds):
                await process.stdin.drain()
                line = await process.stdout.readline()
        except TimeoutError:
            raise OutOfBounds(
                f"this took more than {seconds:g} seconds: try a shorter program or input"
            ) from None
        except (ConnectionError, ValueError):
            pass  # it died, or its answer is too long
        finally:
            # Also when the caller has gone: an answer that nobody reads would be the next one's.
            if not line:
                await self.stop()
        if not line:
            raise OutOfBounds("this took more than the playground has: try something smaller")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def stop(self) -> None:
        """End the process."""
        process, self.process = self.process, None
        if process is not None:
            await end(process)


class Pool:
    """A few workers, and those who wait for one."""

    def __init__(self, module: str, size: int, memory: int = MEMORY) -> None:
        self.workers = [Worker(module, memory) for _ in range(size)]
        # The last one that answered is the first to be asked: it still knows the text.
        self._idle: asyncio.LifoQueue[Worker] = asyncio.LifoQueue()
        for worker in self.workers:
            self._idle.put_nowait(worker)
        self._waiting = 0

    async def call(self, job: str, request: dict[str, Any], seconds: float) -> dict[str, Any]:
        """One call: `{"answer": …}`, or `{"refused": sentence}`."""
        async with self._worker() as worker:
            return await worker.call(job, request, seconds)

    @contextlib.asynccontextmanager
    async def _worker(self) -> AsyncIterator[Worker]:
        if self._waiting >= MAX_WAITING:
            raise Overloaded
        self._waiting += 1
        try:
            async with asyncio.timeout(SECONDS_WAITING):
                worker = await self._idle.get()
        except TimeoutError:
            raise Overloaded from None
        finally:
            self._waiting -= 1
        try:
            yield worker
        finally:
            self._idle.put_nowait(worker)

    async def warm(self) -> None:
        """Start the processes before the first call."""
        await asyncio.gather(*(worker.start() for worker in self.workers))

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(*(worker.stop() for worker in self.workers))
