"""Items as lines of DynamoDB JSON, the format of AWS's exports: ``{"Item": {"pk": {"S": "x"}}}``.

Numbers are text, as DynamoDB has them; bytes are base64.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Any, Final

import orjson

from gotgan.errors import BadDump
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.engine.values import clean_item

__all__ = ["LONGEST_LINE", "item_of", "lines_of", "read_item_json", "written"]

LONGEST_LINE: Final = 16 << 20
"""More bytes than the largest item of DynamoDB can take as JSON, whatever it is made of."""

_MAY_HOLD_BYTES: Final = (b'"B"', b'"BS"')


def lines_of(items: Iterable[Item]) -> bytes:
    """Items as lines, each with its end."""
    return b"".join(
        orjson.dumps({"Item": item}, default=_base64, option=orjson.OPT_APPEND_NEWLINE)
        for item in items
    )


def item_of(line: bytes) -> Item:
    """The item of a line, checked and in canonical form; ``BadDump`` says what is wrong with it."""
    try:
        parsed = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadDump(f"it is not JSON ({error})") from None
    if not isinstance(parsed, dict) or parsed.keys() != {"Item"}:
        raise BadDump(f'it is not of the form {{"Item": {{…}}}}; it {_shape(parsed)}')
    content = parsed["Item"]
    if any(mark in line for mark in _MAY_HOLD_BYTES):
        return read_item_json(content)
    return _checked(content)


def read_item_json(content: Any) -> Item:
    """The item that JSON values hold, whoever wrote them; checked and in canonical form."""
    return _checked(_with_bytes(content))


def written(item: Item) -> Any:
    """An item as JSON values, with bytes as base64."""
    return orjson.loads(orjson.dumps(item, default=_base64))


def _checked(content: Any) -> Item:
    try:
        return clean_item(content)[0]
    except DynamoDBError as fault:
        raise BadDump(f"its item cannot be stored ({fault.message})") from None


def _base64(content: Any) -> str:
    if not isinstance(content, bytes):
        raise TypeError(f"a {type(content).__name__} is no part of an item")
    return b64encode(content).decode("ascii")


def _shape(parsed: Any) -> str:
    if not isinstance(parsed, dict):
        return f"is a {type(parsed).__name__}"
    return f"has {', '.join(map(repr, list(parsed)[:5]))}" if parsed else "is empty"


def _with_bytes(content: Any) -> Any:
    """The members of an item or map with base64 turned to bytes; checked by who reads them on."""
    if not isinstance(content, dict):
        return content
    return {name: _value_with_bytes(value) for name, value in content.items()}


def _value_with_bytes(value: Any) -> AttributeValue | Any:
    if not isinstance(value, dict) or len(value) != 1:
        return value
    [(kind, content)] = value.items()
    if kind == "B":
        return {kind: _bytes(content)}
    if kind == "BS" and isinstance(content, list):
        return {kind: [_bytes(member) for member in content]}
    if kind == "L" and isinstance(content, list):
        return {kind: [_value_with_bytes(element) for element in content]}
    return {kind: _with_bytes(content)} if kind == "M" else value


def _bytes(content: Any) -> bytes:
    try:
        return b64decode(content, validate=True)
    except (binascii.Error, TypeError, ValueError):
        raise BadDump(f"it holds bytes that are not base64: {str(content)[:60]!r}") from None
