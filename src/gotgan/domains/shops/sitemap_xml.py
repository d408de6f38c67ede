"""Reading a sitemap's XML as it streams by, without a tree, and without what a DOCTYPE can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from xml.parsers.expat import ExpatError, ParserCreate

__all__ = ["SitemapEntry", "SitemapUnreadable", "entries_of"]

_PIECE: Final = 64 * 1024
_ENTRIES: Final = frozenset(("url", "sitemap", "item", "entry"))
"""What lists an address: a sitemap's, an index's, RSS's and Atom's."""
_PLACES: Final = frozenset((("url", "loc"), ("sitemap", "loc"), ("item", "link")))
_TIMES: Final = frozenset(
    (
        ("url", "lastmod"),
        ("sitemap", "lastmod"),
        ("item", "pubDate"),
        ("entry", "updated"),
    )
)
_JANUARY: Final = {4: "-01-01", 7: "-01"}
"""What a date lacks that is so short: it may be no more than a year, or a month."""


class SitemapUnreadable(Exception):
    """Why a sitemap is not read to its end."""


@dataclass(frozen=True)
class SitemapEntry:
    """What one element lists."""

    kind: str
    place: str
    moment: datetime | None = None


def entries_of(body: bytes) -> Iterator[SitemapEntry]:
    """What a document lists, in its order; raise SitemapUnreadable where it cannot be read on."""
    reader = _Reader()
    parser = ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.CharacterDataHandler = reader.data
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = _refuse
    for begin in range(0, len(body), _PIECE):
        flaw = None
        try:
            parser.Parse(body[begin : begin + _PIECE], begin + _PIECE >= len(body))
        except (ExpatError, LookupError, UnicodeError) as error:
            flaw = SitemapUnreadable(f"it is broken ({error})")
        yield from reader.taken()
        if flaw is not None:
            raise flaw


def _refuse(*_: object) -> None:
    """No sitemap needs a DOCTYPE, and through one a short document can become an endless one."""
    raise SitemapUnreadable("it has a DOCTYPE, as pages have and no sitemap needs")


class _Reader:
    """Takes what the parser meets, and keeps what is listed."""

    def __init__(self) -> None:
        self._entries: list[SitemapEntry] = []
        self._path: list[str] = [""]
        self._text: list[str] | None = None
        self._place = ""
        self._moment: datetime | None = None

    def taken(self) -> list[SitemapEntry]:
        """What was listed since the last time."""
        entries, self._entries = self._entries, []
        return entries

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element begins; the namespace is not looked at, since many are wrong."""
        own = name.rpartition(" ")[2]
        where = self._path[-1], own
        self._path.append(own)
        if own in _ENTRIES:
            self._place, self._moment = "", None
        elif where in _PLACES or where in _TIMES:
            self._text = []
        elif where == ("entry", "link") and attributes.get("rel", "alternate") == "alternate":
            self._place = self._place or attributes.get("href", "")

    def data(self, text: str) -> None:
        """A part of an element's text."""
        if self._text is not None:
            self._text.append(text)

    def end(self, _name: str) -> None:
        """An element is over."""
        own = self._path.pop()
        if own in _ENTRIES and self._place:
            self._entries.append(SitemapEntry(own, self._place, self._moment))
        elif self._text is not None:
            self._keep((self._path[-1], own), "".join(self._text).strip())
            self._text = None

    def _keep(self, where: tuple[str, str], text: str) -> None:
        if where in _TIMES:
            self._moment = _moment(text)
        elif text:
            self._place = text


def _moment(text: str) -> datetime | None:
    """A time in UTC, as ISO 8601 or as mails have it; one without a zone is taken for UTC."""
    for read in (_iso, parsedate_to_datetime):
        try:
            found = read(text)
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None


def _iso(text: str) -> datetime:
    return datetime.fromisoformat(text + _JANUARY.get(len(text), ""))
