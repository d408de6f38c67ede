"""The parameters of the market's verbs: what each accepts, and its help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from gotgan.domains.market import messages
from gotgan.domains.market.days import DaySpan, expect_in_calendar
from gotgan.domains.market.models import Screen, ShareSort, Side
from gotgan.params import Day
from gotgan.validation import invalid
from gotgan.verbs import Local

_END: Final = "[0-9]{4}-[0-9]{2}(-[0-9]{2})?"
"""An end of a range: a day or a month."""
_MONTH: Final = re.compile("^(19|20)[0-9]{2}-(0[1-9]|1[0-2])$")


def _span(value: Any) -> Any:
    return DaySpan.of(value) if isinstance(value, str) else value


def _month(value: str) -> str:
    if _MONTH.fullmatch(value) is None:
        raise invalid(messages.USE_A_MONTH())
    return value


_Known = Annotated[Day, AfterValidator(expect_in_calendar)]
SomeDay = Annotated[_Known, Field(description="Date such as 2025-10-20.")]
Today = Annotated[_Known, Field(description="Date such as 2025-10-20. Default: today.")]
ScreenDay = Annotated[
    _Known, Field(description="Date such as 2025-10-20. Default: the last day with indicators.")
]
First = Annotated[_Known, Field(description="First day. Default: a year before the last day.")]
Last = Annotated[_Known, Field(description="Last day. Default: the latest day.")]
Span = Annotated[
    DaySpan,
    BeforeValidator(_span),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": f"^{_END}(\\.\\.{_END})?$",
            "examples": ["2025-10-20..2025-10-24", "2025-10"],
        }
    ),
    Field(description="Range such as 2025-10-20..2025-10-24, one day, or a month such as 2025-10."),
]
Month = Annotated[
    str,
    AfterValidator(_month),
    WithJsonSchema({"type": "string", "pattern": _MONTH.pattern, "examples": ["2025-10"]}),
    Field(description="Month such as 2025-10. Default: this month."),
]
Now = Annotated[
    bool,
    Field(description="Run now, even if no retries are left. Possible from 16:00 in Seoul."),
]
OnlySide = Annotated[Side, Field(description="Only prices or only indices. Default: both.")]
Again = Annotated[bool, Field(description="Also fetch stored days again.")]
Ticker = Annotated[
    str,
    Field(min_length=1, max_length=100, description="Ticker such as 005930.", examples=["005930"]),
]
IndexCode = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="1001 or KOSPI, 2001 or KOSDAQ.",
        examples=["1001"],
    ),
]
ScreenKind = Annotated[
    Screen,
    Field(
        description="oversold: RSI below 30. overbought: RSI above 70. macd_up, macd_down: MACD "
        "crossed its signal since the session before."
    ),
]
MoverDay = Annotated[
    _Known, Field(description="Date such as 2025-10-20. Default: the last day with prices.")
]
MoverCount = Annotated[int, Field(ge=1, le=100, description="Number of shares of each kind.")]
SortOrder = Annotated[
    ShareSort,
    Field(
        description="Order of the shares; - is descending. change is the change of the day in "
        "percent. Shares without a price on the last day come last."
    ),
]
SearchText = Annotated[
    str,
    Field(
        max_length=100,
        description="Start of the ticker, or part of the name. Default: all shares.",
        examples=["00593"],
    ),
]
MarketName = Annotated[
    Literal["KOSPI", "KOSDAQ", "KONEX"], Field(description="Only shares of this market.")
]
OtherMarket = Annotated[
    Literal["KOSPI", "KOSDAQ", "KONEX"],
    Field(description="Market for shares whose market is not known."),
]
Adjusted = Annotated[bool, Field(description="Accept moves of more than 30 % in a day.")]
Paths = Annotated[
    Sequence[Path],
    Local(),
    Field(min_length=1, description="CSV files, folders of them, or patterns such as '*.csv'."),
]
