"""Spans of days, as the addresses and forms of the market have them."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Annotated, Final, Literal, TypeAlias, get_args

from fastapi import Depends, HTTPException, Query

from gotgan.domains.market.days import FIRST, read_day

__all__ = [
    "RANGES",
    "AskedRange",
    "Range",
    "asked_range",
    "begin_of",
    "optional_day",
]

Range: TypeAlias = Literal["3m", "1y", "all"]
RANGES: Final[tuple[Range, ...]] = get_args(Range)
_LENGTHS: Final = {"3m": timedelta(days=92), "1y": timedelta(days=366)}


async def asked_range(word: Annotated[str, Query(alias="range")] = "") -> Range:
    """The range that an address asks for; a year, where it asks for none."""
    chosen = next((known for known in RANGES if known == (word or "1y")), None)
    if chosen is None:
        raise HTTPException(422)
    return chosen


AskedRange = Annotated[Range, Depends(asked_range)]


def begin_of(chosen: Range, ends: date) -> date:
    """The first day of a range that ends on a day."""
    return ends - _LENGTHS[chosen] if chosen in _LENGTHS else FIRST


def optional_day(text: str) -> date | None:
    """A day of a field; None where it is empty."""
    return read_day(text.strip()) if text.strip() else None
