"""Texts by strangers, made fit to be shown to a model: they can say anything, and do nothing.

What cannot be seen is taken out, because it can carry orders that no person would notice. What is
left stands in one line of one JSON string, in which no mark of ours or of a model's own can be
forged.
"""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any, Final

__all__ = ["defused", "document_of"]

_UNSEEN: Final = frozenset({"Cc", "Cf", "Co", "Cs"})
_JOINER: Final = "\u200d"
"""Unseen as well, but it makes families out of faces."""
_SELECTORS: Final = frozenset({*range(0xFE00, 0xFE0F), *range(0xE0100, 0xE01F0)})
"""Variants of characters that nobody draws; whole texts were hidden in them."""
_MARKS: Final = re.compile(r"[<>]|\[(?=/?[A-Z_]+\])")
"""How models mark who speaks: ``<|im_start|>``, ``</s>``, ``[INST]``. In JSON as it is written
here, all of them can only be part of a string."""
_CUT: Final = "…"


def defused(text: str, most: int) -> str:
    """A text in one line, without what cannot be seen, and not longer than that."""
    seen = "".join(c for c in _in_one_line(text[: 4 * most]) if _is_seen(c))
    plain = _in_one_line(seen)
    return plain if len(plain) <= most else plain[: most - 1].rstrip() + _CUT


def document_of(value: Any) -> str:
    """A value as JSON, in which the marks of models are written as escapes."""
    written = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _MARKS.sub(lambda mark: f"\\u{ord(mark[0]):04x}", written)


def _in_one_line(text: str) -> str:
    return " ".join(text.split())


def _is_seen(character: str) -> bool:
    if unicodedata.category(character) in _UNSEEN:
        return character == _JOINER
    return ord(character) not in _SELECTORS
