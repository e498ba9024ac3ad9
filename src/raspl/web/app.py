"""The server's application: which call goes where, and what is refused at the door."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from raspl.errors import RasplError
from raspl.web import models
from raspl.web.asking import Asking, Busy
from raspl.web.limits import HEAVY_MEMORY, MAX_BODY, MAX_TEXT, SECONDS, SECONDS_BODY
from raspl.web.pool import OutOfBounds, Overloaded, Pool
from raspl.web.puzzles.board import Board
from raspl.web.puzzles.listing import listed
from raspl.web.schema import schema

STATIC = Path(__file__).parent / "static"
JOBS = "raspl.web.jobs"
HEAVY_JOBS = "raspl.web.networks"
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
        "img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


@dataclass(frozen=True)
class Options:
    """How a server is set up."""

    workers: int = 2
    records: Path | None = None
    ask: bool = False
    """Whether it searches and trains for its users."""
    hosts: tuple[str, ...] = ()
    """Names under which it may be called; any if empty."""
    seconds: dict[str, float] = field(default_factory=lambda: dict(SECONDS))


def build(options: Options) -> Starlette:
    """The application. Its workers start with it and end with it."""
    state = _State(options)
    routes = [
        Route("/", _page),
        Route("/api/schema", state.schema),
        Route("/api/settings", state.settings),
        Route("/api/puzzles", state.puzzles),
        Route("/api/records", state.records),
        Route("/api/records", state.claim, methods=["POST"]),
        Route("/api/ask", state.ask, methods=["POST"]),
        *(
            Route(f"/api/{job}", partial(state.answer, job, model), methods=["POST"])
            for job, model in CALLS.items()
        ),
        Mount("/static", StaticFiles(directory=STATIC, check_dir=False)),
    ]
    return Starlette(
        routes=routes,
        lifespan=state.lifespan,
        middleware=[Middleware(_Door, hosts=options.hosts)],
        exception_handlers={HTTPException: _refused, Exception: _failed},
    )


CALLS: dict[str, type[BaseModel]] = {
    "check": models.Text,
    "complete": models.Place,
    "hover": models.Place,
    "trace": models.TraceRequest,
    "network": models.OnInput,
    "attempt": models.Attempt,
}
"""Which call takes what."""
FALLIBLE = {"trace", "network", "attempt"}
"""Calls whose answer may be a sentence that says why there is none."""


class _State:
    """What the calls share."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._board = Board(options.records)
        self._has_network = find_spec("torch") is not None
        self._asking = Asking()

    @contextlib.asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self._pool = Pool(JOBS, self._options.workers)
        self._heavy = Pool(HEAVY_JOBS, 1, HEAVY_MEMORY)
        await self._pool.warm()
        try:
            yield
        finally:
            await self._pool.close()
            await self._heavy.close()

    async def answer(self, job: str, model: type[BaseModel], request: Request) -> Response:
        """Most calls: a request is checked, and a worker computes the answer."""
        asked = await _read(request, model)
        return await self._computed(job, asked.model_dump())

    async def _computed(self, job: str, asked: dict[str, Any]) -> Response:
        pool = self._heavy if job == "network" else self._pool
        try:
            result = await pool.call(job, asked, self._options.seconds[job])
        except OutOfBounds as error:
            return _sentence(job, str(error))
        if "refused" in result:
            return _sentence(job, result["refused"])
        return JSONResponse(result["answer"])

    async def settings(self, request: Request) -> Response:
        return JSONResponse(
            {
                "version": version("raspl"),
                "ask": self._options.ask and self._has_network,
                "network": self._has_network,
                "seconds": self._options.seconds,
                "max_text": MAX_TEXT,
            }
        )

    async def schema(self, request: Request) -> Response:
        return JSONResponse(schema())

    async def puzzles(self, request: Request) -> Response:
        return JSONResponse({"puzzles": listed()})

    async def records(self, request: Request) -> Response:
        return JSONResponse(self._board.public())

    async def claim(self, request: Request) -> Response:
        """A line on the record board, for a solution that is judged right once more."""
        asked = (await _read(request, models.Claim)).model_dump()
        if self._board.file is None:
            raise HTTPException(403, "this server keeps no record board")
        name = asked.pop("name")
        response = await self._computed("attempt", asked)
        judged = json.loads(bytes(response.body))
        if not judged.get("solved"):
            raise HTTPException(409, "only a right solution can stand on the board")
        self._board.add(asked["puzzle"], name, asked["text"], judged["measures"])
        return await self.records(request)

    async def ask(self, request: Request) -> Response:
        """Will a Transformer learn it? A stream of events, which ends when the caller goes."""
        asked = (await _read(request, models.TraceRequest)).model_dump()
        if not self._options.ask or not self._has_network:
            raise HTTPException(403, "this server does not train: start one with `raspl play`")
        try:
            events = self._asking.start(asked)
        except Busy:
            raise HTTPException(409, "another training is running: try again later") from None
        return StreamingResponse(events, media_type="text/event-stream")


