"""Fields of what others wrote, read without trusting them: what cannot be is taken for absent."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

__all__ = [
    "LARGEST",
    "MOST_LIKES",
    "count_of",
    "description_of",
    "items_of",
    "moment_of",
    "object_of",
    "seconds_of",
    "short_of",
    "text_of",
    "title_of",
    "unmarked",
]

LARGEST: Final = 2**63 - 1
"""What the database has room for."""
MOST_LIKES: Final = 2**31 - 1
"""The same for the likes of a comment."""

_DIGITS: Final = re.compile(r"[0-9]{1,19}")
_NOTHING: Final[Mapping[str, Any]] = {}
_DURATION: Final = re.compile(
    r"P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?",
    re.ASCII,
)
_IN_SECONDS: Final = (604_800, 86_400, 3_600, 60, 1)
_LONGEST_VIDEO: Final = 2**31 - 1
_LONGEST_TITLE: Final = 500
_LONGEST_DESCRIPTION: Final = 10_000
_BREAK: Final = re.compile(r"<br\s*/?>\n?", re.IGNORECASE)
_TAG: Final = re.compile(r"</?(?:a|b|em|i|img|s|span|strong|u)(?:\s[^<>]*)?/?>", re.IGNORECASE)
"""The tags that YouTube writes into comments; anything else, such as <3, somebody meant so."""


def object_of(value: Any, *path: str) -> Mapping[str, Any]:
    """The object at the end of a path; an empty one where there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else _NOTHING


def items_of(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    each = value if isinstance(value, list) else []
    return [item for item in each if isinstance(item, Mapping)]


def text_of(value: Any) -> str:
    """A text, without what no database takes; empty where it is none."""
    return value.replace("\0", "") if isinstance(value, str) else ""


def title_of(value: Any) -> str:
    """A title; YouTube's are shorter, and lists must stay readable."""
    return text_of(value)[:_LONGEST_TITLE]


def description_of(value: Any) -> str:
    """A description; YouTube's are shorter."""
    return text_of(value)[:_LONGEST_DESCRIPTION]


def short_of(value: Any, longest: int) -> str | None:
    """A text that has room where it is kept, such as an id."""
    text = text_of(value).strip()
    return text if 0 < len(text) <= longest else None


def count_of(value: Any, most: int = LARGEST) -> int | None:
    """How many there are: a number, or digits as the API writes them."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most
    return value if is_count else None


def moment_of(value: Any) -> datetime | None:
    """A moment, as ISO 8601 writes it or in seconds since 1970; in UTC unless it says so."""
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            moment = datetime.fromtimestamp(value, UTC)
        else:
            return None
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def seconds_of(value: Any) -> int | None:
    """A duration such as ``PT1H2M3S``; that of a stream which has not ended, P0D, is none."""
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    parts = zip(found.groups(default="0"), _IN_SECONDS, strict=True)
    seconds = sum(int(number) * each for number, each in parts)
    return seconds if 0 < seconds <= _LONGEST_VIDEO else None


def unmarked(text: str) -> str:
    """What a comment that was written as HTML says."""
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", text))).replace("\0", "")
