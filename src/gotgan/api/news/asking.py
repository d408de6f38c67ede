"""What may be asked of the news, and what may be sent: each with its bounds."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Final

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, WithJsonSchema
from pydantic_core import PydanticCustomError

from gotgan.api.day.asking import A_ZONE
from gotgan.api.paging import Listing, Paged
from gotgan.domains.news.days import Zone
from gotgan.domains.news.service import BODIES, LIST

__all__ = ["BodiesBody", "CollectBody", "NewsListing", "Pk", "QueueListing", "Stories"]

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_MOST: Final = 1_000
_A_DAY: Final = "A date in `zone`, such as 2025-11-06."


def _day(value: Any) -> Any:
    """Take a date as it is written, and no seconds since 1970."""
    if value is None or (isinstance(value, str) and _DAY.fullmatch(value)):
        return value
    raise PydanticCustomError("day", "use a date such as 2025-11-06")


def _whole(value: Any) -> Any:
    """Python counts with truth and falsehood, and JSON does not."""
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "Input should be a valid integer")
    return value


Day = Annotated[date | None, BeforeValidator(_day)]
Limit = Annotated[int, Field(ge=1, le=_MOST), BeforeValidator(_whole)]
Pk = Annotated[
    str,
    Path(
        pattern=r"^(id|h)#[0-9a-f]{16}$",
        description="The key of an item; its `#` is written `%23` in an address.",
        examples=["id#2f4a1bd9c03e7a65"],
    ),
]
Stories = Annotated[
    list[Any],
    WithJsonSchema(
        {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string", "pattern": r"\S"},
                    "url": {
                        "type": "string",
                        "pattern": r"^https?://[a-z0-9-]+(\.[a-z0-9-]+)*(/[!-~]*)?$",
                        "description": "The address exactly as it was listed: the key is its hash.",
                    },
                    "tickers": {"type": ["array", "null"], "items": {"type": "string"}},
                },
                "required": ["title", "url"],
                "additionalProperties": False,
            },
        }
    ),
]
"""A list as the document has it; the domain checks each story, and tells which is wrong."""


class NewsListing(Listing):
    """What is asked of the items."""

    day: Day = Field(default=None, description=f"{_A_DAY} Without one: the last seven days of UTC.")
    zone: Zone | None = Field(default=None, description=A_ZONE)
    ticker: str | None = Field(
        default=None,
        min_length=1,
        max_length=50,
        description="Only items that have this ticker. This is a filtered read: every item on the "
        "way is read and billed, as `read` says, and a page may have fewer items than `limit`, or "
        "none, and still a cursor.",
        examples=["NVDA"],
    )


class QueueListing(Paged):
    """What is asked of the bodies that are missing."""

    dead: bool = Field(default=False, description="Those that were given up, instead.")


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CollectBody(_Sent):
    """How to collect."""

    limit: Limit = Field(default=LIST, description="How many stories of the list to take.")
    rss: StrictBool = Field(default=False, description="Read the feed instead of the latest page.")


class BodiesBody(_Sent):
    """Which bodies to fetch."""

    day: Day = Field(default=None, description=f"{_A_DAY} Without one: the last three days of UTC.")
    zone: Zone | None = Field(default=None, description=A_ZONE)
    limit: Limit = Field(default=BODIES, description="How many articles to fetch at most.")
    retry_dead: StrictBool = Field(default=False, description="Also those that were given up.")
