"""The page for those who write programs: every route of the API, as its own document has it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page

__all__ = ["Operation", "RequestParameter", "operations", "reference", "router"]

router = APIRouter()


@dataclass(frozen=True)
class RequestParameter:
    """Something that a request can have: in its path, its query, its headers or its body."""

    name: str
    place: str
    required: bool
    line: str


@dataclass(frozen=True)
class Operation:
    """One thing that a program can ask for."""

    method: str
    path: str
    summary: str
    line: str
    role: str
    values: tuple[RequestParameter, ...]
    answers: tuple[tuple[str, str], ...]


@router.get("/docs")
def reference(request: Request) -> Response:
    """All that programs can ask for, by subject."""
    return page(request, "reference.html", subjects=operations(request.app.state.api.openapi()))


def operations(document: Mapping[str, Any]) -> dict[str, list[Operation]]:
    """The operations of an OpenAPI document, by their tags."""
    found: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            made = _operation(document, method, path, told)
            found.setdefault(next(iter(told.get("tags", [])), ""), []).append(made)
    return found


def _operation(
    document: Mapping[str, Any], method: str, path: str, told: Mapping[str, Any]
) -> Operation:
    answers = {code: _resolved(document, answer) for code, answer in told["responses"].items()}
    return Operation(
        method.upper(),
        path,
        told.get("summary", ""),
        told.get("description", ""),
        told.get("x-role", "public"),
        (*_parameters(document, told), *_members(document, told)),
        tuple((code, answer["description"]) for code, answer in answers.items()),
    )


def _parameters(document: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[RequestParameter]:
    for given in told.get("parameters", []):
        each = _resolved(document, given)
        line = each.get("description", "")
        yield RequestParameter(each["name"], each["in"], each.get("required", False), line)


def _members(document: Mapping[str, Any], told: Mapping[str, Any]) -> Iterator[RequestParameter]:
    """The members of a JSON body."""
    content = told.get("requestBody", {}).get("content", {}).get("application/json", {})
    schema = _resolved(document, content.get("schema", {}))
    for name, member in schema.get("properties", {}).items():
        yield RequestParameter(
            name, "body", name in schema.get("required", []), member.get("description", "")
        )


def _resolved(document: Mapping[str, Any], part: Mapping[str, Any]) -> Mapping[str, Any]:
    """A part of the document, or what it points to."""
    if "$ref" not in part:
        return part
    target = document
    for step in part["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return target
