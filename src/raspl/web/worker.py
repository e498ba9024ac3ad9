"""The life of a worker: `python -m raspl.web.worker MODULE BYTES` answers calls, one a line.

Requests and answers are lines of JSON, on standard input and output. The first line says that it is
ready. It ends when its input does.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

from raspl.errors import RasplError

Job = Callable[[dict[str, Any]], dict[str, Any]]
COLLECT_AFTER = 1_000_000
"""New objects within one call before the collector looks for cycles."""


def lines_out() -> BinaryIO:
    """Standard output for answers alone: whatever else is printed goes to standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return out


def limit_resources(memory: int) -> None:
    """Bound what this process may take, as far as the system knows such bounds."""
    try:
        import resource
    except ImportError:  # Windows: deadlines still hold
        return
    for name, most in (("RLIMIT_AS", memory), ("RLIMIT_CORE", 0)):
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (most, most))


def answer(jobs: dict[str, Job], call: dict[str, Any]) -> dict[str, Any]:
    """`{"answer": …}`, or `{"refused": sentence}`."""
    try:
        return {"answer": jobs[call["job"]](call["request"])}
    except RasplError as error:
        return {"refused": str(error)}
    except MemoryError:
        return {"refused": "this takes more memory than the playground has: try something smaller"}
    except RecursionError:
        return {"refused": "this is nested too deeply for the playground"}


def main() -> None:
    module, memory = sys.argv[1], int(sys.argv[2])
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = lines_out()
    jobs: dict[str, Job] = importlib.import_module(module).JOBS
    limit_resources(memory)
    # What was imported stays; a call makes many objects and few cycles.
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)
    _write(out, {"ready": True})
    for line in sys.stdin.buffer:
        _write(out, answer(jobs, json.loads(line)))
        gc.collect()  # while nobody waits


def _write(out: BinaryIO, data: dict[str, Any]) -> None:
    out.write(json.dumps(data).encode() + b"\n")
    out.flush()


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        main()
