"""How well and how fast the reader of pages does on recorded pages of real shops.

``python -m bench.shops.reading [--data FOLDER] [--rounds N]``

Without the folder there is nothing to measure. Every page is read twice: as recorded, and without
its scripts, where structured data in them is missing. The weights of page types were learnt from
these pages, so their scores are also given for a rotation: of the fifth of the sites that each
learning did not see. The speed is in pages per second of one core, the
best of the rounds, beside what only parsing takes.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from bench.shops.recorded import (
    BESIDE,
    Recorded,
    Score,
    currency_score,
    price_score,
    status_score,
    type_scores,
)
from bench.store.boards import table
from gotgan.domains.shops.extract import PageFacts, read_page
from scripts.train_page_types import read_samples, rotation

__all__ = ["main"]


def _scores(data: Path, *, is_bare: bool) -> dict[str, Score]:
    def read(pages: list[Recorded]) -> list[tuple[Recorded, PageFacts]]:
        chosen = [each.bare for each in pages] if is_bare else pages
        return [(each, each.facts) for each in chosen]

    products, pages = read(Recorded.products(data)), read(Recorded.pages(data))
    types = {f"type: {name}": score for name, score in type_scores(pages).items()}
    return {
        "price": price_score(products),
        "currency": currency_score(products),
        "availability": status_score(products),
        "availability, no default": status_score(products, with_default=False),
        **types,
    }


def _row(name: str, score: Score) -> list[str]:
    shares = (score.precision, score.recall, score.f1)
    return [name, *(f"{each:.3f}" for each in shares), str(score.right + score.missed)]


def _show_scores(data: Path, title: str, *, is_bare: bool) -> None:
    rows = [_row(name, score) for name, score in _scores(data, is_bare=is_bare).items()]
    print(table([title, "precision", "recall", "F1", "pages"], rows))
    print()


def _show_rotation(data: Path) -> None:
    samples = read_samples(data)
    turned = [rotation(samples, is_bare=is_bare) for is_bare in (False, True)]
    rows = [
        [
            name,
            *(f"{text:.3f}" for each in turned for text in (each.whole[name].f1, each.worst(name))),
        ]
        for name in turned[0].whole
    ]
    head = ["type, in a rotation", "F1", "worst fold", "F1 without scripts", "worst fold"]
    print(table(head, rows))
    print()


def _pages_per_second(call: Callable[[Recorded], Any], pages: list[Recorded], rounds: int) -> float:
    """How many pages one core reads in a second, in the best round."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        for page in pages:
            call(page)
        best = min(best, time.process_time() - started)
    return len(pages) / best


def _parsed_by_lxml(page: Recorded) -> Any:
    return import_module("lxml.html").document_fromstring(page.body)


def _show_speed(data: Path, rounds: int) -> None:
    pages = Recorded.products(data)
    size = sum(len(each.body) for each in pages) / len(pages) / 1000
    ways: dict[str, Callable[[Recorded], Any]] = {
        "parse and understand (this reader)": lambda page: read_page(page.body, page.truth["url"]),
        "only parse, selectolax": lambda page: LexborHTMLParser(page.body),
        "only parse, lxml": _parsed_by_lxml,
    }
    rows = [[name, f"{_pages_per_second(way, pages, rounds):.0f}"] for name, way in ways.items()]
    print(table([f"{len(pages)} product pages of {size:.0f} KB", "pages per CPU-second"], rows))


def main() -> None:
    """Print the scores with scripts, without them and in a rotation, and the speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=BESIDE)
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    if not asked.data.is_dir():
        print(f"there are no recorded pages in {asked.data}; name their folder with --data")
        return
    _show_scores(asked.data, "with scripts", is_bare=False)
    _show_scores(asked.data, "without scripts", is_bare=True)
    _show_rotation(asked.data)
    _show_speed(asked.data, asked.rounds)


if __name__ == "__main__":
    main()
