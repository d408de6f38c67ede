"""The days of the market: the year as a calendar, the sheet of a day, and their states."""

from __future__ import annotations

from calendar import Calendar
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias, get_args

from fastapi import APIRouter, Depends, HTTPException, Query
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import current_url, page
from gotgan.console.lists import ExportLinks, encoded_csv, one_of
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Reader
from gotgan.domains.market.days import FIRST_DAY, LAST_DAY, parse_day
from gotgan.domains.market.messages import WEEKEND
from gotgan.domains.market.models import SIDES, CollectionLog, Side, SideLog
from gotgan.encoding import encode
from gotgan.plain_json import to_pretty_json

if TYPE_CHECKING:
    from gotgan.domains.market.reports import DayStatus


router = APIRouter()
KINDS: Final[Mapping[str, str]] = {
    "success": "good",
    "partial": "warning",
    "failed": "bad",
    "retrying": "running",
    "pending": "none",
    "never": "none",
    "closed": "none",
    "skipped": "none",
    "waiting": "running",
}
"""The state that the console draws for each status."""
REASON_KINDS: Final[Mapping[str, str]] = {
    "first_run": "running",
    "retry": "running",
    "take_over": "running",
    "reopen": "running",
    "before_collection_time": "none",
    "before_calculation_time": "none",
    "already_success": "good",
    "market_closed": "none",
    "in_progress": "running",
    "before_retry_time": "warning",
    "collection_not_success": "none",
    "not_enough_history": "warning",
    "max_retry_exceeded": "bad",
    "provider_blocked": "warning",
    "no_provider": "warning",
    "prices_elsewhere": "none",
}
"""And for each reason of a gate."""


def is_weekend(status: DayStatus) -> bool:
    """Whether a day is closed only because it is a weekend, as the calendar calls it."""
    return status.closed == WEEKEND()


def has_failed(status: DayStatus) -> bool:
    """Whether a part of a day failed and was not recovered."""
    log = status.log
    parts = [status.indicators, *([log.prices, log.indices] if log else [])]
    return any(part is not None and part.status == "failed" for part in parts)


# Ranges of days

Range: TypeAlias = Literal["1m", "3m", "6m", "1y", "5y", "all"]
RANGES: Final[tuple[Range, ...]] = get_args(Range)
_RANGE_LENGTHS: Final = {
    "1m": timedelta(days=31),
    "3m": timedelta(days=92),
    "6m": timedelta(days=183),
    "1y": timedelta(days=366),
    "5y": timedelta(days=1827),
}


async def _requested_range(word: Annotated[str, Query(alias="range")] = "") -> Range:
    return one_of(RANGES, word or "1y")


RequestedRange = Annotated[Range, Depends(_requested_range)]


def range_start(chosen: Range, ends: date) -> date:
    """The first day of a range that ends on a day."""
    return ends - _RANGE_LENGTHS[chosen] if chosen in _RANGE_LENGTHS else FIRST_DAY


def optional_day(text: str) -> date | None:
    """The day of a field; None if it is empty."""
    return parse_day(text.strip()) if text.strip() else None


# The calendar


@dataclass(frozen=True)
class Half:
    """One side of a day."""

    side: Side
    status: str
    """A status of the log, or ``never`` for a past session that has none."""
    count: int | None
    retries: int

    def words(self, t: Callable[..., str]) -> str:
        """The status and the counts."""
        count = "" if self.count is None else f" {self.count:,}"
        retries = f", {t('market.year.retries', count=self.retries)}" if self.retries else ""
        return (
            f"{t(f'market.side.{self.side}')} {t(f'market.status.{self.status}')}{count}{retries}"
        )


@dataclass(frozen=True)
class MarketCell:
    """A day on the calendar."""

    day: date
    kind: str
    """``session``, ``closed``, or ``ahead`` for a future session."""
    closed: str | None
    """Why there is no trading; None for sessions and weekends."""
    halves: tuple[Half, ...]
    is_today: bool

    def words(self, t: Callable[..., str], reason: str) -> str:
        """The cell in words; ``reason`` is why it is closed, in the language of ``t``."""
        today = f" ({t('market.year.is_today')})" if self.is_today else ""
        closed = f": {t('market.status.closed')}, {reason}" if self.closed else ""
        sides = "; ".join(half.words(t) for half in self.halves)
        return f"{self.day}{today}{closed}{': ' if sides else ''}{sides}"


@dataclass(frozen=True)
class MarketMonth:
    """A month by its weeks, from Monday on; None is a day of another month."""

    number: int
    weeks: tuple[tuple[MarketCell | None, ...], ...]


def _market_months(year: int, days: Sequence[DayStatus], today: date) -> list[MarketMonth]:
    cells = {each.day: _market_cell(each, today) for each in days}
    return [
        MarketMonth(
            number,
            tuple(
                tuple(cells.get(day) if day.month == number else None for day in week)
                for week in Calendar().monthdatescalendar(year, number)
            ),
        )
        for number in range(1, 13)
    ]


