"""Feeds of any kind: RSS, Atom, JSON Feed and news sitemaps, and the links that lead to them.

They are untrusted: XML is read as a stream, without a DOCTYPE, and with bounds on everything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Any, Final
from xml.etree import ElementTree as ET
from xml.parsers.expat import errors

import orjson

from gotgan.domains.news import messages
from gotgan.domains.news.article_text import clean_line
from gotgan.domains.news.models import FeedFormat, Story
from gotgan.domains.news.pages import expect_answer, parse_page, resolve_link
from gotgan.errors import NoStories, TruncatedPage, WrongContentType
from gotgan.fetch import FetchResponse, display_url
from gotgan.fetch.decompression import BodyDecoder
from gotgan.markup import decode_text, to_utf8

FEED_TYPES: Final = (
    "application/rss+xml,application/atom+xml,application/feed+json,application/xml;q=0.9,"
    "text/xml;q=0.9,application/json;q=0.8,text/html;q=0.5,*/*;q=0.1"
)
"""The Accept header for a feed."""
MAX_FEED_BYTES: Final = 10_000_000
MAX_STORIES: Final = 1_000
"""As many as a news sitemap may have; feeds have fewer, the newest first."""
_MAX_FIELD_CHARS: Final = 8_000
_MAX_DEPTH: Final = 100
_MAX_TITLE_CHARS: Final = 500
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True)
class Feed:
    """What a feed says."""

    format: FeedFormat
    title: str | None
    stories: tuple[Story, ...]
    """In its order; entries without a title or a link are left out."""
    entries: int
    """How many entries it has, as far as it was read."""


def parse_feed(body: bytes, address: str, *, charset: str | None = None) -> Feed:
    """Read a feed; raise PageError if it is none, incomplete, or has no titles."""
    plain = _decompress(body, address)
    text = decode_text(plain, charset)
    if text.lstrip("\ufeff \t\r\n")[:1] == "{":
        found = _json_feed(text, address)
    else:
        found = _xml_feed(text, address)
    if found.entries and not found.stories:
        raise NoStories(messages.FEED_UNTITLED(url=display_url(address)))
    return found


def read_feed(answer: FetchResponse) -> Feed:
    """The feed of a response; raise PageError if it is none."""
    expect_answer(answer)
    return parse_feed(answer.body, answer.url, charset=answer.charset)


def is_html(body: bytes) -> bool:
    """Whether a document is a web page rather than a feed."""
    return re.search(rb"<(?:!doctype\s+html|html)\b", body[:2_000], re.IGNORECASE) is not None


_FEED_LINKS: Final = "link[rel~=alternate i][href][type]"
_LINK_TYPES: Final = re.compile(
    r"application/(?:rss\+xml|atom\+xml|feed\+json|json|rdf\+xml|xml)|text/xml", re.IGNORECASE
)
_COMMENTS: Final = re.compile(r"\bcomments?\b", re.IGNORECASE)


def feed_links(page: bytes, address: str, *, charset: str | None = None) -> list[str]:
    """The feeds that a web page names in its head, those of comments last."""
    nodes = [
        node
        for node in parse_page(to_utf8(page, charset)).css(_FEED_LINKS)
        if _LINK_TYPES.fullmatch((node.attributes.get("type") or "").partition(";")[0].strip())
    ]
    nodes.sort(key=lambda node: _is_of_comments(node.attributes))
    links = (resolve_link(node.attributes.get("href") or "", address) for node in nodes)
    return list(dict.fromkeys(link for link in links if link is not None))


def _is_of_comments(attributes: Mapping[str, str | None]) -> bool:
    return any(_COMMENTS.search(attributes.get(name) or "") for name in ("title", "href"))


def _decompress(body: bytes, address: str) -> bytes:
    """Without the gzip of a file; sitemaps are often stored so."""
    if not body.startswith(_GZIP):
        return body
    decoder = BodyDecoder(address, "gzip", MAX_FEED_BYTES)
    decoder.feed(body)
    return decoder.whole()


# JSON


def _json_feed(text: str, address: str) -> Feed:
    url = display_url(address)
    try:
        value = orjson.loads(text.lstrip("\ufeff"))
    except orjson.JSONDecodeError as error:
        raise WrongContentType(messages.NOT_A_FEED(url=url, cause=error)) from None
    items = value.get("items")
    if not isinstance(items, list):
        raise WrongContentType(messages.NOT_A_FEED(url=url, cause=messages.NO_ITEMS()))
    entries = (_json_entry(each) for each in items[:MAX_STORIES] if isinstance(each, dict))
    return _feed("json", value.get("title"), entries, len(items), address)


def _json_entry(item: dict[str, Any]) -> tuple[str, str]:
    links = [each for each in map(item.get, ("url", "external_url")) if isinstance(each, str)]
    link = next(filter(None, links), None) or _web_address(item.get("id"))
    title = item.get("title")
    return (title if isinstance(title, str) else ""), link


# XML

_ROOTS: Final[Mapping[str, FeedFormat]] = {
    "rss": "rss",
    "RDF": "rss",
    "feed": "atom",
    "urlset": "sitemap",
}
_ENTRIES: Final = frozenset({"item", "entry", "url"})
_FIELDS: Final = frozenset({"title", "link", "loc", "guid"})
_NEWS: Final = "news"
"""The element of a sitemap that has a story's title."""
_TRUNCATION_CODES: Final = frozenset(
    errors.codes[message]
    for message in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)


