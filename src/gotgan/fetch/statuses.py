"""What a server's refusal means, and what to do about it."""

from __future__ import annotations

from typing import Final

from gotgan.errors import (
    BadStatus,
    PageForbidden,
    PageMissing,
    ServerTrouble,
    TooManyRequests,
)
from gotgan.fetch.addresses import shown

__all__ = ["REDIRECTS", "UNCHANGED", "asks_to_wait", "has_body", "is_refusal", "refusal"]

REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})
UNCHANGED: Final = 304

_FORBIDDEN: Final = frozenset({401, 403, 451})
_MISSING: Final = frozenset({404, 410})
_TOO_MANY: Final = 429
_OVERLOADED: Final = 503
_FAULTS: Final = range(500, 600)
_SUCCESSES: Final = range(200, 300)
_REFUSALS: Final = range(400, 600)


def has_body(status: int) -> bool:
    """Whether what a server sends with it is what was asked for."""
    return status in _SUCCESSES


def is_refusal(status: int) -> bool:
    """Whether the server says no."""
    return status in _REFUSALS


def asks_to_wait(status: int) -> bool:
    """Whether the host wants to be left alone for a while."""
    return status in {_TOO_MANY, _OVERLOADED}


def refusal(url: str, status: int, wait: float | None = None, *, said: bytes = b"") -> BadStatus:
    """The error that a status is; ``wait`` is what the server asks for, ``said`` its own words."""
    error = _refusal(url, status, wait)
    error.said = said
    return error


def _refusal(url: str, status: int, wait: float | None) -> BadStatus:
    where = shown(url)
    when = "later" if wait is None else f"in {wait:.0f} seconds"
    if status == _TOO_MANY:
        told = f"{where} says that we ask too often (429); try again {when}, and raise GOTGAN_DELAY"
        return TooManyRequests(told, status, wait)
    if status in _FAULTS:
        told = f"{where} has a fault of its own ({status}); try again {when}"
        return ServerTrouble(told, status, wait)
    if status in _FORBIDDEN:
        told = f"{where} is not given to us ({status}); see in a browser whether it is to others"
        return PageForbidden(told, status, wait)
    if status in _MISSING:
        return PageMissing(f"there is nothing at {where} ({status}); drop the link", status, wait)
    return BadStatus(f"{where} answered {status}, which is no page; look at the link", status, wait)
