"""Every list of the console with few items and with many: it should take as long.

``python -m bench.pages.lists [--few N] [--many N] [--rounds N] [--only PART]``

Items are written straight into the tables, as many of each kind, and lists are opened with nothing
cached: the first page, and the page that its link leads to.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Final
from urllib.parse import urljoin

from bench.pages.filling import BUSY_SHOP, fill
from bench.pages.sampling import sampling
from bench.pages.visiting import Times, Visitor, times_of, visiting
from bench.store.boards import table
from gotgan.app import App
from gotgan.settings import Secret, Settings

__all__ = ["main"]

_LISTS: Final = (
    "/news",
    "/news/bodies?show=dead",
    "/shops",
    f"/shops/shop?domain={BUSY_SHOP}",
    f"/shops/shop?domain={BUSY_SHOP}&show=product",
    "/market/stocks",
    "/market/screens/oversold",
    "/videos",
    "/videos/jobs",
    "/site/posts",
    "/site/posts?category=news",
    "/site/drafts",
    "/site/banners",
    "/site/inquiries",
    "/site/mails",
    "/site/people",
    "/site/tokens",
    "/tables/news_items",
    "/tables/sql/stock_prices",
    "/schedule?job=news.collect",
)
_NEXT: Final = re.compile(r'href="([^"]*\bcursor=[^"]*)"')
_AS_FAST: Final = 1.5
"""How many times as long a list may take with many items, and still count as one that takes as
long: what is measured differs by a third from run to run."""


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages.lists", description=__doc__)
    parser.add_argument("--few", type=int, default=100)
    parser.add_argument("--many", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--only", default="", help="only lists whose address has this in it")
    parser.add_argument("--profile", action="store_true", help="show what they spend it on")
    given = parser.parse_args()
    lists = [path for path in _LISTS if given.only in path]
    if given.profile:
        _profile(given.many, lists, given.rounds)
        return
    with _visited(given.few) as few, _visited(given.many) as many:
        found = dict(_measured(few, many, lists, given.rounds))
    _report(found, given.few, given.many)


def _measured(
    few: Visitor, many: Visitor, lists: list[str], rounds: int
) -> Iterator[tuple[str, list[Times]]]:
    """Each list with few items and with many, in turns; and the page that follows it."""
    for path in lists:
        yield path, times_of([(few, path), (many, path)], rounds)
        following = _following(few, path), _following(many, path)
        if following[0] is not None and following[1] is not None:
            visits = [(few, following[0]), (many, following[1])]
            yield f"{path}, next page", times_of(visits, rounds)


def _profile(count: int, lists: list[str], rounds: int) -> None:
    with _visited(count) as visitor:
        for path in lists:
            with sampling() as samples:
                times = visitor.times(path, rounds)
            print(f"{path}: {times.worked:.1f} ms of work\n{samples.text()}\n")


def _following(visitor: Visitor, path: str) -> str | None:
    answer = visitor.get(path)
    if answer.status != 200:
        raise SystemExit(f"{path} answered {answer.status}")
    links = _NEXT.findall(answer.body.decode())
    return urljoin(path, unescape(links[0])) if links else None


@contextmanager
def _visited(count: int) -> Iterator[Visitor]:
    """Somebody at a server that has so many of each kind."""
    with tempfile.TemporaryDirectory() as folder:
        secret = Secret("a secret that guards a benchmark only")
        settings = Settings(data=Path(folder), given_secret=secret, synchronous="normal")
        with App.open(settings) as app:
            began = time.perf_counter()
            fill(app, count)
            print(f"{count:,} of each kind, written in {time.perf_counter() - began:.0f} s")
            with visiting(app) as visitor:
                yield visitor


def _report(found: dict[str, list[Times]], least: int, most: int) -> None:
    rows = [[path, *_cells(*times)] for path, times in found.items()]
    head = ["list", f"{least:,} items", f"{most:,} items", "own work", "own work", "ratio"]
    print(table(head, rows))
    print(
        "\nin milliseconds; the ratio is that of its own work, whoever else keeps the machine busy"
    )
    slow = [path for path, times in found.items() if _ratio(*times) > _AS_FAST]
    print(
        f"{len(slow)} of {len(found)} take longer the more there are: {', '.join(slow) or 'none'}"
    )


def _cells(few: Times, many: Times) -> list[str]:
    times = (few.waited, many.waited, few.worked, many.worked)
    return [*(f"{each:.1f}" for each in times), f"{_ratio(few, many):.2f} ×"]


def _ratio(few: Times, many: Times) -> float:
    return many.worked / few.worked


if __name__ == "__main__":
    main()
