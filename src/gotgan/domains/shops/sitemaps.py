"""Sitemaps: the pages and other sitemaps that they list, and when each last changed.

They are untrusted, so they are parsed as a stream within bounds, and without a DOCTYPE. A broken
one yields what comes before the break.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final
from xml.parsers.expat import ExpatError, ParserCreate

from gotgan.domains.shops import messages
from gotgan.domains.shops.canonical import absolute_url, canonical_url
from gotgan.errors import FetchError
from gotgan.fetch.decompression import BodyDecoder
from gotgan.messages import Message

_GZIP: Final = b"\x1f\x8b"
_MAX_BYTES: Final = 50 * 1024 * 1024
_MAX_URLS: Final = 50_000
"""Both limits are those of the protocol."""
_MAX_DEPTH: Final = 3
"""The protocol has an index and its files; some shops add one more level."""
_MAX_FILES: Final = 500


@dataclass(frozen=True)
class ListedUrl:
    """A URL in a sitemap."""

    url: str
    lastmod: datetime | None = None
    """When it last changed, in UTC, if known."""


@dataclass(frozen=True)
class Sitemap:
    """One file of pages or of other sitemaps, each once and in its order."""

    pages: tuple[ListedUrl, ...] = ()
    sitemaps: tuple[ListedUrl, ...] = ()
    flaw: str | None = None
    """Why it is incomplete, if it is."""


def parse_sitemap(body: bytes, address: str) -> Sitemap:
    """Parse a sitemap of any kind: XML, an index, plain lines, RSS or Atom, compressed or not."""
    decoder = BodyDecoder(address, "gzip" if body.startswith(_GZIP) else "", _MAX_BYTES)
    try:
        decoder.feed(body)
        body = decoder.whole()
    except FetchError as error:
        return Sitemap(flaw=error.message)
    pages: dict[str, ListedUrl] = {}
    sitemaps: dict[str, ListedUrl] = {}
    flaw: str | None = None
    try:
        for entry in xml_entries(body) if b"<" in body[:100] else _line_entries(body):
            if entry.kind == "sitemap":
                kept, absolute = sitemaps, absolute_url(entry.place, address)
                url = absolute.url if absolute else None
            else:
                kept, url = pages, canonical_url(entry.place, address)
            if url is None or url in kept:
                continue
            if len(kept) == _MAX_URLS:
                flaw = messages.SITEMAP_TOO_LONG(count=_MAX_URLS)
                break
            kept[url] = ListedUrl(url, entry.moment)
    except SitemapUnreadable as reason:
        flaw = reason.message
    if not pages and not sitemaps:
        flaw = flaw or messages.SITEMAP_EMPTY()
    return Sitemap(tuple(pages.values()), tuple(sitemaps.values()), flaw)


def _line_entries(body: bytes) -> Iterator[SitemapEntry]:
    lines = body.decode("utf-8-sig", "replace").splitlines()
    return (SitemapEntry("url", line) for line in lines if line.lstrip().startswith("http"))


def walk_sitemaps(
    addresses: Iterable[str],
    read: Callable[[str], Sitemap],
    *,
    deepest: int = _MAX_DEPTH,
    most_files: int = _MAX_FILES,
    on_flaw: Callable[[str], None] = lambda _: None,
) -> Iterator[ListedUrl]:
    """The pages of some sitemaps and of those that they list; ``read`` fetches one.

    ``on_flaw`` is called if some are left out, because they are too many or too deep.
    """
    waiting = [(address, 1) for address in dict.fromkeys(addresses)]
    known = {address for address, _ in waiting}
    for number, (address, depth) in enumerate(waiting):  # it grows
        if number == most_files:
            on_flaw(messages.TOO_MANY_SITEMAPS(count=most_files))
            return
        sitemap = read(address)
        yield from sitemap.pages
        fresh = [each.url for each in sitemap.sitemaps if each.url not in known]
        if fresh and depth == deepest:
            on_flaw(messages.SITEMAPS_TOO_DEEP(count=deepest))
        elif len(known) <= most_files:
            known.update(fresh)
            waiting += [(url, depth + 1) for url in fresh]


_CHUNK_BYTES: Final = 64 * 1024
_ENTRY_TAGS: Final = frozenset(("url", "sitemap", "item", "entry"))
"""Entries of sitemaps, indexes, RSS and Atom."""
_URL_TAGS: Final = frozenset((("url", "loc"), ("sitemap", "loc"), ("item", "link")))
_TIME_TAGS: Final = frozenset(
    (("url", "lastmod"), ("sitemap", "lastmod"), ("item", "pubDate"), ("entry", "updated"))
)
_DATE_SUFFIXES: Final = {4: "-01-01", 7: "-01"}
"""What a year, or a month, lacks to be a date."""


class SitemapUnreadable(Exception):
    """The rest of a sitemap cannot be read."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True)
class SitemapEntry:
    """One entry of a sitemap."""

    kind: str
    place: str
    moment: datetime | None = None


def xml_entries(body: bytes) -> Iterator[SitemapEntry]:
    """The entries of a document in its order; raises SitemapUnreadable where it is broken."""
    reader = _EntryReader()
    parser = ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler = reader.start
    parser.CharacterDataHandler = reader.data
    parser.EndElementHandler = reader.end
    parser.StartDoctypeDeclHandler = _refuse
    for begin in range(0, len(body), _CHUNK_BYTES):
        flaw = None
        try:
            parser.Parse(body[begin : begin + _CHUNK_BYTES], begin + _CHUNK_BYTES >= len(body))
        except (ExpatError, LookupError, UnicodeError) as error:
            flaw = SitemapUnreadable(messages.SITEMAP_BROKEN(cause=error))
        yield from reader.take_entries()
        if flaw is not None:
            raise flaw


def _refuse(*_: object) -> None:
    """A DOCTYPE can expand a short document without end."""
    raise SitemapUnreadable(messages.SITEMAP_DOCTYPE())


class _EntryReader:
    def __init__(self) -> None:
        self._entries: list[SitemapEntry] = []
        self._path: list[str] = [""]
        self._text: list[str] | None = None
        self._place = ""
        self._moment: datetime | None = None

    def take_entries(self) -> list[SitemapEntry]:
        entries, self._entries = self._entries, []
        return entries

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """The namespace is ignored, since many are wrong."""
        own = name.rpartition(" ")[2]
        where = self._path[-1], own
        self._path.append(own)
        if own in _ENTRY_TAGS:
            self._place, self._moment = "", None
        elif where in _URL_TAGS or where in _TIME_TAGS:
            self._text = []
        elif where == ("entry", "link") and attributes.get("rel", "alternate") == "alternate":
            self._place = self._place or attributes.get("href", "")

    def data(self, text: str) -> None:
        if self._text is not None:
            self._text.append(text)

    def end(self, _name: str) -> None:
        own = self._path.pop()
        if own in _ENTRY_TAGS and self._place:
            self._entries.append(SitemapEntry(own, self._place, self._moment))
        elif self._text is not None:
            text, self._text = "".join(self._text).strip(), None
            if (self._path[-1], own) in _TIME_TAGS:
                self._moment = _parse_moment(text)
            elif text:
                self._place = text


def _parse_moment(text: str) -> datetime | None:
    """A time in UTC, in ISO 8601 or the format of mails; without a zone it is UTC."""
    for read, value in (
        (datetime.fromisoformat, text + _DATE_SUFFIXES.get(len(text), "")),
        (parsedate_to_datetime, text),
    ):
        try:
            found = read(value)
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
        except (ValueError, OverflowError):
            continue
    return None
