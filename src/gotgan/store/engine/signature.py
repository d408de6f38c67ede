"""How a request says who sends it: the form of AWS's signature is asked for, its truth is not.

A client that forgets its credentials fails here as it would on AWS; any credentials will do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qs

from gotgan.store.engine.faults import DynamoDBError

__all__ = [
    "IncompleteSignatureException",
    "InvalidSignatureException",
    "MissingAuthenticationTokenException",
    "check_signature",
]

_IN_HEADER: Final = ("Credential", "Signature", "SignedHeaders")
_IN_QUERY: Final = (
    "X-Amz-Algorithm",
    "X-Amz-Credential",
    "X-Amz-Signature",
    "X-Amz-SignedHeaders",
    "X-Amz-Date",
)


class MissingAuthenticationTokenException(DynamoDBError):
    """The request carries no signature at all."""

    code = "MissingAuthenticationTokenException"
    namespace = "com.amazon.coral.service"


class IncompleteSignatureException(DynamoDBError):
    """The request's signature lacks a part."""

    code = "IncompleteSignatureException"
    namespace = "com.amazon.coral.service"


class InvalidSignatureException(DynamoDBError):
    """The request is signed in two ways at once."""

    code = "InvalidSignatureException"
    namespace = "com.amazon.coral.service"


def check_signature(headers: Mapping[bytes, bytes], query: bytes) -> None:
    """Refuse a request that AWS would not take for signed."""
    authorization = headers.get(b"authorization", b"").decode("latin-1").strip()
    presigned = b"X-Amz-Algorithm" in query
    if authorization and presigned:
        raise InvalidSignatureException(
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP"
            " header.",
        )
    if presigned:
        _check_query(query)
    elif authorization.startswith("AWS4-"):
        _check_header(authorization, dated=b"x-amz-date" in headers or b"date" in headers)
    else:
        raise MissingAuthenticationTokenException("Request is missing Authentication Token")


def _check_header(authorization: str, *, dated: bool) -> None:
    lacking = [
        f"Authorization header requires '{part}' parameter."
        for part in _IN_HEADER
        if f"{part}=" not in authorization
    ]
    if not dated:
        lacking.append(
            "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header.",
        )
    if lacking:
        raise IncompleteSignatureException(
            f"{' '.join(lacking)} Authorization={authorization.partition(' ')[0]}",
        )


def _check_query(query: bytes) -> None:
    given = parse_qs(query.decode("latin-1"))
    lacking = [
        f"AWS query-string parameters must include '{part}'."
        for part in _IN_QUERY
        if part not in given
    ]
    if lacking:
        raise IncompleteSignatureException(
            f"{' '.join(lacking)} Re-examine the query-string parameters.",
        )
