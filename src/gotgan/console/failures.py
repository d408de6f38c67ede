"""The pages for what went wrong: a sentence, what to do, and a number to report; never a trace."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Final
from uuid import uuid4

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gotgan.api.failures import status_of
from gotgan.console.frame import fragment_of, page
from gotgan.console.gate import read_form
from gotgan.console.texts import catalogue
from gotgan.console.viewer import Viewer
from gotgan.errors import GotganError, IndexMissing
from gotgan.events import emit

__all__ = ["add_handlers"]

_STALE: Final = "frame.error.stale_form"
_OURS: Final = 500
"""From here on a status says that the fault is on this side."""


def add_handlers(console: FastAPI) -> None:
    """Let the console answer with these pages."""
    console.add_exception_handler(HTTPException, _refused)
    console.add_exception_handler(RequestValidationError, _invalid)
    console.add_exception_handler(GotganError, _declined)
    console.add_exception_handler(Exception, _failed)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - for this it is registered
    headers = dict(error.headers or {})
    if "Location" in headers:
        return RedirectResponse(headers["Location"], error.status_code)
    line = error.detail if error.detail in catalogue() else None
    typed = await _typed(request, error)
    # Whose page it is may have to be asked of the store, which must not wait on the loop.
    response = await run_in_threadpool(_page, request, error.status_code, line=line, typed=typed)
    response.headers.update(headers)
    return response


async def _typed(request: Request, error: HTTPException) -> list[tuple[str, str]]:
    """What somebody typed before their session ended: it is handed back, and not lost."""
    is_late = error.status_code == HTTPStatus.UNAUTHORIZED or error.detail == _STALE
    if not is_late or request.method != "POST":
        return []
    try:
        form = getattr(request.state, "form", None) or await read_form(request)
    except HTTPException:
        return []
    typed: list[tuple[str, str]] = form.typed
    return typed


def _invalid(request: Request, error: Exception) -> Response:
    """What does not fit the page; the sentence names each value, and what it may be."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - for this it is registered
    told = "; ".join(f"{each['loc'][-1]}: {each['msg']}" for each in error.errors())
    return _page(request, 422, sentence=Markup('<span lang="en">{}</span>').format(told))


def _declined(request: Request, error: Exception) -> Response:
    """What Gotgan said no to on purpose; its sentence is for whoever asked."""
    assert isinstance(error, GotganError)  # noqa: S101 - for this it is registered
    status = status_of(error)
    if status >= _OURS and not isinstance(error, IndexMissing):
        return _failed(request, error, status)
    return _page(request, status, sentence=_sentence(request, error))


def _sentence(request: Request, error: GotganError) -> Markup:
    """What an error says; its own words are English, and known in other languages by its code."""
    who, key = Viewer.of(request), f"site.refused.{error.code}"
    if who.language != "en" and key in catalogue():
        return escape(who.t(key))
    return Markup('<span lang="en">{}</span>').format(error.message)


def _failed(request: Request, error: Exception, status: int = _OURS) -> Response:
    """What nobody expected: the log has the rest, under the number that the page shows."""
    if not hasattr(request.state, "viewer"):
        # The store may be what failed: do not ask it again who this is.
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
    target = fragment_of(request)
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
    """The number of this request, which the server may have given it already."""
    if not hasattr(request.state, "trace_id"):
        request.state.trace_id = uuid4().hex
    return str(request.state.trace_id)
