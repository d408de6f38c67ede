"""HTTP statuses as errors."""

from __future__ import annotations

from typing import Final

from gotgan.errors import BadStatus, PageForbidden, PageMissing, ServerTrouble, TooManyRequests
from gotgan.fetch.addresses import display_url

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
    url: str, status: int, wait: float | None = None, *, said: bytes = b""
) -> BadStatus:
    """The error of a status; ``wait`` is its Retry-After in seconds, ``said`` its body."""
    error = _error(url, status, wait)
    error.said = said
    return error


def _error(url: str, status: int, wait: float | None) -> BadStatus:
    where = display_url(url)
    when = "later" if wait is None else f"in {wait:.0f} seconds"
    if status == _TOO_MANY_REQUESTS:
        text = f"{where} says that we ask too often (429); try again {when}, and raise GOTGAN_DELAY"
        return TooManyRequests(text, status, wait)
    if status in range(500, 600):
        text = f"{where} has a fault of its own ({status}); try again {when}"
        return ServerTrouble(text, status, wait)
    if status in _FORBIDDEN:
        text = f"{where} is not given to us ({status}); see in a browser whether it is to others"
        return PageForbidden(text, status, wait)
    if status in _MISSING:
        return PageMissing(f"there is nothing at {where} ({status}); drop the link", status, wait)
    return BadStatus(f"{where} answered {status}, which is no page; look at the link", status, wait)