def parse_xml(text: str, address: str, target: Any) -> Any:
    """Feed a document to a target; raise PageError if it is incomplete or not XML."""
    parser = ET.XMLParser(target=target)  # noqa: S314 - the targets refuse a DOCTYPE
    try:
        parser.feed(text)
        return parser.close()
    except ET.ParseError as error:
        url = display_url(address)
        if error.code in _TRUNCATION_CODES:
            raise TruncatedPage(messages.FEED_INCOMPLETE(url=url)) from None
        raise WrongContentType(messages.NOT_A_FEED(url=url, cause=error)) from None


def _xml_feed(text: str, address: str) -> Feed:
    try:
        reader = parse_xml(text, address, _FeedReader(address))
    except WrongContentType:
        mended = _repair_xml(text)
        if mended == text:
            raise
        reader = parse_xml(mended, address, _FeedReader(address))
    kind = _ROOTS.get(reader.root)
    if kind is None:
        cause = messages.SITEMAP_INDEX() if reader.root == "sitemapindex" else f"<{reader.root}>"
        raise WrongContentType(messages.NOT_A_FEED(url=display_url(address), cause=cause))
    return _feed(kind, reader.title, iter(reader.entries), reader.count, address)


_CDATA: Final = re.compile(r"(<!\[CDATA\[.*?(?:\]\]>|\Z))", re.DOTALL)
_ENTITY: Final = re.compile(
    r"&(?!(?:amp|lt|gt|quot|apos);|#\d+;|#x[0-9a-f]+;)(\w+;)?", re.IGNORECASE
)
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _repair_xml(text: str) -> str:
    """A document with what many sites get wrong put right: entities of HTML, bare ampersands.

    Characters that XML does not have are dropped.
    """
    pieces = _CDATA.split(_NOT_XML.sub("", text))
    return "".join(
        piece if piece.startswith("<![CDATA[") else _ENTITY.sub(_as_character, piece)
        for piece in pieces
    )


def _as_character(found: re.Match[str]) -> str:
    name = found[1]
    meant = unescape(f"&{name}") if name else ""
    return meant if len(meant) == 1 else f"&amp;{name or ''}"


