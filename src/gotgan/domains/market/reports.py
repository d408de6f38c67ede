"""What the verbs of the market return, except rows.

It imports little, so that ``--help`` loads no database.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, ClassVar, Literal

from gotgan.domains.market import messages
from gotgan.domains.market.decisions import DecisionWording, MarketDecision
from gotgan.domains.market.models import SIDES, CollectionLog, IndicatorLog, Overall, Side, Status
from gotgan.domains.market.rows import DaySheet
from gotgan.messages import text

if TYPE_CHECKING:
    from gotgan.sql import AdoptedTable  # it loads SQLAlchemy


@dataclass(frozen=True)
class DayStatus:
    """The status of a day, and what happens next."""

    shown: ClassVar = {
        "day": "day",
        "closed": "closed",
        "overallStatus": "overall_status",
        "next": "next",
        "log": "log",
        "indicatorLog": "indicators",
        "collection": "collection",
        "calculation": "calculation",
    }

    day: date
    closed: str | None
    """Why there is no trading; null where there is."""
    log: CollectionLog | None
    indicators: IndicatorLog | None
    collection: MarketDecision
    """What the schedule would do about its collection now."""
    calculation: MarketDecision
    """What the schedule would do about its indicators now."""
    wording: DecisionWording

    @property
    def overall_status(self) -> Overall | None:
        """The status of both sides together; null where nothing was started."""
        return None if self.log is None else self.log.overall_status

    @property
    def next_decision(self) -> MarketDecision:
        """The decision about its collection, and after that about its indicators."""
        is_stored = self.collection.reason == "already_success"
        return self.calculation if is_stored else self.collection

    @property
    def next(self) -> str:
        """What happens next, and why."""
        return self.wording.next(self)


@dataclass(frozen=True)
class MonthStatus:
    """The status of the days of a month."""

    month: str
    today: date
    zone: str
    """The time zone of the dates."""
    days: tuple[DayStatus, ...]


@dataclass(frozen=True, kw_only=True)
class DayDetails(DaySheet):
    """A day: its status, and what was traded."""

    status: DayStatus


@dataclass(frozen=True)
class DayColumns:
    """All shares of a day as columns, for `pandas.DataFrame(result.columns)`."""

    day: date
    columns: Mapping[str, tuple[str | int | float | bool | None, ...]]
    """The values of each column in the order of tickers: prices in won as whole numbers, and the
    indicators; null where there is no value."""


@dataclass(frozen=True)
class MissingDay:
    """A session that was not collected, or not completely."""

    day: date
    words: str
    """Why."""
    sides: tuple[Side, ...] = SIDES
    """What of it is missing."""
    count: int = 0
    """Shares that are stored."""
    beside: int | None = None
    """Shares of the nearest verified session; null where there is none within a year."""


@dataclass(frozen=True)
class ThinDay:
    """A session with far fewer shares than the one before or after it."""

    day: date
    count: int
    beside: int
    """How many shares the larger of these two has."""


@dataclass(frozen=True)
class Hole:
    """Sessions without a price of a share that has one before and after."""

    ticker: str
    days: tuple[date, ...]


@dataclass(frozen=True)
class Gaps:
    """What is missing in a range of days."""

    shown: ClassVar = ("first", "last", "sessions", "is_whole", "missing", "thin", "holes")

    first: date
    last: date
    sessions: int
    missing: tuple[MissingDay, ...] = ()
    thin: tuple[ThinDay, ...] = ()
    holes: tuple[Hole, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether nothing is missing."""
        return not (self.missing or self.thin or self.holes)


@dataclass(frozen=True)
class MarketAdopted:
    """Tables that another program created, and what was added to them."""

    tables: tuple[AdoptedTable, ...]


@dataclass(frozen=True)
class DayOpened:
    """Whether a day was prepared for collection."""

    day: date
    outcome: Literal["opened", "duplicate", "closed"]
    words: str
    """The same as a sentence."""


@dataclass(frozen=True)
class SideReport:
    """The result of one side of a day."""

    side: Side
    status: Status
    count: int = 0
    changed: int = 0
    """Stored rows that have other values now."""
    factors: int = 0
    provider: str | None = None
    error: str | None = None
    code: str | None = None
    """Of the error."""
    seconds: float = 0.0


