"""The parameters of the news verbs: what each accepts, and its help."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, WithJsonSchema

from gotgan.domains.news.models import Story
from gotgan.domains.news.upload import check_stories, parse_stories
from gotgan.params import Day
from gotgan.verbs import Local, RequestBody

_URL: Final = "https://finance.yahoo.com/news/apple-holds-steady-003512345.html"


def _stories(value: Any) -> Any:
    """Check all stories before the first is stored; the error names those that are wrong."""
    if isinstance(value, bytes):
        return parse_stories(value)
    return check_stories(value) if isinstance(value, list) else value


_STORY: Final = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "pattern": r"\S"},
        "url": {
            "type": "string",
            "pattern": r"^https?://[a-z0-9-]+(\.[a-z0-9-]+)*(/[!-~]*)?$",
            "description": "The URL exactly as listed: the key is its hash.",
        },
        "tickers": {"type": ["array", "null"], "items": {"type": "string"}},
    },
    "required": ["title", "url"],
    "additionalProperties": False,
}

Stories = Annotated[
    Sequence[Story],
    RequestBody(),
    BeforeValidator(_stories),
    WithJsonSchema({"type": "array", "items": _STORY}),
    Field(
        description='JSON list of {"title", "url", "tickers"}. A file may also have one such '
        "object per line.",
        examples=[
            [{"title": "Apple holds steady before its results", "url": _URL, "tickers": ["AAPL"]}]
        ],
    ),
]
Source = Annotated[
    str,
    Local(),
    Field(min_length=1, max_length=100, description="Name of the source, stored with each item."),
]
CollectLimit = Annotated[
    int, Field(ge=1, le=1_000, description="Maximum number of stories to store.")
]
Rss = Annotated[
    bool,
    Field(
        description="Read the RSS feed instead of the list page. It has other stories and no "
        "tickers."
    ),
]
ListDay = Annotated[Day, Field(description="Only items of this day. Default: the last 7 UTC days.")]
Ticker = Annotated[
    str,
    Field(
        min_length=1,
        max_length=50,
        description="Only items with this ticker. Tickers are not indexed: all items of the days "
        "are read and billed, and a page can have fewer items than the limit.",
        examples=["NVDA"],
    ),
]
Item = Annotated[
    str,
    Field(
        min_length=1,
        max_length=8_000,
        description="Key of the item, or its URL exactly as listed.",
        examples=["id#2f4a1bd9c03e7a65", _URL],
    ),
]
Items = Annotated[
    Sequence[Item],
    Field(
        min_length=1,
        max_length=100,
        description="Items by key, or by URL exactly as listed.",
        examples=[["id#2f4a1bd9c03e7a65"]],
    ),
]
BodiesDay = Annotated[
    Day, Field(description="Only articles of this day. Default: the last 3 UTC days.")
]
BodiesLimit = Annotated[
    int, Field(ge=1, le=10_000, description="Maximum number of articles to fetch.")
]
RetryDead = Annotated[bool, Field(description="Also retry articles that failed five times.")]
Dead = Annotated[
    bool, Field(description="List articles that failed five times and are not retried.")
]

_FEED: Final = "https://www.example.com/feed.xml"
SourceUrl = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description="URL of an RSS, Atom or JSON feed, of a news sitemap, or of a web page that "
        "names its feed.",
        examples=[_FEED],
    ),
]
NewSourceName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=50,
        description="Name of the source, stored with each item. Default: the host.",
        examples=["example.com"],
    ),
]
StoredSourceName = Annotated[
    str,
    Field(min_length=1, max_length=50, description="Name of the source.", examples=["example.com"]),
]
EveryMinutes = Annotated[
    int, Field(ge=5, le=10_080, description="Minutes between two polls of the source.")
]
SourceNames = Annotated[
    Sequence[StoredSourceName],
    Field(
        max_length=100,
        description="Sources to poll now, by name. Default: those that are due.",
        examples=[["example.com"]],
    ),
]