class _FeedReader:
    """Collects the entries of a feed while it is parsed.

    Fields are in the namespace of their entry: ``media:title`` is not the title of an item.
    """

    def __init__(self, address: str) -> None:
        self.root = ""
        self.title: str | None = None
        self.entries: list[tuple[str, str]] = []
        self.count = 0
        self._address = address
        self._path: list[tuple[str, str]] = []
        self._entry: dict[str, str] | None = None
        self._place = 0
        self._text: list[str] | None = None
        self._chars = 0
        self._field = ""
        self._field_depth = 0

    def doctype(self, *_: object) -> None:
        """Refuse it before anything that it declares is used."""
        raise WrongContentType(messages.FEED_DOCTYPE(url=display_url(self._address)))

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        space, _, name = tag.rpartition("}")
        self._path.append((space, name))
        depth = len(self._path)
        if depth > _MAX_DEPTH:
            raise WrongContentType(messages.TOO_DEEP(count=_MAX_DEPTH))
        self.root = self.root or name
        if self._entry is None:
            if name in _ENTRIES and depth > 1:
                self._entry, self._place = {}, depth
                self.count += 1
            elif name == "title" and self._path[-2:-1] and self._path[-2][1] in ("channel", "feed"):
                self._begin("feed")
            return
        if self._text is None:
            self._start_field(space, name, attributes)

    def _start_field(self, space: str, name: str, attributes: Mapping[str, str]) -> None:
        assert self._entry is not None  # noqa: S101 - fields are within entries
        level = len(self._path) - self._place
        is_own = level == 1 and space == self._path[self._place - 1][0]
        is_news_title = level == 2 and name == "title" and self._path[-2][1] == _NEWS  # noqa: PLR2004
        if is_own and name == "link" and "href" in attributes:
            if attributes.get("rel", "alternate") == "alternate":
                self._entry.setdefault("link", attributes["href"])
            return
        is_link = name != "guid" or attributes.get("isPermaLink", "true") == "true"
        if is_news_title or (is_own and name in _FIELDS and is_link):
            self._begin(name)

    def data(self, text: str) -> None:
        """Take the text of a field, up to its bound."""
        if self._text is not None and self._chars < _MAX_FIELD_CHARS:
            self._text.append(text)
            self._chars += len(text)

    def end(self, _tag: str) -> None:
        """End an element."""
        depth = len(self._path)
        self._path.pop()
        if self._text is not None and depth == self._field_depth:
            text, self._text = "".join(self._text).strip(), None
            if self._field == "feed":
                self.title = self.title or text
            elif self._entry is not None and text:
                self._entry.setdefault(self._field, text)
        elif self._entry is not None and depth == self._place:
            entry, self._entry = self._entry, None
            link = entry.get("link") or entry.get("loc") or _web_address(entry.get("guid"))
            if len(self.entries) < MAX_STORIES:
                self.entries.append((entry.get("title", ""), link))

    def close(self) -> _FeedReader:
        """The reader itself, with what it found."""
        return self

    def _begin(self, field: str) -> None:
        self._field, self._field_depth = field, len(self._path)
        self._text, self._chars = [], 0


def _web_address(guid: Any) -> str:
    """An identifier, if it is a URL as well."""
    return guid if isinstance(guid, str) and guid.startswith(("http://", "https://")) else ""


# Stories

_TAG: Final = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)


def plain_title(written: str) -> str:
    """A title without the HTML that many feeds have in it."""
    text = written
    for _ in range(2):  # titles are escaped once for XML and once for HTML
        text = unescape(_TAG.sub("", text))
    title = clean_line(text)
    return title if len(title) <= _MAX_TITLE_CHARS else title[: _MAX_TITLE_CHARS - 1] + "…"


def _feed(
    kind: FeedFormat, title: Any, entries: Iterator[tuple[str, str]], count: int, address: str
) -> Feed:
    named = ((plain_title(words), resolve_link(link, address)) for words, link in entries)
    stories = tuple(Story(words, url) for words, url in named if words and url is not None)
    own = plain_title(title) if isinstance(title, str) else ""
    return Feed(kind, own or None, stories, count)
