"""Price history from files: all rows are gathered first, then written day by day.

A share's change against the day before decides whether its shares were split: where the file's own
change agrees with its closes nothing happened, and where it does not the difference is the factor.
So files with adjusted and with traded prices both give the right indicators, as long as traded
prices come with the change that the exchange publishes; a share of which that cannot be so is left
out. A few days at a time are one transaction, and rows that are there already are not written
again: an import that was ended is simply repeated.
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

from sqlalchemy import select

from gotgan.clock import Clock
from gotgan.domains.market import logs, overrides, saving, verifying
from gotgan.domains.market.file_rows import FileRow, IndexRow, SetAside, rows_of
from gotgan.domains.market.finality import is_final, traded_from
from gotgan.domains.market.keys import INDICATORS_KEY, KEYS, day_key
from gotgan.domains.market.models import INDICES, Fetch, IndexValue, SharePrice
from gotgan.domains.market.providers.pykrx import base_of
from gotgan.domains.market.reports import ImportReport, OnStep, VerbProgress, silently
from gotgan.domains.market.tables import STOCK_PRICES, STOCKS
from gotgan.errors import UsageError
from gotgan.settings import Settings
from gotgan.sql import Database, lock

__all__ = ["PROVIDER", "csv_files", "import_files"]

PROVIDER: Final = "import"
"""Who wrote the rows, as ``provider`` says it."""
_LIMIT: Final = 0.305
"""A day may move a price by 30 % at most, and a rate has two digits; new listings are exempt."""
_INEXACT: Final = 0.000_06
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
            raise UsageError(
                f"There are no CSV files at {each}. Give a file, a folder or a pattern."
            )
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
    on_step: OnStep = silently,
) -> ImportReport:
    """Store the prices and indices in some files; rows that a provider collected stay."""
    files, report = csv_files(paths), ImportReport()
    today = clock.now().astimezone(ZoneInfo(settings.zone)).date()
    with closing(sqlite3.connect("")) as gathered:  # a file without a name, gone with the process
        gathering = _Gathering(gathered, database, clock, report)
        gathering.read(files, on_step)
        gathering.price(market, adjusted=adjusted)
        days, done = gathering.days(), 0
        _store_indices(database, clock, settings, gathering.indices(), report)
        for batch in _batches(gathering.by_day()):
            on_step(VerbProgress(done, len(days), f"{batch[0][0]}"))
            _store(database, clock, today, batch, report)
            done += len(batch)
    report.days, report.busy = len(days), sorted(set(report.busy))
    report.first, report.last = (days[0], days[-1]) if days else (None, None)
    report.whole = _mark_whole(database, clock, days, settings.markets)
    if days:
        on_step(VerbProgress(len(days), len(days), f"{days[-1]}"))
    return report


class _Gathering:
    """The rows of all files, sorted in a database of their own: they may be many millions."""

    def __init__(
        self, gathered: sqlite3.Connection, database: Database, clock: Clock, report: ImportReport
    ) -> None:
        self._gathered, self._database, self._clock = gathered, database, clock
        self._report = report
        self._files: list[str] = []
        self._calendar = overrides.calendar_of(database)
        self._reasons = dict[str, str | None]()
        self._indices = dict[tuple[str, str], tuple[IndexRow, int]]()
        gathered.execute(f"CREATE TABLE rows ({', '.join(FileRow._fields)}, file)")
        gathered.execute(
            "CREATE TABLE prices (day, ticker, name, market, open, high, low, close, change, "
            "volume, value, market_cap, shares)"
        )

    def read(self, files: Sequence[Path], on_step: OnStep) -> None:
        """Gather all rows, in the files' order."""
        self._files = list(map(str, files))
        marks = ", ".join("?" * (len(FileRow._fields) + 1))
        for number, path in enumerate(files):
            on_step(VerbProgress(number, len(files), path.name))
            added = self._gathered.executemany(
                f"INSERT INTO rows VALUES ({marks})",  # noqa: S608 - question marks
                self._rows(path, number),
            )
            self._report.rows += max(added.rowcount, 0)
        self._report.files = len(files)

    def _rows(self, path: Path, file: int) -> Iterator[tuple[object, ...]]:
        """The rows of shares; those of indices are few, and are kept."""
        for row in rows_of(path):
            if isinstance(row, SetAside):
                self._report.set_aside.append(row)
            elif isinstance(row, IndexRow):
                self._report.rows += 1
                self._note_index(row, file)
            else:
                yield (*row, file)

    def _note_index(self, row: IndexRow, file: int) -> None:
        """Keep a day of an index; of two the first counts, in the files' order."""
        if (why := self._why_not(row.day)) is not None:
            self._set_aside(row, file, why)
            return
        known, known_file = self._indices.setdefault((row.day, row.code), (row, file))
        if known is not row:
            self._note_twice(row, file, known, known_file)

    def price(self, market: str | None, *, adjusted: bool) -> None:
        """Make prices of the rows, share by share: their market, name and change."""
        known = _known_stocks(self._database)
        found = self._gathered.execute("SELECT * FROM rows ORDER BY ticker, day, rowid")
        marks = ", ".join("?" * 13)
        for ticker, rows in groupby(found, key=itemgetter(0)):
            history = list(self._each_day_once(rows))
            name, stored_market = known.get(ticker, ("", ""))
            try:
                its_market = next((row.market for row, _ in history if row.market), "")
                its_market = its_market or stored_market or market or ""
                prices = self._priced(history, name, its_market, adjusted=adjusted)
            except _LeftOutError as left:
                self._set_aside(left.row, left.file, str(left), len(history))
                continue
            self._gathered.executemany(
                f"INSERT INTO prices VALUES ({marks})",  # noqa: S608 - question marks
                prices,
            )
        self._report.conflicts.sort(key=lambda each: (each.file, each.line))

    def _each_day_once(self, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[FileRow, int]]:
        """The rows of a share; of two for one day the first counts, in the files' order."""
        known, known_file = None, 0
        for *values, file in rows:
            row = FileRow._make(values)
            if known is None or row.day != known.day:
                known, known_file = row, file
                yield row, file
            else:
                self._note_twice(row, file, known, known_file)

    def _note_twice(self, row: _Row, file: int, known: _Row, known_file: int) -> None:
        if row._replace(line=known.line) == known:
            self._report.duplicates += 1
            return
        reason = (
            f"{row[0]} on {row.day} is in {self._files[known_file]}, line {known.line}, with other "
            "values; that row counts"
        )
        self._report.conflicts.append(SetAside(self._files[file], row.line, reason))

    def _priced(
        self, history: Sequence[tuple[FileRow, int]], name: str, market: str, *, adjusted: bool
    ) -> list[tuple[object, ...]]:
        first, file = history[0]
        if not market:
            reason = f"the market of {first.ticker} is not known; add a column or give --market"
            raise _LeftOutError(first, file, reason)
        before: int | None = self._stored_close(first)
        kept, prices = before, list[tuple[object, ...]]()
        for row, number in history:
            why = self._why_not(row.day)
            base, is_same = _base(row, before)
            if before is not None and not adjusted and abs(row.close / base - 1) > _LIMIT:
                raise _LeftOutError(row, number, _jump(row, base))
            before = row.close
            if why is not None:
                self._set_aside(row, number, why)
                continue
            change = row.close - (kept if is_same and kept is not None else base)
            kept = row.close
            is_traded = bool(row.open and row.high and row.low)
            traded = (row.open, row.high, row.low) if is_traded else (None, None, None)
            sums = (row.volume, row.value, row.market_cap, row.shares)
            shown = row.name or name or row.ticker
            prices.append(
                (
                    row.day,
                    row.ticker,
                    shown,
                    row.market or market,
                    *traded,
                    row.close,
                    change,
                    *sums,
                )
            )
        return prices

    def _why_not(self, text: str) -> str | None:
        """Why a day can have no prices."""
        if text not in self._reasons:
            day = date.fromisoformat(text)
            closed = self._calendar.why(day)
            reason = None if closed is None else f"{day} is not a trading day: {closed}"
            is_to_come = self._clock.now() < traded_from(day)
            self._reasons[text] = f"{day} has not been traded yet" if is_to_come else reason
        return self._reasons[text]

    def _stored_close(self, row: FileRow) -> int | None:
        """The close of the session before a share's first row, where it is stored."""
        table = STOCK_PRICES.c
        earlier = self._calendar.previous_session(date.fromisoformat(row.day))
        query = select(table.close).where(table.date == earlier, table.ticker == row.ticker)
        with self._database.read() as connection:
            return connection.execute(query).scalar_one_or_none()

    def _set_aside(self, row: _Row, file: int, reason: str, rows: int = 1) -> None:
        self._report.set_aside.append(SetAside(self._files[file], row.line, reason, rows))

    def days(self) -> list[date]:
        """The days that have prices or indices, in order."""
        found = self._gathered.execute("SELECT DISTINCT day FROM prices")
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
        found = self._gathered.execute("SELECT * FROM prices ORDER BY day, ticker")
        for day, rows in groupby(found, key=lambda row: row[0]):
            yield date.fromisoformat(day), [SharePrice(*row[1:]) for row in rows]


