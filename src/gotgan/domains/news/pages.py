"""FetchResult pages: whether one is what was asked for, its tree, and where its links lead.

A status 200 says little: a consent form, a block page or half a page would otherwise count as a
list without stories, or as an article without text.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser

from gotgan.domains.news import messages
from gotgan.domains.news.models import one_line
from gotgan.domains.news.not_articles import captcha_vendor
from gotgan.errors import (
    BlockPage,
    CaptchaPage,
    ConsentPage,
    TruncatedPage,
    UnknownShape,
    WrongContentType,
)
from gotgan.fetch import FetchResponse, display_url
from gotgan.markup import MAX_DEPTH, is_too_deep, without_many_options
from gotgan.messages import Template

_PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})
_FEEDS: Final = frozenset({"application/rss+xml", "application/xml", "text/xml"})

_CONSENT_HOSTS: Final = ("consent.yahoo.com", "guce.yahoo.com")
_CONSENT_FORMS: Final = (b"consent-form", b"collectConsent")
_FORM: Final = re.compile(rb"<form\b[^<>]*>", re.IGNORECASE)

_MAX_REFUSAL_BYTES: Final = 64_000
"""Real pages are much larger, so a headline is hardly ever taken for a refusal."""
_TITLE: Final = re.compile(r"<(?:title|h1)\b[^<>]*>([^<]*)", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>")
_REFUSAL: Final = re.compile(
    r"(?:(?:edge: )?too many requests"
    r"|access (?:to this page )?(?:is |has been )?(?:denied|blocked)"
    r"|(?:your )?request (?:is |has been )?(?:denied|blocked)"
    r"|are you (?:a robot|a human|human|not a robot)"
    r"|(?:please )?(?:verify|confirm)(?: that)? you are (?:a human|human|not a robot)"
    r"|(?:http )?403(?: forbidden)?|verifying you are human|human verification"
    r"|checking your browser(?: before accessing [\w.-]{1,60}\w)?"
    r"|attention required|captcha|just a moment|pardon our interruption|robot check"
    r"|security (?:check|verification)|unusual traffic)"
    r"[\s.!?…]*(?:$|[|–-])",
    re.IGNORECASE,
)
"""The whole title, up to the name of the site."""

_END: Final = re.compile(rb"</html\s*>", re.IGNORECASE)
_TAIL_BYTES: Final = 16_384
"""How much may follow the end of a page, such as a comment of a cache."""


def expect_page(answer: FetchResponse) -> None:
    """Raise PageError unless a whole HTML page came that is neither a form nor a refusal."""
    _expect(answer, _PAGES, messages.NOT_HTML)
    if not _END.search(answer.body, max(0, len(answer.body) - _TAIL_BYTES)):
        url = display_url(answer.asked)
        raise TruncatedPage(messages.PAGE_INCOMPLETE(url=url, count=len(answer.body)))


def expect_feed(answer: FetchResponse) -> None:
    """Raise PageError unless XML came; the parser finds out whether it is complete."""
    _expect(answer, _FEEDS, messages.NOT_RSS)


def expect_answer(answer: FetchResponse) -> None:
    """Raise PageError if a consent form, a captcha or a refusal came, of whatever type."""
    asked = display_url(answer.asked)
    is_consent = urlsplit(answer.url).hostname in _CONSENT_HOSTS
    if not is_consent and any(name in answer.body for name in _CONSENT_FORMS):
        forms = _FORM.findall(answer.body)
        is_consent = any(name in form for form in forms for name in _CONSENT_FORMS)
    if is_consent:
        raise ConsentPage(messages.CONSENT(url=asked))
    vendor = captcha_vendor(answer.body)
    if vendor is not None:
        raise CaptchaPage(messages.CAPTCHA(url=asked, vendor=vendor))
    title = _refusal(answer)
    if title:
        raise BlockPage(messages.BLOCKED(url=asked, title=repr(title)))


def _expect(answer: FetchResponse, kinds: Collection[str], refusal: Template) -> None:
    """Consent forms and refusals are checked first: they come with any content type."""
    expect_answer(answer)
    asked = display_url(answer.asked)
    is_binary = b"\0" in answer.body[:1024]
    if answer.media_type not in {*kinds, ""} or is_binary:
        kind = messages.BINARY() if is_binary else answer.media_type
        raise WrongContentType(refusal(url=asked, kind=kind))


def _refusal(answer: FetchResponse) -> str | None:
    """The title, heading or first words of a small page that refuses the request."""
    if len(answer.body) > _MAX_REFUSAL_BYTES:
        return None
    text = answer.body.decode(errors="replace")
    found = _TITLE.findall(text) or [_TAG.sub(" ", text)]
    titles = map(one_line, found)
    return next((words[:80] for words in titles if _REFUSAL.match(words)), None)


_HTML_SPACE: Final = " \t\n\r\f"
"""White space in HTML; any other character at an end belongs to the URL."""
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WEB: Final = re.compile(r"https?://", re.IGNORECASE)


def resolve_link(href: str, address: str) -> str | None:
    """The URL of a link on the page at ``address``; None if it leads to no page.

    An absolute link stays as it is, and one with a path only gets its host, because a URL is a key:
    ``urljoin`` drops an empty ``?`` or ``#`` and so makes another one of it.
    """
    link = href.strip(_HTML_SPACE)
    if not link or link.startswith("#"):
        return None
    try:
        url = _absolute(link, address)
        return url if urlsplit(url).hostname and _WEB.match(url) else None
    except ValueError:  # brackets that enclose no IPv6 address
        return None


def without_query(url: str) -> str:
    """A URL up to its query or fragment."""
    return url.partition("#")[0].partition("?")[0]


def _absolute(link: str, address: str) -> str:
    if _SCHEME.match(link):
        return link
    scheme, _, rest = address.partition("://")
    if link.startswith("//"):
        return f"{scheme}:{link}"
    if link.startswith("/"):
        return f"{scheme}://{re.split('[/?#]', rest, maxsplit=1)[0]}{link}"
    return urljoin(address, link)


def parse_page(page: bytes) -> LexborHTMLParser:
    """The tree of a page in UTF-8; raises UnknownShape if it is nested too deeply."""
    if is_too_deep(page.decode("latin-1")):  # which is quick, and tags are in ASCII
        raise UnknownShape(messages.TOO_DEEP(count=MAX_DEPTH))
    return LexborHTMLParser(without_many_options(page))
