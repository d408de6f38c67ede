"""The words of a comment, in Korean, English, and whatever else is written with letters."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import is_normalized, normalize

__all__ = ["LONGEST_COMMENT", "plain", "tokens_of"]

LONGEST_COMMENT: Final = 2_000
"""So many characters of a comment are read; whoever goes on has said what it is about."""
_TOKEN: Final = re.compile(r"[^\W_ㄱ-ㆎ]+(?:'[a-z]+)?")
"""Letters and digits, but no laughter (ㅋㅋ) or tears (ㅠㅠ), which may stick to a word."""
_CURLY: Final = "\u2019"
"""An apostrophe as telephones write it."""
_ZERO_WIDTH: Final = re.compile("[\u200b\u2060\ufeff]")
"""Not seen and not said: YouTube writes the first one before the ``@name`` of a reply."""
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+|@[\w.-]+")


def plain(text: str) -> str:
    """A comment in one spelling: composed, in lower case, with single spaces; copies look alike."""
    text = _ZERO_WIDTH.sub("", text[:LONGEST_COMMENT])
    if not is_normalized("NFC", text):
        text = normalize("NFC", text)
    return " ".join(text.lower().replace(_CURLY, "'").split())


def tokens_of(text: str) -> list[str]:
    """The words of a plain comment in their order, without addresses and names of accounts."""
    if "@" in text or "://" in text or "www." in text:
        text = _ADDRESS.sub(" ", text)
    return _TOKEN.findall(text)