@dataclass(frozen=True)
class CollectReport:
    """The result of collecting a day."""

    day: date
    decision: MarketDecision
    outcome: Overall | Literal["closed", "skipped", "waiting"]
    words: str
    sides: tuple[SideReport, ...] = ()


@dataclass(frozen=True)
class IndicatorReport:
    """The result of calculating a day's indicators."""

    day: date
    decision: MarketDecision
    outcome: Literal["success", "failed", "skipped", "waiting"]
    words: str
    count: int = 0
    advanced: int = 0
    """Shares continued from the day before."""
    recalculated: int = 0
    """Shares calculated from their first day."""
    seconds: float = 0.0

    @property
    def lacks_history(self) -> bool:
        """Whether the day lies too near to the first one for any value."""
        return self.decision.reason == "not_enough_history"


@dataclass
class RecoverReport:
    """The result of recovering a range of days."""

    first: date
    last: date
    gaps: Gaps
    """What is still missing."""
    days: list[CollectReport] = field(default_factory=list)
    """Days that were collected or failed."""
    duplicates: int = 0
    """Days that were stored before."""
    indicators: list[IndicatorReport] = field(default_factory=list)
    stopped: str | None = None
    """Why it ended early; what was done is kept, and the same command continues from there."""


@dataclass(frozen=True, slots=True)
class SetAside:
    """What was not imported, and why."""

    file: str
    line: int
    """Of the first row that it is about; 0 where it is the file."""
    reason: str
    rows: int = 1


@dataclass
class ImportReport:
    """The result of an import."""

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
    """Days that were skipped because another run was collecting them."""
    conflicts: list[SetAside] = field(default_factory=list)
    """Rows that say something else than an earlier row of the same share and day, which counts."""
    set_aside: list[SetAside] = field(default_factory=list)
    first: date | None = None
    last: date | None = None
    indicators: list[IndicatorReport] = field(default_factory=list)


@dataclass
class CaughtUp:
    """Which of the last sessions were collected and calculated."""

    shown: ClassVar = ("outcome", "words", "days", "final", "indicators", "stopped")

    days: list[CollectReport] = field(default_factory=list)
    final: list[CollectReport] = field(default_factory=list)
    """Days whose final figures were fetched."""
    indicators: list[IndicatorReport] = field(default_factory=list)
    stopped: str | None = None
    """Why it ended early."""

    @property
    def outcome(self) -> Literal["success", "failed"]:
        """Whether all that could be done was."""
        return "failed" if self._failed_reports else "success"

    @property
    def words(self) -> str:
        """A summary: what was collected and calculated, and what failed."""
        done = {
            messages.COLLECTED_COUNT: _success_count(self.days),
            messages.FINAL_COUNT: _success_count(self.final),
            messages.CALCULATED_COUNT: _success_count(self.indicators),
            messages.FAILED_COUNT: len(self._failed_reports),
        }
        counts = [template(count=count) for template, count in done.items() if count]
        parts = [messages.COUNTS(counts=counts)] if counts else []
        if self.stopped:
            parts.append(messages.STOPPED(why=text(self.stopped)))
        else:
            failed = self._failed_reports[:1]
            parts += [messages.OF_DAY(day=each.day, result=text(each.words)) for each in failed]
        return messages.SIDES(sides=parts) if parts else messages.NOTHING_MISSING()

    @property
    def _failed_reports(self) -> list[CollectReport | IndicatorReport]:
        collected = [each for each in (*self.days, *self.final) if _has_failed(each)]
        return [*collected, *(each for each in self.indicators if each.outcome == "failed")]


def _success_count(reports: list[CollectReport] | list[IndicatorReport]) -> int:
    return sum(each.outcome == "success" for each in reports if not _has_failed(each))


def _has_failed(report: CollectReport | IndicatorReport) -> bool:
    """Whether anything failed; a stored day is a success without its final figures."""
    sides = report.sides if isinstance(report, CollectReport) else ()
    return report.outcome in {"failed", "partial"} or any(side.error for side in sides)
