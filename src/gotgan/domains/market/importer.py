"""Imports price history from files: reads all rows first, then writes them day by day.

Whether a share was split follows from its change: where the file's own change agrees with its
closes nothing happened, and where it does not the difference is the factor. So files with adjusted
and with traded prices both lead to the right indicators, as long as traded prices come with the
change that the exchange publishes; a share without is left out. A few days at a time are one
transaction, and stored rows are not written again: an interrupted import is simply repeated.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from datetime import date
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, select

from gotgan.clock import Clock
from gotgan.domains.market import completeness, logs, messages, writer
from gotgan.domains.market.calendar import (
    available_from,
    is_final,
    load_calendar,
    read_calendar,
)
from gotgan.domains.market.keys import (
    INDICATORS_KEY,
    LEASE_PREFIX,
    MARKET_INDICES,
    STOCK_PRICES,
    STOCKS,
    day_key,
)
from gotgan.domains.market.models import INDICES, Fetch, IndexValue, SharePrice
from gotgan.domains.market.price_files import FileRow, IndexRow, read_rows
from gotgan.domains.market.providers.pykrx import base_of
from gotgan.domains.market.reports import ImportReport, SetAside
from gotgan.errors import UsageError
from gotgan.messages import Message
from gotgan.settings import Settings
from gotgan.sql import Database, lock
from gotgan.verbs import Progress, silent

PROVIDER: Final = "import"
"""The provider of imported rows."""
_MAX_DAILY_MOVE: Final = 0.305
"""A day may move a price by 30 % at most, and a rate has two digits; new listings are exempt."""
_RATE_TOLERANCE: Final = 0.000_06
"""How far a close may be off that is calculated back from a rate with two digits."""
_BATCH_ROWS: Final = 5_000
"""How many rows are written in one transaction."""
_Row: TypeAlias = FileRow | IndexRow
_Day: TypeAlias = tuple[date, list[SharePrice]]


def csv_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files that are meant: of a folder its CSV files, of a pattern all that match; sorted."""
    found = set[Path]()
    for each in map(Path, paths):
        if each.is_dir():
            some = [*each.glob("*.csv"), *each.glob("*.CSV")]
        elif each.exists():
            some = [each]
        else:
            some = list(Path(each.anchor or ".").glob(str(each.relative_to(each.anchor))))
        if not some:
            raise UsageError(messages.NO_CSV_FILES(path=each))
        found.update(some)
    return sorted(found)


def import_files(
    database: Database,
    clock: Clock,
    settings: Settings,
    paths: Iterable[str | Path],
    *,
    market: str | None = None,
    adjusted: bool = False,
    progress: Progress = silent,
) -> ImportReport:
    """Store the prices and indices in some files; rows that a provider collected stay."""
    files, report = csv_files(paths), ImportReport()
    today = clock.now().astimezone(ZoneInfo(settings.zone)).date()
    with closing(sqlite3.connect("")) as file:  # without a name, gone with the process
        buffer = _ImportBuffer(file, database, clock, report)
        buffer.read(files, progress)
        buffer.make_prices(market, adjusted=adjusted)
        days, done = buffer.days(), 0
        _store_indices(database, clock, today, buffer.indices(), settings.indices, report)
        for batch in _batches(buffer.by_day()):
            progress(done, len(days), f"{batch[0][0]}")
            _store_prices(database, clock, today, batch, report)
            done += len(batch)
    report.days, report.busy = len(days), sorted(set(report.busy))
    report.first, report.last = (days[0], days[-1]) if days else (None, None)
    with database.read() as connection:
        complete = completeness.complete_days(connection, days, settings.markets)
    with database.begin() as connection:
        logs.mark_complete(connection, "prices", complete, provider=PROVIDER, now=clock.now())
    report.whole = len(complete)
    if days:
        progress(len(days), len(days), f"{days[-1]}")
    return report