def _market_cell(status: DayStatus, today: date) -> MarketCell:
    """A day on the calendar; a log is shown even for a day without trading."""
    log, day = status.log, status.day
    halves: tuple[Half, ...] = ()
    if log is not None:
        logs = {side: log.side(side) for side in SIDES}
        halves = tuple(
            Half(s, each.status, each.count, each.retry_count) for s, each in logs.items()
        )
    elif status.closed is None and day <= today:
        halves = tuple(Half(side, "never", None, 0) for side in SIDES)
    reason = None if is_weekend(status) else status.closed
    is_ahead = day > today and log is None
    kind = "closed" if status.closed is not None else "ahead" if is_ahead else "session"
    return MarketCell(day, kind, reason, halves, day == today)


def _session_tally(days: Sequence[DayStatus], today: date) -> Counter[str]:
    """The number of sessions up to today, by status."""
    past = (each for each in days if each.closed is None and each.day <= today)
    return Counter("never" if each.log is None else each.log.overall_status for each in past)


# The year


@router.get("/market/days")
def show_year(request: Request, _who: Reader, app: CurrentApp, year: str = "") -> Response:
    """The days of a year, and the decision about today."""
    market, today = app.market, app.market.today()
    chosen, missing = _requested_year(year, today), market.unset()
    # cards first: what a run that has ended wrote is read after them
    card = partial(RunCard.of, app, back=current_url(request))
    collect, indicators = card("market.collect"), card("market.indicators")
    days = _year_days(app, chosen)
    [now] = market.status_between(today, today)
    # programs get a month at a time: the present one, or the last one of another year
    month = f"{chosen:04}-{today.month if chosen == today.year else 12:02}"
    links = ExportLinks.of("/v1/market/status", "", "gotgan market status", month=month)
    return page(
        request,
        "market/year.html",
        year=chosen,
        years=(
            chosen - 1 if chosen > FIRST_DAY.year else None,
            chosen + 1 if chosen <= today.year else None,
        ),
        today=now,
        zone=now.wording.zone,
        next=now.next,
        explain=now.wording.of,
        is_weekend=is_weekend,
        unset=missing.words if missing else None,
        months=_market_months(chosen, days, today),
        tally=_session_tally(days, today),
        kinds=KINDS,
        reason_kinds=REASON_KINDS,
        collect=collect,
        indicators=indicators,
        elsewhere=replace(links, csv=f"/market/days.csv?year={chosen}"),
    )


@router.get("/market/days.csv")
def year_file(_who: Reader, app: CurrentApp, year: str = "") -> Response:
    """The log of a year as a file."""
    chosen = _requested_year(year, app.market.today())
    logs = (each.log for each in _year_days(app, chosen) if each.log is not None)
    return encoded_csv(f"market-{chosen}", CollectionLog, logs)


def _year_days(app: App, year: int) -> list[DayStatus]:
    return app.market.status_between(date(year, 1, 1), date(year, 12, 31))


def _requested_year(text: str, today: date) -> int:
    if not text:
        return today.year
    chosen = int(text) if len(text) == len("2025") and text.isdecimal() else 0
    if not FIRST_DAY.year <= chosen <= max(LAST_DAY.year, today.year):
        raise HTTPException(422)
    return chosen


# A day


@dataclass(frozen=True)
class SideSheet:
    """One side of a day."""

    name: str
    log: SideLog | None

    @property
    def word(self) -> str:
        """The status."""
        return "never" if self.log is None else self.log.status


@router.get("/market/days/{day}")
def show_day(request: Request, _who: Reader, app: CurrentApp, day: str) -> Response:
    """One day: its status, the decision about it, and what was traded."""
    wanted = parse_day(day)
    # cards first: what a run that has ended wrote is read after them
    text, back = wanted.isoformat(), f"/market/days/{wanted}"
    card = partial(RunCard.of, app, back=back, about=[text])
    cards: dict[str, Any] = {
        "collect": card("market.collect", day=text, now="true"),
        "indicators": card("market.indicators", day=text, now="true"),
        "recover": card("market.recover", first=text, last=text),
    }
    details, calendar = app.market.get_day(wanted), app.market.calendar()
    status, after = details.status, calendar.next_session(wanted)
    log = status.log
    closed = "never" if status.closed is None else "closed"
    return page(
        request,
        "market/day.html",
        stands=status,
        sides=[SideSheet(side, log.side(side) if log else None) for side in SIDES],
        word=log.overall_status if log else closed,
        next=status.next,
        explain=status.wording.of,
        zone=status.wording.zone,
        today=app.market.today(),
        is_weekend=is_weekend,
        neighbours=(calendar.previous_session(wanted), after if after <= LAST_DAY else None),
        sheet=details,
        kinds=KINDS,
        reason_kinds=REASON_KINDS,
        **cards,
        raw=to_pretty_json(encode(status)),
    )
