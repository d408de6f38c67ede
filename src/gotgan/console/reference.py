"""The API reference: every route, from the OpenAPI document, and every code of errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from inspect import getdoc
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.errors import class_status, error_classes
from gotgan.console.frame import page
from gotgan.console.session import Viewer
from gotgan.texts import korean_texts

router = APIRouter()
_CODES: Final = " Codes: "
"""What the codes of errors follow in a description."""


@dataclass(frozen=True)
class RequestParameter:
    """A value of a request: in its path, query, headers or body."""

    name: str
    place: str
    required: bool
    line: str


@dataclass(frozen=True)
class Operation:
    """A route of the API."""

    method: str
    path: str
    summary: str
    line: str
    role: str
    values: tuple[RequestParameter, ...]
    answers: tuple[tuple[str, str, str], ...]
    """Status, description, and the codes of errors."""


@router.get("/docs")
def reference(request: Request) -> Response:
    """All routes by tag."""
    return page(request, "reference.html", subjects=operations(request.app.state.api.openapi()))


@dataclass(frozen=True)
class ErrorCode:
    """A code of errors: its status, whether the same request may succeed later, its meaning."""

    code: str
    status: int
    retry: bool
    line: str


@router.get("/docs/errors")
def error_reference(request: Request) -> Response:
    """All codes of errors; each answer with an error links to its code here."""
    korean = korean_texts("errors") if Viewer.of(request).language == "ko" else {}
    codes = [
        ErrorCode(
            code,
            class_status(kind),
            kind.retry,
            korean.get(code) or (getdoc(kind) or "").partition("\n")[0],
        )
        for code, kind in error_classes().items()
    ]
    return page(request, "errors.html", codes=codes)


def operations(document: Mapping[str, Any]) -> dict[str, list[Operation]]:
    """The operations of an OpenAPI document, by their tags."""
    found: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            made = _operation(document, method, path, operation)
            found.setdefault(next(iter(operation.get("tags", [])), ""), []).append(made)
    return found


def _operation(
    document: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any]
) -> Operation:
    given = [_resolve(document, each) for each in operation.get("parameters", [])]
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    body = _resolve(document, content.get("schema", {}))
    answers = {code: _resolve(document, answer) for code, answer in operation["responses"].items()}
    return Operation(
        method.upper(),
        path,
        operation.get("summary", ""),
        operation.get("description", ""),
        operation.get("x-role", "public"),
        (*_parameters(given), *_body_members(body)),
        tuple(_answer(status, answer["description"]) for status, answer in answers.items()),
    )


def _answer(status: str, description: str) -> tuple[str, str, str]:
    line, _, codes = description.partition(_CODES)
    return status, line, codes.rstrip(".").replace("`", "")


def _parameters(given: Iterable[Mapping[str, Any]]) -> Iterator[RequestParameter]:
    for each in given:
        line = each.get("description", "")
        yield RequestParameter(each["name"], each["in"], each.get("required", False), line)


def _body_members(schema: Mapping[str, Any]) -> Iterator[RequestParameter]:
    required = schema.get("required", [])
    for name, member in schema.get("properties", {}).items():
        yield RequestParameter(name, "body", name in required, member.get("description", ""))


def _resolve(document: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of the document, or the target of its reference."""
    if "$ref" not in part:
        return part
    target = document
    for step in part["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return target
