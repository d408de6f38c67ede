"""How long the server takes for each page of the console, on the data of the demo.

``python -m bench.pages.speed [--data FOLDER] [--rounds N] [--profile PATH]``

Pages are found by following links; of each route up to three addresses are opened, and the slowest
counts. The aim is a median of 50 ms.
"""

from __future__ import annotations

import argparse
import re
from datetime import timedelta
from pathlib import Path
from typing import Final

from bench.pages.demo import demo_data
from bench.pages.finding import found_pages, routes
from bench.pages.sampling import sampling
from bench.pages.visiting import Times, Visitor, visiting
from bench.store.boards import table
from gotgan.demo import Demo

__all__ = ["main"]

_AIM: Final = 50.0
"""Milliseconds."""
_MOST_SCRIPT: Final = 25_000
"""Bytes."""
_SCRIPT: Final = re.compile(r'<script[^>]+src="([^"]+)"')


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.pages.speed", description=__doc__)
    parser.add_argument("--data", type=Path, help="the folder of a demo, which else is made")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--profile", metavar="PATH", help="show what one page spends its time on")
    given = parser.parse_args()
    with demo_data(given.data) as demo, visiting(demo.app) as visitor:
        if given.profile:
            _profile(visitor, given.profile, given.rounds)
        else:
            _speed(visitor, _days(demo), given.rounds)
            print()
            _scripts(visitor)


def _days(demo: Demo) -> list[str]:
    """Pages of days on which everything happened; links lead first to those before and after."""
    first = demo.progress.begins.date()
    return [f"/day/{first + timedelta(days=number)}" for number in range(1, 4)]


def _profile(visitor: Visitor, path: str, rounds: int) -> None:
    visitor.get(path)
    with sampling() as samples:
        times = visitor.times(path, rounds)
    print(f"{path}: {times.waited:.1f} ms\n{samples.text()}")


def _speed(visitor: Visitor, begin: list[str], rounds: int) -> None:
    found = found_pages(visitor, begin)
    slowest = {route: _slowest(visitor, paths, rounds) for route, paths in found.items()}
    rows = [
        [path, f"{times.waited:.1f}", f"{times.worked:.1f}", "" if times.waited <= _AIM else "over"]
        for path, times in sorted(slowest.values(), key=lambda each: -each[1].waited)
    ]
    print(table(["page", "ms", "of these, of its own work", f"aim {_AIM:.0f} ms"], rows))
    late = sum(times.waited > _AIM for _, times in slowest.values())
    print(f"\n{len(rows)} pages, median of {rounds} visits each; {late} over the aim")
    if missed := _missed(set(found)):
        print(f"no link led to: {', '.join(missed)}")


def _slowest(visitor: Visitor, paths: list[str], rounds: int) -> tuple[str, Times]:
    timed = [(path, visitor.times(path, rounds)) for path in paths]
    return max(timed, key=lambda each: each[1].waited)


def _missed(found: set[str]) -> list[str]:
    """Pages that were not opened; files and parts of pages are none."""
    pages = {route.path for route in routes() if "." not in route.path}
    return sorted(pages - found)


def _scripts(visitor: Visitor) -> None:
    sources = dict.fromkeys(_SCRIPT.findall(visitor.get("/").body.decode()))
    sizes = {source: len(visitor.get(source).body) for source in sources}
    for source, size in sizes.items():
        print(f"{source.partition('?')[0]}: {size:,} bytes")
    total = sum(sizes.values())
    verdict = "reached" if total <= _MOST_SCRIPT else "MISSED"
    print(f"scripts of the first page, over the wire: {total:,} bytes; {verdict}, {_MOST_SCRIPT:,}")


if __name__ == "__main__":
    main()
