"""The tables of the news, and how an article gets its key."""

from __future__ import annotations

import hashlib
import re
from typing import Final
from urllib.parse import urlsplit

from gotgan.store import Table, number

__all__ = ["BY_DAY", "NEWS_ITEMS", "pk_of"]

NEWS_ITEMS: Final = Table("news_items", pk="pk")
BY_DAY: Final = NEWS_ITEMS.index("by_day", pk="dt_utc", sk=number("uploaded_at_utc_ms"))

_ARTICLE_ID: Final = re.compile(r"[0-9]{6,}\.html$")


def pk_of(url: str) -> str:
    """The key of an article: the hash of its address as it stands, not of a tidied one.

    The tag in front says whether the address has an article id: six digits or more before
    ``.html`` in its path.
    """
    digest = hashlib.sha256(url.encode()).hexdigest()[:16]
    return f"id#{digest}" if _ARTICLE_ID.search(urlsplit(url).path) else f"h#{digest}"
