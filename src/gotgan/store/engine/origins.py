"""Which web pages may talk to the endpoint: those of this machine, and no others.

The endpoint asks for no true credentials, so whatever a browser lets through has every right here.
DynamoDB Local lets every page through; here a page of another site is refused, because behind this
endpoint lie data that are meant to stay. Programs that are not browsers send no origin at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

__all__ = ["cross_origin_headers", "is_trusted"]

_THIS_MACHINE: Final = frozenset({"localhost", "127.0.0.1", "::1"})
_DESKTOP: Final = frozenset({"app", "file"})  # pages that came with a program, not from a site
_TWO_DAYS: Final = b"172800"
_READABLE: Final = b"x-amzn-requestid,x-amz-crc32,date"


@lru_cache(maxsize=256)
def is_trusted(origin: bytes) -> bool:
    """Say whether the page stands on this machine, or in a desktop program such as Workbench.

    ``null`` is no answer to that: a page of any site can hide behind it.
    """
    try:
        parts = urlsplit(origin.decode("latin-1"))
        host = parts.hostname or ""
    except ValueError:
        return False
    if parts.scheme in {"http", "https"}:
        return host in _THIS_MACHINE or host.endswith(".localhost")
    return parts.scheme in _DESKTOP


def cross_origin_headers(headers: Mapping[bytes, bytes]) -> list[tuple[bytes, bytes]]:
    """Return what a browser must hear before it hands the answer to a trusted page."""
    origin = headers.get(b"origin")
    if origin is None:
        return []
    wanted_method = headers.get(b"access-control-request-method")
    granted = [
        (b"access-control-allow-origin", origin),
        (b"access-control-expose-headers", _READABLE),
        (b"vary", b"origin"),
    ]
    if wanted_method is not None:
        wanted_headers = headers.get(b"access-control-request-headers", b"")
        granted += [
            (b"access-control-allow-methods", wanted_method),
            (b"access-control-allow-headers", wanted_headers),
            (b"access-control-max-age", _TWO_DAYS),
        ]
    return granted
