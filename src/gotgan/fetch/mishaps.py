"""What goes wrong between aiohttp and a server, in our own words."""

from __future__ import annotations

import errno
import os
import ssl
from typing import Final

import aiohttp
from aiohttp.http_exceptions import HttpProcessingError

from gotgan.errors import (
    AddressRefused,
    FetchError,
    FetchTimeout,
    Truncated,
    Undecodable,
    Unreachable,
)
from gotgan.fetch.addresses import shown

__all__ = ["MISHAPS", "meaning"]

MISHAPS: Final = (aiohttp.ClientError, HttpProcessingError, OSError, ValueError)
"""Everything that a request is known to raise."""

_LONGEST: Final = 200
_MEANINGS: Final[tuple[tuple[tuple[type[Exception], ...], type[FetchError], str], ...]] = (
    (
        (aiohttp.ClientPayloadError,),
        Truncated,
        "{where} ended before its end; try again",
    ),
    (
        (aiohttp.ClientConnectorDNSError,),
        Unreachable,
        "Could not connect to {where}: host not found",
    ),
    (
        (ssl.SSLCertVerificationError,),
        Unreachable,
        "Could not connect to {where}: untrusted certificate ({said})",
    ),
    (
        (ssl.SSLError, aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch),
        Unreachable,
        "Could not connect to {where}: TLS failed ({said})",
    ),
    (
        (aiohttp.ClientResponseError, HttpProcessingError),
        Undecodable,
        "{where} answered something that is not HTTP ({said}); its owner must mend it",
    ),
    (
        (TimeoutError,),
        FetchTimeout,
        "Request to {where} timed out",
    ),
    (
        (aiohttp.NonHttpUrlClientError, ValueError),
        AddressRefused,
        "{where} is no address that can be fetched ({said}); look at the link",
    ),
)
"""The first that fits counts; what fits none was a connection that could not be had or kept."""
_NO_CONNECTION: Final = "Could not connect to {where}: {said}"


def meaning(mishap: Exception, url: str) -> FetchError:
    """The error that a mishap is."""
    fitting = ((error, said) for kinds, error, said in _MEANINGS if isinstance(mishap, kinds))
    error, sentence = next(fitting, (Unreachable, _NO_CONNECTION))
    return error(sentence.format(where=shown(url), said=_said(mishap)))


def _said(mishap: Exception) -> str:
    """The cause, on one line and not too long: "connection refused" instead of its number."""
    cause = getattr(mishap, "os_error", None) or mishap
    if isinstance(cause, OSError) and cause.errno is not None and cause.errno in errno.errorcode:
        return os.strerror(cause.errno).lower()
    text = getattr(mishap, "message", "") or cause
    return " ".join(str(text).split())[:_LONGEST] or type(mishap).__name__
