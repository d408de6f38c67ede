"""The declaration of a route: response, role, errors and schemas."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from http import HTTPStatus
from typing import Any, Final, get_args

import orjson
from fastapi import Depends
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api import messages
from gotgan.api.auth import require_role
from gotgan.domains.site.models import Role

STATUS_TEXTS: Final = {
    400: "Bad request.",
    401: "The token is missing or invalid.",
    403: "The role does not allow this request.",
    404: "Not found.",
    409: "Conflict with the current state. After a concurrent change, the error has both versions.",
    412: "The record has another version than If-Match. The error has both versions.",
    413: "The body is too large.",
    415: "The body is not JSON, or its Content-Type is not JSON.",
    422: "Values are missing or invalid. The error lists each of them.",
    428: "The request does not name the version to change.",
    429: "Too many requests. Retry-After says when to retry.",
    502: "A website or an AI model returned an invalid response.",
    503: "The database, a website, YouTube or an AI model is unavailable or rate-limiting. Try "
    "again later.",
    504: "A website did not respond in time.",
}
"""What each status means; every error has the same shape."""
RESPONSE_TYPES: Final[dict[str, Any]] = {}
"""The types of the answers of routes written by hand, by the names of their schemas."""

_ALWAYS: Final = (422, 503)
_BODY_STATUSES: Final = (413, 415)


# Schemas


TEXT: Final = {"type": "string"}
INTEGER: Final = {"type": "integer"}


def object_schema(**properties: Any) -> dict[str, Any]:
    """An object that has all of these properties."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def success_schema(data: dict[str, Any]) -> dict[str, Any]:
    """The envelope of an answer with this data."""
    return object_schema(success={"const": True}, data=data, error={"type": "null"})


def schema_ref(name: str) -> dict[str, Any]:
    """A reference to a schema with a name."""
    return {"$ref": f"#/components/schemas/{name}"}


def json_content(name: str) -> dict[str, Any]:
    """A body that is JSON with the schema of that name."""
    return {"content": {"application/json": {"schema": schema_ref(name)}}}


def model_schema(name: str, model: type[BaseModel]) -> dict[str, Any]:
    """The schema of a model; its definitions are inside it."""
    return model.model_json_schema(ref_template=f"#/components/schemas/{name}/$defs/{{model}}")


# Routes


class _StrictRequest(Request):
    """A request whose JSON is what the standard says: no lone surrogates, no NaN."""

    async def json(self) -> Any:
        """The body; as bytes if it is not JSON, because the role is checked first."""
        body = await self.body()
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError:
            return body


class StrictJson(APIRoute):
    """A route that reads JSON strictly, and leaves literal paths to their own routes.

    ``GET /shops/crawl`` asks for a method that this path does not have, not for a shop ``crawl``.
    """

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """The handler, with a request that is read strictly."""
        handle, has_names = super().get_route_handler(), "{" in self.path

        async def strictly(request: Request) -> Response:
            if has_names and request.url.path in request.app.state.literal_paths:
                raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED)
            return await handle(_StrictRequest(request.scope, request.receive))

        return strictly


def route_options(  # noqa: PLR0913 - a declaration names everything
    summary: str,
    *,
    gives: str | type,
    role: Role | None,
    status: int = 200,
    fails: tuple[int, ...] = (),
    body: bool = False,
    cached: bool = False,
    by_type: bool = False,
    query: type[BaseModel] | None = None,
) -> dict[str, Any]:
    """The arguments of a route: ``gives`` is the type of its data, ``role`` who may call it.

    Without a role it is public, or ``by_type`` for those who may read the type that is asked for.
    """
    refusals = (401, 403) if role or by_type else ()
    statuses = {*_ALWAYS, *refusals, *fails, *(_BODY_STATUSES if body else ())}
    answers: dict[int | str, dict[str, Any]] = {
        status: {"description": "Done.", **json_content(f"{_schema_name(gives)}Answer")}
    }
    if cached:
        answers[304] = {"description": "Not modified: the version is the one in If-None-Match."}
    for each in sorted(statuses):
        answers[each] = {"description": STATUS_TEXTS[each], **json_content("Failure")}
    return {
        "summary": summary,
        "status_code": status,
        "dependencies": [
            *([Depends(require_role(role))] if role else []),
            Depends(_refuse_unknown),
        ],
        "responses": answers,
        "response_class": Response,
        "openapi_extra": {
            "x-role": "type" if by_type else role or "public",
            **({} if query is None else {"parameters": openapi_parameters(query)}),
        },
    }


async def _refuse_unknown(request: Request) -> None:
    """Refuse query parameters that the route does not have: a misspelt filter would be ignored."""
    if not request.url.query:
        return
    route: APIRoute = request.scope["route"]
    declared = (route.openapi_extra or {}).get("parameters", [])  # by its model
    dependants = [route.dependant, *route.dependant.dependencies]
    signature = [each.alias for part in dependants for each in part.query_params]
    known = {*signature, *(each["name"] for each in declared if each["in"] == "query")}
    if errors := unknown_errors("query", set(request.query_params) - known, known):
        raise RequestValidationError(errors)


def unknown_errors(at: str, unknown: Iterable[str], known: Collection[str]) -> list[dict[str, Any]]:
    """An error for each parameter that the route does not have."""
    message = messages.UNKNOWN_PARAMETER(known=sorted(known)) if known else messages.NO_PARAMETERS()
    return [{"type": "unknown", "loc": (at, name), "msg": message} for name in sorted(unknown)]


def _schema_name(gives: Any) -> str:
    if isinstance(gives, str):
        return gives
    name = "ItemPage" if get_args(gives) else gives.__name__
    RESPONSE_TYPES[name] = gives
    return name


def openapi_parameters(model: type[BaseModel]) -> list[dict[str, Any]]:
    """The query parameters of a model, as OpenAPI has them."""
    made = model.model_json_schema()
    schemas = {name: _without_null(each) for name, each in made["properties"].items()}
    return [
        {
            "name": name,
            "in": "query",
            "required": name in made.get("required", ()),
            "description": each.pop("description", ""),
            "schema": each,
        }
        for name, each in schemas.items()
    ]


def _without_null(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a parameter, which is left out instead of null."""
    options = [each for each in schema.pop("anyOf", []) if each != {"type": "null"}]
    if schema.get("default", "") is None:
        del schema["default"]
    return {**(options[0] if options else {}), **schema}