class _ImportBuffer:
    """The rows of all files, sorted in a database of their own: they may be many millions."""

    def __init__(
        self, buffer: sqlite3.Connection, database: Database, clock: Clock, report: ImportReport
    ) -> None:
        self._buffer, self._database, self._clock = buffer, database, clock
        self._report = report
        self._files: list[str] = []
        self._calendar = load_calendar(database)
        self._reasons = dict[str, Message | None]()
        self._indices = dict[tuple[str, str], tuple[IndexRow, int]]()
        buffer.execute(f"CREATE TABLE rows ({', '.join(FileRow._fields)}, file)")
        buffer.execute(
            "CREATE TABLE prices (day, ticker, name, market, open, high, low, close, change, "
            "volume, value, market_cap, shares)"
        )

    def read(self, files: Sequence[Path], progress: Progress) -> None:
        """Read all rows, in the files' order."""
        self._files = list(map(str, files))
        for number, path in enumerate(files):
            progress(number, len(files), path.name)
            added = self._insert("rows", len(FileRow._fields) + 1, self._rows(path, number))
            self._report.rows += max(added, 0)
        self._report.files = len(files)

    def _rows(self, path: Path, file: int) -> Iterator[tuple[object, ...]]:
        """The rows of shares; those of indices are few, and are kept."""
        for row in read_rows(path):
            if isinstance(row, SetAside):
                self._report.set_aside.append(row)
            elif isinstance(row, IndexRow):
                self._report.rows += 1
                self._add_index(row, file)
            else:
                yield (*row, file)

    def _add_index(self, row: IndexRow, file: int) -> None:
        """Keep a day of an index; of two the first counts, in the files' order."""
        if (why := self._why_not(row.day)) is not None:
            self._set_aside(row, file, why)
            return
        known, known_file = self._indices.setdefault((row.day, row.code), (row, file))
        if known is not row:
            self._note_repeated(row, file, known, known_file)

    def make_prices(self, market: str | None, *, adjusted: bool) -> None:
        """Make prices of the rows, share by share: their market, name and change."""
        with self._database.read() as connection:
            stocks = connection.execute(select(STOCKS.c.ticker, STOCKS.c.name, STOCKS.c.market))
            known = {row.ticker: (row.name, row.market) for row in stocks}
        found = self._buffer.execute("SELECT * FROM rows ORDER BY ticker, day, rowid")
        for ticker, rows in groupby(found, key=itemgetter(0)):
            history = list(self._each_day_once(rows))
            name, stored_market = known.get(ticker, ("", ""))
            try:
                its_market = next((row.market for row, _ in history if row.market), "")
                its_market = its_market or stored_market or market or ""
                prices = self._share_prices(history, name, its_market, adjusted=adjusted)
                self._insert("prices", 13, prices)
            except _SkippedShareError as left:
                self._set_aside(left.row, left.file, left.reason, len(history))
        self._report.conflicts.sort(key=lambda each: (each.file, each.line))

    def _insert(self, table: str, width: int, rows: Iterable[tuple[object, ...]]) -> int:
        marks = ", ".join("?" * width)
        query = f"INSERT INTO {table} VALUES ({marks})"  # noqa: S608 - names and question marks
        return self._buffer.executemany(query, rows).rowcount

    def _each_day_once(self, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[FileRow, int]]:
        """The rows of a share; of two for one day the first counts, in the files' order."""
        known, known_file = None, 0
        for *values, file in rows:
            row = FileRow._make(values)
            if known is None or row.day != known.day:
                known, known_file = row, file
                yield row, file
            else:
                self._note_repeated(row, file, known, known_file)

    def _note_repeated(self, row: _Row, file: int, known: _Row, known_file: int) -> None:
        if row._replace(line=known.line) == known:
            self._report.duplicates += 1
            return
        reason = messages.OTHER_VALUES(
            code=row[0], day=row.day, file=self._files[known_file], line=str(known.line)
        )
        self._report.conflicts.append(SetAside(self._files[file], row.line, reason))

    def _share_prices(
        self, history: Sequence[tuple[FileRow, int]], name: str, market: str, *, adjusted: bool
    ) -> list[tuple[object, ...]]:
        first, file = history[0]
        if not market:
            reason = messages.UNKNOWN_MARKET(ticker=first.ticker)
            raise _SkippedShareError(first, file, reason)
        before: int | None = self._stored_close(first)
        kept, prices = before, list[tuple[object, ...]]()
        for row, number in history:
            why = self._why_not(row.day)
            base, is_same = _base(row, before)
            if before is not None and not adjusted and abs(row.close / base - 1) > _MAX_DAILY_MOVE:
                reason = messages.MOVED_TOO_FAR(
                    ticker=row.ticker, close=row.close, base=base, day=row.day
                )
                raise _SkippedShareError(row, number, reason)
            before = row.close
            if why is not None:
                self._set_aside(row, number, why)
                continue
            change = row.close - (kept if is_same and kept is not None else base)
            kept = row.close
            is_traded = bool(row.open and row.high and row.low)
            traded = (row.open, row.high, row.low) if is_traded else (None, None, None)
            sums = (row.volume, row.value, row.market_cap, row.shares)
            key = (row.day, row.ticker, row.name or name or row.ticker, row.market or market)
            prices.append((*key, *traded, row.close, change, *sums))
        return prices

    def _why_not(self, text: str) -> Message | None:
        """Why a day can have no prices."""
        if text not in self._reasons:
            day = date.fromisoformat(text)
            closed = self._calendar.why(day)
            reason = None if closed is None else messages.CLOSED(day=day, why=closed)
            is_to_come = self._clock.now() < available_from(day)
            self._reasons[text] = messages.NOT_TRADED_YET(day=day) if is_to_come else reason
        return self._reasons[text]

    def _stored_close(self, row: FileRow) -> int | None:
        """The close of the session before a share's first row, where it is stored."""
        table = STOCK_PRICES.c
        earlier = self._calendar.previous_session(date.fromisoformat(row.day))
        query = select(table.close).where(table.date == earlier, table.ticker == row.ticker)
        with self._database.read() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _set_aside(self, row: _Row, file: int, reason: Message, rows: int = 1) -> None:
        self._report.set_aside.append(SetAside(self._files[file], row.line, reason, rows))

    def days(self) -> list[date]:
        """The days that have prices or indices, in order."""
        found = self._buffer.execute("SELECT DISTINCT day FROM prices")
        days = {row[0] for row in found} | {day for day, _ in self._indices}
        return sorted(map(date.fromisoformat, days))

    def indices(self) -> dict[date, tuple[IndexValue, ...]]:
        """The indices of each day, in order."""
        names = {code: name for name, code in INDICES.items()}
        each_day = groupby(sorted(self._indices), key=itemgetter(0))
        return {
            date.fromisoformat(day): tuple(
                IndexValue(code, names[code], *self._indices[day, code][0][3:]) for _, code in keys
            )
            for day, keys in each_day
        }

    def by_day(self) -> Iterator[_Day]:
        """The prices of each day, in order."""
        found = self._buffer.execute("SELECT * FROM prices ORDER BY day, ticker")
        for day, rows in groupby(found, key=lambda row: row[0]):
            yield date.fromisoformat(day), [SharePrice(*row[1:]) for row in rows]


