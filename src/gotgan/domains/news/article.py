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
from collections.abc import Set as AbstractSet
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
from gotgan.domains.news.not_articles import (
    MAX_STUB_WORDS,
    declares_article,
    instead_of_article,
    not_an_article,
)
from gotgan.domains.news.pages import parse_page, resolve_link
from gotgan.errors import UnknownShape
from gotgan.fetch import display_url
from gotgan.markup import decode_text

_MAX_TEXT_BYTES: Final = 300_000
"""An item holds 400 KB at most, with everything else about the article."""
_MIN_WORDS: Final = 40
"""Fewer words on a page of unknown shape are not the article."""
_MIN_WORDS_DECLARED: Final = 15
"""A page that declares itself an article may be a short one."""
_MAX_LINE_CHARS: Final = 1_000
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

    teaser: Article | None = None

    @property
    def text(self) -> str:
        """The text of the teaser; empty if there is none."""
        return self.teaser.text if self.teaser else ""


ArticleResult: TypeAlias = Article | Stub | Paywalled


def extract_article(page: bytes, address: str, *, charset: str | None = None) -> ArticleResult:
    """Read an article page; raise PageError if it has no text, or is not an article."""
    markup = decode_text(page, charset)
    tree = parse_page(markup.encode())
    declared = article_metadata(tree)
    wrapper = tree.css_first(_WRAPPER) if is_yahoo(address) else None
    story = _yahoo_extract(tree) if is_yahoo(address) else None
    is_free = declared.is_free
    has_paywall = _paywall_at_body(tree) if is_free is None else not is_free
    if wrapper is not None and count_words(visible_text(wrapper)) < MAX_STUB_WORDS:
        if _leads_to_publisher(tree, address, declared.canonical, is_empty=story is None):
            return Stub()
        if story is None and has_paywall:
            return Paywalled()
    article = _build_article(declared, story or _trafilatura_extract(markup, address))
    if article.word_count < MAX_STUB_WORDS and has_paywall:
        return Paywalled(article if article.text else None)
    if story is None:
        _expect_article(tree, article, declared, page, address)
    return article


def _expect_article(
    tree: LexborHTMLParser,
    article: Article,
    declared: ArticleMetadata,
    page: bytes,
    address: str,
) -> None:
    """Raise PageError if what was read on a page of unknown shape is not an article."""
    # Yahoo's shapes are known: little text there means that one has changed.
    is_sure = declared.is_article and not is_yahoo(address)
    if article.word_count < (_MIN_WORDS_DECLARED if is_sure else _MIN_WORDS):
        error = instead_of_article(tree, page, address)
        raise error or UnknownShape(messages.NO_TEXT(url=display_url(address)))
    error = None if declared.is_article else not_an_article(tree, article.text, address)
    if error is not None:
        raise error


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
_POSITIVES: Final = frozenset({"true", "http://schema.org/true", "https://schema.org/true"})


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
    is_free: bool | None
    """None if the page does not say whether the article is for subscribers."""
    is_article: bool
    """Whether the page declares itself an article."""


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
    return ArticleMetadata(
        title=title or (heading.text() if heading else None),
        author=_names(article.get("author")) or _meta(tree, "author"),
        provider=_names(article.get("provider")),
        publisher=_names(article.get("publisher")) or _meta(tree, "og:site_name"),
        published=tuple(filter(None, published)),
        languages=tuple(filter(None, (*languages, _unescaped_text(article.get("inLanguage"))))),
        canonical=_attribute(tree, "link[rel=canonical][href]", "href"),
        is_free=_is_free(article, _meta(tree, "article:content_tier")),
        is_article=bool(article) or declares_article(tree),
    )


def _is_free(article: dict[str, Any], tier: str | None) -> bool | None:
    """What JSON-LD declares, else the tier of its content: free, locked, or metered."""
    if any(_is_for_subscribers(each) for each in (article, *_parts(article))):
        return False
    if _says(article.get("isAccessibleForFree"), _POSITIVES):
        return True
    return {"free": True, "locked": False}.get((tier or "").strip().lower())


def _parts(article: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (part for part in _as_list(article.get("hasPart")) if isinstance(part, dict))


def _is_for_subscribers(thing: dict[str, Any]) -> bool:
    return _says(thing.get("isAccessibleForFree"), _NEGATIVES)


def _says(value: Any, meant: AbstractSet[str]) -> bool:
    return isinstance(value, bool | str) and str(value).lower() in meant


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


_BODIES: Final = (
    "article, main, [role=main], [itemprop=articleBody], [data-testid=article-content-wrapper], "
    ".caas-body"
)
"""Where the body of an article is; a paywall is in it, or comes next."""
_PAYWALLS: Final = '[data-testid*="paywall" i], [class*="paywall" i], [id*="paywall" i]'
_WORD: Final = re.compile(r"[a-z]+|[A-Z][a-z]*|[A-Z]+(?![a-z])")
_NO_WALL: Final = frozenset(
    {"closed", "disabled", "free", "hidden", "inactive", "metered", "no", "non", "none", "off"}
    | {"open", "unlocked", "without"}
)
_BESIDE: Final = frozenset({"aside", "footer", "header", "link", "nav", "script", "style"})


def _paywall_at_body(tree: LexborHTMLParser) -> bool:
    """Whether a paywall stands in the body of the article, or directly behind it.

    A class name elsewhere, as on the page's root or a banner, only says that the site has paywalls.
    """
    walls = [node for node in tree.css(_PAYWALLS) if _is_paywall(node)]
    bodies = {node.mem_id for node in tree.css(_BODIES)} if walls else set()
    return any(_is_at_body(wall, bodies) for wall in walls)


def _is_paywall(node: LexborNode) -> bool:
    """Whether an attribute has the word, and none that takes it back."""
    named = (node.attributes.get(name) or "" for name in ("data-testid", "class", "id"))
    names = (name for value in named for name in value.split())
    words = ([word.lower() for word in _WORD.findall(name)] for name in names)
    return any("paywall" in each and _NO_WALL.isdisjoint(each) for each in words)


def _is_at_body(wall: LexborNode, bodies: AbstractSet[int]) -> bool:
    node: LexborNode | None = wall
    before = wall.prev
    while before is not None and not before.is_element_node:
        before = before.prev
    if before is not None and before.mem_id in bodies and wall.tag not in _BESIDE:
        return True
    while node is not None:
        if node.tag in _BESIDE:
            return False
        if node.mem_id in bodies and node.mem_id != wall.mem_id:
            return True
        node = node.parent
    return False


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
_MAX_CELLS: Final = 5_000
"""Its time grows with the square of the cells of a table, too."""
_CELL: Final = re.compile(r"</?t[dhr]\b[^<>]*>[^<]*", re.IGNORECASE)
_UNREAD: Final = re.compile(
    r"<(script|style|svg)\b(?![^<>]*ld\+json)[^<>]*>.*?(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL
)
"""What it leaves out, and most of many a large page."""


def _trafilatura_extract(page: str, address: str) -> Extract:
    """Any page as trafilatura reads it, without comments; it may have no lines."""
    url = display_url(address)
    if len(page) > _MAX_CHARS:
        page = _UNREAD.sub("", page)
    if page.count("<td") > _MAX_CELLS:
        page = _CELL.sub("", page)
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
