"""What kind of document came, before anybody reads it: a 200 may be anything.

A consent form, a block page or half a page would otherwise be a list without stories, or an
article without text, and would count as an answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import urlsplit

from gotgan.domains.news.stories import one_line
from gotgan.errors import BlockPage, ConsentPage, TruncatedPage, WrongContentType
from gotgan.fetch import FetchResponse, shown

__all__ = ["expect_feed", "expect_page"]

_PAGES: Final = frozenset({"text/html", "application/xhtml+xml"})
_FEEDS: Final = frozenset({"application/rss+xml", "application/xml", "text/xml"})

_CONSENT_HOSTS: Final = ("consent.yahoo.com", "guce.yahoo.com")
_CONSENT_FORMS: Final = (b"consent-form", b"collectConsent")
_FORM: Final = re.compile(rb"<form\b[^<>]*>", re.IGNORECASE)

_LONGEST_REFUSAL: Final = 64_000
"""Real pages are many times larger, so that a headline is hardly ever taken for a refusal."""
_TITLE: Final = re.compile(r"<(?:title|h1)\b[^<>]*>([^<]*)", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]*>")
_REFUSAL: Final = re.compile(
    r"(?:(?:edge: )?too many requests"
    r"|access (?:to this page )?(?:is |has been )?(?:denied|blocked)"
    r"|(?:your )?request (?:is |has been )?(?:denied|blocked)"
    r"|are you (?:a robot|a human|human|not a robot)"
    r"|(?:please )?(?:verify|confirm)(?: that)? you are (?:a human|human|not a robot)"
    r"|attention required|captcha|just a moment|pardon our interruption|robot check"
    r"|security (?:check|verification)|unusual traffic)"
    r"[\s.!?…]*(?:$|[|–-])",
    re.IGNORECASE,
)
"""The whole of what it says, up to the name of whoever says it."""

_END: Final = re.compile(rb"</html\s*>", re.IGNORECASE)
_TAIL: Final = 16_384
"""How much may follow the end of a page, such as a comment of the server that kept it."""


def expect_page(answer: FetchResponse) -> None:
    """Raise PageError unless a whole HTML page came that is neither a form nor a refusal."""
    _expect(answer, _PAGES, "an HTML page")
    if not _END.search(answer.body, max(0, len(answer.body) - _TAIL)):
        raise TruncatedPage(
            f"the page at {shown(answer.asked)} ends in the middle, after {len(answer.body):,} "
            "bytes; ask for it again"
        )


def expect_feed(answer: FetchResponse) -> None:
    """Raise PageError unless XML came; whether all of it came shows when it is read."""
    _expect(answer, _FEEDS, "an RSS feed")


def _expect(answer: FetchResponse, kinds: Collection[str], wanted: str) -> None:
    """Ask for consent and refusals first: they come as whatever kind of document they like."""
    asked = shown(answer.asked)
    if _asks_for_consent(answer):
        raise ConsentPage(
            f"{asked} asks for consent to cookies before it shows anything, and a program "
            "cannot give it; collect from a network where Yahoo does not ask, outside the European "
            "Union, or collect the feed with --rss"
        )
    refusal = _refusal(answer)
    if refusal:
        raise BlockPage(
            f"{asked} answers {refusal!r} instead of a page: it takes us for a robot that "
            "it does not want; wait an hour, say with GOTGAN_CONTACT who asks, and ask less often"
        )
    if answer.media_type not in {*kinds, ""} or _is_binary(answer.body):
        raise WrongContentType(
            f"{asked} answered {_kind(answer)}, where {wanted} was expected; look at it in "
            "a browser, and check the address in the settings"
        )


def _asks_for_consent(answer: FetchResponse) -> bool:
    if urlsplit(answer.url).hostname in _CONSENT_HOSTS:
        return True
    if not any(name in answer.body for name in _CONSENT_FORMS):
        return False
    return any(name in form for form in _FORM.findall(answer.body) for name in _CONSENT_FORMS)


def _refusal(answer: FetchResponse) -> str | None:
    """The title or first heading of a small page, or its first words, where they refuse us."""
    if len(answer.body) > _LONGEST_REFUSAL:
        return None
    text = answer.body.decode(errors="replace")
    found = _TITLE.findall(text) or [_TAG.sub(" ", text)]
    said = (one_line(each) for each in found)
    return next((words[:80] for words in said if _REFUSAL.match(words)), None)


def _is_binary(body: bytes) -> bool:
    """No text has a NUL in it; compressed bytes and pictures have one soon."""
    return b"\0" in body[:1024]


def _kind(answer: FetchResponse) -> str:
    return "bytes that are no text" if _is_binary(answer.body) else answer.media_type
