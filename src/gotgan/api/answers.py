"""The schemas of answers that are not derived from a result type."""

from __future__ import annotations

from typing import Any

from gotgan.api import videos
from gotgan.api.analysis import answers as analysis
from gotgan.api.shapes import TEXT, object_of, or_null, ref

__all__ = ["schemas"]


def schemas() -> dict[str, Any]:
    """The schemas, by their names; that of an answer is named after its data."""
    data = {**_others(), **videos.data()}
    answers = {f"{name}Answer": _answer(name, each) for name, each in data.items()}
    return {**answers, **analysis.schemas(), "Failure": _failure()}


def _others() -> dict[str, Any]:
    return {
        "Run": object_of(run=ref("Run"), report=or_null({"anyOf": []})),
        "Health": object_of(
            status={"const": "ok"},
            checks={"type": "object", "additionalProperties": {"const": "ok"}},
            version=TEXT,
        ),
    }


def _answer(name: str, data: dict[str, Any]) -> dict[str, Any]:
    body = object_of(success={"const": True}, data=data, error={"type": "null"})
    return {"title": f"{name}Answer", **body}


def _failure() -> dict[str, Any]:
    error = object_of(
        code={"type": "string", "description": "What went wrong, for programs to compare."},
        message={"type": "string", "description": "What went wrong, and what to do."},
        details={"description": "What there is to know besides: both versions, or each value."},
        traceId={"type": "string", "description": "The X-Request-Id of the request."},
    )
    return object_of(success={"const": False}, data={"type": "null"}, error=error)
