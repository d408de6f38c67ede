"""Error pages: a sentence, what to do, and a number to report; never a traceback."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from uuid import uuid4

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gotgan.api.errors import error_status
from gotgan.console.frame import fragment_id, page
from gotgan.console.hints import message_with_links
from gotgan.console.session import Viewer, read_form
from gotgan.console.texts import catalogue
from gotgan.errors import GotganError, IndexMissing
from gotgan.events import emit
from gotgan.validation import problems

_STALE_FORM: Final = "frame.error.stale_form"


def add_handlers(console: FastAPI) -> None:
    """Add the handlers of all errors."""
    console.add_exception_handler(HTTPException, _http_error)
    console.add_exception_handler(RequestValidationError, _validation_error)
    console.add_exception_handler(GotganError, _gotgan_error)
    console.add_exception_handler(Exception, _unexpected_error)


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - for this it is registered
    headers = dict(error.headers or {})
    if "Location" in headers:
        return RedirectResponse(headers["Location"], error.status_code)
    line = error.detail if error.detail in catalogue() else None
    typed = await _typed_fields(request, error)
    # The viewer may have to be read from the store, which must not block the loop.
    response = await run_in_threadpool(_page, request, error.status_code, line=line, typed=typed)
    response.headers.update(headers)
    return response


async def _typed_fields(request: Request, error: HTTPException) -> list[tuple[str, str]]:
    """What was typed in a form whose session has ended, so that it is not lost."""
    is_late = error.status_code == HTTPStatus.UNAUTHORIZED or error.detail == _STALE_FORM
    if not is_late or request.method != "POST":
        return []
    try:
        form = getattr(request.state, "form", None) or await read_form(request)
    except HTTPException:
        return []
    typed: list[tuple[str, str]] = form.typed
    return typed


def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - for this it is registered
    return _page(request, 422, sentence=Viewer.of(request).say(problems(error.errors())))


def _gotgan_error(request: Request, error: Exception) -> Response:
    """An error with a message for the caller."""
    assert isinstance(error, GotganError)  # noqa: S101 - for this it is registered
    status = error_status(error)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, IndexMissing):
        return _unexpected_error(request, error, status)
    return _page(request, status, sentence=message_with_links(Viewer.of(request), error.message))


def _unexpected_error(request: Request, error: Exception, status: int = 500) -> Response:
    """An internal error: the log has the details, under the number that the page shows."""
    if not hasattr(request.state, "viewer"):
        # The store may be what failed: do not read the viewer from it.
        request.state.viewer = Viewer.stranger(request)
    trace = _trace(request)
    emit("console.failed", level="error", trace=trace, path=request.url.path, reason=repr(error))
    return _page(request, status)


def _page(
    request: Request,
    status: int,
    *,
    line: str | None = None,
    sentence: Markup | None = None,
    typed: Sequence[tuple[str, str]] = (),
) -> Response:
    known = f"frame.error.{status}"
    titled = known if f"{known}.title" in catalogue() else "frame.error.other"
    target = fragment_id(request)
    return page(
        request,
        "error_fragment.html" if target else "error.html",
        status=status,
        target=target,
        error_title=f"{titled}.title",
        error_line=line or f"{titled}.line",
        error_sentence=sentence,
        typed=typed,
        is_signed_out=status == HTTPStatus.UNAUTHORIZED,
        trace=_trace(request),
    )


def _trace(request: Request) -> str:
    """The number of this request, which the server may have set."""
    if not hasattr(request.state, "trace_id"):
        request.state.trace_id = uuid4().hex
    return str(request.state.trace_id)
