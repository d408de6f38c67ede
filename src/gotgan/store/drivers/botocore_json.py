"""Faster JSON encoding and decoding for a boto3 client.

For operations on items JSON is written and read in one go, with bytes as base64, instead of value
by value along AWS's model; all else stays botocore's. Two private attributes of a client are
replaced for this, so the replacements are tried first; where they do not fit, it stays as it was.
"""

# ruff: noqa: SLF001 - those two attributes

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import orjson

from gotgan.events import emit
from gotgan.store.drivers.errors import broken_response
from gotgan.store.engine.faults import SerializationException

Path: TypeAlias = tuple[str, ...]

_EVERY: Final = "*"
_ONE_COLLECTION: Final = ("ItemCollectionMetrics", "ItemCollectionKey")
_COLLECTIONS: Final = ("ItemCollectionMetrics", _EVERY, _EVERY, "ItemCollectionKey")
_WRITE: Final = (("Attributes",), _ONE_COLLECTION)
_PAGE: Final = (("Items", _EVERY), ("LastEvaluatedKey",))

ITEM_PATHS: Final[Mapping[str, tuple[Path, ...]]] = {
    "BatchGetItem": (("Responses", _EVERY, _EVERY), ("UnprocessedKeys", _EVERY, "Keys", _EVERY)),
    "BatchWriteItem": (("UnprocessedItems", _EVERY, _EVERY, _EVERY, _EVERY), _COLLECTIONS),
    "DeleteItem": _WRITE,
    "GetItem": (("Item",),),
    "PutItem": _WRITE,
    "Query": _PAGE,
    "Scan": _PAGE,
    "TransactGetItems": (("Responses", _EVERY, "Item"),),
    "TransactWriteItems": (_COLLECTIONS,),
    "UpdateItem": _WRITE,
}
"""Where the items and keys stand in the answer of each operation; ``*`` is every member."""


def read_answer(operation: str, body: bytes) -> dict[str, Any]:
    """The answer as boto3 gives it; ``ValueError`` where the body is not an object of JSON."""
    parsed = orjson.loads(body)
    if not isinstance(parsed, dict):
        raise ValueError("an answer is an object")  # noqa: TRY004 - the text is wrong, not its type
    answer = {name: member for name, member in parsed.items() if member is not None}
    if b'"B"' in body or b'"BS"' in body:
        for path in ITEM_PATHS[operation]:
            for item in _at(answer, path):
                _decode_item(item)
    return answer


def body_defect(headers: Mapping[str, str], body: bytes) -> str | None:
    """What is wrong with the body of a success, which botocore would read as an empty answer."""
    length = headers.get("content-length")
    if length is not None and int(length) != len(body):
        return f"it has {len(body)} of {length} bytes"
    if not (body.startswith(b"{") and body.rstrip().endswith(b"}")):
        return "it is not JSON"
    return None


def _at(node: Any, path: Path) -> Iterator[dict[str, Any]]:
    if not path:
        yield node
        return
    step, *rest = path
    if step != _EVERY:
        children = [node[step]] if node.get(step) is not None else []
    else:
        children = list(node.values() if isinstance(node, dict) else node)
    for child in children:
        yield from _at(child, tuple(rest))


def _decode_item(item: dict[str, Any]) -> None:
    for value in item.values():
        _decode(value)


def _decode(value: dict[str, Any]) -> None:
    for kind, content in value.items():  # there is one
        if kind == "B":
            value["B"] = b64decode(content)
        elif kind == "BS":
            value["BS"] = [b64decode(member) for member in content]
        elif kind == "M":
            _decode_item(content)
        elif kind == "L":
            for member in content:
                _decode(member)


_SUCCESS: Final = 200
_TRIAL: Final = b'{"Item":{"pk":{"S":"x"},"b":{"B":"AAE="}},"ConsumedCapacity":null}'


