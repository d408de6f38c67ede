"""How a route of the contract is declared, and how it answers whatever happens."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from fastapi import Depends
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.analysis.refusals import CODES, refused
from gotgan.api.routes import ERRORS
from gotgan.api.shapes import ref
from gotgan.api.who import needs
from gotgan.domains.site.roles import Role

__all__ = ["Contracted", "contracted"]

_ALWAYS: Final = (400, 401, 403, 503)
_OF_THE_FRAMEWORK: Final = 422
"""It is declared so that the framework adds none of its own, and the document leaves it out."""


class Contracted(APIRoute):
    """A route whose errors are those of the contract, too."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """The handler, in the envelope of the contract."""
        handle = super().get_route_handler()

        async def enveloped(request: Request) -> Response:
            try:
                return await handle(request)
            except Exception as error:  # noqa: BLE001 - whatever it is, it has an answer
                return refused(request, error)

        return enveloped


def contracted(
    summary: str, *, gives: str, role: Role, fails: tuple[int, ...] = (), takes: str | None = None
) -> dict[str, Any]:
    """The arguments of a route: ``gives`` names the schema of its answer, ``role`` who may call.

    ``takes`` names that of its body; whoever takes one looks at the role and reads it in one go.
    """
    statuses = sorted({*_ALWAYS, *fails})
    answers = {200: _answer("Done.", gives), _OF_THE_FRAMEWORK: {"description": ""}}
    answers |= {each: _answer(ERRORS[each], "AnalysisFailure") for each in statuses}
    return {
        "summary": summary,
        "dependencies": [] if takes else [Depends(needs(role))],
        "responses": answers,
        "response_class": Response,
        "openapi_extra": {
            "x-role": role,
            "x-codes": {str(status): list(CODES[status]) for status in statuses},
            **({} if takes is None else {"requestBody": {"required": True, **_content(takes)}}),
        },
    }


def _answer(description: str, schema: str) -> dict[str, Any]:
    return {"description": description, **_content(schema)}


def _content(schema: str) -> dict[str, Any]:
    return {"content": {"application/json": {"schema": ref(schema)}}}
