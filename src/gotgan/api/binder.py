"""Routes of verbs: parameters from the signature, answers from the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from fastapi import APIRouter
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.envelope import ok
from gotgan.api.failures import claims_json
from gotgan.api.paging import parameters
from gotgan.api.routes import StrictJson, declared
from gotgan.api.runs import SOON, Wait, error_data, followed
from gotgan.api.who import app_of
from gotgan.encoding import Schemas, encode
from gotgan.runs import Run
from gotgan.verbs import Parameter, Verb, start, verbs_of

__all__ = ["Endpoint", "bind", "document", "values_of"]

_FAILS: Final[Mapping[str, tuple[int, ...]]] = {
    "read": (400, 404),
    "write": (400, 404, 409),
    "run": (400, 404, 409, 502, 504),
}
"""The statuses that a verb of each kind may fail with, besides those that all routes have."""
_BOUND: Final[dict[str, Verb]] = {}
"""The verbs that have a route, by the name of the operation."""


@dataclass(frozen=True)
class Endpoint:
    """What differs in the route of a verb."""

    make: Callable[[Verb], Callable[..., Any]] | None = None
    """Its function, written by hand; ``values_of`` reads the arguments of the verb."""
    fails: tuple[int, ...] = ()
    """The statuses that it may fail with, besides those of its kind."""


def bind(service: type, endpoints: Mapping[str, Endpoint] | None = None) -> APIRouter:
    """A route for each verb of a service that HTTP offers; literal paths before ``{…}``."""
    found = [each for each in verbs_of(service).values() if not each.mark.is_local]
    router = APIRouter(tags=[found[0].domain], route_class=StrictJson)
    for verb in sorted(found, key=lambda each: "{" in each.path):
        name = verb.id.replace(".", "_")
        _BOUND[name] = verb
        endpoint = (endpoints or {}).get(verb.name, Endpoint())
        made = declared(
            verb.summary.removesuffix("."),
            gives="Run" if verb.mark.kind == "run" else name,
            role=None if verb.mark.role == "public" else verb.mark.role,
            fails=(*_FAILS[verb.mark.kind], *endpoint.fails),
            body=_has_body(verb),
        )
        made["dependencies"] = made["dependencies"][:-1]  # unknown parameters are refused here
        router.add_api_route(
            verb.path,
            (endpoint.make or _endpoint)(verb),
            methods=[verb.method],
            name=name,
            description=verb.help,
            **made,
        )
    return router


def _endpoint(verb: Verb) -> Callable[..., Any]:
    async def call(request: Request) -> Response:
        values = await values_of(request, verb, frozenset())
        method = getattr(getattr(app_of(request), verb.domain), verb.name)
        return await run_in_threadpool(lambda: ok(encode(method(**values), error_data)))

    async def run(request: Request, wait: Wait = SOON) -> Response:
        values, app = await values_of(request, verb, frozenset({"wait"})), app_of(request)
        method = getattr(getattr(app, verb.domain), verb.name)
        started = await run_in_threadpool(lambda: start(app.runs, method, **values))
        return await followed(request, started, wait)

    return run if verb.mark.kind == "run" else call


def _has_body(verb: Verb) -> bool:
    return verb.method in ("POST", "PATCH") and bool(_inside(verb))


def _inside(verb: Verb) -> list[Parameter]:
    """The parameters that are not in the path."""
    offered = verb.offered(over_http=True)
    return [each for each in offered if f"{{{each.alias}}}" not in verb.path]


# Values of a request


async def values_of(request: Request, verb: Verb, others: frozenset[str]) -> dict[str, Any]:
    """The arguments of the verb; ``others`` are query parameters of the route itself."""
    query = request.query_params
    if _has_body(verb):
        _refuse_unknown("query", query.keys() - others, others)
        sent, at = await _body(request, verb), "body"
        known = {each.alias for each in _inside(verb)}
        _refuse_unknown("body", sent.keys() - known, known)  # pydantic ignores names in snake_case
    else:
        inside = {each.alias: each for each in _inside(verb)}
        _refuse_unknown("query", query.keys() - inside.keys() - others, inside.keys() | others)
        many = {name for name, each in inside.items() if each.is_many}
        sent = {name: query.getlist(name) if name in many else query[name] for name in query}
        sent, at = {name: sent[name] for name in sent if name in inside}, "query"
    given, context = {**sent, **request.path_params}, {"zone": app_of(request).settings.zone}
    try:
        if at == "body":  # JSON has types; a query is text
            made = verb.http_model.model_validate_json(
                orjson.dumps(given), strict=True, context=context
            )
        else:
            made = verb.http_model.model_validate(given, context=context)
    except ValidationError as error:
        raise RequestValidationError(
            [_located(each, at, request, verb) for each in error.errors()]
        ) from None
    return verb.values(made)


def _located(error: Any, at: str, request: Request, verb: Verb) -> dict[str, Any]:
    """An error with the place of its value: path, query or body."""
    name, *rest = error["loc"]
    whole = any(each.is_body and each.alias == name for each in verb.parameters)
    place = ("path", name) if name in request.path_params else (at,) if whole else (at, name)
    return {**error, "loc": (*place, *rest)}


def _refuse_unknown(at: str, unknown: Any, known: Any) -> None:
    if unknown:
        names = f"known: {', '.join(sorted(known))}" if known else "this route takes none"
        raise RequestValidationError(
            [
                {"type": "unknown", "loc": (at, name), "msg": f"unknown parameter; {names}"}
                for name in sorted(unknown)
            ]
        )


async def _body(request: Request, verb: Verb) -> dict[str, Any]:
    raw = await request.body()
    if not raw:
        return {}
    if not claims_json(request):
        raise RequestValidationError([], body=raw)
    try:
        sent = orjson.loads(raw)
    except orjson.JSONDecodeError:
        raise RequestValidationError([], body=raw) from None
    for each in verb.parameters:
        if each.is_body:
            return {each.alias: sent}
    if not isinstance(sent, dict):
        raise RequestValidationError(
            [{"type": "object", "loc": ("body",), "msg": "send a JSON object"}]
        )
    return sent


# The OpenAPI document


def document(made: dict[str, Any]) -> None:
    """Add parameters, bodies and answers of verbs to an OpenAPI document."""
    schemas = Schemas()
    definitions = made["components"]["schemas"]
    schemas.of(Run)  # all run verbs answer with one
    reports = [schemas.of(each.result) for each in _BOUND.values() if each.mark.kind == "run"]
    operations = (each for path in made["paths"].values() for each in path.values())
    for operation in operations:
        verb = _BOUND.get(operation["operationId"])
        if verb is None:
            continue
        name = operation["operationId"]
        operation.setdefault("parameters", []).extend(_parameters(verb))
        if _has_body(verb):
            definitions[f"{name}_request"] = _request_schema(verb, name)
            content = {"schema": {"$ref": f"#/components/schemas/{name}_request"}}
            is_required = any(each.is_required for each in _inside(verb))
            operation["requestBody"] = {
                "required": is_required,
                "content": {"application/json": content},
            }
        if verb.mark.kind != "run":
            definitions[f"{name}Answer"] = _answer(schemas.of(verb.result))
    definitions |= schemas.definitions
    known = definitions["RunAnswer"]["properties"]["data"]["properties"]["report"]["anyOf"]
    known[:] = [*reports, *(each for each in known if each not in reports)]


def _parameters(verb: Verb) -> list[dict[str, Any]]:
    said = {each.alias: each.field.description for each in verb.offered(over_http=True)}
    made = {
        each["name"]: {**each, "description": said[each["name"]] or each["description"]}
        for each in parameters(verb.http_model)
    }
    in_path = [each for each in made if f"{{{each}}}" in verb.path]
    found = [{**made[name], "in": "path", "required": True} for name in in_path]
    if not _has_body(verb):
        found += [each for name, each in made.items() if name not in in_path]
    return found


def _request_schema(verb: Verb, name: str) -> dict[str, Any]:
    template = f"#/components/schemas/{name}_request/$defs/{{model}}"
    made = verb.http_model.model_json_schema(ref_template=template)
    inside = {each.alias: each for each in _inside(verb)}
    whole = next((alias for alias, each in inside.items() if each.is_body), None)
    if whole is not None:
        return {**made["properties"][whole], "$defs": made.get("$defs", {})}
    properties = {
        alias: {"description": inside[alias].field.description or "", **each}
        for alias, each in made["properties"].items()
        if alias in inside
    }
    required = [alias for alias in made.get("required", []) if alias in inside]
    return {**made, "properties": properties, "required": required}


def _answer(data: dict[str, Any]) -> dict[str, Any]:
    properties = {"success": {"const": True}, "data": data, "error": {"type": "null"}}
    return {"type": "object", "properties": properties, "required": list(properties)}
