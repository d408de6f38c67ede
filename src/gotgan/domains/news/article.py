"""Article pages: text in page order, author, time and language.

Yahoo's own page shapes since 2024 are read here; any other shape is left to trafilatura, where it
is installed. Class names with a build's hash (``yf-1a2b3c``) change with every build and are not
used.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from html import unescape
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

import orjson
from selectolax.lexbor import LexborHTMLParser, LexborNode

from gotgan.domains.news import messages
from gotgan.domains.news.article_text import (
    clean_line,
    count_words,
    declared_language,
    guess_language,
    join_lines,
    text_lines,
    visible_text,
)
from gotgan.domains.news.pages import parse_page, resolve_link
from gotgan.errors import UnknownShape
from gotgan.fetch import display_url
from gotgan.markup import decode_text

_MAX_TEXT_BYTES: Final = 300_000
"""An item holds 400 KB at most, with everything else about the article."""
_MIN_WORDS: Final = 40
"""Fewer words on a page of unknown shape are not the article."""
_MAX_LINE_CHARS: Final = 1_000
_PAYWALLS: Final = "[data-testid*=paywall], [class*=paywall]"
_FIRST_YEAR: Final = 1990


@dataclass(frozen=True)
class Article:
    """An article that can be read; what the page does not say is None."""

    title: str | None
    author: str | None
    provider: str | None
    published_at: datetime | None
    """In UTC."""
    text: str
    """Paragraphs in page order with a blank line between; lists and tables line by line."""
    language: str | None
    extractor: str
    """``yahoo``, ``caas`` (before 2025) or ``trafilatura``."""
    is_cut: bool = False
    """Whether the text was longer than an item can hold."""

    @property
    def word_count(self) -> int:
        """How many words the text has; of Chinese and Japanese, how many characters."""
        return count_words(self.text)


@dataclass(frozen=True)
class Stub:
    """A page that only leads to the publisher."""


@dataclass(frozen=True)
class Paywalled:
    """An article for subscribers; others see a teaser at most."""


ArticleResult: TypeAlias = Article | Stub | Paywalled


def extract_article(page: bytes, address: str, *, charset: str | None = None) -> ArticleResult:
    """Read an article page; raise UnknownShape if it has no text."""
    markup = decode_text(page, charset)
    tree = parse_page(markup.encode())
    declared = article_metadata(tree)
    story = _yahoo_extract(tree)
    has_paywall = not declared.is_free or tree.css_first(_PAYWALLS) is not None
    wrapper = tree.css_first(_WRAPPER)
    if wrapper is not None and count_words(visible_text(wrapper)) < _SHORT_ARTICLE_WORDS:
        if _leads_to_publisher(tree, address, declared.canonical, is_empty=story is None):
            return Stub()
        if story is None and has_paywall:
            return Paywalled()
    article = _build_article(declared, story or _trafilatura_extract(markup, address))
    if article.word_count < _SHORT_ARTICLE_WORDS and has_paywall:
        return Paywalled()
    if story is None and article.word_count < _MIN_WORDS:
        raise UnknownShape(messages.NO_TEXT(url=display_url(address)))
    return article


def _build_article(declared: ArticleMetadata, story: Extract) -> Article:
    text, is_cut = join_lines(story.lines, _MAX_TEXT_BYTES)
    times = filter(None, (story.published, *declared.published))
    return Article(
        title=_one_line(story.title) or _one_line(declared.title),
        author=_one_line(story.author) or _one_line(declared.author),
        provider=_one_line(declared.provider)
        or _one_line(story.provider)
        or _one_line(declared.publisher),
        published_at=next(filter(None, map(_parse_utc, times)), None),
        text=text,
        language=declared_language(declared.languages) or guess_language(text),
        extractor=story.extractor,
        is_cut=is_cut,
    )


def _one_line(words: str | None) -> str | None:
    return clean_line(words or "")[:_MAX_LINE_CHARS] or None


def _parse_utc(written: str) -> datetime | None:
    """None for a time without a zone: it would have to be guessed."""
    try:
        moment = datetime.fromisoformat(written.strip())
        in_utc = moment.astimezone(UTC) if moment.tzinfo else None
    except (OverflowError, ValueError):
        return None
    return in_utc if in_utc and in_utc.year >= _FIRST_YEAR else None


@dataclass(frozen=True)
class Extract:
    """An article as found on its page; what was not found is None."""

    extractor: str
    lines: list[str]
    title: str | None = None
    author: str | None = None
    provider: str | None = None
    published: str | None = None


_JSON_LD_SCRIPTS: Final = 'script[type="application/ld+json" i]'
_ARTICLE_TYPES: Final = ("Article", "Posting")
"""Endings of the types: ``NewsArticle``, ``ReportageNewsArticle``, ``BlogPosting``."""
_NEGATIVES: Final = frozenset({"false", "http://schema.org/false", "https://schema.org/false"})


@dataclass(frozen=True)
class ArticleMetadata:
    """What a page declares about its article, as written; None or empty if missing."""

    title: str | None
    author: str | None
    provider: str | None
    """Who wrote the article for the site."""
    publisher: str | None
    """Whose site it is."""
    published: tuple[str, ...]
    """Times as written, the most reliable first."""
    languages: tuple[str, ...]
    canonical: str | None
    is_free: bool


def article_metadata(tree: LexborHTMLParser) -> ArticleMetadata:
    """What JSON-LD and the head's meta elements say about the article."""
    article = _linked_article(tree)
    published = (
        _unescaped_text(article.get("datePublished")),
        _meta(tree, "article:published_time"),
    )
    languages = (_attribute(tree, "html[lang]", "lang"), _meta(tree, "og:locale"))
    heading = tree.css_first("h1") or tree.css_first("head title")
    title = _unescaped_text(article.get("headline")) or _meta(tree, "og:title")
    free = article.get("isAccessibleForFree")
    return ArticleMetadata(
        title=title or (heading.text() if heading else None),
        author=_names(article.get("author")) or _meta(tree, "author"),
        provider=_names(article.get("provider")),
        publisher=_names(article.get("publisher")) or _meta(tree, "og:site_name"),
        published=tuple(filter(None, published)),
        languages=tuple(filter(None, (*languages, _unescaped_text(article.get("inLanguage"))))),
        canonical=_attribute(tree, "link[rel=canonical][href]", "href"),
        is_free=not (isinstance(free, bool | str) and str(free).lower() in _NEGATIVES),
    )


