"""The OpenAPI document: the routes and the parts that they share."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from gotgan.api import analysis, videos
from gotgan.api.binder import document_verbs, is_versioned
from gotgan.api.errors import codes_by_status
from gotgan.api.routes import TEXT, object_schema, schema_ref, success_schema
from gotgan.domains.site.auth import SESSION_COOKIE

EXAMPLES: Final = {**videos.EXAMPLES, **analysis.EXAMPLES}
"""Examples of bodies by operation and name."""
_TAG: Final = r'^(\*|(W/)?"[0-9]{1,18}(-[0-9]{1,18})?")$'
_SECURITY: Final = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A token, created by an admin or with `gotgan site tokens create`.",
    },
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": SESSION_COOKIE,
        "description": "The session of the console. It is read-only.",
    },
}
_PARAMETERS: Final = {
    "RequestId": {
        "name": "X-Request-Id",
        "in": "header",
        "description": "ID for this request: up to 128 letters, digits and `._:-`. It is "
        "returned, and is the `traceId` of errors. Any other value is replaced.",
        "schema": TEXT,
    },
    "IfMatch": {
        "name": "If-Match",
        "in": "header",
        "description": "The ETag that you read: only this version is changed. `*` changes any "
        "version.",
        "schema": {"type": "string", "pattern": _TAG, "examples": ['"1"']},
    },
    "IfNoneMatch": {
        "name": "If-None-Match",
        "in": "header",
        "description": "ETags that you read before. If one is still current, the response is 304.",
        "schema": TEXT,
    },
}
_HEADERS: Final = {
    "ETag": {
        "description": "Version and creation time of the record, in quotes.",
        "schema": TEXT,
    },
    "RequestId": {"description": "ID of the request.", "schema": TEXT},
    "RetryAfter": {
        "description": "Seconds to wait, if known.",
        "schema": {"type": "integer"},
    },
    "WWWAuthenticate": {"description": "Authentication scheme.", "schema": {"const": "Bearer"}},
}
_TAGGED: Final = ("200", "201", "304")
_WAITING: Final = ("429", "503")
"""Statuses that may have a Retry-After."""


def openapi_document(server: FastAPI, version: str) -> dict[str, Any]:
    """The whole document."""
    made = get_openapi(
        title="Gotgan",
        version=version,
        summary="One API for a company site, news, shops, market prices and videos.",
        description=(
            "Every response is `{success, data, error}`. Lists are paginated: pass the `cursor` "
            "of a page to get the next one. Changes name the version they apply to, in `If-Match` "
            "or as `version` in the body. `X-Request-Id` is returned, and is the `traceId` of "
            "errors. `x-role` is the lowest role that may call an operation: public, viewer, "
            "editor or admin; `type` depends on the requested type. Routes under `/api/analysis` "
            "have a separate contract: `{success, data, meta}`, with separate error codes."
        ),
        routes=server.routes,
    )
    components = made.setdefault("components", {})
    components.setdefault("schemas", {}).update(_response_schemas())
    document_verbs(made)
    components |= {"securitySchemes": _SECURITY, "parameters": _PARAMETERS, "headers": _HEADERS}
    for path in made["paths"].values():
        for method, operation in path.items():
            _complete(method, operation)
    return made


def _complete(method: str, operation: dict[str, Any]) -> None:
    parameters, responses = operation.setdefault("parameters", []), operation["responses"]
    own = operation.pop("x-codes", None)  # of a contract, which knows no 422
    if own is not None or (not parameters and "requestBody" not in operation):
        responses.pop("422", None)  # there is nothing that could be wrong
    optional = {"412": "IfMatch", "304": "IfNoneMatch"}  # by what it can be answered with
    headers = ["RequestId", *(name for status, name in optional.items() if status in responses)]
    parameters += [_ref("parameters", name) for name in headers]
    operation["security"] = _security(method, operation["x-role"])
    for status, response in responses.items():
        named = codes_by_status().get(int(status), []) if own is None else own.get(status, [])
        _describe(status, response, named, is_record=is_versioned(operation["operationId"]))
    if "requestBody" in operation and operation["operationId"] in EXAMPLES:
        content = operation["requestBody"]["content"]["application/json"]
        content["examples"] = EXAMPLES[operation["operationId"]]


def _security(method: str, role: str) -> list[dict[str, Any]]:
    if role == "public":
        return []
    ways: list[dict[str, Any]] = [{"token": []}]
    ways += [{"session": []}] if method == "get" else []
    return [{}, *ways] if role == "type" else ways


def _describe(status: str, response: dict[str, Any], named: list[str], *, is_record: bool) -> None:
    """Add the codes of an error, and the headers of an answer."""
    if named:
        response["description"] += f" Codes: {', '.join(f'`{code}`' for code in named)}."
    headers = {"X-Request-Id": "RequestId"}
    headers |= {"401": {"WWW-Authenticate": "WWWAuthenticate"}}.get(status, {})
    headers |= {"Retry-After": "RetryAfter"} if status in _WAITING else {}
    headers |= {"ETag": "ETag"} if is_record and status in _TAGGED else {}
    response["headers"] = {name: _ref("headers", ref) for name, ref in headers.items()}


def _ref(kind: str, name: str) -> dict[str, str]:
    return {"$ref": f"#/components/{kind}/{name}"}


def _response_schemas() -> dict[str, Any]:
    """The schemas that are not derived from a result type, by name."""
    data = {
        "Run": object_schema(
            run=schema_ref("Run"), report={"anyOf": [{"anyOf": []}, {"type": "null"}]}
        ),
        "Health": object_schema(
            status={"const": "ok"},
            checks={"type": "object", "additionalProperties": {"const": "ok"}},
            version=TEXT,
        ),
        **videos.response_data(),
    }
    answers = {
        f"{name}Answer": {"title": f"{name}Answer", **success_schema(each)}
        for name, each in data.items()
    }
    error = object_schema(
        code={**TEXT, "description": "The kind of error, for programs to compare."},
        reason={
            "type": ["string", "null"],
            "description": "The code of the message, which says what went wrong exactly.",
        },
        message={
            **TEXT,
            "description": "What went wrong, and what to do, in the language of `Accept-Language` "
            "(`en`, `ko`).",
        },
        values={"type": "object", "description": "The values of the message, by name."},
        details={"description": "Both versions of a conflict, or each invalid value."},
        docUrl={**TEXT, "description": "The page about the code."},
        traceId={**TEXT, "description": "The X-Request-Id of the request."},
    )
    failure = object_schema(success={"const": False}, data={"type": "null"}, error=error)
    return {**answers, **analysis.analysis_schemas(), "Failure": failure}
