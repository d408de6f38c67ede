"""The tables of the news, the key and the site of an article, and the UTC days of a day."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Zone
from gotgan.domains.news import messages
from gotgan.errors import UsageError
from gotgan.store import KEYS_ONLY, Table, number

if TYPE_CHECKING:
    from tldextract import TLDExtract

NEWS_ITEMS: Final = Table("news_items", pk="pk")
BY_DAY: Final = NEWS_ITEMS.index("by_day", pk="dt_utc", sk=number("uploaded_at_utc_ms"))

NEWS_BODIES: Final = Table("news_bodies", pk="pk")
BY_QUEUE: Final = NEWS_BODIES.index("by_queue", pk="queue", sk="due_at", project=KEYS_ONLY)

NEWS_SOURCES: Final = Table("news_sources", pk="kind", sk="name")

_ARTICLE_ID: Final = re.compile(r"([0-9]{6,})\.html$")
_DIGEST_CHARS: Final = 16
_PK: Final = re.compile(rf"(?:id|h)#[0-9a-f]{{{_DIGEST_CHARS}}}")


def pk_of(url: str) -> str:
    """The key of an article: the hash of its URL exactly as listed.

    The prefix says whether the path ends in an article id: six digits or more before ``.html``.
    """
    return f"{'h' if article_id(url) is None else 'id'}#{url_digest(url)[:_DIGEST_CHARS]}"


def is_pk(text: str) -> bool:
    """Whether a text has the form of a key."""
    return _PK.fullmatch(text) is not None


def article_id(url: str) -> str | None:
    """The numeric article id in a URL, if it has one."""
    try:
        path = urlsplit(url).path
    except ValueError:  # such as brackets without an IPv6 address
        return None
    found = _ARTICLE_ID.search(path)
    return found and found[1]


def site_of(url: str) -> str | None:
    """The registered domain of a URL, such as example.co.uk; None if it has no host."""
    try:
        host = (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return None
    found = _extractor().extract_str(host)
    return found.top_domain_under_public_suffix or host or None


@cache
def _extractor() -> TLDExtract:
    """The bundled list of public suffixes, with those of hosting companies."""
    from tldextract import TLDExtract  # noqa: PLC0415 - slow to load, and few commands need it

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)


def url_digest(url: str) -> str:
    """The full hash of a URL; the key has its first 16 digits."""
    return hashlib.sha256(url.encode()).hexdigest()


_DAY: Final = timedelta(days=1)
_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True)
class UtcDayPart:
    """A part of one UTC day, both ends included."""

    day: date
    first: datetime
    last: datetime


def utc_parts(day: date, zone: Zone) -> list[UtcDayPart]:
    """The parts of UTC days that make up a day of a zone, the latest first.

    A day of New York or Seoul starts on one UTC day and ends on another; when clocks change it is
    an hour longer or shorter.
    """
    parts: list[UtcDayPart] = []
    try:
        first, last = _midnight(day, zone), _midnight(day + _DAY, zone) - _SECOND
        each = last.date()
        while each >= first.date():
            begin = datetime.combine(each, time.min, UTC)
            parts.append(UtcDayPart(each, max(first, begin), min(last, begin + _DAY - _SECOND)))
            each -= _DAY
    except OverflowError:
        raise UsageError(messages.DAY_OUT_OF_RANGE(day=day)) from None
    return parts


def latest_days(today: date, days: int) -> list[date]:
    """The last days, today first."""
    try:
        return [today - number * _DAY for number in range(days)]
    except OverflowError:
        raise UsageError(messages.DAY_OUT_OF_RANGE(day=today)) from None


def current_date(zone: Zone, now: datetime) -> date:
    """The date in a zone."""
    return now.astimezone(ZoneInfo(ZONES[zone])).date()


def _midnight(day: date, zone: Zone) -> datetime:
    return datetime.combine(day, time.min, ZoneInfo(ZONES[zone])).astimezone(UTC)
