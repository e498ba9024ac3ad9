"""`raspl play`: the server on this machine, and the page in the browser."""

from __future__ import annotations

import asyncio
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from raspl.errors import RasplError
from raspl.web.app import Options, build
from raspl.web.limits import MAX_CONNECTIONS, MAX_HEAD, SECONDS_HEAD

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class PatientProtocol(H11Protocol):
    """HTTP that does not wait forever for the head of a request."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait()
        else:
            self._end_wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_wait()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(SECONDS_HEAD, self._give_up)

    def _end_wait(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        # A response that is still being written means that the request did come.
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()


def serve(
    host: str,
    port: int,
    *,
    options: Options,
    browser: bool,
    say: Callable[[str], None],
) -> None:
    """Serve until the user stops it."""
    listening = _listen(host, port)
    number = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{'localhost' if host in LOOPBACK else shown}:{number}/"
    say(f"The playground is at {address} (Ctrl-C ends it)")
    if browser:
        threading.Timer(0.8, webbrowser.open, [address]).start()
    config = uvicorn.Config(
        build(options),
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=MAX_HEAD,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket on the port; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With its protocol named, asyncio turns Nagle's algorithm off. Else the body of an answer waits
    # for the browser to acknowledge its head, which browsers delay by 40 ms.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        # From now on a browser waits for us instead of being refused.
        listening.listen(MAX_CONNECTIONS)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise RasplError(
            f"can't listen on {host}:{port}: {reason}; choose another with --port"
        ) from None
    return listening


def options_for(
    host: str, *, records: Path | None, ask: bool | None, workers: int, names: tuple[str, ...]
) -> Options:
    """What a server on this host offers: on a public one no training unless it is asked for."""
    is_public = host not in LOOPBACK
    return Options(
        workers=workers,
        records=records,
        ask=not is_public if ask is None else ask,
        hosts=names if is_public else (*LOOPBACK, "[::1]", *names),
    )
