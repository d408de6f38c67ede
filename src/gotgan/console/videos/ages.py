"""How long ago something was, or how long it is until then, in the unit that people would use."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

__all__ = ["Age", "age_of"]

Unit = Literal["moments", "minutes", "hours", "days"]
_UNITS: Final[tuple[tuple[Unit, timedelta], ...]] = (
    ("days", timedelta(days=2)),
    ("hours", timedelta(hours=2)),
    ("minutes", timedelta(minutes=1)),
)
"""Each unit, and the span from which on it is used."""
_LENGTHS: Final[dict[Unit, timedelta]] = {
    "days": timedelta(days=1),
    "hours": timedelta(hours=1),
    "minutes": timedelta(minutes=1),
}


@dataclass(frozen=True)
class Age:
    """A span of time, rounded down."""

    unit: Unit
    count: int = 0


def age_of(then: datetime, now: datetime) -> Age:
    """How far apart two moments are, whichever is first."""
    span = abs(now - then)
    for unit, least in _UNITS:
        if span >= least:
            return Age(unit, span // _LENGTHS[unit])
    return Age("moments")
