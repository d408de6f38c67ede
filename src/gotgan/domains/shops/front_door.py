"""What the front page of a shop says where nothing is found behind it."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from gotgan.domains.shops.journal import Visit
from gotgan.domains.shops.models import CrawlOutcome
from gotgan.errors import FetchError, LeadsElsewhere, PageMissing
from gotgan.fetch import shown

__all__ = ["closed_door"]

_LOGIN: Final = re.compile(
    r"(?<![a-z])(?:(?:log|sign)[-_]?in|anmeld(?:en|ung)|connexion|password)(?![a-z])", re.IGNORECASE
)
"""How shops name the form behind which they keep everything."""
_CONSENT: Final = re.compile(
    r"consent|(?<![a-z])cookie[-_ ]?wall|before you continue|bevor sie fortfahren", re.IGNORECASE
)
"""How they name the one that asks what may be remembered."""


def closed_door(
    visit: Visit | None, error: FetchError | None = None, title: str | None = None
) -> tuple[CrawlOutcome, str] | None:
    """How a crawl ends that found nothing, by its visit of the front page; None where that is open.

    ``error`` and ``title`` are what came with the page, where it was this crawl that asked for it
    and not one that died.
    """
    if visit is None:
        return None
    if visit.state == "gone":
        status = f" ({error.status})" if isinstance(error, PageMissing) else ""
        return "unreachable", f"its front page is missing{status}"
    if visit.state == "seen" and visit.type is None:
        return _led_on(visit.links[0]) if visit.links else _led_away(error)
    if visit.state == "seen" and title and _CONSENT.search(title):
        return "blocked", "its front page asks for consent first"
    return None


def _led_on(url: str) -> tuple[CrawlOutcome, str] | None:
    """To another page of the shop, which is fine unless it is a form."""
    place = urlsplit(url)
    asked = f"{place.path}?{place.query}"
    if _LOGIN.search(asked):
        return "blocked", f"its front page leads to {shown(url)}: it wants a login"
    if _CONSENT.search(asked):
        return "blocked", f"its front page leads to {shown(url)}: it asks for consent first"
    return None


def _led_away(error: FetchError | None) -> tuple[CrawlOutcome, str]:
    """To another site."""
    told = error.message if isinstance(error, LeadsElsewhere) else ""
    if _CONSENT.search(told):
        return "blocked", f"its front page asks for consent first: {told}"
    return "unreachable", f"its front page leads to another site{told and ': '}{told}"
