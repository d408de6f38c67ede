"""The tables of the news, and how an article gets its key."""

from __future__ import annotations

import hashlib
import re
from typing import Final
from urllib.parse import urlsplit

from gotgan.store import KEYS_ONLY, Table, number

__all__ = [
    "BY_DAY",
    "BY_QUEUE",
    "NEWS_BODIES",
    "NEWS_ITEMS",
    "article_id",
    "digest_of",
    "is_pk",
    "pk_of",
]

NEWS_ITEMS: Final = Table("news_items", pk="pk")
BY_DAY: Final = NEWS_ITEMS.index("by_day", pk="dt_utc", sk=number("uploaded_at_utc_ms"))

NEWS_BODIES: Final = Table("news_bodies", pk="pk")
BY_QUEUE: Final = NEWS_BODIES.index("by_queue", pk="queue", sk="due_at", project=KEYS_ONLY)

_ARTICLE_ID: Final = re.compile(r"([0-9]{6,})\.html$")
_DIGITS: Final = 16
_PK: Final = re.compile(rf"(?:id|h)#[0-9a-f]{{{_DIGITS}}}")


def pk_of(url: str) -> str:
    """The key of an article: the hash of its address as it stands, not of a tidied one.

    The tag in front says whether the address has an article id: six digits or more before
    ``.html`` in its path.
    """
    return f"{'h' if article_id(url) is None else 'id'}#{digest_of(url)[:_DIGITS]}"


def is_pk(text: str) -> bool:
    """Whether a text has the form of a key."""
    return _PK.fullmatch(text) is not None


def article_id(url: str) -> str | None:
    """The numeric article id in an address, where it has one."""
    try:
        path = urlsplit(url).path
    except ValueError:  # such as brackets that hold no address; it is hashed all the same
        return None
    found = _ARTICLE_ID.search(path)
    return found and found[1]


def digest_of(url: str) -> str:
    """The whole hash of an address, of which the key has the first sixteen digits."""
    return hashlib.sha256(url.encode()).hexdigest()
