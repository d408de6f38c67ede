"""Pages a second of a whole crawl, beside Scrapy; and of the next one, when nothing has changed.

``python -m bench.shops.crawl [--rounds N] [--products N] [--kilobytes N] [--links N]``

One shop on this machine, served by a process of its own. We crawl it with everything that a crawl
does: robots.txt, each page once, its facts, the table on the disk, the journal. Scrapy follows the
same links with as many requests at once, no delay and no log, and puts what JSON-LD states into
SQLite. Each crawl is a process of its own; they take turns, and the best round of each counts. The
fewer links a page has, the nearer Scrapy comes: ``--links`` shows how near.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from bench.store.boards import table
from tests.programs import Unavailable, python_package

__all__ = ["main"]

_SCRAPY: Final = "scrapy==2.19.0"
_BESIDE_SCRAPY: Final = 2.5
_AGAIN: Final = 3.0
_WRITES: Final = 0.2
_LABELS: Final = {"ours": "ours", "again": "ours, nothing changed", "scrapy": _SCRAPY}


@dataclass(frozen=True)
class _Crawl:
    """What one crawl did, and what it took."""

    pages: int
    seconds: float
    worked: float
    """How many seconds a core was busy with it."""
    memory: float
    """The most that it held at a time, in megabytes."""
    reads: float = 0.0
    writes: float = 0.0

    @property
    def rate(self) -> float:
        return self.pages / self.seconds

    @property
    def rate_of_a_core(self) -> float:
        return self.pages / self.worked


@dataclass(frozen=True)
class _Course:
    """The shop that everybody crawls."""

    port: str
    products: int
    at_once: int

    def crawled(self, command: Sequence[str | Path], folder: str) -> _Crawl:
        """One crawl in a process of its own, once it has found every product."""
        said, peak = _run([*command, self.port, folder, str(self.at_once)])
        if said["products"] != self.products:
            raise RuntimeError(f"{said['products']:,} products were found of {self.products:,}")
        costs = {name: said[name] for name in ("reads", "writes") if name in said}
        return _Crawl(said["pages"], said["seconds"], said["worked"], peak, **costs)


def _run(command: Sequence[str | Path]) -> tuple[dict[str, Any], float]:
    """What a process prints, and the most megabytes that it held, as the system has counted."""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None  # noqa: S101 - it is a pipe
        said = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"the crawl ended with exit code {process.returncode}")
    return json.loads(said), used.ru_maxrss / 1_000


@contextmanager
def _serving(*shape: int) -> Iterator[str]:
    """The port of a shop with so many products, of so many kilobytes, with so many links."""
    command = [sys.executable, "-m", "bench.shops.place", *map(str, shape)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def _peer() -> list[str | Path] | None:
    """How Scrapy is started; None where it cannot be had."""
    try:
        python = python_package(_SCRAPY, "scrapy").with_name("python")
    except Unavailable as error:
        print(f"{_SCRAPY}: left out ({error})")
        return None
    return [python, Path(__file__).with_name("by_scrapy.py")]


def _round(course: _Course, peer: list[str | Path] | None) -> Iterator[tuple[str, _Crawl]]:
    ours = [sys.executable, "-m", "bench.shops.by_gotgan"]
    with tempfile.TemporaryDirectory() as folder:
        yield "ours", course.crawled(ours, folder)
        yield "again", course.crawled(ours, folder)
        if peer is not None:
            yield "scrapy", course.crawled(peer, folder)


def _measured(course: _Course, rounds: int) -> dict[str, list[_Crawl]]:
    peer, crawls = _peer(), dict[str, list[_Crawl]]()
    for _ in range(rounds):
        for name, crawl in _round(course, peer):
            crawls.setdefault(name, []).append(crawl)
    return crawls


def _show(crawls: dict[str, list[_Crawl]], size: str) -> None:
    rows = [
        [
            _LABELS[name],
            f"{max(each.rate for each in found):,.0f}",
            f"{max(each.rate_of_a_core for each in found):,.0f}",
            f"{max(each.memory for each in found):,.0f}",
        ]
        for name, found in crawls.items()
    ]
    head = f"{crawls['ours'][0].pages:,} pages of {size}"
    print(table([head, "pages/s", "pages per CPU-second", "MB at most"], rows))


def _show_aims(crawls: dict[str, list[_Crawl]]) -> None:
    ours, again = max(each.rate for each in crawls["ours"]), crawls["again"][0]
    ratio = max(each.rate for each in crawls["again"]) / ours
    rows = [_aim("again, beside the first crawl", f"{ratio:.2f} ×", _AGAIN, ratio >= _AGAIN)]
    if "scrapy" in crawls:
        ratio = ours / max(each.rate for each in crawls["scrapy"])
        held = max(each.memory for each in crawls["ours"] + crawls["again"])
        theirs = max(each.memory for each in crawls["scrapy"])
        rows += [
            _aim("ours beside Scrapy", f"{ratio:.2f} ×", _BESIDE_SCRAPY, ratio >= _BESIDE_SCRAPY),
            _aim("memory beside Scrapy's", f"{held / theirs:.2f} ×", 1, held < theirs),
        ]
    writes = again.writes / again.pages
    rows.append(_aim("write units a page, again", f"{writes:.3f}", _WRITES, writes < _WRITES))
    print(table(["", "reached", "aim", ""], rows))
    print(f"\nthe crawl again: {again.reads:,g} read units, {again.writes:,g} write units")


def _aim(what: str, reached: str, aim: float, is_reached: bool) -> list[str]:  # noqa: FBT001
    return [what, reached, f"{aim:g}", "reached" if is_reached else "MISSED"]


def main() -> None:
    """Crawl, and print a table of rates and one of what was to be reached."""
    parser = argparse.ArgumentParser(prog="python -m bench.shops.crawl", description=__doc__)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--products", type=int, default=5_000)
    parser.add_argument("--kilobytes", type=int, default=40)
    parser.add_argument("--links", type=int, default=100)
    parser.add_argument("--at-once", type=int, default=8)
    asked = parser.parse_args()
    with _serving(asked.products, asked.kilobytes, asked.links) as port:
        crawls = _measured(_Course(port, asked.products, asked.at_once), asked.rounds)
    _show(crawls, f"{asked.kilobytes} KB with {asked.links} links")
    print()
    _show_aims(crawls)


if __name__ == "__main__":
    main()
