"""DynamoDB's JSON protocol: from the bytes of a request to the bytes of its answer, without I/O.

A request must have the form of AWS's signature, which is not verified: a client that forgets its
credentials fails here as it would on AWS, and any credentials are accepted.
"""

from __future__ import annotations

import logging
import zlib
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol
from urllib.parse import parse_qs

import orjson

from gotgan.errors import StoreError
from gotgan.events import Event, emit
from gotgan.store.engine.faults import (
    CORAL_SERVICE,
    DynamoDBError,
    InternalServerError,
    SerializationException,
    UnknownOperationException,
)
from gotgan.store.engine.request_checks import read_request
from gotgan.store.engine.shapes import SHAPES, STREAM_OPERATIONS

_HEADER_PARTS: Final = ("Credential", "Signature", "SignedHeaders")
_QUERY_PARTS: Final = (
    "X-Amz-Algorithm",
    "X-Amz-Credential",
    "X-Amz-Signature",
    "X-Amz-SignedHeaders",
    "X-Amz-Date",
)


class MissingAuthenticationTokenException(DynamoDBError, namespace=CORAL_SERVICE):
    """The request has no signature."""


class IncompleteSignatureException(DynamoDBError, namespace=CORAL_SERVICE):
    """The request's signature lacks a part."""


class InvalidSignatureException(DynamoDBError, namespace=CORAL_SERVICE):
    """The request is signed in two ways at once."""


def _check_signature(headers: Mapping[bytes, bytes], query: bytes) -> None:
    """Refuse a request that AWS would refuse as unsigned."""
    authorization = headers.get(b"authorization", b"").decode("latin-1").strip()
    presigned = b"X-Amz-Algorithm" in query
    if authorization and presigned:
        raise InvalidSignatureException(
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP"
            " header."
        )
    if presigned:
        given = parse_qs(query.decode("latin-1"))
        rule = "AWS query-string parameters must include '{}'."
        advice = "Re-examine the query-string parameters."
        lacking = [rule.format(part) for part in _QUERY_PARTS if part not in given]
    elif authorization.startswith("AWS4-"):
        rule = "Authorization header requires '{}' parameter."
        advice = f"Authorization={authorization.partition(' ')[0]}"
        lacking = [rule.format(part) for part in _HEADER_PARTS if f"{part}=" not in authorization]
        if b"x-amz-date" not in headers and b"date" not in headers:
            lacking.append(
                "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' "
                "header."
            )
    else:
        raise MissingAuthenticationTokenException("Request is missing Authentication Token")
    if lacking:
        raise IncompleteSignatureException(f"{' '.join(lacking)} {advice}")


_SERVICE: Final = b"DynamoDB_20120810"
_STREAMS_SERVICE: Final = b"DynamoDBStreams_20120810"


class RequestEntityTooLargeException(DynamoDBError, status=413, namespace=CORAL_SERVICE):
    """The request has more bytes than AWS takes."""

    def __init__(self) -> None:
        super().__init__("A request may have 16 MB; this one has more. Send it in parts.")


MAX_BODY_BYTES: Final = 16 * 1024 * 1024
"""AWS takes no request over 16 MB."""
MIN_GZIP_BYTES: Final = 4096
"""A shorter answer is sent as it is, because compressing it takes longer than sending it."""
_GZIP_WINDOW: Final = 31  # zlib's number for gzip's format with the largest window
_GZIP_LEVEL: Final = 1
_JSON_TYPES: Final = (b"application/x-amz-json-1.0", b"application/json")

# Where AWS's model of a fault spells the member with a capital letter.
_CAPITAL_MESSAGE: Final = frozenset(
    {
        "IdempotentParameterMismatchException",
        "SerializationException",
        "TransactionCanceledException",
    }
)
_log = logging.getLogger(__name__)


class Executor(Protocol):
    """What the fronts need of the engine."""

    def execute(
        self, operation: str, request: dict[str, Any], *, raw: bool = False
    ) -> dict[str, Any]:
        """Run one operation; ``raw`` leaves whole items as JSON, for orjson to embed."""


@dataclass(frozen=True, slots=True)
class WireRequest:
    """One request, read whole. Header names are in lower case."""

    headers: Mapping[bytes, bytes]
    query: bytes
    body: bytes


@dataclass(frozen=True, slots=True)
class WireResponse:
    """What goes back over the wire."""

    status: int
    body: bytes
    content_type: bytes = _JSON_TYPES[0]
    encoding: bytes = b""


