"""What goes wrong between aiohttp and a server, in our own words."""

from __future__ import annotations

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
        "nobody knows the name in {where}; look at the link, and at this machine's network",
    ),
    (
        (ssl.SSLCertVerificationError,),
        Unreachable,
        "{where} has a certificate that cannot be trusted ({said}); its owner must replace it",
    ),
    (
        (ssl.SSLError, aiohttp.ClientSSLError, aiohttp.ServerFingerprintMismatch),
        Unreachable,
        "{where} cannot be reached over TLS ({said}); see in a browser whether others reach it",
    ),
    (
        (aiohttp.ClientResponseError, HttpProcessingError),
        Undecodable,
        "{where} answered something that is not HTTP ({said}); its owner must mend it",
    ),
    (
        (TimeoutError,),
        FetchTimeout,
        "{where} took too long to answer; try again later",
    ),
    (
        (aiohttp.NonHttpUrlClientError, ValueError),
        AddressRefused,
        "{where} is no address that can be fetched ({said}); look at the link",
    ),
)
"""The first that fits counts; what fits none was a connection that could not be had or kept."""
_NO_CONNECTION: Final = "{where} cannot be reached ({said}); try again later"


def meaning(mishap: Exception, url: str) -> FetchError:
    """The error that a mishap is."""
    fitting = ((error, said) for kinds, error, said in _MEANINGS if isinstance(mishap, kinds))
    error, sentence = next(fitting, (Unreachable, _NO_CONNECTION))
    return error(sentence.format(where=shown(url), said=_said(mishap)))


def _said(mishap: Exception) -> str:
    """What the machine said, on one line and not too long."""
    text = getattr(mishap, "message", "") or getattr(mishap, "os_error", "") or mishap
    return " ".join(str(text).split())[:_LONGEST] or type(mishap).__name__
