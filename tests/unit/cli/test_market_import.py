"""``gotgan market import``: what it says, and that killing it loses and doubles nothing."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli.output import ExitCode

FIRST, LAST = date(2024, 1, 2), date(2025, 6, 30)
TICKERS = [f"{number:06}" for number in range(1, 61)]
"""Many enough for an import to be several transactions."""
STORED = "date, ticker, market, open, high, low, close, change, volume, provider, is_final"
LOGGED = "date, price_status, price_count, price_provider, overall_status"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A history of some shares, one file each, with one row that cannot be."""
    made = tmp_path / "history"
    made.mkdir()
    span = range((LAST - FIRST).days + 1)
    days = [day for day in (FIRST + timedelta(days=n) for n in span) if day.weekday() < 5]
    for ticker in TICKERS:
        lines = [f"{day},100,106,95,{100 + day.day % 5},10,\n" for day in days]
        (made / f"{ticker}.csv").write_text(
            "날짜,시가,고가,저가,종가,거래량,등락률\n" + "".join(lines)
        )
    (made / "2025-07-01.csv").write_text(
        "티커,시가,고가,저가,종가,거래량\n000001,100,110,90,111,1\n000002,100,110,90,105,1\n"
    )
    return made


def gotgan(data: Path, *words: str) -> subprocess.Popen[str]:
    environment = {**os.environ, "GOTGAN_DATA": str(data)}
    command = [sys.executable, "-m", "gotgan", "market", *words]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def told(data: Path, *words: str) -> tuple[int, dict[str, Any]]:
    with gotgan(data, *words, "--json") as process:
        out, _ = process.communicate(timeout=300)
    return process.returncode, json.loads(out)


def rows(data: Path, table: str, columns: str) -> list[tuple[Any, ...]]:
    path = data / "gotgan.sqlite3"
    if not path.exists():
        return []
    with closing(sqlite3.connect(path)) as database:
        try:
            return database.execute(f"SELECT {columns} FROM {table} ORDER BY 1, 2").fetchall()
        except sqlite3.OperationalError:  # it is being made
            return []


def test_an_import_that_was_killed_is_simply_repeated(folder: Path, tmp_path: Path) -> None:
    killed, whole = tmp_path / "killed", tmp_path / "whole"
    words = ("import", str(folder), "--market", "KOSPI")
    with gotgan(killed, *words) as process:
        while not rows(killed, "stock_prices", "date, ticker"):
            assert process.poll() is None
            time.sleep(0.01)
        process.kill()
    before = len(rows(killed, "stock_prices", "date, ticker"))
    code, first = told(whole, *words)
    assert code == ExitCode.OK
    assert 0 < before < first["new"]
    code, second = told(killed, *words)
    assert (code, second["new"]) == (ExitCode.OK, first["new"] - second["duplicates"])
    assert rows(killed, "stock_prices", STORED) == rows(whole, "stock_prices", STORED)
    assert rows(killed, "collection_log", LOGGED) == rows(whole, "collection_log", LOGGED)
    assert rows(killed, "price_factors", "*") == rows(whole, "price_factors", "*") == []

    bad = [each for each in second["setAside"] if "is not a trading day" not in each["reason"]]
    assert [(Path(each["file"]).name, each["line"]) for each in bad] == [("2025-07-01.csv", 2)]


def test_without_a_row_that_can_be_imported_it_fails(tmp_path: Path) -> None:
    (tmp_path / "005930.csv").write_text("Date,Open,High,Low,Close,Volume\n2025-10-18,1,1,1,1,1\n")
    with gotgan(tmp_path / "data", "import", str(tmp_path / "*.csv"), "--market", "KOSPI") as one:
        out, _ = one.communicate(timeout=60)
    assert one.returncode == ExitCode.FAILED
    assert out.splitlines()[0] == "1 files, 0 days: set aside 1"
    assert out.splitlines()[1].endswith(
        "005930.csv, line 2: 2025-10-18 is not a trading day: a weekend."
    )