UNKNOWN_OPERATION: Final = WireResponse(404, b"<UnknownOperationException/>\n", b"text/xml")
"""AWS's answer to a request that is not in the JSON protocol."""


def respond(engine: Executor, wire: WireRequest) -> WireResponse:
    """Run a request; a failure of any kind is answered in the protocol's form."""
    content_type = wire.headers.get(b"content-type", b"").partition(b";")[0].strip()
    if content_type not in _JSON_TYPES:
        return UNKNOWN_OPERATION
    try:
        # Checked in AWS's order: the JSON, the operation, the signature, the shape, the request.
        body = parse_body(_decoded_body(wire))
        operation = _operation(wire.headers.get(b"x-amz-target", b""))
        _check_signature(wire.headers, wire.query)
        request = read_request(operation, body)
        if operation == "DescribeEndpoints":
            request["Address"] = wire.headers.get(b"host", b"localhost").decode("latin-1")
        answer = _dump(engine.execute(operation, request, raw=True))
        if len(answer) >= MIN_GZIP_BYTES and _takes_gzip(wire.headers):
            return WireResponse(200, _compress(answer), content_type, b"gzip")
        return WireResponse(200, answer, content_type)
    except DynamoDBError as fault:
        return error_response(fault, content_type)
    except StoreError as error:
        emit("http.store_failed", level="warning", code=error.code, reason=error.message)
        return error_response(InternalServerError(error.message), content_type)
    except Exception:  # noqa: BLE001 - the last line of defence: one bad request, one bad answer
        target = wire.headers.get(b"x-amz-target", b"").decode("latin-1")
        _log.exception(Event("http.request_failed", {"target": target}))
        return error_response(InternalServerError("Internal server error"), content_type)


def _decoded_body(wire: WireRequest) -> bytes:
    """Return the body as it was before the client compressed it."""
    encoding = wire.headers.get(b"content-encoding")
    if encoding is None or encoding.lower() == b"identity":
        return wire.body
    if encoding.lower() != b"gzip":
        raise SerializationException(f"Unsupported content encoding: {encoding.decode('latin-1')}")
    reader = zlib.decompressobj(_GZIP_WINDOW)
    try:
        body = reader.decompress(wire.body, MAX_BODY_BYTES + 1)
    except zlib.error as error:
        raise SerializationException("") from error
    if len(body) > MAX_BODY_BYTES:
        raise RequestEntityTooLargeException
    if not reader.eof:  # it was cut off
        raise SerializationException("")
    return body


def _takes_gzip(headers: Mapping[bytes, bytes]) -> bool:
    """Whether the client has asked for compressed answers."""
    for choice in headers.get(b"accept-encoding", b"").lower().split(b","):
        name, _, weight = choice.partition(b";")
        if name.strip() == b"gzip":
            return weight.strip() not in {b"q=0", b"q=0.0", b"q=0.00", b"q=0.000"}
    return False


def _compress(body: bytes) -> bytes:
    writer = zlib.compressobj(_GZIP_LEVEL, wbits=_GZIP_WINDOW)
    return writer.compress(body) + writer.flush()


def error_response(fault: DynamoDBError, content_type: bytes = _JSON_TYPES[0]) -> WireResponse:
    """Return a fault as it goes over the wire."""
    return WireResponse(fault.status, _dump(error_body(fault)), content_type)


def error_body(fault: DynamoDBError) -> dict[str, Any]:
    """Return the members of a fault's answer under AWS's names."""
    body: dict[str, Any] = {"__type": f"{fault.namespace}#{fault.code}"}
    if fault.message:
        body["Message" if fault.code in _CAPITAL_MESSAGE else "message"] = fault.message
    return body | fault.members


def parse_body(body: bytes) -> Any:
    """Read a request's JSON."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise SerializationException("") from error


def _operation(target: bytes) -> str:
    service, _, operation = target.partition(b".")
    name = operation.decode("latin-1")
    is_known = service == (_STREAMS_SERVICE if name in STREAM_OPERATIONS else _SERVICE)
    if not is_known or name not in SHAPES:
        raise UnknownOperationException("The requested operation is not recognized by the service.")
    return name


def _dump(body: dict[str, Any]) -> bytes:
    return orjson.dumps(body, default=_json_default, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _json_default(value: Any) -> Any:
    """Write what JSON lacks: bytes as base64, moments as seconds since 1970."""
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    if isinstance(value, datetime):
        return value.timestamp()
    raise TypeError
