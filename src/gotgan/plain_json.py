"""Values as JSON, whatever DynamoDB keeps: one way for answers, files and terminals."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import partial
from typing import Any, Final

import orjson

from gotgan.messages import Message, render
from gotgan.texts import Language

_JSON_TYPES: Final = (str, int, dict, list)


def to_json(value: Any, language: Language = "en") -> bytes:
    """A value on one line, its messages in a language.

    The slower way is for numbers that the faster one cannot write.
    """
    try:
        if language == "en":  # as messages are
            return orjson.dumps(value, default=json_default)
        default = partial(_localized, language=language)
        return orjson.dumps(value, default=default, option=orjson.OPT_PASSTHROUGH_SUBCLASS)
    except orjson.JSONEncodeError:
        return json.dumps(value, default=json_default, ensure_ascii=False).encode()


def to_pretty_json(value: Any) -> str:
    """A value over several lines, for people."""
    return json.dumps(value, default=json_default, ensure_ascii=False, indent=2)


def _localized(value: Any, *, language: Language) -> Any:
    """A message in a language; orjson passes it on as it does all classes derived from its own."""
    if isinstance(value, Message):
        return render(value, language)
    plain: Any = next((each for each in _JSON_TYPES if isinstance(value, each)), json_default)
    return plain(value)


def json_default(value: Any) -> Any:
    """What JSON has no word for: numbers as DynamoDB keeps them, sets, bytes, values of ours."""
    if isinstance(value, bytes | bytearray):
        return b64encode(value).decode()
    if hasattr(value, "model_dump"):
        return value.model_dump()
    if isinstance(value, set | frozenset):
        return sorted(value)
    return float(value)
