"""The JSON interface as an OpenAPI document, made from the models."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from raspl.web import models

CALLS: tuple[tuple[str, str, type[BaseModel] | None, type[BaseModel], str], ...] = (
    ("post", "/api/check", models.Text, models.Checked, "Diagnostics, and measures as you type"),
    ("post", "/api/complete", models.Place, models.Completions, "Completion and signature"),
    ("post", "/api/hover", models.Place, models.Hovered, "What stands at a place"),
    ("post", "/api/trace", models.TraceRequest, models.Traced, "Every intermediate on an input"),
    ("post", "/api/network", models.OnInput, models.Networked, "The compiled network at work"),
    ("post", "/api/attempt", models.Attempt, models.Judged, "Judge the solution of a puzzle"),
    ("get", "/api/puzzles", None, models.Puzzles, "The puzzles, without their solutions"),
    ("get", "/api/records", None, models.Records, "The record board"),
    ("post", "/api/records", models.Claim, models.Records, "Enter a solution on the board"),
    (
        "post",
        "/api/ask",
        models.TraceRequest,
        models.Event,
        "Will a Transformer learn it? (stream)",
    ),
    ("get", "/api/settings", None, models.Settings, "What this server offers"),
)


@cache
def schema() -> dict[str, Any]:
    """OpenAPI 3.1."""
    used = {model for _, _, taken, given, _ in CALLS for model in (taken, given) if model}
    used.add(models.Refusal)
    _, definitions = models_json_schema(
        [(model, "validation") for model in sorted(used, key=lambda m: m.__name__)],
        ref_template="#/components/schemas/{model}",
    )
    paths: dict[str, dict[str, Any]] = {}
    for method, path, taken, given, summary in CALLS:
        operation: dict[str, Any] = {"summary": summary, "responses": _responses(path, given)}
        if taken:
            operation["requestBody"] = {"required": True, "content": _content(taken)}
        paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "raspl playground", "version": version("raspl")},
        "paths": paths,
        "components": {"schemas": definitions["$defs"]},
    }


def _responses(path: str, given: type[BaseModel]) -> dict[str, Any]:
    kind = "text/event-stream" if path == "/api/ask" else "application/json"
    return {
        "200": {"description": "the answer", "content": _content(given, kind)},
        "4XX": {"description": "why it was refused", "content": _content(models.Refusal)},
        "503": {"description": "busy, or out of time", "content": _content(models.Refusal)},
    }


def _content(model: type[BaseModel], kind: str = "application/json") -> dict[str, Any]:
    return {kind: {"schema": {"$ref": f"#/components/schemas/{model.__name__}"}}}
