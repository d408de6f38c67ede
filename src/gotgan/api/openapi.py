"""The OpenAPI document: made of the routes, and of what all of them have in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from gotgan.api.analysis.examples import EXAMPLES as OF_THE_CONTRACT
from gotgan.api.answers import schemas
from gotgan.api.binder import document as document_verbs
from gotgan.api.binder import is_versioned
from gotgan.api.failures import codes
from gotgan.api.videos import EXAMPLES as OF_VIDEOS
from gotgan.domains.site.tokens import SESSION_COOKIE

__all__ = ["EXAMPLES", "document"]

EXAMPLES: Final = {
    **OF_VIDEOS,
    **OF_THE_CONTRACT,
}
"""What may be sent, by the name of the operation, and by that of the example."""

_TEXT: Final = {"type": "string"}
_TAG: Final = r'^(\*|(W/)?"[0-9]{1,18}(-[0-9]{1,18})?")$'
_SECURITY: Final = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token, which an admin or `gotgan site tokens create` makes.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": "The session of the console; it only reads.",
    },
}
_PARAMETERS: Final = {
    "RequestId": {
        "name": "X-Request-Id",
        "in": "header",
        "description": "A name for this request, of up to 128 letters, digits and `._:-`. It is "
        "echoed, and is the `traceId` of errors; any other is replaced.",
        "schema": _TEXT,
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The ETag that was read: the change is for this version. `*` is for "
        "whatever version there is.",
        "schema": {"type": "string", "pattern": _TAG, "examples": ['"1"']},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "ETags that were read before: of one that still holds, the answer is 304.",
        "schema": _TEXT,
    },
}
_HEADERS: Final = {
    "ETag": {
        "description": "The version of the record and when it was made, in quotes.",
        "schema": _TEXT,
    },
    "RequestId": {"description": "The name of the request.", "schema": _TEXT},
    "RetryAfter": {
        "description": "The seconds to wait, where they are known.",
        "schema": {"type": "integer"},
    },
    "WWWAuthenticate": {"description": "How to say who one is.", "schema": {"const": "Bearer"}},
}
_READING: Final = "get"
_TAGGED: Final = ("200", "201", "304")
_WAITING: Final = ("429", "503")
"""Whoever gets one of these may be told when to come again."""


def document(server: FastAPI, version: str) -> dict[str, Any]:
    """The whole document."""
    made = get_openapi(
        title="Gotgan",
        version=version,
        summary="A company's site, its news, and the shops, the market and the videos it watches, "
        "in one API.",
        description=(
            "Every answer is `{success, data, error}`. Lists are pages: hand the `cursor` of one "
            "in to get the next. A change names the version that it is for, by `If-Match` or by "
            "`version` in the body. `X-Request-Id` is echoed, and is the `traceId` of errors. "
            "`x-role` is the least role that may call an operation: public, viewer, editor or "
            "admin; `type` is whoever may read the type that is asked for. What is under "
            "`/api/analysis` keeps a contract of its own: `{success, data, meta}`, with its own "
            "codes."
        ),
        routes=server.routes,
    )
    components = made.setdefault("components", {})
    components.setdefault("schemas", {}).update(schemas())
    document_verbs(made)
    components |= {"securitySchemes": _SECURITY, "parameters": _PARAMETERS, "headers": _HEADERS}
    for method, operation in _operations(made):
        _complete(method, operation)
    return made


def _operations(made: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for path in made["paths"].values():
        yield from path.items()


def _complete(method: str, operation: dict[str, Any]) -> None:
    """Add what follows from the rest."""
    parameters, responses = operation.setdefault("parameters", []), operation["responses"]
    own = operation.pop("x-codes", None)  # of a contract, which knows no 422
    if own is not None or (not parameters and "requestBody" not in operation):
        responses.pop("422", None)  # there is nothing that could be wrong
    parameters += [_ref("parameters", name) for name in _headers_of(responses)]
    operation["security"] = _security(method, operation["x-role"])
    for status, response in responses.items():
        named = codes().get(int(status), []) if own is None else own.get(status, [])
        _describe(status, response, named, is_record=is_versioned(operation["operationId"]))
    if "requestBody" in operation:
        content = operation["requestBody"]["content"]["application/json"]
        if operation["operationId"] in EXAMPLES:
            content["examples"] = EXAMPLES[operation["operationId"]]


def _headers_of(responses: dict[str, Any]) -> list[str]:
    """The headers that a request may have, by what it can be answered with."""
    matching = {"412": "IfMatch", "304": "IfNoneMatch"}
    return ["RequestId", *(name for status, name in matching.items() if status in responses)]


def _security(method: str, role: str) -> list[dict[str, Any]]:
    if role == "public":
        return []
    ways: list[dict[str, Any]] = [{"token": []}]
    ways += [{"session": []}] if method == _READING else []
    return [{}, *ways] if role == "type" else ways


def _describe(status: str, response: dict[str, Any], named: list[str], *, is_record: bool) -> None:
    """Say which codes an error has, and which headers an answer."""
    if named:
        response["description"] += f" Codes: {', '.join(f'`{code}`' for code in named)}."
    headers = {"X-Request-Id": "RequestId"}
    headers |= {"401": {"WWW-Authenticate": "WWWAuthenticate"}}.get(status, {})
    headers |= {"Retry-After": "RetryAfter"} if status in _WAITING else {}
    headers |= {"ETag": "ETag"} if is_record and status in _TAGGED else {}
    response["headers"] = {name: _ref("headers", ref) for name, ref in headers.items()}


def _ref(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}
