"""HTTP statuses as errors."""

from __future__ import annotations

from typing import Final

from gotgan.errors import BadStatus, PageForbidden, PageMissing, ServerTrouble, TooManyRequests
from gotgan.fetch import messages
from gotgan.fetch.addresses import display_url
from gotgan.messages import Template

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
NOT_MODIFIED: Final = 304
_FORBIDDEN: Final = frozenset({401, 403, 451})
_MISSING: Final = frozenset({404, 410})
_TOO_MANY_REQUESTS: Final = 429
_UNAVAILABLE: Final = 503


def is_success(status: int) -> bool:
    """Whether the body is what was requested."""
    return status in range(200, 300)


def is_error(status: int) -> bool:
    """Whether the server refused or failed."""
    return status in range(400, 600)


def asks_to_wait(status: int) -> bool:
    """Whether the host wants no requests for a while."""
    return status in {_TOO_MANY_REQUESTS, _UNAVAILABLE}


def status_error(
    url: str, status: int, wait: float | None = None, *, body: bytes = b""
) -> BadStatus:
    """The error of a status; ``wait`` is its Retry-After in seconds, ``body`` its content."""
    error = _error(url, status, wait)
    error.body = body
    return error


def _error(url: str, status: int, wait: float | None) -> BadStatus:
    where = display_url(url)
    kind, template, waiting = _kind(status)
    if wait is not None and waiting is not None:
        return kind(waiting(url=where, status=status, seconds=round(wait)), status, wait)
    return kind(template(url=where, status=status), status, wait)


def _kind(status: int) -> tuple[type[BadStatus], Template, Template | None]:
    """The error of a status, with its text, and with the one that says how long to wait."""
    if status == _TOO_MANY_REQUESTS:
        return TooManyRequests, messages.TOO_MANY_REQUESTS, messages.TOO_MANY_REQUESTS_WAIT
    if status in range(500, 600):
        return ServerTrouble, messages.SERVER_ERROR, messages.SERVER_ERROR_WAIT
    if status in _FORBIDDEN:
        return PageForbidden, messages.FORBIDDEN, None
    if status in _MISSING:
        return PageMissing, messages.NOT_FOUND, None
    return BadStatus, messages.BAD_STATUS, None
