"""What may be asked of the market, and what may be sent: each with its bounds."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Final

from fastapi import Path
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StrictBool, WithJsonSchema
from pydantic_core import PydanticCustomError

from gotgan.api.paging import MOST, Paged
from gotgan.domains.market.days import expect_known, read_span
from gotgan.domains.market.models import MOST_SHARES, Screen, Side

__all__ = [
    "Code",
    "DayBody",
    "DayWanted",
    "GapListing",
    "Kind",
    "RecoverBody",
    "RunBody",
    "ScreenListing",
    "SpanListing",
    "StatusListing",
    "StockListing",
    "Ticker",
]

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_A_DAY: Final = "A date in the zone of the market, such as 2025-10-20."
_A_TODAY: Final = f"{_A_DAY} Without one: today."
_A_NAME: Final = "^[0-9A-Za-z]{1,12}$"


def _day(value: Any) -> Any:
    """Take a date as it is written, and no seconds since 1970."""
    try:
        day = (
            date.fromisoformat(value) if isinstance(value, str) and _DAY.fullmatch(value) else None
        )
    except ValueError:
        day = None
    if day is None:
        raise PydanticCustomError("day", "use a date such as 2025-10-20")
    return expect_known(day)


Day = Annotated[
    date,
    BeforeValidator(_day),
    WithJsonSchema({"type": "string", "format": "date", "examples": ["2025-10-20"]}),
]
Range = Annotated[
    tuple[date, date],
    BeforeValidator(read_span),
    WithJsonSchema({"type": "string", "examples": ["2025-10-20..2025-10-24", "2025-10"]}),
]
DayWanted = Annotated[Day, Path(description=_A_DAY)]
Ticker = Annotated[
    str, Path(pattern=_A_NAME, description="The ticker of a share.", examples=["005930"])
]
Code = Annotated[
    str,
    Path(
        pattern=_A_NAME,
        description="The code of an index, or its market: 1001 is KOSPI, 2001 is KOSDAQ.",
        examples=["1001"],
    ),
]
Kind = Annotated[
    Screen,
    Path(
        description="RSI below 30, RSI above 70, MACD crossing its signal upwards, and downwards."
    ),
]


class StatusListing(BaseModel):
    """Which month is asked for."""

    model_config = ConfigDict(frozen=True)

    month: str | None = Field(
        default=None,
        pattern="^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$",
        description="A month such as 2025-10. Without one: this month.",
        examples=["2025-10"],
    )


class SpanListing(BaseModel):
    """Which days are asked for."""

    model_config = ConfigDict(frozen=True)

    first: Day | None = Field(
        default=None, alias="from", description=f"{_A_DAY} Without one: a year before the last."
    )
    last: Day | None = Field(
        default=None, alias="to", description=f"{_A_DAY} Without one: the latest."
    )


class GapListing(SpanListing):
    """Which days are asked for, by their ends or as a range."""

    span: Range | None = Field(
        default=None,
        description="A range of days, one day or a month, instead of `from` and `to`.",
    )


class StockListing(Paged):
    """Which shares are asked for."""

    limit: int = Field(default=MOST_SHARES, ge=1, le=MOST, description="How many shares to give.")
    q: str = Field(
        default="",
        max_length=100,
        description="How the ticker begins, or a part of the name. Without it: all, by ticker.",
        examples=["00593"],
    )


class ScreenListing(Paged):
    """Which day is asked for."""

    limit: int = Field(default=MOST_SHARES, ge=1, le=MOST, description="How many shares to give.")
    day: Day | None = Field(
        default=None, description=f"{_A_DAY} Without one: the last that has indicators."
    )


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DayBody(_Sent):
    """Which day to open."""

    day: Day | None = Field(default=None, description=_A_TODAY)


class RunBody(_Sent):
    """Which day to work on."""

    day: Day | None = Field(default=None, description=_A_TODAY)
    now: StrictBool = Field(
        default=False, description="From 16:00 in Seoul on, however often it was tried."
    )


class RecoverBody(_Sent):
    """Which days to recover."""

    first: Day = Field(description=_A_DAY)
    last: Day = Field(description=f"{_A_DAY} It is recovered, too.")
    only: Side | None = Field(default=None, description="One side alone.")
    again: StrictBool = Field(default=False, description="Ask for days that are there, too.")
