"""The list of items: ``gotgan news list`` as a command, and ``GET /v1/news`` as a route.

``python -m bench.news.listing [--items N] [--rounds N]``

The table has 100,000 items of the last seven days. The command is a new process each time; the
best round counts, by the clock and in CPU time, which other work on the machine changes less. The
route is asked for 50 items on 8 connections; its figure is the median of the rounds.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Final

from bench.site.load import Sent, requests_per_second
from bench.site.servers import settings_in
from bench.store.boards import table
from gotgan.app import App
from gotgan.domains.news.models import NewsItem

__all__ = ["main"]

_PATH: Final = "/v1/news?limit=50"
_DAYS: Final = 7
_REQUIRED: Final = 0.5
"""Seconds that the command may take."""
_COMMANDS: Final = (("news", "list"), ("news", "list", "--json"), ("news", "list", "--help"))


def _items(count: int) -> Iterator[NewsItem]:
    now = datetime.now(UTC)
    for number in range(count):
        yield NewsItem(
            source="yf_latest",
            title=f"A headline of common length that says something of share number {number}",
            url=f"https://finance.yahoo.com/news/a-slug-of-common-length-{number:09}.html",
            tickers=("NVDA", "PLTR"),
            uploaded_at=now - timedelta(seconds=number * (_DAYS - 1) * 86_400 // count),
        )


def _filled(folder: Path, count: int) -> str:
    """Fill the table; return a token that may read it."""
    with App.open(settings_in(folder)) as app:
        app.prepare()
        app.store.put_new_all(_items(count), probe=False)
        app.site.users.create(id="u001", display_name="Owner", role="viewer")
        return app.site.tokens.create(user_id="u001", role="viewer").text


def _command(words: tuple[str, ...], folder: Path) -> tuple[float, float]:
    """The seconds that a command takes, by the clock and of the CPU."""
    settings = {**os.environ, "GOTGAN_DATA": str(folder), "GOTGAN_SECRET": "s" * 40}
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "gotgan", *words], env=settings, check=True, capture_output=True
    )
    took, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


@contextmanager
def _serving(folder: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.site.servers", "site", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def _route(folder: Path, token: str, rounds: int) -> float:
    sent = Sent(headers={"Authorization": f"Bearer {token}"})
    with _serving(folder) as url:
        rates = [
            requests_per_second(url, _PATH, connections=8, seconds=2.0, sent=sent)
            for _ in range(rounds + 1)
        ]
    return median(rates[1:])  # the first round only warms up


def main() -> None:
    """Measure, and print a table of times."""
    parser = argparse.ArgumentParser(prog="python -m bench.news.listing", description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        token = _filled(folder, asked.items)
        taken = {
            words: [_command(words, folder) for _ in range(asked.rounds)] for words in _COMMANDS
        }
        rate = _route(folder, token, asked.rounds)
    best = {
        words: [min(each) for each in zip(*rounds, strict=True)] for words, rounds in taken.items()
    }
    rows = [
        [f"gotgan {' '.join(words)}", *(f"{seconds:.2f}" for seconds in each)]
        for words, each in best.items()
    ]
    print(table([f"{asked.items:,} items", "seconds", "CPU seconds"], rows))
    took = best[_COMMANDS[0]][0]
    verdict = "reached" if took <= _REQUIRED else "MISSED"
    print(f"\nrequired: {_REQUIRED} s; {verdict} with {took:.2f}")
    print(f"GET {_PATH}: {rate:,.0f} requests/s")


if __name__ == "__main__":
    main()
