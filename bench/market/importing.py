"""Price history from files: rows imported a second, beside reading them with ``csv``.

``python -m bench.market.importing [--shares N] [--days N] [--rounds N]``

The files are written first: one per share, then one per day. Each round imports them into a new
SQLite file; the best one counts, by the work of our own process. What it takes to read the cells of
these files and nothing else shows how much the machine can do.
"""

from __future__ import annotations

import argparse
import csv
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Final

from bench.store.boards import table
from gotgan.clock import FixedClock
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.importer import import_files
from gotgan.settings import Settings
from gotgan.sql import Database

__all__ = ["main"]

_FIRST: Final = date(2015, 1, 2)
_NOW: Final = FixedClock(datetime(2026, 1, 5, tzinfo=UTC))
_HEAD: Final = "시가,고가,저가,종가,거래량,등락률"


def _cells(share: int, number: int) -> str:
    close = 10_000 + share * 10 + number % 50
    rate = 0 if number == 0 else 100 * (close / (10_000 + share * 10 + (number - 1) % 50) - 1)
    return f"{close - 5},{close + 9},{close - 11},{close},{1_000_000 + number * share},{rate:.2f}"


def _write(folder: Path, shares: int, days: Sequence[date], *, per_share: bool) -> Path:
    folder.mkdir()
    tickers = [f"{share * 10:06}" for share in range(1, shares + 1)]
    if per_share:
        files = {
            ticker: [f"{day},{_cells(share, number)}" for number, day in enumerate(days)]
            for share, ticker in enumerate(tickers)
        }
    else:
        files = {
            str(day): [f"{ticker},{_cells(share, number)}" for share, ticker in enumerate(tickers)]
            for number, day in enumerate(days)
        }
    for name, lines in files.items():
        head = f"{'날짜' if per_share else '티커'},{_HEAD}"
        (folder / f"{name}.csv").write_text("\n".join([head, *lines, ""]))
    return folder


def _read(folder: Path) -> int:
    rows = 0
    for path in folder.glob("*.csv"):
        with path.open(newline="") as lines:
            rows += sum(1 for _ in csv.reader(lines))
    return rows


def _import(folder: Path) -> int:
    with tempfile.TemporaryDirectory(prefix="gotgan-") as place:
        settings = Settings(data=Path(place))
        with Database.open(settings) as database:
            database.prepare()
            return import_files(database, _NOW, settings, [folder], market="KOSPI").new


def _seconds(work: Callable[[Path], int], folder: Path) -> float:
    began = time.process_time()
    work(folder)
    return time.process_time() - began


def main() -> None:
    """Measure, and print a table of rates."""
    parser = argparse.ArgumentParser(prog="python -m bench.market.importing", description=__doc__)
    parser.add_argument("--shares", type=int, default=150)
    parser.add_argument("--days", type=int, default=980)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    sessions = Calendar().sessions(_FIRST, _NOW.now().date())
    days, rows = list(islice(sessions, given.days)), list[list[str]]()
    with tempfile.TemporaryDirectory(prefix="gotgan-") as place:
        for name in ("share", "day"):
            folder = _write(Path(place) / name, given.shares, days, per_share=name == "share")
            count = given.shares * len(days)
            ours, theirs = (
                min(_seconds(work, folder) for _ in range(given.rounds))
                for work in (_import, _read)
            )
            label = f"a file per {name}, {count:,} rows"
            rows.append([label, f"{ours:.1f}", f"{count / ours:,.0f}", f"{count / theirs:,.0f}"])
    print(table(["import", "seconds", "rows a second", "csv alone"], rows))


if __name__ == "__main__":
    main()
