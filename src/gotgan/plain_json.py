"""Values as JSON, whatever DynamoDB keeps: one way for answers, files and terminals."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import orjson


def to_json(value: Any) -> bytes:
    """A value on one line; the slower way where it has numbers that the faster one cannot write."""
    try:
        return orjson.dumps(value, default=json_default)
    except orjson.JSONEncodeError:
        return json.dumps(value, default=json_default, ensure_ascii=False).encode()


def to_pretty_json(value: Any) -> str:
    """A value over several lines, for people."""
    return json.dumps(value, default=json_default, ensure_ascii=False, indent=2)


def json_default(value: Any) -> Any:
    """What JSON has no word for: numbers as DynamoDB keeps them, sets, bytes, values of ours."""
    if isinstance(value, bytes | bytearray):
        return b64encode(value).decode()
    if hasattr(value, "model_dump"):
        return value.model_dump()
    if isinstance(value, set | frozenset):
        return sorted(value)
    return float(value)
