"""Parameter types that several domains share, with their bounds and descriptions."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema

from gotgan import clock
from gotgan.clock import parse_moment
from gotgan.messages import Template
from gotgan.validation import invalid
from gotgan.verbs import Local

_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_SPAN: Final = re.compile(r"([0-9]{1,5})([smhd])")
_BAD_DAY: Final = Template("params.bad_day", "use a date such as 2025-11-06")
_BAD_MOMENT: Final = Template(
    "params.bad_moment", "use a date or time such as 2026-01-13 or 2026-01-13T12:00:00Z"
)
_BAD_SPAN: Final = Template("params.bad_span", "use a duration such as 45m, 2h or 3d")
_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


def _day(value: Any) -> Any:
    """Accept a date as ISO text only: pydantic would also accept seconds since 1970."""
    if isinstance(value, date):
        return value
    if isinstance(value, str) and _DAY.fullmatch(value):
        with suppress(ValueError):  # of a day that no month has
            return date.fromisoformat(value)
    raise invalid(_BAD_DAY())


def _moment(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, datetime):
        return value
    try:
        return parse_moment(value, (info.context or {}).get("zone", "UTC"))
    except (OverflowError, TypeError, ValueError):
        raise invalid(_BAD_MOMENT()) from None


def _span(value: Any) -> Any:
    if isinstance(value, timedelta):
        return value
    found = _SPAN.fullmatch(value.strip().lower()) if isinstance(value, str) else None
    if found is None:
        raise invalid(_BAD_SPAN())
    return timedelta(seconds=int(found[1]) * _SECONDS[found[2]])


Day = Annotated[
    date,
    BeforeValidator(_day),
    WithJsonSchema({"type": "string", "format": "date", "examples": ["2025-11-06"]}),
]
Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-01-13T12:00:00Z"]}),
]
"""A time; without a time zone, and for a date alone, in that of ``GOTGAN_ZONE``."""
TimeSpan = Annotated[
    timedelta,
    BeforeValidator(_span),
    WithJsonSchema({"type": "string", "pattern": "^[0-9]{1,5}[smhd]$", "examples": ["2h"]}),
]
Zone = Annotated[
    clock.Zone,
    Field(description="Time zone of the day: UTC, New York or Seoul. Default: GOTGAN_ZONE."),
]
File = Annotated[bytes, Local(), Field(description="A file; - is standard input.")]
"""The content of a file, which the command line reads."""
Limit = Annotated[int, Field(ge=1, le=1_000, description="Number of items to return.")]
Cursor = Annotated[
    str, Field(min_length=1, max_length=4_096, description="The `cursor` of the previous page.")
]
