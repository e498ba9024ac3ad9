"""Workers: deadlines, memory limits, replacement, and who may wait."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from typing import Any

import pytest

from raspl.errors import RasplError
from raspl.web import pool as pools
from raspl.web.pool import OutOfBounds, Overloaded, Pool

HERE = "tests.web.test_pool"
MEMORY = 1024**3


def _sleep(request: dict[str, Any]) -> dict[str, Any]:
    time.sleep(request["seconds"])
    return {}


def _refuse(request: dict[str, Any]) -> dict[str, Any]:
    raise RasplError("no")


def _die(request: dict[str, Any]) -> dict[str, Any]:
    os._exit(3)


def _print(request: dict[str, Any]) -> dict[str, Any]:
    print("this is no answer")
    return {"pid": os.getpid()}


JOBS = {
    "sleep": _sleep,
    "refuse": _refuse,
    "die": _die,
    "print": _print,
    "eat": lambda request: {"size": len(bytearray(4 * MEMORY))},
    "echo": lambda request: request,
}


def run(scenario: Any, size: int = 1) -> Any:
    async def whole() -> Any:
        pool = Pool(HERE, size, MEMORY)
        try:
            return await scenario(pool)
        finally:
            await pool.close()

    return asyncio.run(whole())


def test_answers_and_refusals() -> None:
    async def scenario(pool: Pool) -> None:
        text = {"text": "né\n\0" * 1000}
        assert await pool.call("echo", text, 30) == {"answer": text}
        assert await pool.call("refuse", {}, 30) == {"refused": "no"}
        assert "pid" in (await pool.call("print", {}, 30))["answer"]

    run(scenario)


def test_who_takes_too_long_is_replaced() -> None:
    async def scenario(pool: Pool) -> None:
        before = (await pool.call("print", {}, 30))["answer"]["pid"]
        with pytest.raises(OutOfBounds, match=r"more than 0\.2 seconds"):
            await pool.call("sleep", {"seconds": 60}, 0.2)
        assert (await pool.call("print", {}, 30))["answer"]["pid"] != before
        assert not os.path.exists(f"/proc/{before}")

    run(scenario)


def test_who_dies_is_replaced() -> None:
    async def scenario(pool: Pool) -> None:
        with pytest.raises(OutOfBounds):
            await pool.call("die", {}, 30)
        assert await pool.call("echo", {}, 30) == {"answer": {}}

    run(scenario)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to a limit on memory")
def test_memory_is_limited() -> None:
    async def scenario(pool: Pool) -> None:
        refused = await pool.call("eat", {}, 30)
        assert "more memory" in refused["refused"]

    run(scenario)


def test_a_caller_who_leaves_does_not_leave_an_answer_behind() -> None:
    async def scenario(pool: Pool) -> None:
        calling = asyncio.create_task(pool.call("sleep", {"seconds": 1}, 30))
        await asyncio.sleep(0.3)
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        assert await pool.call("echo", {"own": 1}, 30) == {"answer": {"own": 1}}

    run(scenario)


def test_too_many_who_wait_are_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pools, "MAX_WAITING", 2)
    monkeypatch.setattr(pools, "SECONDS_WAITING", 0.3)

    async def scenario(pool: Pool) -> None:
        calls = [pool.call("sleep", {"seconds": 2}, 30) for _ in range(5)]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert sum(isinstance(outcome, Overloaded) for outcome in outcomes) == 4

    run(scenario)
