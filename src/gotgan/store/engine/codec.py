"""Items as JSON bytes: what lies in the file is what travels over HTTP.

JSON has no bytes, so binary values are base64 text in it. An item that has some is written with a
space in front, which JSON allows: reading then knows without looking whether there is anything to
turn back.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

import orjson

from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue, Item

__all__ = ["dump", "load"]

_MARK = b" "


def dump(item: Item) -> bytes:
    """Write an item as the JSON that DynamoDB's protocol has for it."""
    binary = []

    def base64(content: Any) -> str:
        binary.append(content)
        return b64encode(content).decode("ascii")

    try:
        raw = orjson.dumps(item, default=base64)
    except orjson.JSONEncodeError as error:
        raise ValidationException(f"The item cannot be written as JSON: {error}") from error
    return _MARK + raw if binary else raw


def load(raw: bytes) -> Item:
    """Read an item."""
    item: Item = orjson.loads(raw)
    if raw.startswith(_MARK):
        return {name: _restore(value) for name, value in item.items()}
    return item


def _restore(value: AttributeValue) -> AttributeValue:
    [(kind, content)] = value.items()
    if kind == "B":
        return {"B": b64decode(content)}
    if kind == "BS":
        return {"BS": [b64decode(member) for member in content]}
    if kind == "L":
        return {"L": [_restore(element) for element in content]}
    if kind == "M":
        return {"M": {name: _restore(member) for name, member in content.items()}}
    return value
