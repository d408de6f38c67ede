"""Items as JSON bytes: what lies in the file is what travels over HTTP."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

import orjson

from gotgan.store.engine.faults import ValidationException
from gotgan.store.engine.values import AttributeValue, Item

__all__ = ["dump", "load"]


def dump(item: Item) -> bytes:
    """Write an item as the JSON that DynamoDB's protocol has for it."""
    try:
        return orjson.dumps(item, default=_base64)
    except orjson.JSONEncodeError as error:
        raise ValidationException(f"The item cannot be written as JSON: {error}") from error


def load(raw: bytes) -> Item:
    """Read an item; the walk that restores binary values is paid only where there may be one."""
    item: Item = orjson.loads(raw)
    if b'"B"' in raw or b'"BS"' in raw:
        return {name: _restore(value) for name, value in item.items()}
    return item


def _base64(content: Any) -> str:
    if isinstance(content, bytes):
        return b64encode(content).decode("ascii")
    raise TypeError


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
