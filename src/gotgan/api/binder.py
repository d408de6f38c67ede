"""Routes of verbs: parameters from the signature, answers from the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from typing import Any, Final

import orjson
from fastapi import APIRouter
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api import messages
from gotgan.api.auth import get_app
from gotgan.api.errors import load_json
from gotgan.api.responses import expected_version, ok, record_response
from gotgan.api.routes import (
    RESPONSE_TYPES,
    StrictJson,
    json_content,
    model_schema,
    openapi_parameters,
    route_options,
    success_schema,
    unknown_errors,
)
from gotgan.api.runs import DEFAULT_WAIT_S, Wait, error_data, run_response
from gotgan.domains.site.models import SiteEntity
from gotgan.encoding import Schemas, encode
from gotgan.runs import Run
from gotgan.verbs import CurrentUser, Extra, Parameter, Verb, Version, start, verbs_of

_FAILURE_STATUSES: Final[Mapping[str, tuple[int, ...]]] = {
    "read": (400, 404),
    "write": (400, 404, 409),
    "run": (400, 404, 409, 502, 504),
}
"""The statuses that a verb of each kind may fail with, besides those that all routes have."""
_EXTRA: Final = ("additionalProperties", "propertyNames")
"""What a schema says of names that it does not list."""
_VERBS: Final[dict[str, Verb]] = {}
"""The verbs that have a route, by the name of the operation."""


@dataclass(frozen=True)
class Endpoint:
    """What differs in the route of a verb."""

    make: Callable[[Verb], Callable[..., Any]] | None = None
    """Its function, written by hand; ``verb_arguments`` reads the arguments of the verb."""
    fails: tuple[int, ...] = ()
    """The statuses that it may fail with, besides those of its kind."""


def bind(
    service: type, endpoints: Mapping[str, Endpoint] | None = None, *, runs: bool | None = None
) -> APIRouter:
    """A route for each verb of a service that HTTP offers; literal paths before ``{…}``.

    ``runs`` chooses those that run in the background, or the others.
    """
    offered = [each for each in verbs_of(service).values() if not each.mark.is_local]
    found = [each for each in offered if runs is None or (each.mark.kind == "run") is runs]
    router = APIRouter(route_class=StrictJson)
    routed = [(_operation(each), each) for each in found]
    routed += [(f"{_operation(each)}_of_all", each.for_all) for each in found if each.for_all]
    for name, verb in sorted(routed, key=lambda each: "{" in each[1].path):
        _VERBS[name] = verb
        key = f"{verb.place}.{verb.name}" if verb.place else verb.name
        endpoint = (endpoints or {}).get(key, Endpoint())
        made = route_options(
            verb.summary.removesuffix("."),
            gives="Run" if verb.mark.kind == "run" else name,
            role=None if verb.role == "public" else verb.role,
            status=_status(verb),
            fails=(*_FAILURE_STATUSES[verb.mark.kind], *_version_fails(verb), *endpoint.fails),
            body=_has_body(verb),
            cached=verb.method == "GET" and _is_versioned(verb),
        )
        made["dependencies"] = made["dependencies"][:-1]  # unknown parameters are refused here
        router.add_api_route(
            verb.path,
            (endpoint.make or _endpoint)(verb),
            methods=[verb.method],
            name=name,
            tags=[verb.place or verb.domain],
            description=verb.help,
            **made,
        )
    return router


def _operation(verb: Verb) -> str:
    return verb.id.replace(".", "_")


def _status(verb: Verb) -> int:
    return HTTPStatus.CREATED if verb.name == "create" else HTTPStatus.OK


def _is_versioned(verb: Verb) -> bool:
    """Whether the result is a record with a version; only resources have them."""
    return (
        bool(verb.place) and isinstance(verb.result, type) and issubclass(verb.result, SiteEntity)
    )


@cache
def _version_parameter(verb: Verb) -> tuple[Parameter, Version] | None:
    """The parameter that is the version which a change is for."""
    marks = ((each, each.mark(Version)) for each in verb.parameters)
    return next(((each, mark) for each, mark in marks if mark is not None), None)


def _version_fails(verb: Verb) -> tuple[int, ...]:
    found = _version_parameter(verb)
    if found is None:
        return ()
    return (412, 428) if found[1].is_required or verb.name == "replace" else (412,)


def _endpoint(verb: Verb) -> Callable[..., Any]:
    async def call(request: Request) -> Response:
        values, method = await verb_arguments(request, verb, frozenset()), verb.of(get_app(request))
        return await run_in_threadpool(lambda: verb_response(request, verb, method(**values)))

    async def run(request: Request, wait: Wait = DEFAULT_WAIT_S) -> Response:
        values, app = await verb_arguments(request, verb, frozenset({"wait"})), get_app(request)
        started = await run_in_threadpool(lambda: start(app.runs, verb.of(app), **values))
        return await run_response(request, started, wait)

    return run if verb.mark.kind == "run" else call


def verb_response(request: Request, verb: Verb, result: Any) -> Response:
    """The answer with the result of a verb; a record has its version as ``ETag``."""
    if isinstance(result, SiteEntity):
        return record_response(request, result, status=_status(verb))
    return ok(request, encode(result, error_data), status=_status(verb))


@cache
def _has_body(verb: Verb) -> bool:
    return verb.method in ("POST", "PUT", "PATCH") and bool(_request_parameters(verb))


@cache
def _request_parameters(verb: Verb) -> list[Parameter]:
    """The parameters that are not in the path; without a body a version is in a header only."""
    offered = verb.parameters_of_front(over_http=True)
    found = [each for each in offered if f"{{{each.alias}}}" not in verb.path]
    is_bodied = verb.method in ("POST", "PUT", "PATCH")
    return found if is_bodied else [each for each in found if each.mark(Version) is None]


# Values of a request


async def verb_arguments(request: Request, verb: Verb, others: frozenset[str]) -> dict[str, Any]:
    """The arguments of the verb; ``others`` are query parameters of the route itself."""
    query, wrong = request.query_params, list[dict[str, Any]]()
    if _has_body(verb):
        _refuse(unknown_errors("query", query.keys() - others, others))
        sent, at = await _body(request, verb), "body"
        known = {each.alias for each in _request_parameters(verb)}
        extra = next((each.alias for each in verb.parameters if each.mark(Extra)), None)
        if extra is not None:
            further = {name: value for name, value in sent.items() if name not in known - {extra}}
            sent = {name: sent[name] for name in sent if name not in further} | {extra: further}
        wrong = unknown_errors("body", sent.keys() - known, known)
        sent = {name: value for name, value in sent.items() if name in known}
    else:
        inside, at = _query_parameters(verb), "query"
        known = inside.keys() | others
        _refuse(unknown_errors("query", query.keys() - known, known))
        sent = {
            name: query.getlist(name) if inside[name] else query[name]
            for name in query
            if name in inside
        }
    given, context = {**sent, **request.path_params}, {"zone": get_app(request).settings.zone}
    try:
        if at == "body":  # JSON has types; a query is text
            made = verb.http_model.model_validate_json(
                _json_body(given), strict=True, context=context
            )
        else:
            made = verb.http_model.model_validate(given, context=context)
    except ValidationError as error:
        wrong = [*(_located_error(each, at, request, verb) for each in error.errors()), *wrong]
        raise RequestValidationError(wrong) from None
    _refuse(wrong)
    values = verb.values(made)
    version = _version_parameter(verb)
    if version is not None:
        name, mark = version[0].name, version[1]
        values[name] = expected_version(request, values.get(name), required=mark.is_required)
    for name in _caller_parameters(verb):
        values[name] = getattr(request.state, "caller", None)
    return values


@cache
def _query_parameters(verb: Verb) -> dict[str, bool]:
    """The query parameters of a verb, and whether each may be given several times."""
    return {each.alias: each.is_many for each in _request_parameters(verb)}


@cache
def _caller_parameters(verb: Verb) -> tuple[str, ...]:
    return tuple(each.name for each in verb.parameters if each.mark(CurrentUser) is not None)


def _located_error(error: Any, at: str, request: Request, verb: Verb) -> dict[str, Any]:
    """An error with the place of its value: path, query or body."""
    name, *rest = error["loc"]
    merged = {
        each.alias for each in verb.parameters if each.is_body or each.mark(Extra) is not None
    }
    whole = name in merged
    place = ("path", name) if name in request.path_params else (at,) if whole else (at, name)
    return {**error, "loc": (*place, *rest)}


def _refuse(wrong: list[dict[str, Any]]) -> None:
    if wrong:
        raise RequestValidationError(wrong)


def _json_body(given: dict[str, Any]) -> bytes:
    """Values as JSON; 3.0 is an integer there."""
    try:
        return orjson.dumps(
            {
                name: int(value) if isinstance(value, float) and value.is_integer() else value
                for name, value in given.items()
            }
        )
    except orjson.JSONEncodeError:
        raise RequestValidationError(
            [{"type": "nesting", "loc": ("body",), "msg": messages.NESTED_TOO_DEEPLY()}]
        ) from None


async def _body(request: Request, verb: Verb) -> dict[str, Any]:
    raw = await request.body()
    if not raw:
        return {}
    sent = load_json(request, raw)
    for each in verb.parameters:
        if each.is_body:
            return {each.alias: sent}
    if not isinstance(sent, dict):
        raise RequestValidationError(
            [{"type": "object", "loc": ("body",), "msg": messages.NOT_AN_OBJECT()}]
        )
    return sent


# The OpenAPI document


def is_versioned(operation: str) -> bool:
    """Whether the answer of an operation is a record with its version."""
    return operation in _VERBS and _is_versioned(_VERBS[operation])


def document_verbs(made: dict[str, Any]) -> None:
    """Add parameters, bodies and answers of verbs to an OpenAPI document."""
    schemas = Schemas()
    definitions = made["components"]["schemas"]
    schemas.of(Run)  # all run verbs answer with one
    definitions |= {
        f"{name}Answer": success_schema(schemas.of(kind)) for name, kind in RESPONSE_TYPES.items()
    }
    reports = [schemas.of(each.result) for each in _VERBS.values() if each.mark.kind == "run"]
    operations = (each for path in made["paths"].values() for each in path.values())
    for operation in operations:
        verb = _VERBS.get(operation["operationId"])
        if verb is None:
            continue
        name = operation["operationId"]
        operation.setdefault("parameters", []).extend(_parameters(verb))
        if _has_body(verb):
            definitions[f"{name}_request"] = _request_schema(verb, name)
            is_required = any(each.is_required for each in _request_parameters(verb))
            operation["requestBody"] = {"required": is_required, **json_content(f"{name}_request")}
        if verb.mark.kind != "run":
            definitions[f"{name}Answer"] = success_schema(schemas.of(verb.result))
    definitions |= schemas.definitions
    known = definitions["RunAnswer"]["properties"]["data"]["properties"]["report"]["anyOf"]
    known[:] = [*reports, *(each for each in known if each not in reports)]


def _parameters(verb: Verb) -> list[dict[str, Any]]:
    texts = {
        each.alias: each.field.description for each in verb.parameters_of_front(over_http=True)
    }
    made = {
        each["name"]: {**each, "description": texts[each["name"]] or each["description"]}
        for each in openapi_parameters(verb.http_model)
    }
    in_path = [each for each in made if f"{{{each}}}" in verb.path]
    found = [{**made[name], "in": "path", "required": True} for name in in_path]
    if not _has_body(verb):
        found += [made[each.alias] for each in _request_parameters(verb)]
    return found


def _request_schema(verb: Verb, name: str) -> dict[str, Any]:
    made = model_schema(f"{name}_request", verb.http_model)
    inside = {each.alias: each for each in _request_parameters(verb)}
    whole = next((alias for alias, each in inside.items() if each.is_body), None)
    if whole is not None:
        return {**made["properties"][whole], "$defs": made.get("$defs", {})}
    properties = {
        alias: {"description": inside[alias].field.description or "", **each}
        for alias, each in made["properties"].items()
        if alias in inside
    }
    for alias, each in properties.items():
        if inside[alias].into is not None:
            each.pop("default", None)  # what is left out stays as it is
    required = [alias for alias in made.get("required", []) if alias in inside]
    open_to = [alias for alias, each in inside.items() if each.mark(Extra)]
    wholes = [properties.pop(alias) for alias in open_to]
    further = [each for whole in wholes for each in whole.get("anyOf", [whole])]
    kept = {name: each[name] for each in further for name in _EXTRA if name in each}
    return {**made, "properties": properties, "required": required, **kept}