def _linked_article(tree: LexborHTMLParser) -> dict[str, Any]:
    """The first article among the objects of the page's JSON-LD."""
    for script in tree.css(_JSON_LD_SCRIPTS):
        for each in _objects(script.text()):
            types = _as_list(each.get("@type"))
            if any(isinstance(name, str) and name.endswith(_ARTICLE_TYPES) for name in types):
                return each
    return {}


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The objects at the top of a document: one, a list of them, or a graph."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return
    for each in _as_list(value):
        if isinstance(each, dict):
            yield each
            yield from (node for node in _as_list(each.get("@graph")) if isinstance(node, dict))


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _names(value: Any) -> str | None:
    named = (each.get("name") if isinstance(each, dict) else each for each in _as_list(value))
    return ", ".join(filter(None, map(_unescaped_text, named))) or None


def _unescaped_text(value: Any) -> str | None:
    """Many sites write entities in JSON-LD, where they mean nothing."""
    return unescape(value) if isinstance(value, str) else None


def _meta(tree: LexborHTMLParser, name: str) -> str | None:
    return _attribute(tree, f'meta[property="{name}"], meta[name="{name}"]', "content")


def _attribute(tree: LexborHTMLParser, selector: str, name: str) -> str | None:
    node = tree.css_first(selector)
    return node.attributes.get(name) if node else None


_WRAPPER: Final = "[data-testid=article-content-wrapper]"
_BODY_SELECTOR: Final = ".body-wrap .atoms-wrapper, [data-testid=read-more]"
_CAAS_BODY: Final = "div.caas-body"

_TITLE_SELECTORS: Final = (".cover-title", "h1")
_AUTHOR_SELECTORS: Final = (
    ".byline-attr-author",
    ".caas-author-byline-collapse",
    ".caas-attr-item-author",
)
_TIME_SELECTORS: Final = ("time.byline-attr-meta-time[datetime]", "time[datetime]")
_LOGO_SELECTORS: Final = (
    ".byline img[alt]",
    ".provider img[alt]",
    ".caas-attr-provider-logo[alt]",
    ".caas-attr-logo img[alt]",
)
_BY: Final = re.compile(r"by\s+", re.IGNORECASE)
_ROLE: Final = re.compile(r"\s+[·•|]\s+.*")

