"""A way round the slow parts of a boto3 client: how requests are written and answers are read.

For the operations on items, JSON is written and read in one go instead of value by value along
AWS's model. Everything else stays botocore's: its events, so that tracing and stand-ins such as
moto see each call; endpoints, signatures, connections; and every answer that is not a success.
The two attributes behind which this is put are private, so they are tried out first; where they are
not as we know them, the client is left as it was.
"""

# ruff: noqa: SLF001 - those two attributes

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import Any, Final

import orjson

from gotgan.events import emit
from gotgan.store.drivers.answers import PLACES, read_answer
from gotgan.store.drivers.failures import broken_answer
from gotgan.store.engine.faults import SerializationException

__all__ = ["settle", "shorten"]

_OUTPUT: Final = "Output"
_SUCCESS: Final = 200
_TRIAL: Final = b'{"Item":{"pk":{"S":"x"},"b":{"B":"AAE="}},"ConsumedCapacity":null}'


def shorten(client: Any) -> bool:
    """Put our own writing and reading into a client; False where that is not possible."""
    try:
        writer, reader = _tried_out(client)
    except Exception as error:  # noqa: BLE001 - whatever went wrong in a trial, it failed
        emit("store.shortcut_closed", level="warning", reason=f"{type(error).__name__}: {error}")
        return False
    client._serializer = writer
    client._endpoint._response_parser_factory = reader
    return True


def settle(client: Any) -> None:
    """Send every call to the endpoint that was given, without asking AWS's rules each time."""
    if hasattr(client, "_ruleset_resolver"):
        client._ruleset_resolver = None  # as botocore itself has it where there are no rules


def _tried_out(client: Any) -> tuple[_Writer, _Reader]:
    service = client.meta.service_model
    writer = _Writer(client._serializer, service)
    reader = _Reader(client._endpoint._response_parser_factory, client.meta.endpoint_url)
    if not _writes_alike(writer):
        raise ValueError("this botocore writes requests in another way")
    if not _reads_alike(reader, service):
        raise ValueError("this botocore reads answers in another way")
    return writer, reader


class _Writer:
    """Stands for botocore's serializer."""

    def __init__(self, theirs: Any, service: Any) -> None:
        self.theirs = theirs
        self.envelopes: Mapping[str, dict[str, Any]] = {
            name: theirs.serialize_to_request({}, service.operation_model(name)) for name in PLACES
        }

    def serialize_to_request(self, parameters: dict[str, Any], model: Any) -> dict[str, Any]:
        """The request as botocore would write it."""
        envelope = self.envelopes.get(model.name)
        if envelope is None:
            written: dict[str, Any] = self.theirs.serialize_to_request(parameters, model)
            return written
        headers = dict(envelope["headers"])
        return {**envelope, "headers": headers, "body": _dump(parameters)}


class _Reader:
    """Stands for botocore's factory of parsers."""

    def __init__(self, theirs: Any, endpoint: str) -> None:
        self.theirs = theirs
        self.endpoint = endpoint

    def create_parser(self, protocol: str) -> _Parser:
        """A parser that knows when to ask botocore's."""
        return _Parser(self, protocol)


class _Parser:
    """Reads the successful answers of operations on items; botocore's own reads the rest."""

    def __init__(self, reader: _Reader, protocol: str) -> None:
        self._reader = reader
        self._protocol = protocol

    def parse(self, response: dict[str, Any], shape: Any) -> dict[str, Any]:
        """The answer as botocore would read it."""
        operation = "" if shape is None else shape.name.removesuffix(_OUTPUT)
        if response["status_code"] != _SUCCESS or operation not in PLACES:
            return self.by_botocore(response, shape)
        try:
            answer = read_answer(operation, response["body"])
        except ValueError as error:
            raise broken_answer(self._reader.endpoint, f"it is not JSON: {error}") from error
        request_id = response["headers"].get("x-amzn-requestid", "")
        answer["ResponseMetadata"] = {"HTTPStatusCode": _SUCCESS, "RequestId": request_id}
        return answer

    def by_botocore(self, response: dict[str, Any], shape: Any) -> dict[str, Any]:
        """The answer as botocore reads it."""
        parser = self._reader.theirs.create_parser(self._protocol)
        parsed: dict[str, Any] = parser.parse(response, shape)
        return parsed


def _dump(parameters: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(parameters, default=_plain)
    except TypeError as error:  # also of text that is not Unicode
        raise SerializationException(f"The request cannot be written as JSON: {error}") from error


def _plain(value: Any) -> str:
    """What JSON lacks: bytes, as base64."""
    if isinstance(value, bytes | bytearray | memoryview):
        return b64encode(value).decode("ascii")
    raise TypeError(f"{type(value).__name__} is no part of a request")


def _writes_alike(writer: _Writer) -> bool:
    return all(envelope["body"] == b"{}" for envelope in writer.envelopes.values())


def _reads_alike(reader: _Reader, service: Any) -> bool:
    shape = service.operation_model("GetItem").output_shape
    parser = reader.create_parser(service.metadata["protocol"])
    response = {"status_code": _SUCCESS, "headers": {}, "body": _TRIAL, "context": {}}
    answers = parser.parse(response, shape), parser.by_botocore(response, shape)
    ours, theirs = ({**answer, "ResponseMetadata": None} for answer in answers)
    return ours == theirs
