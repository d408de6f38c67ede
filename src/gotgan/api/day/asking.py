"""Which day is asked for, and where it is to be published."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Final

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from gotgan.clock import Zone

__all__ = ["A_ZONE", "DayListing", "DayWanted", "PublishBody"]

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
A_ZONE: Final = (
    "Whose day it is: that of UTC, New York or Seoul. Default: that of GOTGAN_ZONE, or Seoul where "
    "GOTGAN_ZONE is another zone."
)


def _day(value: Any) -> Any:
    """Take a date as it is written, and no seconds since 1970."""
    if isinstance(value, str) and _DAY.fullmatch(value):
        return value
    raise PydanticCustomError("day", "use a date such as 2025-11-06")


DayWanted = Annotated[
    date,
    BeforeValidator(_day),
    WithJsonSchema({"type": "string", "format": "date"}),
    Path(description="A date in the zone, such as 2025-11-06.", examples=["2025-11-06"]),
]


class DayListing(BaseModel):
    """In which zone it is a day."""

    model_config = ConfigDict(frozen=True)

    zone: Zone | None = Field(default=None, description=A_ZONE)


class PublishBody(BaseModel):
    """Where a day is published."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    category: str = Field(
        min_length=1, max_length=100, description="The id or the slug of a category."
    )
    zone: Zone | None = Field(default=None, description=A_ZONE)
