"""The words of a day in English, and its figures as people read them.

The Korean words are in ``texts/ko/day.toml``.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from gotgan.domains.shops.currency import price_text
from gotgan.domains.shops.models import Change, Offer
from gotgan.encoding import encode
from gotgan.texts import Language, Texts

ENGLISH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "title": "{weekday}, {day} {month_name} {year} ({place})",
        "monday": "Monday",
        "tuesday": "Tuesday",
        "wednesday": "Wednesday",
        "thursday": "Thursday",
        "friday": "Friday",
        "saturday": "Saturday",
        "sunday": "Sunday",
        "utc": "UTC",
        "ny": "New York",
        "kst": "Seoul",
        "nothing": "Nothing was collected on this day.",
        "market": "Market",
        "breadth": "{rising} rising, {falling} falling, {unchanged} unchanged, {halted} halted.",
        "index": "index",
        "close": "close",
        "move": "move",
        "moves": "largest moves",
        "oversold": "RSI below 30",
        "overbought": "RSI above 70",
        "macd_up": "MACD crossed its signal upwards",
        "macd_down": "MACD crossed its signal downwards",
        "more": " and {count} more",
        "news": "News",
        "story": "{count} new story.",
        "stories": "{count} new stories.",
        "shops": "Shops",
        "at_least": "At least ",
        "thing": "product",
        "shop": "shop",
        "what": "what",
        "before_after": "before → after",
        "new": "new",
        "removed": "removed",
        "sold": "sold",
        "price_up": "price up",
        "price_down": "price down",
        "other": "changed",
        "change_count": "{count} {kind}",
        "status_available": "available",
        "status_listed": "listed",
        "status_reserved": "reserved",
        "status_sold": "sold",
        "status_removed": "removed",
        "videos": "Videos",
        "analysis": "{count} analysis.",
        "analyses": "{count} analyses.",
        "published": "Published",
        "failed": "What failed",
        "work": "At work",
        "job": "job",
        "runs": "runs",
        "failures": "failed",
        "time": "time",
        "read_units": "{count} read",
        "write_units": "{count} write",
        "units": "{counts} units",
        "seconds": "{count} s",
        "minutes": "{count} min",
        "hours": "{count} h {minutes} min",
    }
)


def day_words(language: Language) -> Texts:
    """The words of a published day in a language."""
    return Texts("day", ENGLISH, language)


_ENGLISH_WORDS: Final = day_words("en")


def summary_facts(summary: Any) -> list[tuple[str, str]]:
    """What a domain of another package has of a day: its numbers and texts, by name."""
    made: Any = encode(summary)
    found = made.items() if isinstance(made, dict) else ()
    return [
        (name, f"{value:,}" if isinstance(value, int) else str(value))
        for name, value in found
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    ]


def percent_text(value: float) -> str:
    """A move with its sign: ``+1.25 %``."""
    return f"{value:+,.2f} %"


def offer_text(offer: Offer | None, words: Texts = _ENGLISH_WORDS) -> str:
    """What was offered: ``1,299.00 EUR``, and its status where it is another than available."""
    if offer is None:
        return "–"
    price = price_text(offer.price, offer.currency)
    status = (offer.status or "").lower()
    text = words(f"status_{status}") if f"status_{status}" in ENGLISH else status
    parts = [price, None if price and status == "available" else text]
    return " ".join(each for each in parts if each) or "–"


def change_text(change: Change, words: Texts = _ENGLISH_WORDS) -> str:
    """What a thing was offered for, and what it is now."""
    if change.before is None:
        return offer_text(change.after, words)
    return f"{offer_text(change.before, words)} → {offer_text(change.after, words)}"


def duration_text(seconds: float, words: Texts = _ENGLISH_WORDS) -> str:
    """A length of time: ``0.4 s``, ``12 s``, ``3 min``, ``1 h 05 min``."""
    if seconds < 10:  # noqa: PLR2004 - below that tenths tell something
        return words("seconds", count=f"{seconds:.1f}")
    if seconds < 100:  # noqa: PLR2004 - as people say it
        return words("seconds", count=f"{seconds:.0f}")
    hours, rest = divmod(round(seconds / 60), 60)
    if hours:
        return words("hours", count=hours, minutes=f"{rest:02}")
    return words("minutes", count=rest)


def units_text(reads: float, writes: float, words: Texts = _ENGLISH_WORDS) -> str:
    """Units of DynamoDB: ``720 read, 98 write units``; a dash for none."""
    counts = [
        words(f"{kind}_units", count=f"{units:,.1f}".removesuffix(".0"))
        for kind, units in {"read": reads, "write": writes}.items()
        if units
    ]
    return words("units", counts=", ".join(counts)) if counts else "–"
