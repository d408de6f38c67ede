"""Items as lines of DynamoDB JSON, ``{"Item": {"pk": {"S": "x"}}}``, and as a person reads them."""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable
from decimal import Decimal
from typing import Any, Final

import orjson

from gotgan.errors import BadDump
from gotgan.messages import Message, text
from gotgan.store.attributes import AttributeValue, Item
from gotgan.store.data import messages
from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.engine.values import clean_item

MAX_LINE_BYTES: Final = 16 << 20
"""More bytes than the largest item of DynamoDB can take as JSON, whatever it is made of."""


def to_lines(items: Iterable[Item]) -> bytes:
    """Items as lines, each with its end."""
    return b"".join(
        orjson.dumps({"Item": item}, default=_base64, option=orjson.OPT_APPEND_NEWLINE)
        for item in items
    )


def parse_line(line: bytes) -> Item:
    """The item of a line, checked and in canonical form; ``BadDump`` says what is wrong with it."""
    try:
        parsed = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BadDump(messages.NOT_JSON(cause=text(str(error)))) from None
    if not isinstance(parsed, dict) or parsed.keys() != {"Item"}:
        raise BadDump(_wrong_form(parsed))
    content = parsed["Item"]
    if b'"B"' in line or b'"BS"' in line:
        return parse_item(content)
    return _checked_item(content)


def parse_item(content: Any) -> Item:
    """The item that JSON values hold, from any writer; checked and in canonical form."""
    return _checked_item(_with_bytes(content))


def item_to_json(item: Item) -> Any:
    """An item as JSON values, with bytes as base64."""
    return orjson.loads(orjson.dumps(item, default=_base64))


def _checked_item(content: Any) -> Item:
    try:
        return clean_item(content)[0]
    except DynamoDBError as fault:
        raise BadDump(messages.NOT_STORABLE(cause=text(fault.message))) from None


def _base64(content: Any) -> str:
    if not isinstance(content, bytes):
        raise TypeError(f"a {type(content).__name__} is no part of an item")
    return b64encode(content).decode("ascii")


def _wrong_form(parsed: Any) -> Message:
    form = '{"Item": {…}}'
    if not isinstance(parsed, dict):
        return messages.WRONG_TYPE(form=form, kind=type(parsed).__name__)
    if not parsed:
        return messages.NO_MEMBERS(form=form)
    return messages.WRONG_MEMBERS(form=form, members=[repr(each) for each in list(parsed)[:5]])


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
        raise BadDump(messages.NOT_BASE64(value=repr(str(content)[:60]))) from None


def readable_item(item: Item) -> dict[str, Any]:
    """An item as plain JSON values: sets as lists, bytes as base64."""
    return {name: _value(value) for name, value in item.items()}


def readable_number(text: str) -> int | float | str:
    """A number where JSON's readers keep all of its digits, and its text where they would not."""
    number = Decimal(text)
    if number == number.to_integral_value():
        return int(number)
    return float(text) if Decimal(repr(float(text))) == number else text


def _value(value: AttributeValue) -> Any:
    [(kind, content)] = value.items()
    reader = _READERS.get(kind)
    return content if reader is None else reader(content)


_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "N": readable_number,
    "NS": lambda texts: [readable_number(text) for text in texts],
    "B": _base64,
    "BS": lambda members: [_base64(member) for member in members],
    "NULL": lambda _: None,
    "L": lambda elements: [_value(element) for element in elements],
    "M": readable_item,
}
