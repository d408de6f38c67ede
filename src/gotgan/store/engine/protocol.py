"""DynamoDB's JSON protocol: from the bytes of a request to the bytes of its answer, without I/O."""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol

import orjson

from gotgan.errors import StoreError
from gotgan.events import Event, emit
from gotgan.store.engine.faults import (
    DynamoDBError,
    InternalServerError,
    SerializationException,
    UnknownOperationException,
)
from gotgan.store.engine.shapes import SHAPES, read_request
from gotgan.store.engine.signature import check_signature

__all__ = ["NO_OPERATION", "Call", "Executor", "WireResponse", "answer", "parse", "refusal_body"]

_TARGET: Final = b"DynamoDB_20120810."
_JSON_TYPES: Final = (b"application/x-amz-json-1.0", b"application/json")

# Where AWS's model of a fault spells the member with a capital letter.
_CAPITAL_MESSAGE: Final = frozenset(
    {
        "IdempotentParameterMismatchException",
        "SerializationException",
        "TransactionCanceledException",
    },
)
_log = logging.getLogger(__name__)


class Executor(Protocol):
    """What the fronts need of the engine."""

    def execute(
        self,
        operation: str,
        request: dict[str, Any],
        *,
        raw: bool = False,
    ) -> dict[str, Any]:
        """Run one operation; ``raw`` leaves whole items as JSON, for orjson to embed."""
        ...


@dataclass(frozen=True, slots=True)
class Call:
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


NO_OPERATION: Final = WireResponse(404, b"<UnknownOperationException/>\n", b"text/xml")
"""What AWS says to a request that is none of the JSON protocol."""


def answer(engine: Executor, call: Call) -> WireResponse:
    """Run a request; whatever happens, there is an answer in the protocol's form."""
    content_type = call.headers.get(b"content-type", b"").partition(b";")[0].strip()
    if content_type not in _JSON_TYPES:
        return NO_OPERATION
    try:
        return WireResponse(200, _run(engine, call), content_type)
    except DynamoDBError as fault:
        return _refuse(fault, content_type)
    except StoreError as error:
        emit("http.store_failed", level="warning", code=error.code, reason=error.message)
        return _refuse(InternalServerError(error.message), content_type)
    except Exception:  # noqa: BLE001 - the last line of defence: one bad request, one bad answer
        target = call.headers.get(b"x-amz-target", b"").decode("latin-1")
        _log.exception(Event("http.request_failed", {"target": target}))
        return _refuse(InternalServerError("Internal server error"), content_type)


def _refuse(fault: DynamoDBError, content_type: bytes) -> WireResponse:
    """Write a fault as the protocol has it."""
    return WireResponse(fault.status, _dump(refusal_body(fault)), content_type)


def refusal_body(fault: DynamoDBError) -> dict[str, Any]:
    """Return the members of a fault's answer under AWS's names."""
    body: dict[str, Any] = {"__type": f"{fault.namespace}#{fault.code}"}
    if fault.message:
        body["Message" if fault.code in _CAPITAL_MESSAGE else "message"] = fault.message
    return body | fault.members


def _run(engine: Executor, call: Call) -> bytes:
    """Check in AWS's order: the JSON, the operation, the signature, the shape, the request."""
    body = parse(call.body)
    operation = _operation(call.headers.get(b"x-amz-target", b""))
    check_signature(call.headers, call.query)
    request = read_request(operation, body)
    return _dump(engine.execute(operation, request, raw=True))


def parse(body: bytes) -> Any:
    """Read a request's JSON."""
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise SerializationException("") from error


def _operation(target: bytes) -> str:
    name = target.removeprefix(_TARGET).decode("latin-1")
    if not target.startswith(_TARGET) or name not in SHAPES:
        raise UnknownOperationException("")
    return name


def _dump(body: dict[str, Any]) -> bytes:
    return orjson.dumps(body, default=_plain, option=orjson.OPT_PASSTHROUGH_DATETIME)


def _plain(value: Any) -> Any:
    """Write what JSON lacks: bytes as base64, moments as seconds since 1970."""
    if isinstance(value, bytes):
        return b64encode(value).decode("ascii")
    if isinstance(value, datetime):
        return value.timestamp()
    raise TypeError
