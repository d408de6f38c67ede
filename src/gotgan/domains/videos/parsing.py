"""What an analyser said, read as JSON: all of it, once, and nothing that cannot be kept."""

from __future__ import annotations

import json
import unicodedata
from typing import Any, Final

from gotgan.errors import OutputInvalid

__all__ = ["parsed"]

_LONGEST: Final = 500_000
"""Several times what the largest answer takes that is one."""
_FENCE: Final = "```"
_LANGUAGE: Final = "json"
_KEPT: Final = frozenset("\t\n\r")


def parsed(text: str) -> tuple[Any, tuple[str, ...]]:
    """The document in a text, and what had to be taken away for it."""
    if len(text) > _LONGEST:
        raise _unreadable(f"it has {len(text):,} characters, and no answer needs so many")
    bare = _unfenced(text)
    warnings = [] if bare is None else ["the analyser put its answer into a fence, as in a chat"]
    try:
        document = _loaded(text if bare is None else bare)
        cleaned = _cleaned(document)
    except RecursionError:
        raise _unreadable("it is nested too deep") from None
    if cleaned != document:
        warnings.append("control characters were taken out of the analyser's answer")
    return cleaned, tuple(warnings)


def _unfenced(text: str) -> str | None:
    """What stands inside of a fence, where somebody chats instead of answering."""
    start, end = text.find(_FENCE), text.rfind(_FENCE)
    if text.lstrip().startswith("{") or start == end:
        return None
    inner = text[start + len(_FENCE) : end]
    return inner[len(_LANGUAGE) :] if inner[: len(_LANGUAGE)].lower() == _LANGUAGE else inner


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise _unreadable(f"it is no JSON from {where} on") from None
    except ValueError:  # a number of thousands of digits
        raise _unreadable("a number in it is too long") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _unreadable("an object in it has the same field twice")
    return found


def _no_number(_name: str) -> Any:
    raise _unreadable("it has numbers that JSON does not have")


def _cleaned(value: Any) -> Any:
    """The same without control characters, which could play tricks on a terminal."""
    if isinstance(value, str):
        return _plain(value)
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {_plain(name): _cleaned(each) for name, each in value.items()}
    return value


def _plain(text: str) -> str:
    if text.isprintable():
        return text
    kinds = {character: unicodedata.category(character) for character in set(text)}
    if "Cs" in kinds.values():
        raise _unreadable("it has halves of characters, which cannot be kept")
    return "".join(each for each in text if kinds[each] != "Cc" or each in _KEPT)


def _unreadable(why: str) -> OutputInvalid:
    return OutputInvalid(
        f"what the analyser said cannot be read: {why}; analyse again, or take another analyser"
    )
