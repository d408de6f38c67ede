"""The words of a published day, in English; the Korean ones are in ``texts/ko/day.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gotgan.texts import Language, Texts

__all__ = ["ENGLISH", "words_in"]

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


def words_in(language: Language) -> Texts:
    """The words of a published day in a language."""
    return Texts("day", ENGLISH, language)
