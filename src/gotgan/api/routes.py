"""How a route is declared: what it gives, who may call it, and how it can fail."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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

from gotgan.api.paging import parameters
from gotgan.api.who import needs
from gotgan.domains.site.roles import Role

__all__ = ["ERRORS", "GIVEN", "StrictJson", "declared"]

ERRORS: Final = {
    400: "The request cannot be carried out as it stands.",
    401: "Nobody stands behind the token, or there is none.",
    403: "The role is too small.",
    404: "There is no such thing.",
    409: "It goes against what is there; of a lost update, both versions are told.",
    412: "The record has another version than If-Match says; both are told.",
    413: "The body is too large.",
    415: "The body is not JSON, or does not say that it is.",
    422: "A value is missing or cannot be used; each is told.",
    428: "The change does not say for which version it is.",
    429: "Too many requests; Retry-After says when to come again.",
    502: "A site on the web or a model did not give what was asked for.",
    503: "The database, YouTube or a model does not answer, or somebody asks us to wait; try "
    "again.",
    504: "A site on the web took too long.",
}
"""What each status means; every error has the same shape."""
GIVEN: Final[dict[str, Any]] = {}
"""The types that routes written by hand give, by the names of their schemas."""

_ALWAYS: Final = (422, 503)
_WITH_BODY: Final = (413, 415)


class _StrictRequest(Request):
    """A request whose JSON is what the standard says: no lone surrogates, no NaN."""

    async def json(self) -> Any:
        """The body; one that is no JSON as it came, for who may ask at all is looked at first."""
        body = await self.body()
        try:
            return orjson.loads(body)
        except orjson.JSONDecodeError:
            return body


class StrictJson(APIRoute):
    """A route that reads JSON strictly, and leaves paths that are written out to their own routes.

    ``GET /shops/crawl`` asks for a method that this path does not have, not for a shop ``crawl``.
    """

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """The handler, given a request that is read strictly."""
        handle, has_names = super().get_route_handler(), "{" in self.path

        async def strictly(request: Request) -> Response:
            if has_names and request.url.path in request.app.state.literal_paths:
                raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED)
            return await handle(_StrictRequest(request.scope, request.receive))

        return strictly


def declared(  # noqa: PLR0913 - a declaration names everything
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
    The check and the documentation are made of the same word.
    """
    refusals = (401, 403) if role or by_type else ()
    statuses = {*_ALWAYS, *refusals, *fails, *(_WITH_BODY if body else ())}
    answers: dict[int | str, dict[str, Any]] = {status: _answer(_named(gives))}
    if cached:
        answers[304] = {"description": "It is the version that If-None-Match names."}
    answers.update({each: _failure(each) for each in sorted(statuses)})
    return {
        "summary": summary,
        "status_code": status,
        "dependencies": [*([Depends(needs(role))] if role else []), Depends(_refuse_unknown)],
        "responses": answers,
        "response_class": Response,
        "openapi_extra": {
            "x-role": "type" if by_type else role or "public",
            **({} if query is None else {"parameters": parameters(query)}),
        },
    }


async def _refuse_unknown(request: Request) -> None:
    """Refuse query parameters that the route does not have: a misspelt filter would be ignored."""
    if not request.url.query:
        return
    known = _query_names(request.scope["route"])
    unknown = sorted(set(request.query_params) - known)
    if unknown:
        names = f"known: {', '.join(sorted(known))}" if known else "this route takes none"
        message = f"unknown parameter; {names}"
        raise RequestValidationError(
            [{"type": "unknown", "loc": ("query", name), "msg": message} for name in unknown]
        )


def _query_names(route: APIRoute) -> frozenset[str]:
    """The query parameters of a route: of its signature, and of the model that it declares."""
    extra = (route.openapi_extra or {}).get("parameters", [])
    dependants = [route.dependant, *route.dependant.dependencies]
    signature = [each.alias for part in dependants for each in part.query_params]
    return frozenset([*signature, *(each["name"] for each in extra if each["in"] == "query")])


def _named(gives: Any) -> str:
    """The name of the schema of an answer."""
    if isinstance(gives, str):
        return gives
    name = "ItemPage" if get_args(gives) else gives.__name__
    GIVEN[name] = gives
    return name


def _answer(schema: str) -> dict[str, Any]:
    content = {"schema": {"$ref": f"#/components/schemas/{schema}Answer"}}
    return {"description": "Done.", "content": {"application/json": content}}


def _failure(status: int) -> dict[str, Any]:
    content = {"schema": {"$ref": "#/components/schemas/Failure"}}
    return {"description": ERRORS[status], "content": {"application/json": content}}