class _LeftOutError(Exception):
    """Why a whole share is left out."""

    def __init__(self, row: FileRow, file: int, reason: str) -> None:
        super().__init__(reason)
        self.row, self.file = row, file


def _base(row: FileRow, before: int | None) -> tuple[int, bool]:
    """What a close is compared with, and whether that is the close ``before``."""
    if row.won is not None and row.won < row.close:
        base = row.close - row.won
        return base, base == before
    if row.percent is None:
        return before or row.close, before is not None
    near = row.close / (1 + row.percent / 100)
    if before is not None and abs(near - before) <= near * _INEXACT + 1:
        return before, True
    return max(base_of(row.close, row.percent), 1), False


def _jump(row: FileRow, base: int) -> str:
    return (
        f"{row.ticker} closed at {row.close:,} after {base:,} on {row.day}, and a day may move a "
        "price by 30 % at most. If the prices are adjusted for splits, give --adjusted; otherwise "
        "the file needs the exchange's change in a column"
    )


def _known_stocks(database: Database) -> Mapping[str, tuple[str, str]]:
    with database.read() as connection:
        found = connection.execute(select(STOCKS.c.ticker, STOCKS.c.name, STOCKS.c.market))
        return {row.ticker: (row.name, row.market) for row in found}


def _batches(days: Iterable[_Day]) -> Iterator[list[_Day]]:
    """Days that are written at once: enough rows to be quick, few enough to let others write."""
    batch, rows = list[_Day](), 0
    for day, prices in days:
        batch.append((day, prices))
        rows += len(prices)
        if rows >= _BATCH_ROWS:
            yield batch
            batch, rows = [], 0
    if batch:
        yield batch


