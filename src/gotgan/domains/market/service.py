"""What the market can do: one place for all of its verbs."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeVar
from zoneinfo import ZoneInfo

from gotgan.clock import Clock, Zone
from gotgan.domains.market.caught_up import CaughtUp
from gotgan.domains.market.days import DaySpan, read_month
from gotgan.domains.market.models import INDICES, MOST_SHARES
from gotgan.domains.market.params import (
    Adjusted,
    Again,
    First,
    IndexCode,
    Last,
    MarketName,
    Month,
    Now,
    OnlySide,
    OtherMarket,
    Paths,
    Plot,
    ScreenDay,
    ScreenKind,
    SearchText,
    SomeDay,
    Span,
    Ticker,
    Today,
)
from gotgan.domains.market.reports import (
    CollectReport,
    DayColumns,
    DayDetails,
    DayOpened,
    DayStatus,
    Gaps,
    ImportReport,
    IndicatorReport,
    MarketAdopted,
    MonthStatus,
    OnStep,
    RecoverReport,
)
from gotgan.domains.market.rows import IndexSheet, ScreenPage, SharePage, StockRow, TickerSheet
from gotgan.domains.market.setup import MarketSetup
from gotgan.domains.market.wording import DecisionWording
from gotgan.errors import UsageError
from gotgan.params import Cursor, Limit
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.domain import Core
    from gotgan.domains.market.calendar import Calendar
    from gotgan.domains.market.decisions import Decision
    from gotgan.domains.market.gate import DecisionRules
    from gotgan.domains.market.summaries import MarketDay
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.sql import Database

__all__ = ["Market"]

_YEAR: Final = timedelta(days=365)
_DRAWN: Final = ".svg"
T = TypeVar("T", CollectReport, IndicatorReport)

# Modules that load SQLAlchemy or NumPy are imported by the methods that need them, so that the help
# of a command, which reads the signatures below, loads neither.


def _about_day(market: Market, day: date | None) -> tuple[str, ...]:
    return (market.expect_past(day).isoformat(),)


def _about_span(market: Market, span: DaySpan) -> tuple[str, ...]:
    known = market.expect_span(span)
    return (f"{known.first}/{known.last}",)


class Market(MarketSetup):
    """Prices, indices and indicators of the Korean exchange, day by day."""

    domain: ClassVar = "market"

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""
        return cls(core.database, core.web, core.settings, core.clock)

    def __init__(self, database: Database, web: Web, settings: Settings, clock: Clock) -> None:
        from gotgan.domains.market.collecting import MarketCollector  # noqa: PLC0415 - as said above
        from gotgan.domains.market.indicating import Indicating  # noqa: PLC0415
        from gotgan.domains.market.providers import providers_of  # noqa: PLC0415

        self._database = database
        self._clock = clock
        self._zone = ZoneInfo(settings.zone)
        self._settings = settings
        source = providers_of(settings, web, database, clock)
        self.collecting = MarketCollector(database, source, settings, clock)
        self.indicating = Indicating(database, settings, clock)

    def today(self) -> date:
        """The date that it is in the zone."""
        return self._clock.now().astimezone(self._zone).date()

    def calendar(self) -> Calendar:
        """The trading days, with all that was learned."""
        from gotgan.domains.market import overrides  # noqa: PLC0415

        return overrides.calendar_of(self._database)

    def expect_past(self, day: date | None) -> date:
        """A day that has come, or today where none is given."""
        today = self.today()
        if day is not None and day > today:
            raise UsageError(f"{day} has not come yet; today is {today} in {self._zone.key}")
        return day or today

    def expect_span(self, span: DaySpan) -> DaySpan:
        """The days of a range that have come."""
        return DaySpan(self.expect_past(span.first), min(span.last, self.today()))

    # The daily work

    @verb(role="editor", kind="write")
    def open_day(self, day: Today | None = None) -> DayOpened:
        """Prepare the collection of a day.

        Writes the pending row of the day. A weekend or a holiday has none, and a row that exists is
        left unchanged.
        """
        from gotgan.domains.market import logs  # noqa: PLC0415

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

    @verb(role="editor", kind="run", about=_about_day)
    def collect(
        self, day: Today | None = None, *, now: Now = False, progress: Progress = silent
    ) -> CollectReport:
        """Collect the prices and indices of a day.

        Prices and indices are fetched, saved and verified separately. Not before 17:00 in Seoul,
        and not what is stored. What failed is retried after the next full hour, three times.
        """
        wanted = self.expect_past(day)
        return self._told(self.collecting.collect(wanted, now=now, on_step=_steps(progress)))

    @verb(role="editor", kind="run", about=_about_day)
    def indicators(self, day: Today | None = None, *, now: Now = False) -> IndicatorReport:
        """Calculate the indicators of a day.

        Not before 18:00 in Seoul, and only of a day whose prices and indices are stored.
        """
        return self._told(self.indicating.run(self.expect_past(day), now=now))

    @verb(role="editor", kind="run")
    def catch_up(self, *, progress: Progress = silent) -> CaughtUp:
        """Collect and calculate what is missing of the last ten sessions.

        This is what the schedule runs in the evening: it collects days that are due, fetches final
        figures and calculates indicators. For older days use recover.
        """
        from gotgan.domains.market import catching_up  # noqa: PLC0415

        parts = (self.collecting, self.indicating, self.today())
        return catching_up.catch_up(*parts, on_step=_steps(progress))

    def last_sessions(self) -> list[date]:
        """The sessions that the daily work looks after, the oldest first."""
        return self._last_sessions(self.calendar())

    # Going back

    @verb(role="editor", kind="run", about=_about_span)
    def recover(
        self,
        span: Span,
        *,
        only: OnlySide | None = None,
        again: Again = False,
        progress: Progress = silent,
    ) -> RecoverReport:
        """Collect what is missing in a range of days.

        Failed days are tried again, stored ones are left unchanged, so an interrupted recovery
        resumes. Days with too few shares are fetched again. Indicators follow. The result lists
        what is still missing.
        """
        from gotgan.domains.market import recovering  # noqa: PLC0415

        known = self.expect_span(span)
        return recovering.recover(
            self._database,
            self.collecting,
            self.indicating,
            (known.first, known.last),
            only=only,
            again=again,
            on_step=_steps(progress),
        )

    @verb(role="admin", kind="run", is_local=True, command="import")
    def import_files(
        self,
        paths: Paths,
        *,
        market: OtherMarket | None = None,
        adjusted: Adjusted = False,
        progress: Progress = silent,
    ) -> ImportReport:
        """Store price and index history from CSV files.

        A path is a file, a folder or a pattern such as 'prices/*.csv'. One file per share
        (005930.csv) or one per day, with the columns of pykrx, FinanceDataReader or the exchange,
        in UTF-8 or CP949. A file without tickers named KS11, KQ11, KOSPI, KOSDAQ, 1001 or 2001 is
        an index. Rows with impossible prices are listed and left out; rows that were collected are
        kept. Importing the same files again changes nothing, so an interrupted import is simply
        repeated.
        """
        from gotgan.domains.market import importing, recovering  # noqa: PLC0415

        on_step = _steps(progress)
        report = importing.import_files(
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

    @verb(role="admin", kind="write", is_local=True)
    def adopt(self) -> MarketAdopted:
        """Take over tables that another program created.

        Columns, unique keys and indexes that are missing are added; rows are left unchanged. Days
        with the status success count as collected; recover fetches their prices. Starting Gotgan
        does the same, so this mostly reports.
        """
        from gotgan.domains.market import adoption  # noqa: PLC0415
        from gotgan.domains.market.tables import ALL_TABLES  # noqa: PLC0415

        with self._database.begin() as connection:
            adopted = self._database.adopt(connection, ALL_TABLES)
            adoption.try_out(connection, self._clock.now())
        return MarketAdopted(tuple(adopted))

    @verb()
    def gaps(
        self, span: Span | None = None, *, first: First | None = None, last: Last | None = None
    ) -> Gaps:
        """List missing days, days with too few shares, and missing prices of single shares.

        Give a range, or its first or last day alone. Default: the year that ends with the last
        session. A day has too few shares with less than 98 % of those of the session before or
        after.
        """
        from gotgan.domains.market.gaps import find_gaps  # noqa: PLC0415

        if span is not None and not first and not last:
            known = self.expect_span(span)
        elif span is not None:
            raise UsageError("Give either a range or its first and last day, not both.")
        elif first is not None and last is not None:
            known = self.expect_span(DaySpan(first, last))
        else:
            ends = min(last or self.calendar().previous_session(self.today()), self.today())
            known = DaySpan(first or min(max(self._first_day() or ends, ends - _YEAR), ends), ends)
        return find_gaps(self._database, self.calendar(), known.first, known.last)

    # Looking

    @verb()
    def status(self, *, month: Month | None = None) -> MonthStatus:
        """Show the status of the days of a month.

        Prices and indices of each day, their retries, and what happens next and why.
        """
        from gotgan.domains.market.status import month_of  # noqa: PLC0415

        today = self.today()
        wanted = month or f"{today:%Y-%m}"
        days = self.status_between(*month_of(*read_month(wanted)))
        return MonthStatus(wanted, today, self._zone.key, tuple(days))

    def status_between(
        self, first: date, last: date, rules: DecisionRules | None = None
    ) -> list[DayStatus]:
        """The status of the days of a span, and what happens next."""
        from gotgan.domains.market.status import status_of  # noqa: PLC0415

        rules = rules or self.collecting.rules()
        wording = self._wording(rules.calendar)
        return status_of(self._database, rules, (first, last), self._clock.now(), wording)

    def failed_days(self, first: date, last: date) -> list[date]:
        """The days of a span of which something failed and was not mended, in order."""
        from gotgan.domains.market import logs  # noqa: PLC0415

        with self._database.read() as connection:
            return sorted(logs.failed_days(connection, first, last))

    def last_logged(self) -> date | None:
        """The last day that was ever opened."""
        from gotgan.domains.market import logs  # noqa: PLC0415

        with self._database.read() as connection:
            return logs.last_day(connection)

    @verb(path="market/days/{day}", command="day")
    def get_day(self, day: SomeDay) -> DayDetails:
        """Show a day: its status, indices, largest moves and splits."""
        from gotgan.domains.market.day_sheets import read_day_sheet  # noqa: PLC0415

        rules = self.collecting.rules()
        [status] = self.status_between(day, day, rules)
        sheet = read_day_sheet(self._database, day, rules.calendar.previous_session(day))
        return DayDetails(**vars(sheet), status=status)

    @verb(path="market/days/{day}/columns")
    def columns(self, day: SomeDay, *, market: MarketName | None = None) -> DayColumns:
        """Get all shares of a day with prices and indicators as columns.

        For pandas: DataFrame(app.market.columns(day).columns). The command prints CSV.
        """
        from gotgan.domains.market import reading  # noqa: PLC0415

        return DayColumns(day, reading.columns(self._database, day, market))

    def summary(self, day: date, zone: Zone = "kst") -> MarketDay:
        """What a session brought; its date is that of the exchange, whatever the zone."""
        from gotgan.domains.market.day_sheets import read_day_sheet  # noqa: PLC0415
        from gotgan.domains.market.status import month_of  # noqa: PLC0415
        from gotgan.domains.market.summaries import MarketDay, read_screens  # noqa: PLC0415

        del zone
        rules = self.collecting.rules()
        month = tuple(self.status_between(*month_of(day.year, day.month), rules))
        status, before = month[day.day - 1], rules.calendar.previous_session(day)
        return MarketDay(
            status=status,
            sheet=read_day_sheet(self._database, day, before),
            screens=read_screens(self._database, status, before),
            month=month,
        )

    @verb(path="market/stocks/{ticker}")
    def get(
        self,
        ticker: Ticker,
        *,
        first: First | None = None,
        last: Last | None = None,
        plot: Plot | None = None,
    ) -> TickerSheet:
        """Show a share: prices, factors and indicators.

        Prices are as traded; a factor makes those before its day comparable with later ones.
        """
        from gotgan.domains.market import reading  # noqa: PLC0415

        if plot is not None and plot.suffix.lower() != _DRAWN:
            raise UsageError(f"Not an SVG file: {plot}. Use a name that ends in {_DRAWN}.")
        known = self._span(first, last)
        sheet = reading.show(self._database, ticker.strip().upper(), known.first, known.last)
        if plot is not None:
            from gotgan.domains.market.plotting import write_drawing  # noqa: PLC0415

            write_drawing(sheet, plot)
        return sheet

    @verb(path="market/indices/{code}")
    def index(
        self, code: IndexCode = "KOSPI", *, first: First | None = None, last: Last | None = None
    ) -> IndexSheet:
        """Show an index, day by day."""
        from gotgan.domains.market import reading  # noqa: PLC0415

        known = self._span(first, last)
        found = INDICES.get(code.strip().upper(), code)
        return reading.index(self._database, found, known.first, known.last)

    def last_indicated(self) -> date:
        """The last day that has indicators; before there is any, the last session."""
        from gotgan.domains.market import reading  # noqa: PLC0415

        known = reading.last_indicated(self._database)
        return known or self.calendar().last_session(self.today())

    @verb(path="market/screens/{kind}")
    def screen(
        self,
        kind: ScreenKind,
        day: ScreenDay | None = None,
        *,
        limit: Limit = MOST_SHARES,
        cursor: Cursor | None = None,
    ) -> ScreenPage:
        """Find shares by RSI or MACD.

        The most extreme RSI comes first, and of crosses the share with the largest traded value. A
        cursor is valid for one day: give the `day` of the page before, too.
        """
        from gotgan.domains.market import reading  # noqa: PLC0415

        wanted = day or self.last_indicated()
        before = self.calendar().previous_session(wanted)
        return reading.screen(self._database, kind, wanted, before, limit=limit, cursor=cursor)

    @verb()
    def stocks(
        self, text: SearchText = "", *, limit: Limit = MOST_SHARES, cursor: Cursor | None = None
    ) -> SharePage:
        """Find shares by ticker or name."""
        from gotgan.domains.market import reading  # noqa: PLC0415

        return reading.found_stocks(self._database, text, limit=limit, cursor=cursor)

    def find(self, text: str) -> tuple[StockRow, ...]:
        """Shares of exactly this ticker or name: one, none, or a few that share a name."""
        from gotgan.domains.market import reading  # noqa: PLC0415

        return reading.called_stocks(self._database, text)

    def _told(self, report: T) -> T:
        """With what keeps it from being worked on, and until when."""
        if report.decision.status == "run":
            return report
        return replace(report, words=self._wording(self.calendar()).of(report.decision))

    def _wording(self, calendar: Calendar) -> DecisionWording:
        return DecisionWording(self._zone, self._last_sessions(calendar)[0])

    def _last_sessions(self, calendar: Calendar) -> list[date]:
        from gotgan.domains.market import catching_up  # noqa: PLC0415

        return catching_up.last_sessions(calendar, self.today())

    def _span(self, first: date | None, last: date | None) -> DaySpan:
        ends = last or self.today()
        return DaySpan(first or ends - _YEAR, ends)

    def _first_day(self) -> date | None:
        from gotgan.domains.market import logs  # noqa: PLC0415

        with self._database.read() as connection:
            return logs.first_day(connection)


def _steps(progress: Progress) -> OnStep:
    return lambda step: progress(step.done, step.total, step.what)