_CONTINUE_LABEL: Final = re.compile(
    r"(?:continue reading|(?:read|view)(?: the)? (?:full|original|whole)(?: article| story)?)"
    r"(?: (?:at|in|on) .*)?[\s.…»→>]*",
    re.IGNORECASE,
)
_SHORT_ARTICLE_WORDS: Final = 150
"""A page with this many words is an article, whatever else it links to or sells."""


def is_yahoo(url: str) -> bool:
    """Whether an address is one of Yahoo's; articles elsewhere are not fetched."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    host = f".{parts.hostname or ''}".rstrip(".")
    return parts.scheme in {"http", "https"} and host.endswith(".yahoo.com")


def _yahoo_extract(tree: LexborHTMLParser) -> Extract | None:
    """The first article of a page; None for other shapes than Yahoo's, or without text."""
    wrapper = tree.css_first(_WRAPPER)
    lines = text_lines(wrapper.css(_BODY_SELECTOR)) if wrapper else []
    if wrapper and lines:
        return _yahoo_extract_in("yahoo", lines, wrapper)
    body = tree.css_first(_CAAS_BODY)
    lines = text_lines([body]) if body else []
    around = body  # up to the article, which has the headline
    while around and around.tag != "article" and around.parent is not None:
        around = around.parent
    return _yahoo_extract_in("caas", lines, around) if around and lines else None


def _leads_to_publisher(
    tree: LexborHTMLParser, address: str, home: str | None, *, is_empty: bool
) -> bool:
    """Whether a short page only sends its readers to the publisher.

    A link that says so does. Without any text, a canonical URL elsewhere does too, and a button
    that says so. Any other link to another site does not: a page whose shape has changed has such
    links as well, and its article would be lost for good.
    """
    nodes = tree.css(f"{_WRAPPER} a, {_WRAPPER} button")
    words = ((node, clean_line(node.text(separator=" "))) for node in nodes)
    label = next((node for node, text in words if _CONTINUE_LABEL.fullmatch(text)), None)
    if label and _is_off_site(label.attributes.get("href"), address):
        return True
    return is_empty and (label is not None or _is_off_site(home, address))


def _is_off_site(href: str | None, address: str) -> bool:
    link = resolve_link(href, address) if href else None
    return link is not None and not is_yahoo(link)


def _yahoo_extract_in(extractor: str, lines: list[str], around: LexborNode) -> Extract:
    time = _first_match(around, _TIME_SELECTORS)
    logo = _first_match(around, _LOGO_SELECTORS)
    title = _first_match(around, _TITLE_SELECTORS)
    return Extract(
        extractor=extractor,
        lines=lines,
        title=title.text() if title else None,
        author=_author(_first_match(around, _AUTHOR_SELECTORS)),
        provider=logo.attributes.get("alt") if logo else None,
        published=time.attributes.get("datetime") if time else None,
    )


def _first_match(around: LexborNode, selectors: tuple[str, ...]) -> LexborNode | None:
    found = (around.css_first(selector) for selector in selectors)
    return next((node for node in found if node), None)


def _author(byline: LexborNode | None) -> str | None:
    """The names in a byline, without roles."""
    if byline is None:
        return None
    words = clean_line(byline.text(separator=" "))
    picture = byline.css_first("img[alt]")
    if not words and picture:
        words = clean_line(picture.attributes.get("alt") or "")
    return _ROLE.sub("", _BY.sub("", words, count=1) if _BY.match(words) else words)


_EXTRACTOR: Final = "trafilatura"
_MAX_CHARS: Final = 1_500_000
"""Its time grows faster than the page: a flat page of this size takes many seconds."""


def _trafilatura_extract(page: str, address: str) -> Extract:
    """Any page as trafilatura reads it, without comments; it may have no lines."""
    url = display_url(address)
    if len(page) > _MAX_CHARS:
        raise UnknownShape(messages.LAYOUT_TOO_LONG(url=url, count=_MAX_CHARS))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its libraries have words for their own users
            from trafilatura import bare_extraction  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as missing:
        raise UnknownShape(messages.NO_TRAFILATURA(url=url)) from missing
    # What it says about pages that it cannot read is said better by our own errors.
    logging.getLogger(_EXTRACTOR).setLevel(logging.CRITICAL)
    try:
        found = bare_extraction(page, include_comments=False)
    except Exception as failure:  # pages are strange, and its parsers are not ours
        raise UnknownShape(messages.TRAFILATURA_FAILED(url=url, cause=failure)) from failure
    text = getattr(found, "text", None) or ""
    return Extract(_EXTRACTOR, [line for line in map(clean_line, text.splitlines()) if line])
