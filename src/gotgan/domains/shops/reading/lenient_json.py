"""JSON as pages carry it: mostly right, and readable where it is not.

What a parser refuses is mended and tried again: entities are resolved, comments (of HTML, of
JavaScript, of CDATA) dropped, commas in front of a closing bracket dropped, and line ends in the
middle of a string made spaces. Of several documents in one script each is read; of one that is
cut off, or broken beyond that, nothing is.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any, Final

import orjson

__all__ = ["parsed"]

_ENTITY: Final = re.compile(r"&(?:quot|#34|#x22);", re.IGNORECASE)
_MENDED: Final = re.compile(
    r'("(?:[^"\\]|\\.)*+"?)'  # a string is kept, so that nothing in it is taken for a comment
    r"|<!--|-->|<!\[CDATA\[|\]\]>"
    r"|/\*.*?(?:\*/|\Z)|//[^\n]*"
    r"|,(?=\s*[}\]])"
    r"|;(?=\s*$)",
    re.DOTALL,
)
_CONTROL: Final = re.compile(r"[\x00-\x1f]+")
_DECODER: Final = json.JSONDecoder(strict=False)
_SPACE: Final = re.compile(r"\s*,?\s*")


def parsed(text: str) -> list[Any]:
    """The documents of a script; none where it cannot be read."""
    try:
        return [orjson.loads(text)]
    except ValueError:
        return _documents(_mended(text))


def _mended(text: str) -> str:
    if '"' not in text and _ENTITY.search(text):
        text = unescape(text)
    return _MENDED.sub(lambda found: _CONTROL.sub(" ", found[1] or ""), text).strip()


def _documents(text: str) -> list[Any]:
    """The documents that stand one after the other in a text, up to where it cannot be read."""
    found: list[Any] = []
    at = 0
    while at < len(text):
        try:
            value, at = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        found.append(value)
        between = _SPACE.match(text, at)
        at = between.end() if between else at
    return found