def _store(
    database: Database, clock: Clock, today: date, batch: Sequence[_Day], report: ImportReport
) -> None:
    """Write some days, but none that is being collected: its rows would seem to be wrong."""
    now = clock.now()
    fetches = [
        Fetch(day, "prices", PROVIDER, now, tuple(prices), is_final=is_final(day, now))
        for day, prices in batch
    ]
    with database.begin() as connection:
        lock(connection, INDICATORS_KEY)  # a process that collects a day now has its lease already
        held = {lease.key for lease in database.leases.all_held(KEYS)}
        free = [fetch for fetch in fetches if day_key(fetch.day) not in held]
        added = saving.add(connection, free, overrides.calendar_in(connection), now)
        counts = verifying.counts_on(connection, [fetch.day for fetch in free])
        logs.imported(connection, "prices", counts, provider=PROVIDER, today=today, now=now)
    report.busy += [fetch.day for fetch in fetches if day_key(fetch.day) in held]
    _count(report, added)


def _store_indices(
    database: Database,
    clock: Clock,
    settings: Settings,
    days: Mapping[date, tuple[IndexValue, ...]],
    report: ImportReport,
) -> None:
    """Write the indices of all days at once, which are few; a day is whole that has all of them."""
    now = clock.now()
    today = now.astimezone(ZoneInfo(settings.zone)).date()
    with database.begin() as connection:
        lock(connection, INDICATORS_KEY)  # as with prices
        held = {lease.key for lease in database.leases.all_held(KEYS)}
        fetches = [
            Fetch(day, "indices", PROVIDER, now, indices=values, is_final=is_final(day, now))
            for day, values in days.items()
            if day_key(day) not in held
        ]
        added = saving.add_indices(connection, fetches, now)
        written = [fetch.day for fetch in fetches]
        counts = dict.fromkeys(written, 0)
        counts |= verifying.index_counts(connection, written, settings.indices)
        logs.imported(connection, "indices", counts, provider=PROVIDER, today=today, now=now)
        whole = {day: count for day, count in counts.items() if count == len(settings.indices)}
        logs.found_whole(connection, "indices", whole, provider=PROVIDER, now=now)
    report.busy += [day for day in days if day_key(day) in held]
    report.indices = len(whole)
    _count(report, added)


def _count(report: ImportReport, added: saving.Added) -> None:
    report.new += added.new
    report.changed += added.changed
    report.duplicates += added.duplicates
    report.kept += added.kept


def _mark_whole(
    database: Database, clock: Clock, days: Sequence[date], markets: Sequence[str]
) -> int:
    """Call prices of days a success that are whole beside others."""
    with database.read() as connection:
        whole = verifying.whole_days(connection, days, markets)
    with database.begin() as connection:
        logs.found_whole(connection, "prices", whole, provider=PROVIDER, now=clock.now())
    return len(whole)
