"""What the market can do; ``docs/market.md`` tells how to use it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import Clock, Zone
from gotgan.domains.market import adoption, catching_up, logs, overrides, reading, recovering
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.caught_up import CaughtUp
from gotgan.domains.market.collecting import Collecting
from gotgan.domains.market.day_sheets import read_day_sheet
from gotgan.domains.market.decisions import Decision
from gotgan.domains.market.gaps import Gaps, find_gaps
from gotgan.domains.market.importing import import_files
from gotgan.domains.market.indicating import Indicating
from gotgan.domains.market.models import INDICES, MOST_SHARES, Screen, Side
from gotgan.domains.market.providers import providers_of
from gotgan.domains.market.reports import (
    CollectReport,
    DayOpened,
    ImportReport,
    IndicatorReport,
    OnStep,
    RecoverReport,
    silently,
)
from gotgan.domains.market.rows import (
    DaySheet,
    IndexSheet,
    ScreenPage,
    SharePage,
    StockRow,
    TickerSheet,
)
from gotgan.domains.market.status import DayStatus, month_of, status_of
from gotgan.domains.market.summaries import MarketDay, read_screens
from gotgan.domains.market.tables import ALL_TABLES
from gotgan.domains.market.wording import Wording
from gotgan.errors import UsageError
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import AdoptedTable, Database

__all__ = ["Market"]

_YEAR: Final = timedelta(days=365)


class Market:
    """Prices, indices and indicators of the Korean exchange, day by day."""

    def __init__(self, database: Database, web: Web, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._zone = ZoneInfo(settings.zone)
        self._settings = settings
        source = providers_of(settings, web, database, clock)
        self.collecting = Collecting(database, source, settings, clock)
        self.indicating = Indicating(database, settings, clock)

    def today(self) -> date:
        """The date that it is in the zone."""
        return self._clock.now().astimezone(self._zone).date()

    def calendar(self) -> Calendar:
        """The trading days, with all that was learned."""
        return overrides.calendar_of(self._database)

    def wording(self) -> Wording:
        """How decisions are told."""
        return self._wording(self.calendar())

    def expect_past(self, day: date | None) -> date:
        """A day that has come, or today where none is given."""
        today = self.today()
        if day is not None and day > today:
            raise UsageError(f"{day} has not come yet; today is {today} in {self._zone.key}")
        return day or today

    def expect_span(self, first: date, last: date) -> tuple[date, date]:
        """The days of a span that have come."""
        _expect_order(first, last)
        return self.expect_past(first), min(last, self.today())

    def adopt(self) -> list[AdoptedTable]:
        """Take over tables that another program made; what was added, and how many rows are there.

        Opening the database has done it for the first time.
        """
        with self._database.begin() as connection:
            adopted = self._database.adopt(connection, ALL_TABLES)
            adoption.try_out(connection, self._clock.now())
        return adopted

    # The daily work

    def open_day(self, day: date | None = None) -> DayOpened:
        """Write the pending row of a day, if shares are traded on it."""
        wanted = self.expect_past(day)
        why = self.calendar().why(wanted)
        if why is not None:
            return DayOpened(wanted, "closed", f"{wanted} is no trading day: {why}")
        with self._database.begin() as connection:
            is_new = logs.open_day(connection, wanted, today=self.today(), now=self._clock.now())
        if is_new:
            return DayOpened(wanted, "opened", f"{wanted} waits to be collected")
        return DayOpened(wanted, "duplicate", f"{wanted} was opened before")

    def decide(self, day: date | None = None) -> Decision:
        """What a tick would do about a day's collection now."""
        return self.collecting.decide(day or self.today())

    def decide_indicators(self, day: date | None = None) -> Decision:
        """What a tick would do about a day's indicators now."""
        return self.indicating.decide(day or self.today())

    def collect(
        self, day: date | None = None, *, now: bool = False, on_step: OnStep = silently
    ) -> CollectReport:
        """Collect a day if the gate lets it through; ``now`` asks neither the hour nor attempts."""
        return self.collecting.collect(self.expect_past(day), now=now, on_step=on_step)

    def indicators(self, day: date | None = None, *, now: bool = False) -> IndicatorReport:
        """Calculate the indicators of a day if the gate lets it through."""
        return self.indicating.run(self.expect_past(day), now=now)

    def catch_up(self, *, on_step: OnStep = silently) -> CaughtUp:
        """Do all that is missing of the last sessions; this is what the timetable calls."""
        today = self.today()
        return catching_up.catch_up(self.collecting, self.indicating, today, on_step=on_step)

    def last_sessions(self) -> list[date]:
        """The sessions that the daily work looks after, the oldest first."""
        return catching_up.last_sessions(self.calendar(), self.today())

    # Going back

    def recover(
        self,
        first: date,
        last: date,
        *,
        only: Side | None = None,
        again: bool = False,
        on_step: OnStep = silently,
    ) -> RecoverReport:
        """Collect what is missing of a span, or all ``again``; then what follows from it."""
        return recovering.recover(
            self._database,
            self.collecting,
            self.indicating,
            self.expect_span(first, last),
            only=only,
            again=again,
            on_step=on_step,
        )

    def import_files(
        self,
        paths: Iterable[str | Path],
        *,
        market: str | None = None,
        adjusted: bool = False,
        on_step: OnStep = silently,
    ) -> ImportReport:
        """Store prices from CSV files, one per share or one per day; then what follows from them.

        A file without tickers that is named KS11, KQ11, KOSPI, KOSDAQ, 1001 or 2001 is an index.

        ``market`` is that of shares which neither the files nor the stored shares name. Files are
        ``adjusted`` where a price may move by more than 30 % a day.
        """
        report = import_files(
            self._database,
            self._clock,
            self._settings,
            paths,
            market=market,
            adjusted=adjusted,
            on_step=on_step,
        )
        if report.first is not None and report.last is not None:
            span = (report.first, report.last)
            tried = recovering.calculate(self._database, self.indicating, span, on_step)
            report.indicators = [each for each in tried if each.outcome != "skipped"]
        return report

    def gaps(self, first: date | None = None, last: date | None = None) -> Gaps:
        """What is missing; without a span, of the year that ends with the last session.

        A span is cut off at today, as ``recover`` does it.
        """
        if first is not None and last is not None:
            begins, ends = self.expect_span(first, last)
        else:
            ends = min(last or self.calendar().previous_session(self.today()), self.today())
            begins = first or min(max(self._first_day() or ends, ends - _YEAR), ends)
            _expect_order(begins, ends)
        return find_gaps(self._database, self.calendar(), begins, ends)

    # Looking

    def status(self, year: int, month: int) -> list[DayStatus]:
        """How the days of a month stand, and what will happen next."""
        return self.status_between(*month_of(year, month))

    def status_between(self, first: date, last: date) -> list[DayStatus]:
        """How the days of a span stand, and what will happen next."""
        rules = self.collecting.rules()
        return status_of(self._database, rules, (first, last), self._clock.now())

    def failed_days(self, first: date, last: date) -> list[date]:
        """The days of a span of which something failed and was not mended, in order."""
        with self._database.read() as connection:
            return sorted(logs.failed_days(connection, first, last))

    def last_logged(self) -> date | None:
        """The last day that anybody began to collect."""
        with self._database.read() as connection:
            return logs.last_day(connection)

    def day_sheet(self, day: date) -> DaySheet:
        """What was traded on a day: indices, the largest movers, and how many rose or fell."""
        return read_day_sheet(self._database, day, self.calendar().previous_session(day))

    def summary(self, day: date, zone: Zone = "kst") -> MarketDay:
        """What a session brought; its date is that of the exchange, whatever the zone."""
        del zone
        rules = self.collecting.rules()
        span = month_of(day.year, day.month)
        month = tuple(status_of(self._database, rules, span, self._clock.now()))
        status = month[day.day - 1]
        before = rules.calendar.previous_session(day)
        return MarketDay(
            status=status,
            wording=self._wording(rules.calendar),
            sheet=read_day_sheet(self._database, day, before),
            screens=read_screens(self._database, status, before),
            month=month,
        )

    def show(self, ticker: str, first: date | None = None, last: date | None = None) -> TickerSheet:
        """A share with its prices, factors and indicators; without a span, of the last year."""
        return reading.show(self._database, ticker.strip().upper(), *self._span(first, last))

    def index(self, code: str, first: date | None = None, last: date | None = None) -> IndexSheet:
        """An index, by its code or its market; without a span, of the last year."""
        known = INDICES.get(code.strip().upper(), code)
        return reading.index(self._database, known, *self._span(first, last))

    def last_indicated(self) -> date:
        """The last day that has indicators; before there is any, the last session."""
        known = reading.last_indicated(self._database)
        return known or self.calendar().last_session(self.today())

    def has_indicators(self, day: date) -> bool:
        """Whether there are indicators of a day."""
        return reading.has_indicators(self._database, day)

    def screen(
        self,
        kind: Screen,
        day: date | None = None,
        *,
        limit: int = MOST_SHARES,
        cursor: str | None = None,
    ) -> ScreenPage:
        """Shares that stand out on a day; without one, on the last that has indicators."""
        wanted = day or self.last_indicated()
        before = self.calendar().previous_session(wanted)
        return reading.screen(self._database, kind, wanted, before, limit=limit, cursor=cursor)

    def stocks(
        self, text: str = "", *, limit: int = MOST_SHARES, cursor: str | None = None
    ) -> SharePage:
        """Shares by the beginning of their ticker, or by a part of their name."""
        return reading.found_stocks(self._database, text, limit=limit, cursor=cursor)

    def find(self, text: str) -> tuple[StockRow, ...]:
        """Shares of exactly this ticker or name: one, none, or a few that share a name."""
        return reading.called_stocks(self._database, text)

    def _wording(self, calendar: Calendar) -> Wording:
        return Wording(self._zone, catching_up.last_sessions(calendar, self.today())[0])

    def _span(self, first: date | None, last: date | None) -> tuple[date, date]:
        ends = last or self.today()
        begins = first or ends - _YEAR
        _expect_order(begins, ends)
        return begins, ends

    def _first_day(self) -> date | None:
        with self._database.read() as connection:
            return logs.first_day(connection)


def _expect_order(first: date, last: date) -> None:
    if first > last:
        raise UsageError(f"{first} is after {last}; give the earlier day first")
