"""Indicators of a whole market: in full beside TA-Lib alone, and one more day beside that.

``python -m bench.market.indicators [--tickers N] [--days N] [--rounds N]``

The kernel and a bare loop over TA-Lib's functions take turns over the same arrays in memory, and
the best round of each counts. Then a SQLite file is filled, and everything is calculated and saved
as on the first evening, and as on the evening after it. Times are of one core's own work, because
a machine that does other things as well can only add to them.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import talib

from bench.store.boards import table
from gotgan.domains.market.indicators.calculator import CalculatedDay, calculate, save, verify
from gotgan.domains.market.indicators.formulas import (
    Floats,
    advance,
    calculate_series,
    calculate_states,
    pack,
)
from gotgan.domains.market.indicators.inputs import load_histories
from gotgan.domains.market.keys import STOCK_PRICES
from gotgan.settings import Settings
from gotgan.sql import Database, upsert

__all__ = ["main"]

_MOST: Final = 1.2
"""The kernel may take so much longer than TA-Lib alone."""
_LEAST: Final = 20
"""One more day has to be so much faster than everything in full."""
_NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
_FIRST: Final = date(2024, 1, 1)

T = TypeVar("T")


def _walks(tickers: int, days: int) -> list[Floats]:
    """Closes that look like those of shares, a series for each."""
    made = np.random.default_rng(7)
    steps = made.normal(0, 0.02, (tickers, days))
    return list(np.rint(20_000 * np.exp(np.cumsum(steps, axis=1))))


def _bare(series: Sequence[Floats]) -> None:
    """What anybody would write who has the closes in memory."""
    for closes in series:
        talib.RSI(closes, 14)
        talib.MACD(closes, 12, 26, 9)
        for period in (5, 20, 60, 120):
            talib.SMA(closes, period)
        talib.BBANDS(closes, 20, 2, 2)


def _kernel(series: Sequence[Floats]) -> None:
    for closes in series:
        calculate_series(closes)


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    began = time.process_time()
    answer = work()
    return time.process_time() - began, answer


def _best(works: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The best seconds of each, all in turn."""
    best = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            best[name] = min(best[name], _timed(work)[0])
    return best


def _show_memory(series: Sequence[Floats], rounds: int) -> None:
    """Everything in memory: the kernel, the states, and one more day."""
    states, today = calculate_states(series), np.array([closes[-1] for closes in series])
    best = _best(
        {
            "TA-Lib alone, a bare loop": lambda: _bare(series),
            "the kernel": lambda: _kernel(series),
            "the states after it": lambda: pack(calculate_states(series)),
            "one more day for all": lambda: advance(states, today),
        },
        rounds,
    )
    bare, kernel, _, day = best.values()
    rows = [[name, f"{taken * 1e3:,.1f}", f"{taken / bare:.2f} ×"] for name, taken in best.items()]
    print(table(["in memory", "ms", "beside TA-Lib"], rows))
    _verdict(
        f"the kernel within {_MOST} × of TA-Lib", f"{kernel / bare:.2f} ×", kernel / bare <= _MOST
    )
    _verdict(f"a day {_LEAST} × faster", f"{kernel / day:,.0f} ×", kernel / day >= _LEAST)


def _verdict(goal: str, reached: str, is_reached: bool) -> None:  # noqa: FBT001
    print(f"\nrequired: {goal}; {'reached' if is_reached else 'MISSED'} with {reached}")


def _fill(database: Database, series: Sequence[Floats], days: Sequence[date]) -> None:
    database.prepare()
    for at, day in enumerate(days):
        rows = [_row(day, f"{number:06}", int(closes[at])) for number, closes in enumerate(series)]
        with database.begin() as connection:
            upsert(connection, STOCK_PRICES, rows)


def _row(day: date, ticker: str, close: int) -> dict[str, Any]:
    prices = dict.fromkeys(("open", "high", "low", "close"), close)
    sums = dict.fromkeys(("change", "volume", "value", "market_cap", "shares"), 10_000_000)
    origin = {"provider": "krx", "is_final": True, "updated_at": _NOON, "is_halted": False}
    return {"date": day, "ticker": ticker, "market": "KOSPI", **prices, **sums, **origin}


def _load(database: Database, tickers: Sequence[str], last: date) -> None:
    with database.read() as connection:
        load_histories(connection, tickers, last)


def _save(database: Database, calculated: CalculatedDay) -> None:
    for part in calculated.parts:
        with database.begin() as connection:
            save(connection, part)


def _verify(database: Database, calculated: CalculatedDay) -> int:
    with database.read() as connection:
        return verify(connection, calculated)


def _phases(database: Database, days: Sequence[date], at: int) -> dict[str, float]:
    """The seconds of each step of one evening."""
    calculating, calculated = _timed(lambda: calculate(database, days[at], days[at - 1], days[at]))
    saving, _ = _timed(lambda: _save(database, calculated))
    verifying, count = _timed(lambda: _verify(database, calculated))
    done = f"{calculated.recalculated:,} anew, {calculated.advanced:,} a day on, {count:,} rows"
    print(f"{days[at]}: {done}")
    return {"calculate, with its loading": calculating, "save": saving, "verify": verifying}


def _show_file(series: Sequence[Floats], folder: Path) -> None:
    """Everything on a file: the first evening, and the one after it."""
    days = [_FIRST + timedelta(days=number) for number in range(len(series[0]))]
    tickers = [f"{number:06}" for number in range(len(series))]
    with Database.open(Settings(data=folder)) as database:
        _fill(database, series, days)
        full = _phases(database, days, len(days) - 2)
        loading, _ = _timed(lambda: _load(database, tickers, days[-2]))
        day = _phases(database, days, len(days) - 1)
    _show_phases(full, loading, day)


def _show_phases(full: dict[str, float], loading: float, day: dict[str, float]) -> None:
    sums = sum(full.values()), sum(day.values())
    rows = [[name, f"{full[name] * 1e3:,.0f}", f"{day[name] * 1e3:,.1f}"] for name in full]
    rows.insert(1, ["  of this loading", f"{loading * 1e3:,.0f}", "–"])
    rows.append(["in all", f"{sums[0] * 1e3:,.0f}", f"{sums[1] * 1e3:,.1f}"])
    print()
    print(table(["on a SQLite file", "in full, ms", "one more day, ms"], rows))
    ratio = sums[0] / sums[1]
    _verdict(
        f"a day {_LEAST} × faster, loading and saving included", f"{ratio:,.0f} ×", ratio >= _LEAST
    )


def main() -> None:
    """Measure, and print two tables."""
    parser = argparse.ArgumentParser(prog="python -m bench.market.indicators", description=__doc__)
    parser.add_argument("--tickers", type=int, default=2_760)
    parser.add_argument("--days", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    series = _walks(arguments.tickers, arguments.days)
    print(f"{arguments.tickers:,} tickers × {arguments.days:,} days\n")
    _show_memory(series, arguments.rounds)
    print()
    with tempfile.TemporaryDirectory() as folder:
        _show_file(series, Path(folder))


if __name__ == "__main__":
    main()
