"""What the verbs of the market did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeAlias

from gotgan.domains.market.decisions import Decision
from gotgan.domains.market.file_rows import SetAside
from gotgan.domains.market.models import Overall, Side, Status

__all__ = [
    "CollectReport",
    "DayOpened",
    "ImportReport",
    "IndicatorReport",
    "OnStep",
    "RecoverReport",
    "SideReport",
    "Step",
    "silently",
]


@dataclass(frozen=True)
class Step:
    """How far a verb has come."""

    done: int
    total: int
    what: str
    """What it is about to do, or has just done: ``2025-10-20 prices: fetch``."""


OnStep: TypeAlias = Callable[[Step], None]


def silently(_: Step) -> None:
    """Tell nobody how far it has come."""


@dataclass(frozen=True)
class DayOpened:
    """What became of a day that was to be opened."""

    day: date
    outcome: Literal["opened", "duplicate", "closed"]
    words: str


@dataclass(frozen=True)
class SideReport:
    """What became of one side of a day."""

    side: Side
    status: Status
    count: int = 0
    changed: int = 0
    """How many rows were there already, and are others now."""
    factors: int = 0
    provider: str | None = None
    error: str | None = None
    code: str | None = None
    """Of the error."""
    seconds: float = 0.0


@dataclass(frozen=True)
class CollectReport:
    """What became of a day."""

    day: date
    decision: Decision
    outcome: Overall | Literal["closed", "skipped", "waiting"]
    words: str
    sides: tuple[SideReport, ...] = ()


@dataclass(frozen=True)
class IndicatorReport:
    """What became of a day's indicators."""

    day: date
    decision: Decision
    outcome: Literal["success", "failed", "skipped", "waiting"]
    words: str
    count: int = 0
    advanced: int = 0
    """How many shares were taken one day further."""
    anew: int = 0
    """How many shares were calculated from their first day on."""
    seconds: float = 0.0

    @property
    def lacks_history(self) -> bool:
        """Whether the day lies too near to the first one for any value."""
        return self.decision.reason == "not_enough_history"


@dataclass
class RecoverReport:
    """What became of a span of days."""

    first: date
    last: date
    days: list[CollectReport] = field(default_factory=list)
    """Those that were worked on."""
    duplicates: int = 0
    """How many days were there already."""
    indicators: list[IndicatorReport] = field(default_factory=list)
    stopped: str | None = None
    """Why it ended early; what was done is kept, and the same command goes on from there."""


@dataclass
class ImportReport:
    """What became of an import."""

    files: int = 0
    rows: int = 0
    """How many could be read."""
    days: int = 0
    new: int = 0
    changed: int = 0
    duplicates: int = 0
    """How many rows were stored already, or are in several files, with the same numbers."""
    kept: int = 0
    """How many rows were collected from a provider before, and stay as they are."""
    whole: int = 0
    """How many of the days have at least 98 % of the shares of a verified session beside them."""
    indices: int = 0
    """How many days have all indices that are collected, from these files or from before."""
    busy: list[date] = field(default_factory=list)
    """Days that were being collected, and were left alone."""
    conflicts: list[SetAside] = field(default_factory=list)
    """Rows that say something else than an earlier row of the same share and day, which counts."""
    set_aside: list[SetAside] = field(default_factory=list)
    first: date | None = None
    last: date | None = None
    indicators: list[IndicatorReport] = field(default_factory=list)
