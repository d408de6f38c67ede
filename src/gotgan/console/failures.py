"""The pages for what went wrong: a sentence, what to do, and a number to report; never a trace."""

from __future__ import annotations

from typing import Final
from uuid import uuid4

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gotgan.api.failures import status_of
from gotgan.console.frame import page
from gotgan.console.texts import catalogue
from gotgan.console.viewer import Viewer
from gotgan.errors import GotganError
from gotgan.events import emit

__all__ = ["add_handlers"]

_OURS: Final = 500
"""From here on a status says that the fault is on this side."""


def add_handlers(console: FastAPI) -> None:
    """Let the console answer with these pages."""
    console.add_exception_handler(HTTPException, _refused)
    console.add_exception_handler(RequestValidationError, _invalid)
    console.add_exception_handler(GotganError, _declined)
    console.add_exception_handler(Exception, _failed)


def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - for this it is registered
    headers = dict(error.headers or {})
    if "Location" in headers:
        return RedirectResponse(headers["Location"], error.status_code)
    line = error.detail if error.detail in catalogue() else None
    response = _page(request, error.status_code, line=line)
    response.headers.update(headers)
    return response


def _invalid(request: Request, _error: Exception) -> Response:
    return _page(request, 422)


def _declined(request: Request, error: Exception) -> Response:
    """What Gotgan said no to on purpose; its sentence is for whoever asked."""
    assert isinstance(error, GotganError)  # noqa: S101 - for this it is registered
    status = status_of(error)
    if status >= _OURS:
        return _failed(request, error, status)
    return _page(request, status, sentence=error.message)


def _failed(request: Request, error: Exception, status: int = _OURS) -> Response:
    """What nobody expected: the log has the rest, under the number that the page shows."""
    if not hasattr(request.state, "viewer"):
        # The store may be what failed: do not ask it again who this is.
        request.state.viewer = Viewer.stranger(request)
    trace = _trace(request)
    emit("console.failed", level="error", trace=trace, path=request.url.path, reason=repr(error))
    return _page(request, status)


def _page(
    request: Request, status: int, *, line: str | None = None, sentence: str | None = None
) -> Response:
    known = f"frame.error.{status}"
    titled = known if f"{known}.title" in catalogue() else "frame.error.other"
    return page(
        request,
        "error.html",
        status=status,
        error_title=f"{titled}.title",
        error_line=line or f"{titled}.line",
        error_sentence=sentence,
        trace=_trace(request),
    )


def _trace(request: Request) -> str:
    """The number of this request, which the server may have given it already."""
    if not hasattr(request.state, "trace_id"):
        request.state.trace_id = uuid4().hex
    return str(request.state.trace_id)
