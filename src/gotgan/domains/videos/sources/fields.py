"""Fields of untrusted documents: a value that is not valid counts as missing."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

MAX_COUNT: Final = 2**63 - 1
"""The largest number in the database."""
MAX_LIKES: Final = 2**31 - 1
"""The same for the likes of a comment."""
MAX_VIDEO_S: Final = 2**31 - 1
MAX_COMMENT_ID_CHARS: Final = 200
MAX_CHANNEL_ID_CHARS: Final = 64
MAX_LANGUAGE_CHARS: Final = 20

_DIGITS: Final = re.compile(r"[0-9]{1,19}")
_DURATION: Final = re.compile(
    r"P(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?",
    re.ASCII,
)
_UNIT_SECONDS: Final = (604_800, 86_400, 3_600, 60, 1)
_MAX_TITLE_CHARS: Final = 500
_MAX_DESCRIPTION_CHARS: Final = 10_000
_BREAK: Final = re.compile(r"<br\s*/?>\n?", re.IGNORECASE)
_TAG: Final = re.compile(r"</?(?:a|b|em|i|img|s|span|strong|u)(?:\s[^<>]*)?/?>", re.IGNORECASE)
"""The tags that YouTube writes into comments; anything else, such as <3, is text."""


def nested_object(value: Any, *path: str) -> Mapping[str, Any]:
    """The object at the end of a path; an empty one if there is none."""
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def object_list(value: Any) -> list[Mapping[str, Any]]:
    """The objects of a list."""
    each = value if isinstance(value, list) else []
    return [item for item in each if isinstance(item, Mapping)]


def clean_text(value: Any) -> str:
    """A text without NUL, which databases refuse; empty if it is none."""
    return value.replace("\0", "") if isinstance(value, str) else ""


def clean_title(value: Any) -> str:
    """A title; YouTube's are shorter, and lists must stay readable."""
    return clean_text(value)[:_MAX_TITLE_CHARS]


def clean_description(value: Any) -> str:
    """A description; YouTube's are shorter."""
    return clean_text(value)[:_MAX_DESCRIPTION_CHARS]


def bounded_text(value: Any, longest: int) -> str | None:
    """A text that fits into its column, such as an id."""
    text = clean_text(value).strip()
    return text if 0 < len(text) <= longest else None


def parse_count(value: Any, most: int = MAX_COUNT) -> int | None:
    """A count: a number, or digits as the API writes them."""
    if isinstance(value, str) and _DIGITS.fullmatch(value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most
    return value if is_count else None


def parse_moment(value: Any) -> datetime | None:
    """A moment in ISO 8601 or in seconds since 1970; in UTC unless it has a zone."""
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


def parse_duration(value: Any) -> int | None:
    """A duration such as ``PT1H2M3S``; that of a running stream, P0D, is none."""
    found = _DURATION.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    parts = zip(found.groups(default="0"), _UNIT_SECONDS, strict=True)
    seconds = sum(int(number) * each for number, each in parts)
    return seconds if 0 < seconds <= MAX_VIDEO_S else None


def html_to_text(text: str) -> str:
    """The text of a comment in HTML."""
    return html.unescape(_TAG.sub("", _BREAK.sub("\n", text))).replace("\0", "")
