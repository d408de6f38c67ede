"""Examples of what may be sent to the news: each can be sent as it stands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EXAMPLES"]

_STORIES: Final = [
    {
        "title": "Apple holds steady before its results",
        "url": "https://finance.yahoo.com/news/apple-holds-steady-003512345.html",
        "tickers": ["AAPL"],
    },
    {
        "title": "What the week brings",
        "url": "https://finance.yahoo.com/video/what-the-week-brings",
        "tickers": [],
    },
]

EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "upload_news": {"example": {"summary": "The list of the document", "value": _STORIES}},
    "collect_news": {
        "latest": {"summary": "The latest page", "value": {"limit": 50}},
        "rss": {"summary": "The feed instead", "value": {"rss": True}},
    },
    "collect_bodies": {
        "recent": {"summary": "Of the last three days", "value": {}},
        "day": {"summary": "Of a day in Seoul", "value": {"day": "2025-11-06", "zone": "kst"}},
    },
}
"""By the name of the operation, and by that of the example."""