async def _page(request: Request) -> Response:
    page = STATIC / "index.html"
    if not page.exists():
        raise HTTPException(503, "the page was not built: run `make page`")
    return FileResponse(page, headers={"cache-control": "no-cache"})


async def _read(request: Request, model: type[BaseModel]) -> BaseModel:
    """The checked body of a request, which must come in time and not be too large."""
    try:
        async with asyncio.timeout(SECONDS_BODY):
            body = await request.body()
    except TimeoutError:
        raise HTTPException(408, "the request came too slowly") from None
    except ClientDisconnect:
        raise HTTPException(400, "the request was not finished") from None
    try:
        return model.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(map(str, first["loc"]))[:100] or "the request"
        raise HTTPException(422, f"{where}: {first['msg']}") from None
    except RecursionError:
        raise HTTPException(422, "the request is nested too deeply") from None


def _sentence(job: str, sentence: str) -> Response:
    """Why a computation has no result: for some calls an answer like any other."""
    if job not in FALLIBLE:
        raise HTTPException(503, sentence)
    answer: dict[str, Any] = {"error": sentence}
    return JSONResponse({**answer, "solved": False} if job == "attempt" else answer)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    """A mistake of ours; `_Door` has answered for those that it knows."""
    return JSONResponse({"error": "the playground made a mistake"}, 500)


class _Door:
    """What holds of every request: its size, its host, and the headers of its answer."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        host = (request.headers.get("host") or "").rsplit(":", 1)[0]
        # Another site may point its own name at this machine: its pages must not reach us.
        if self._hosts and host not in self._hosts:
            await _refuse(400, "this server does not know that host")(scope, receive, send)
            return
        size = request.headers.get("content-length", "0")
        if not size.isdecimal() or int(size[:12]) > MAX_BODY:
            await _refuse(413, "the request is too large")(scope, receive, send)
            return
        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                known = {name.lower() for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in HEADERS.items()
                        if name.encode() not in known
                    ),
                ]
            await send(message)

        try:
            await self._app(scope, _bounded(receive), with_headers)
        except Overloaded:
            refusal = _refuse(503, "the playground is busy: try again in a moment")
        except TooLarge:
            refusal = _refuse(413, "the request is too large")
        except RasplError as error:
            refusal = _refuse(422, str(error))
        else:
            return
        if not begun:
            await refusal(scope, receive, with_headers)


def _refuse(status: int, sentence: str) -> JSONResponse:
    headers = {"retry-after": "2"} if status == 503 else {}
    return JSONResponse({"error": sentence}, status, headers={**HEADERS, **headers})


class TooLarge(Exception):
    """A body that is longer than it said."""


def _bounded(receive: Receive) -> Callable[[], Awaitable[Message]]:
    """What comes in, up to the greatest size: a body may come in pieces without a stated one."""
    size = 0

    async def bounded() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MAX_BODY:
            raise TooLarge
        return message

    return bounded