class _SkippedShareError(Exception):
    """Why a whole share is left out."""

    def __init__(self, row: FileRow, file: int, reason: Message) -> None:
        super().__init__(reason)
        self.row, self.file, self.reason = row, file, reason


def _base(row: FileRow, before: int | None) -> tuple[int, bool]:
    """What a close is compared with, and whether that is the close ``before``."""
    if row.won is not None and row.won < row.close:
        base = row.close - row.won
        return base, base == before
    if row.percent is None:
        return before or row.close, before is not None
    near = row.close / (1 + row.percent / 100)
    if before is not None and abs(near - before) <= near * _RATE_TOLERANCE + 1:
        return before, True
    return max(base_of(row.close, row.percent), 1), False


def _batches(days: Iterable[_Day]) -> Iterator[list[_Day]]:
    """Days that are written at once: enough rows to be quick, few enough to let others write."""
    batch = list[_Day]()
    for day in days:
        batch.append(day)
        if sum(len(prices) for _, prices in batch) >= _BATCH_ROWS:
            yield batch
            batch = []
    if batch:
        yield batch


def _store_prices(
    database: Database, clock: Clock, today: date, batch: Sequence[_Day], report: ImportReport
) -> None:
    """Write some days, but none that is being collected: its rows would seem to be wrong."""
    now = clock.now()
    fetches = [
        Fetch(day, "prices", PROVIDER, now, tuple(prices), is_final=is_final(day, now))
        for day, prices in batch
    ]
    with database.begin() as connection:
        free = _free_fetches(database, connection, fetches, report)
        added = writer.add_prices(connection, free, read_calendar(connection), now)
        is_written = STOCK_PRICES.c.date.in_([fetch.day for fetch in free])
        counts = completeness.row_counts(connection, STOCK_PRICES, is_written)
        logs.mark_imported(connection, "prices", counts, provider=PROVIDER, today=today, now=now)
    _add_counts(report, added)


def _store_indices(
    database: Database,
    clock: Clock,
    today: date,
    days: Mapping[date, tuple[IndexValue, ...]],
    names: Sequence[str],
    report: ImportReport,
) -> None:
    """Write the indices of all days at once, which are few; a day is complete with all of them."""
    now = clock.now()
    fetches = [
        Fetch(day, "indices", PROVIDER, now, indices=values, is_final=is_final(day, now))
        for day, values in days.items()
    ]
    with database.begin() as connection:
        free = _free_fetches(database, connection, fetches, report)
        added = writer.add_indices(connection, free, now)
        table, counts = MARKET_INDICES.c, dict.fromkeys((fetch.day for fetch in free), 0)
        is_wanted = table.code.in_([INDICES[name] for name in names])
        counts |= completeness.row_counts(
            connection, MARKET_INDICES, table.date.in_(counts), is_wanted
        )
        logs.mark_imported(connection, "indices", counts, provider=PROVIDER, today=today, now=now)
        complete = {day: count for day, count in counts.items() if count == len(names)}
        logs.mark_complete(connection, "indices", complete, provider=PROVIDER, now=now)
    report.indices = len(complete)
    _add_counts(report, added)


def _free_fetches(
    database: Database, connection: Connection, fetches: Sequence[Fetch], report: ImportReport
) -> list[Fetch]:
    """Those of days that are not being collected; who saves one has its lease already."""
    lock(connection, INDICATORS_KEY)
    held = {lease.key for lease in database.leases.find_all(LEASE_PREFIX)}
    report.busy += [fetch.day for fetch in fetches if day_key(fetch.day) in held]
    return [fetch for fetch in fetches if day_key(fetch.day) not in held]


def _add_counts(report: ImportReport, counts: Mapping[str, int]) -> None:
    for name, count in counts.items():
        setattr(report, name, getattr(report, name) + count)