def install_fast_json(client: Any) -> bool:
    """Put our own writing and reading into a client; False where that is not possible."""
    try:
        writer, reader = _checked_codec(client)
    except Exception as error:  # noqa: BLE001 - whatever went wrong in a trial, it failed
        emit("store.shortcut_closed", level="warning", reason=f"{type(error).__name__}: {error}")
        return False
    client._serializer = writer
    client._endpoint._response_parser_factory = reader
    return True


def pin_endpoint(client: Any) -> None:
    """Send every call to the endpoint that was given, without asking AWS's rules each time."""
    if hasattr(client, "_ruleset_resolver"):
        client._ruleset_resolver = None  # as botocore itself has it where there are no rules


def _checked_codec(client: Any) -> tuple[_Writer, _Reader]:
    service = client.meta.service_model
    writer = _Writer(client._serializer, service)
    reader = _Reader(client._endpoint._response_parser_factory, client.meta.endpoint_url)
    if any(envelope["body"] != b"{}" for envelope in writer.envelopes.values()):
        raise ValueError("this botocore writes requests in another way")
    shape = service.operation_model("GetItem").output_shape
    parser = reader.create_parser(service.metadata["protocol"])
    response = {"status_code": _SUCCESS, "headers": {}, "body": _TRIAL, "context": {}}
    answers = parser.parse(response, shape), parser.by_botocore(response, shape)
    ours, theirs = ({**answer, "ResponseMetadata": None} for answer in answers)
    if ours != theirs:
        raise ValueError("this botocore reads answers in another way")
    return writer, reader


class _Writer:
    """Replaces botocore's serializer."""

    def __init__(self, theirs: Any, service: Any) -> None:
        self.theirs = theirs
        self.envelopes: Mapping[str, dict[str, Any]] = {
            name: theirs.serialize_to_request({}, service.operation_model(name))
            for name in ITEM_PATHS
        }

    def serialize_to_request(self, parameters: dict[str, Any], model: Any) -> dict[str, Any]:
        envelope = self.envelopes.get(model.name)
        if envelope is None:
            written: dict[str, Any] = self.theirs.serialize_to_request(parameters, model)
            return written
        headers = dict(envelope["headers"])
        return {**envelope, "headers": headers, "body": _dump(parameters)}


class _Reader:
    """Replaces botocore's factory of parsers."""

    def __init__(self, theirs: Any, endpoint: str) -> None:
        self.theirs = theirs
        self.endpoint = endpoint

    def create_parser(self, protocol: str) -> _Parser:
        return _Parser(self, protocol)


class _Parser:
    """Reads the successful answers of operations on items; botocore's own reads the rest."""

    def __init__(self, reader: _Reader, protocol: str) -> None:
        self._reader = reader
        self._protocol = protocol

    def parse(self, response: dict[str, Any], shape: Any) -> dict[str, Any]:
        operation = "" if shape is None else shape.name.removesuffix("Output")
        if response["status_code"] != _SUCCESS or operation not in ITEM_PATHS:
            return self.by_botocore(response, shape)
        try:
            answer = read_answer(operation, response["body"])
        except ValueError as error:
            raise broken_response(self._reader.endpoint, f"it is not JSON: {error}") from error
        request_id = response["headers"].get("x-amzn-requestid", "")
        answer["ResponseMetadata"] = {"HTTPStatusCode": _SUCCESS, "RequestId": request_id}
        return answer

    def by_botocore(self, response: dict[str, Any], shape: Any) -> dict[str, Any]:
        parser = self._reader.theirs.create_parser(self._protocol)
        parsed: dict[str, Any] = parser.parse(response, shape)
        return parsed


def _dump(parameters: dict[str, Any]) -> bytes:
    try:
        return orjson.dumps(parameters, default=_json_value)
    except TypeError as error:  # also of text that is not Unicode
        raise SerializationException(f"The request cannot be written as JSON: {error}") from error


def _json_value(value: Any) -> str:
    """What JSON lacks: bytes, as base64."""
    if isinstance(value, bytes | bytearray | memoryview):
        return b64encode(value).decode("ascii")
    raise TypeError(f"{type(value).__name__} is no part of a request")
