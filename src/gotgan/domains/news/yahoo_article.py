"""Article pages of Yahoo in the shapes that they have had since 2024.

Class names with a build's hash in them (``yf-1a2b3c``) change with every build and are never
looked at.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gotgan.domains.news.extracts import Extract
from gotgan.domains.news.languages import words_in
from gotgan.domains.news.links import resolved
from gotgan.domains.news.paragraphs import all_text_of, cleaned, lines_of

__all__ = ["LITTLE", "is_bare", "is_yahoo", "leads_on", "yahoo_story"]

_WRAPPER: Final = "[data-testid=article-content-wrapper]"
_BODY: Final = ".body-wrap .atoms-wrapper, [data-testid=read-more]"
_CAAS_BODY: Final = "div.caas-body"

_TITLES: Final = (".cover-title", "h1")
_AUTHORS: Final = (".byline-attr-author", ".caas-author-byline-collapse", ".caas-attr-item-author")
_TIMES: Final = ("time.byline-attr-meta-time[datetime]", "time[datetime]")
_LOGOS: Final = (
    ".byline img[alt]",
    ".provider img[alt]",
    ".caas-attr-provider-logo[alt]",
    ".caas-attr-logo img[alt]",
)
_BY: Final = re.compile(r"by\s+", re.IGNORECASE)
_ROLE: Final = re.compile(r"\s+[·•|]\s+.*")

_ONWARDS: Final = re.compile(
    r"(?:continue reading|(?:read|view)(?: the)? (?:full|original|whole)(?: article| story)?)"
    r"(?: (?:at|in|on) .*)?[\s.…»→>]*",
    re.IGNORECASE,
)
LITTLE: Final = 150
"""With as many words it is an article, wherever else it is at home and whatever else is sold."""


def is_yahoo(url: str) -> bool:
    """Whether an address is one of Yahoo's; articles elsewhere are not fetched."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    host = f".{parts.hostname or ''}".rstrip(".")
    return parts.scheme in {"http", "https"} and host.endswith(".yahoo.com")


def yahoo_story(tree: LexborHTMLParser) -> Extract | None:
    """The first article of a page; None where it has none of Yahoo's shapes, or no text."""
    wrapper = tree.css_first(_WRAPPER)
    lines = lines_of(wrapper.css(_BODY)) if wrapper else []
    if wrapper and lines:
        return _story("yahoo", lines, wrapper)
    body = tree.css_first(_CAAS_BODY)
    lines = lines_of([body]) if body else []
    return _story("caas", lines, _caas_article(body)) if body and lines else None


def is_bare(tree: LexborHTMLParser) -> bool:
    """Whether a page has the frame of an article, with little in it."""
    wrapper = tree.css_first(_WRAPPER)
    return wrapper is not None and words_in(all_text_of(wrapper)) < LITTLE


def leads_on(tree: LexborHTMLParser, address: str, home: str | None, *, is_empty: bool) -> bool:
    """Whether a bare page only sends its readers to the publisher.

    A link that says so does. Without any text a home elsewhere does too, and a button that says
    so. Any other link to another site does not: a page whose shape has changed has such links as
    well, and would be lost for good.
    """
    label = next(filter(_says_onwards, tree.css(f"{_WRAPPER} a, {_WRAPPER} button")), None)
    if label and _is_off_site(label.attributes.get("href"), address):
        return True
    return is_empty and (label is not None or _is_off_site(home, address))


def _says_onwards(node: LexborNode) -> bool:
    return _ONWARDS.fullmatch(cleaned(node.text(separator=" "))) is not None


def _is_off_site(href: str | None, address: str) -> bool:
    link = resolved(href, address) if href else None
    return link is not None and not is_yahoo(link)


def _story(extractor: str, lines: list[str], around: LexborNode) -> Extract:
    time = _first(around, _TIMES)
    logo = _first(around, _LOGOS)
    title = _first(around, _TITLES)
    return Extract(
        extractor=extractor,
        lines=lines,
        title=title.text() if title else None,
        author=_author(_first(around, _AUTHORS)),
        provider=logo.attributes.get("alt") if logo else None,
        published=time.attributes.get("datetime") if time else None,
    )


def _first(around: LexborNode, selectors: tuple[str, ...]) -> LexborNode | None:
    found = (around.css_first(selector) for selector in selectors)
    return next((node for node in found if node), None)


def _author(byline: LexborNode | None) -> str | None:
    """The names in a byline, without what the people do there."""
    if byline is None:
        return None
    words = cleaned(byline.text(separator=" "))
    picture = byline.css_first("img[alt]")
    if not words and picture:
        words = cleaned(picture.attributes.get("alt") or "")
    return _ROLE.sub("", _BY.sub("", words, count=1) if _BY.match(words) else words)


def _caas_article(body: LexborNode) -> LexborNode:
    """The article around a body, with its headline; where it has none, all that is around it."""
    node = body
    while node.tag != "article" and node.parent is not None:
        node = node.parent
    return node
