"""The verbs of the market."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, Final, Self, TypeVar
from zoneinfo import ZoneInfo

from gotgan.clock import Clock, Zone
from gotgan.domain import GO, GateDecision, Service, SetupStep, SimpleDecision, skip
from gotgan.domains.market import messages, reports, rows
from gotgan.domains.market.days import DaySpan, parse_month
from gotgan.domains.market.decisions import DecisionWording
from gotgan.domains.market.models import DEFAULT_LIMIT, INDICES, MOVER_LIMIT
from gotgan.domains.market.params import (
    Adjusted,
    Again,
    First,
    IndexCode,
    Last,
    MarketName,
    Month,
    MoverCount,
    MoverDay,
    Now,
    OnlySide,
    OtherMarket,
    Paths,
    ScreenDay,
    ScreenKind,
    SearchText,
    SomeDay,
    SortOrder,
    Span,
    Ticker,
    Today,
)
from gotgan.errors import UsageError
from gotgan.params import Cursor, Limit
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.domain import Core
    from gotgan.domains.market import (
        calendar,
        catch_up,
        collector,
        completeness,
        importer,
        indicator_run,
        keys,
        logs,
        providers,
        queries,
        quotes,
        summary,
    )
    from gotgan.domains.market.calendar import Calendar
    from gotgan.domains.market.decisions import Decision
    from gotgan.domains.market.gate import DecisionRules
    from gotgan.domains.market.summary import MarketDay
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.sql import Database
else:

    class _LazyModule:
        """A module that is imported by the first use of a name in it."""

        def __init__(self, name: str) -> None:
            self._name = f"gotgan.domains.market.{name}"

        def __getattr__(self, name: str) -> object:
            return getattr(import_module(self._name), name)

    # These load SQLAlchemy or NumPy, which the help of a command does without: it reads only the
    # signatures below.
    calendar, catch_up, collector, completeness, importer, indicator_run = map(
        _LazyModule,
        ("calendar", "catch_up", "collector", "completeness", "importer", "indicator_run"),
    )
    keys, logs, providers, queries, quotes, summary = map(
        _LazyModule, ("keys", "logs", "providers", "queries", "quotes", "summary")
    )

_YEAR: Final = timedelta(days=365)
_MAX_HISTORY_AGE: Final = timedelta(days=45)
"""Indicators need a collected day within this time."""
T = TypeVar("T", reports.CollectReport, reports.IndicatorReport)


def _about_day(market: Market, day: date | None) -> tuple[str, ...]:
    return (market.expect_past(day).isoformat(),)


def _check_order(first: date | None, last: date | None) -> None:
    if first is not None and last is not None:
        DaySpan(first, last)


def _about_span(market: Market, span: DaySpan) -> tuple[str, ...]:
    known = market.expect_span(span)
    return (f"{known.first}/{known.last}",)


class Market(Service):
    """Prices, indices and indicators of the Korean exchange, day by day."""

    domain: ClassVar = "market"

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""
        return cls(core.database, core.web, core.settings, core.clock)

    def __init__(self, database: Database, web: Web, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._web = web
        self._clock = clock
        self._zone = ZoneInfo(settings.zone)
        self._settings = settings
        source = providers.make_providers(settings, web, database, clock)
        self.collector = collector.MarketCollector(database, source, settings, clock)
        self.indicator_run = indicator_run.IndicatorRun(database, settings, clock)

    def today(self) -> date:
        """The date that it is in the zone."""
        return self._clock.now().astimezone(self._zone).date()

    def calendar(self) -> Calendar:
        """The trading days, with all that was learned."""
        return calendar.load_calendar(self._database)

    def expect_past(self, day: date | None) -> date:
        """A day that has come, or today where none is given."""
        today = self.today()
        if day is not None and day > today:
            raise UsageError(messages.FUTURE_DAY(day=day, today=today, zone=self._zone.key))
        return day or today

    def expect_span(self, span: DaySpan) -> DaySpan:
        """The days of a range that have come."""
        return DaySpan(self.expect_past(span.first), min(span.last, self.today()))

    # The daily work

    @verb(role="editor", kind="write")
    def open_day(self, day: Today | None = None) -> reports.DayOpened:
        """Prepare the collection of a day.

        Writes a pending row for the day, except on weekends and holidays. An existing row is left
        unchanged.
        """
        wanted = self.expect_past(day)
        why = self.calendar().why(wanted)
        if why is not None:
            return reports.DayOpened(wanted, "closed", messages.CLOSED(day=wanted, why=why))
        with self._database.begin() as connection:
            is_new = logs.open_day(connection, wanted, today=self.today(), now=self._clock.now())
        if is_new:
            return reports.DayOpened(wanted, "opened", messages.OPENED(day=wanted))
        return reports.DayOpened(wanted, "duplicate", messages.OPENED_BEFORE(day=wanted))

    def decide(self, day: date | None = None) -> Decision:
        """What a tick would do about a day's collection now."""
        return self.collector.decide(day or self.today())

    def decide_indicators(self, day: date | None = None) -> Decision:
        """What a tick would do about a day's indicators now."""
        return self.indicator_run.decide(day or self.today())

    @verb(role="editor", kind="run", about=_about_day)
    def collect(
        self, day: Today | None = None, *, now: Now = False, progress: Progress = silent
    ) -> reports.CollectReport:
        """Collect the prices and indices of a day.

        Prices and indices are fetched, saved and verified separately. Collection starts at 17:00 in
        Seoul and skips what is stored. A failed part is retried after the next full hour, up to
        three times.
        """
        wanted = self.expect_past(day)
        return self._with_words(self.collector.collect(wanted, now=now, progress=progress))

    @verb(role="editor", kind="run", about=_about_day)
    def indicators(self, day: Today | None = None, *, now: Now = False) -> reports.IndicatorReport:
        """Calculate the indicators of a day.

        Starts at 18:00 in Seoul. The prices and indices of the day must be stored.
        """
        return self._with_words(self.indicator_run.run(self.expect_past(day), now=now))

    @verb(role="editor", kind="run")
    def catch_up(self, *, progress: Progress = silent) -> reports.CaughtUp:
        """Collect and calculate what is missing from the last ten sessions.

        The schedule runs this in the evening. It collects the days that are due, fetches final
        figures and calculates indicators. For older days, use recover.
        """
        parts = (self.collector, self.indicator_run, self.today())
        return catch_up.catch_up(*parts, progress=progress)

    def last_sessions(self) -> list[date]:
        """The sessions that the daily work looks after, the oldest first."""
        return catch_up.last_sessions(self.calendar(), self.today())

    # Going back

    @verb(role="editor", kind="run", about=_about_span)
    def recover(
        self,
        span: Span,
        *,
        only: OnlySide | None = None,
        again: Again = False,
        progress: Progress = silent,
    ) -> reports.RecoverReport:
        """Collect what is missing in a range of days.

        Retries failed days and skips stored days, so you can resume an interrupted run. Days with
        too few shares are fetched again. Indicators are calculated afterwards. The result lists
        what is still missing.
        """
        known = self.expect_span(span)
        return catch_up.recover(
            self._database,
            self.collector,
            self.indicator_run,
            (known.first, known.last),
            only=only,
            again=again,
            progress=progress,
        )

    @verb(role="admin", kind="run", is_local=True, command="import")
    def import_files(
        self,
        paths: Paths,
        *,
        market: OtherMarket | None = None,
        adjusted: Adjusted = False,
        progress: Progress = silent,
    ) -> reports.ImportReport:
        """Store price and index history from CSV files.

        A path is a file, a folder or a pattern such as 'prices/*.csv'. One file per share
        (005930.csv) or one per day, with the columns of pykrx, FinanceDataReader or the exchange,
        in UTF-8 or CP949. A file without tickers named KS11, KQ11, KOSPI, KOSDAQ, 1001 or 2001 is
        an index. Rows with impossible prices are listed and skipped; rows that were collected are
        kept. Importing the same files again changes nothing, so you can repeat an interrupted
        import.
        """
        report = importer.import_files(
            self._database,
            self._clock,
            self._settings,
            paths,
            market=market,
            adjusted=adjusted,
            progress=progress,
        )
        if report.first is not None and report.last is not None:
            span = (report.first, report.last)
            report.indicators = catch_up.calculate_indicators(
                self._database, self.indicator_run, span, progress
            )
        return report

    @verb(role="admin", kind="write", is_local=True)
    def adopt(self) -> reports.MarketAdopted:
        """Adopt tables that another program created.

        Adds missing columns, unique keys and indexes; rows are left unchanged. Days with the status
        success count as collected; recover fetches their prices. Starting Gotgan does the same, so
        this command mostly reports.
        """
        with self._database.begin() as connection:
            adopted = self._database.adopt(connection, keys.ALL_TABLES)
            logs.try_logs(connection, self._clock.now())
        return reports.MarketAdopted(tuple(adopted))

    @verb()
    def gaps(
        self, span: Span | None = None, *, first: First | None = None, last: Last | None = None
    ) -> reports.Gaps:
        """List missing days, days with too few shares, and missing prices of single shares.

        Give a range, or only its first or last day. Default: the year up to the last session. A day
        has too few shares if it has less than 98 % of the shares of the session before or after it.
        """
        if span is not None and not first and not last:
            known = self.expect_span(span)
        elif span is not None:
            raise UsageError(messages.RANGE_OR_ENDS())
        elif first is not None and last is not None:
            known = self.expect_span(DaySpan(first, last))
        else:
            parts = (self._database, self.calendar(), self.today())
            known = completeness.last_year(*parts, first, last)
        return completeness.find_gaps(self._database, self.calendar(), known.first, known.last)

    # Gates and setup

    def is_ready(self) -> GateDecision:
        """Whether a provider of prices is set up."""
        return self.unset() or GO

    def decide_today(self) -> GateDecision:
        """Whether today's prices are to be collected now."""
        return self.unset() or self.decide()

    def decide_indicators_today(self) -> GateDecision:
        """Whether today's indicators are to be calculated now."""
        return self.unset() or self.decide_indicators()

    def setup(self) -> Sequence[SetupStep]:
        """The setup steps."""
        today, last = self.today(), self.last_log_day()
        has_history = last is not None and last >= today - _MAX_HISTORY_AGE
        return (
            SetupStep.of(
                "market",
                "login",
                self.unset(),
                variables=("KRX_ID", "KRX_PW"),
                source="https://data.krx.co.kr/",
            ),
            SetupStep.of(
                "market",
                "history",
                None if has_history else skip("no_history", messages.NO_HISTORY()),
                is_needed=False,
                command=f"gotgan market recover {today - _YEAR}..{today}",
            ),
        )

    def try_setup(self, step: str) -> bool:
        """Log in at KRX."""
        return step == "login" and providers.log_in(self._settings, self._web, self._database)

    def unset(self) -> SimpleDecision | None:
        """Which settings are missing to collect on schedule; None if none are."""
        words = providers.missing_setup(self._settings)
        return None if words is None else skip("no_provider", words)

    # Looking

    @verb()
    def status(self, *, month: Month | None = None) -> reports.MonthStatus:
        """Show the status of the days of a month.

        For each day: prices, indices, retries, and what happens next and why.
        """
        today = self.today()
        wanted = month or f"{today:%Y-%m}"
        days = self.status_between(*parse_month(wanted))
        return reports.MonthStatus(wanted, today, self._zone.key, tuple(days))

    def status_between(
        self, first: date, last: date, rules: DecisionRules | None = None
    ) -> list[reports.DayStatus]:
        """The status of the days of a span, and what happens next."""
        rules = rules or self.collector.rules()
        wording = self._wording(rules.calendar)
        now = self._clock.now()
        return summary.day_statuses(self._database, rules, (first, last), now, wording)

    def failed_days(self, first: date, last: date) -> list[date]:
        """The days of a span of which something failed and was not mended, in order."""
        with self._database.read() as connection:
            return sorted(logs.failed_days(connection, first, last))

    def last_log_day(self) -> date | None:
        """The last day that was ever opened."""
        with self._database.read() as connection:
            return logs.first_and_last_day(connection)[1]

    @verb(path="market/days/{day}", command="day")
    def get_day(self, day: SomeDay) -> reports.DayDetails:
        """Show a day: its status, indices, largest moves and splits."""
        rules = self.collector.rules()
        [status] = self.status_between(day, day, rules)
        sheet = summary.read_day_sheet(self._database, day, rules.calendar.previous_session(day))
        return reports.DayDetails(**vars(sheet), status=status)

    @verb(path="market/days/{day}/columns")
    def columns(self, day: SomeDay, *, market: MarketName | None = None) -> reports.DayColumns:
        """Get the prices and indicators of all shares on a day, as columns.

        For pandas: DataFrame(app.market.columns(day).columns). The command prints CSV.
        """
        return reports.DayColumns(day, queries.day_columns(self._database, day, market))

    def summary(self, day: date, zone: Zone = "kst") -> MarketDay:
        """The summary of a session; its date is that of the exchange, in any zone."""
        del zone
        rules = self.collector.rules()
        last = day.replace(day=monthrange(day.year, day.month)[1])
        month = tuple(self.status_between(day.replace(day=1), last, rules))
        return summary.read_market_day(
            self._database, day, rules.calendar.previous_session(day), month
        )

    @verb(path="market/stocks/{ticker}")
    def get(
        self, ticker: Ticker, *, first: First | None = None, last: Last | None = None
    ) -> rows.TickerSheet:
        """Show a share: prices, factors and indicators.

        Prices are as traded. Multiply prices before the day of a factor by it to compare them with
        later ones.
        """
        _check_order(first, last)
        return queries.get_stock(self._database, ticker.strip().upper(), first, last)

    @verb()
    def indices(self) -> rows.IndexList:
        """List the indices: last value, change since the day and the week before, recent closes."""
        return rows.IndexList(quotes.read_indices(self._database))

    @verb(path="market/indices/{code}")
    def index(
        self, code: IndexCode = "KOSPI", *, first: First | None = None, last: Last | None = None
    ) -> rows.IndexSheet:
        """Show an index, day by day."""
        _check_order(first, last)
        found = INDICES.get(code.strip().upper(), code)
        return queries.get_index(self._database, found, first, last, self.today())

    def last_indicator_day(self) -> date:
        """The last day that has indicators; before there is any, the last session."""
        known = queries.last_indicator_day(self._database)
        return known or self.calendar().last_session(self.today())

    @verb(path="market/screens/{kind}")
    def screen(
        self,
        kind: ScreenKind,
        day: ScreenDay | None = None,
        *,
        limit: Limit = DEFAULT_LIMIT,
        cursor: Cursor | None = None,
    ) -> rows.ScreenPage:
        """Find shares by RSI or MACD.

        RSI results are sorted by the most extreme RSI, MACD results by the largest traded value. A
        cursor is valid for one day: pass the `day` of the previous page with it.
        """
        wanted = day or self.last_indicator_day()
        before = self.calendar().previous_session(wanted)
        return queries.screen(self._database, kind, wanted, before, limit=limit, cursor=cursor)

    @verb()
    def movers(
        self, day: MoverDay | None = None, *, limit: MoverCount = MOVER_LIMIT
    ) -> rows.Movers:
        """Show the largest gains and losses of a day, the most traded shares, and the breadth.

        Changes are against the base of the day, so a split is not a movement.
        """
        return quotes.last_movers(self._database, day, self.today(), limit)

    @verb()
    def stocks(
        self,
        text: SearchText = "",
        *,
        sort: SortOrder = "ticker",
        market: MarketName | None = None,
        limit: Limit = DEFAULT_LIMIT,
        cursor: Cursor | None = None,
    ) -> rows.SharePage:
        """List shares with their price on the last day, by ticker or name.

        A cursor is valid for one order: pass the `sort` of the previous page with it.
        """
        return quotes.list_shares(
            self._database, text, sort=sort, market=market, limit=limit, cursor=cursor
        )

    def recent_closes(self, tickers: Sequence[str]) -> Mapping[str, tuple[float | None, ...]]:
        """The last 30 split-adjusted closes of some shares; null where a share was halted."""
        return quotes.recent_closes(self._database, tickers)

    def find(self, text: str) -> tuple[rows.StockRow, ...]:
        """Shares of exactly this ticker or name: one, none, or a few that share a name."""
        return queries.find_stocks(self._database, text)

    def _with_words(self, report: T) -> T:
        """A report of a refusal says until when."""
        if report.decision.status == "run":
            return report
        return replace(report, words=self._wording(self.calendar()).of(report.decision))

    def _wording(self, calendar: Calendar) -> DecisionWording:
        return DecisionWording(self._zone, catch_up.last_sessions(calendar, self.today())[0])
