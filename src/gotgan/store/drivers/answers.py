"""DynamoDB's answers, from JSON to what boto3 gives: only what needs a change is looked at.

JSON and boto3 differ in bytes alone, which JSON writes as base64. An answer without them is ready
as soon as it is parsed; botocore goes through every value of every item instead.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import orjson

__all__ = ["PLACES", "flaw", "read_answer"]

Path: TypeAlias = tuple[str, ...]

_EACH: Final = "*"
_ONE_COLLECTION: Final = ("ItemCollectionMetrics", "ItemCollectionKey")
_COLLECTIONS: Final = ("ItemCollectionMetrics", _EACH, _EACH, "ItemCollectionKey")
_WRITE: Final = (("Attributes",), _ONE_COLLECTION)
_PAGE: Final = (("Items", _EACH), ("LastEvaluatedKey",))

PLACES: Final[Mapping[str, tuple[Path, ...]]] = {
    "BatchGetItem": (("Responses", _EACH, _EACH), ("UnprocessedKeys", _EACH, "Keys", _EACH)),
    "BatchWriteItem": (("UnprocessedItems", _EACH, _EACH, _EACH, _EACH), _COLLECTIONS),
    "DeleteItem": _WRITE,
    "GetItem": (("Item",),),
    "PutItem": _WRITE,
    "Query": _PAGE,
    "Scan": _PAGE,
    "TransactGetItems": (("Responses", _EACH, "Item"),),
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
        for path in PLACES[operation]:
            for item in _at(answer, path):
                _decode_item(item)
    return answer


def flaw(headers: Mapping[str, str], body: bytes) -> str | None:
    """What is wrong with the body of a success; None where it looks whole.

    botocore takes a body that was cut off, or a web page of some proxy's, for an answer without
    members: an item that is there would seem to be missing.
    """
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
    for child in _children(node, path[0]):
        yield from _at(child, path[1:])


def _children(node: Any, step: str) -> list[Any]:
    if step == _EACH:
        return list(node.values() if isinstance(node, dict) else node)
    child = node.get(step)
    return [] if child is None else [child]


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
