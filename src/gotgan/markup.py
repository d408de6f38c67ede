"""Web documents before they are parsed: decoding, and a limit of depth."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from typing import Final

_UTF8: Final = "utf-8"
_HEAD_BYTES: Final = 1024
"""Where a document must name its encoding: as far as browsers look."""
_DECLARED: Final = re.compile(
    rb"""<(?:meta\b[^>]*?\bcharset|\?xml\b[^>]*?\bencoding)\s*=\s*["']?\s*([\w.:-]+)""",
    re.IGNORECASE,
)
_MIN_WIDE_BYTES: Final = 8
"""Bytes that only follow others in UTF-8. A Korean syllable in EUC-KR is valid UTF-8 about once in
ten times, eight of them hardly ever."""
_ALIASES: Final = {
    "ascii": "cp1252",
    "euc_kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso8859-1": "cp1252",
    "shift_jis": "cp932",
}
"""Encodings that browsers read as a superset."""
_ENCODINGS: Final = frozenset(
    {"big5", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"}
    | {"cp932", "cp949", "euc_jp", "gb18030", "iso8859-15", "iso8859-2", "koi8-r"}
)
"""Other encodings than UTF-8; Python also has codecs that are not for text."""


def decode_text(document: bytes, charset: str | None = None) -> str:
    """Decode a page or feed: by its byte order mark, the server's charset, or its own.

    One that is valid UTF-8 is read as such, whatever it says of itself: what stores or passes on
    pages encodes them again and leaves their text alone. What cannot be decoded becomes U+FFFD.
    """
    unmarked = document.removeprefix(codecs.BOM_UTF8)
    return unmarked.decode(_codec(document, charset), errors="replace")


def to_utf8(document: bytes, charset: str | None = None) -> bytes:
    """The same as UTF-8 bytes, without a copy if they are UTF-8."""
    if _codec(document, charset) == _UTF8:
        return document
    return decode_text(document, charset).encode()


def _codec(document: bytes, charset: str | None) -> str:
    if document.startswith(codecs.BOM_UTF8):
        return _UTF8
    try:
        name = codecs.lookup(charset or _declared(document)).name
    except (LookupError, ValueError):  # an unknown or invalid name
        return _UTF8
    name = _ALIASES.get(name, name)
    if name not in _ENCODINGS or (not charset and _is_utf8(document)):
        return _UTF8
    return name


def _is_utf8(document: bytes) -> bool:
    """Whether a document is UTF-8, and not by chance."""
    try:
        text = document.decode()
    except UnicodeDecodeError:
        return False
    return len(document) - len(text) >= _MIN_WIDE_BYTES


def _declared(document: bytes) -> str:
    found = _DECLARED.search(document, 0, _HEAD_BYTES)
    return found[1].decode(errors="replace") if found else ""


_MAX_OPTIONS: Final = 2_000
_OPTION: Final = re.compile(rb"<option\b[^<>]*>[^<]*", re.IGNORECASE)


def without_many_options(page: bytes) -> bytes:
    """A page without the options of its lists, if they are many: parsing them takes their square.

    What is in an option is not visible, and means nothing to a reader.
    """
    return _OPTION.sub(b"", page) if page.count(b"<option") > _MAX_OPTIONS else page


MAX_DEPTH: Final = 1_000
"""Pages have a few dozen levels; a parser may look through all of them for every tag."""
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)")
_FLAT_TAGS: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
    | {"circle", "ellipse", "line", "path", "polygon", "polyline", "rect", "stop", "track", "use"}
    | {"dd", "dt", "li", "option", "p", "td", "th", "tr"}
)
"""Elements without content, or closed by the next one of their kind."""


def is_too_deep(page: str, most: int = MAX_DEPTH) -> bool:
    """Whether the elements of a page are nested too deeply to be parsed in time."""
    opened: Counter[str] = Counter()
    depth = 0
    for closing, name in _TAG.findall(page):
        tag = name.lower()
        if tag in _FLAT_TAGS or (closing and not opened[tag]):
            continue
        step = -1 if closing else 1
        opened[tag] += step
        depth += step
        if depth > most:
            return True
    return False
