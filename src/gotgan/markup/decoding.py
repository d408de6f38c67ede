"""Bytes from the web as text, never failing: what cannot be read becomes U+FFFD."""

from __future__ import annotations

import codecs
import re
from typing import Final

__all__ = ["text_of", "utf8_of"]

_UTF8: Final = "utf-8"
_HEAD: Final = 1024
"""How far a document may wait before it names its encoding: as far as browsers look."""
_DECLARED: Final = re.compile(
    rb"""<(?:meta\b[^>]*?\bcharset|\?xml\b[^>]*?\bencoding)\s*=\s*["']?\s*([\w.:-]+)""",
    re.IGNORECASE,
)
_MEANT: Final = {
    "ascii": "cp1252",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "shift_jis": "cp932",
}
"""Encodings that browsers read as a larger one, because pages are written so."""
_READABLE: Final = frozenset(
    {"big5", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"}
    | {"cp932", "cp949", "euc_jp", "gb18030", "iso8859-15", "iso8859-2", "koi8-r"}
)
"""What else than UTF-8 is met. Python knows codecs that are no encodings of text; they are not."""


def text_of(document: bytes, charset: str | None = None) -> str:
    """A page or feed as text: a byte order mark decides, then the server, then the document."""
    unmarked = document.removeprefix(codecs.BOM_UTF8)
    return unmarked.decode(_codec(document, charset), errors="replace")


def utf8_of(document: bytes, charset: str | None = None) -> bytes:
    """The same for a parser that reads UTF-8: a large page need not be turned over twice."""
    if _codec(document, charset) == _UTF8:
        return document
    return text_of(document, charset).encode()


def _codec(document: bytes, charset: str | None) -> str:
    if document.startswith(codecs.BOM_UTF8):
        return _UTF8
    try:
        name = codecs.lookup(charset or _declared(document)).name
    except (LookupError, ValueError):  # a name that nobody knows, or that is no name
        return _UTF8
    name = _MEANT.get(name, name)
    return name if name in _READABLE else _UTF8


def _declared(document: bytes) -> str:
    found = _DECLARED.search(document, 0, _HEAD)
    return found[1].decode(errors="replace") if found else ""
