"""Pages a second of the list parser, beside libraries that only build their tree.

``python -m bench.news.parse [--rounds N] [--megabytes N]``

A page of the world is read: 50 cards with ads between them, and the JSON that belongs to them. We
build the tree, find the cards and join their tickers; the others only build their tree
from the same bytes. Everybody takes turns on one core, and the best round of each counts. A library
that is not installed is left out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import Any, Final

from bench.store.boards import table
from gotgan.domains.news.latest import latest_stories
from gotgan.world.news.latest import latest_page
from gotgan.world.scene import MARKUPS, Markup, Scene

__all__ = ["main"]

_ADDRESS: Final = "https://finance.yahoo.com/topic/latest-news/"
_NOON: Final = datetime(2026, 11, 6, 12, tzinfo=UTC)
_CARDS: Final = 50
_SLICE: Final = 0.3
_REQUIRED: Final = 20
"""Pages a second that we must reach, whatever the others do."""

Work = Callable[[], Any]

_PEERS: Final[tuple[tuple[str, str, Callable[[Any, bytes], Any]], ...]] = (
    ("selectolax, the tree alone", "selectolax.lexbor", lambda it, page: it.LexborHTMLParser(page)),
    ("lxml, the tree alone", "lxml.html", lambda it, page: it.document_fromstring(page)),
    ("BeautifulSoup, the tree alone", "bs4", lambda it, page: it.BeautifulSoup(page, "lxml")),
)


def _page(markup: Markup, size: int) -> bytes:
    """A list page that is at least so large: what the world calls padding is only about right."""
    padding = size
    while True:
        page = latest_page(Scene(7, _NOON, markup, _CARDS, padding)).body
        if len(page) >= size:
            return page
        padding += size - len(page)


def _ours(page: bytes) -> Work:
    if len(latest_stories(page, _ADDRESS)) != _CARDS:
        raise RuntimeError("the parser does not find what the page lists")
    return partial(latest_stories, page, _ADDRESS)


def _peers(page: bytes) -> Iterator[tuple[str, Work]]:
    for label, module, parse in _PEERS:
        try:
            library = import_module(module)
        except ImportError:
            print(f"{label}: left out, because {module} is not installed")
            continue
        yield label, partial(parse, library, page)


def _measured(works: dict[str, Work], rounds: int) -> dict[str, float]:
    """The best rate of each, in pages a second."""
    best = dict.fromkeys(works, 0.0)
    for _ in range(rounds):
        for label, work in works.items():
            best[label] = max(best[label], _rate(work))
    return best


def _rate(work: Work) -> float:
    """Pages in a second of a core's own time: whatever else the machine does is not counted."""
    done, began = 0, time.process_time()
    while time.process_time() - began < _SLICE:
        work()
        done += 1
    return done / (time.process_time() - began)


def main() -> None:
    """Measure, and print a table of rates and ratios."""
    parser = argparse.ArgumentParser(prog="python -m bench.news.parse", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--megabytes", type=float, default=2.0)
    arguments = parser.parse_args()
    pages = {markup: _page(markup, int(arguments.megabytes * 1_000_000)) for markup in MARKUPS}
    works = {f"latest_stories, markup of {markup}": _ours(page) for markup, page in pages.items()}
    ours = f"latest_stories, markup of {MARKUPS[-1]}"
    rates = _measured({**works, **dict(_peers(pages[MARKUPS[-1]]))}, arguments.rounds)
    rows = [
        [label, f"{reached:,.0f}", f"{rates[ours] / reached:.2f} ×"]
        for label, reached in rates.items()
    ]
    size = len(pages[MARKUPS[-1]]) / 1_000_000
    print(table([f"a page of {size:.1f} MB, {_CARDS} cards", "pages/s", "we are"], rows))
    slowest = min(rates[label] for label in works)
    verdict = "reached" if slowest >= _REQUIRED else "MISSED"
    print(f"\nrequired: {_REQUIRED} pages/s; {verdict} with {slowest:,.0f}")


if __name__ == "__main__":
    main()
