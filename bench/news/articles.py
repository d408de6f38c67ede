"""Pages a second of the article parser: the shapes that it knows, and any other by trafilatura.

``python -m bench.news.articles [--rounds N] [--kilobytes N]``

Articles of the world are read in each of their shapes, filled up with the kind of JSON that real
pages carry. Every way takes turns on one core, and the best round of each counts. Without
``gotgan[articles]`` the general way is left out.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from bench.store.boards import table
from bench.store.measure import rate
from gotgan.domains.news.article import Article, extract_article
from gotgan.errors import UnknownShape
from gotgan.world.news.articles import article_page
from gotgan.world.news.stories import StoryKind, newest_stories
from gotgan.world.scene import Scene

__all__ = ["main"]

_NOON: Final = datetime(2026, 11, 6, 12, tzinfo=UTC)
_STORIES: Final = 300
_OF_EACH: Final = 5
_WAYS: Final = {
    "yahoo": "the shape since 2024",
    "caas": "the shape before",
    "trafilatura": "any other shape, by trafilatura",
}

Page = tuple[bytes, str]


def _pages(size: int) -> dict[str, list[Page]]:
    """A few pages for each way to read one."""
    found: dict[str, list[Page]] = defaultdict(list)
    for story in newest_stories(Scene(7, _NOON), _STORIES):
        if story.kind is StoryKind.STORY:
            page = _filled_up(article_page(story).body, size), story.address
            found[_way(page)].append(page)
    return {way: found[way][:_OF_EACH] for way in _WAYS if found[way]}


def _way(page: Page) -> str:
    try:
        verdict = extract_article(*page)
    except UnknownShape as error:
        if "pip install" in error.message:
            return "left out"
        raise
    if not isinstance(verdict, Article):
        raise TypeError("the parser does not find the article on the page")
    return verdict.extractor


def _filled_up(page: bytes, size: int) -> bytes:
    """The page with as much JSON in front of its end as it lacks."""
    one = {"symbol": "NVDA", "quote": {"price": 188.15, "change": -0.42}, "name": "NVIDIA"}
    lines = max(0, size - len(page)) // len(json.dumps(one))
    script = f'<script type="application/json">{json.dumps([one] * lines)}</script></body>'
    return page.replace(b"</body>", script.encode())


def _calls(pages: Sequence[Page]) -> list[Callable[[], Any]]:
    return [lambda page=page: extract_article(*page) for page in pages]  # type: ignore[misc]


def _measured(pages: dict[str, list[Page]], rounds: int) -> dict[str, float]:
    """The best rate of each way, in pages a second."""
    best = dict.fromkeys(pages, 0.0)
    for _ in range(rounds):
        for way, given in pages.items():
            reached = rate(lambda given=given: _calls(given), lambda _: 1, 0.3)  # type: ignore[misc]
            best[way] = max(best[way], reached)
    return best


def main() -> None:
    """Measure, and print a table of rates and ratios."""
    parser = argparse.ArgumentParser(prog="python -m bench.news.articles", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--kilobytes", type=int, default=500)
    arguments = parser.parse_args()
    rates = _measured(_pages(arguments.kilobytes * 1_000), arguments.rounds)
    rows = [
        [_WAYS[way], f"{reached:,.0f}", f"{reached / min(rates.values()):.1f} ×"]
        for way, reached in rates.items()
    ]
    print(table([f"a page of {arguments.kilobytes} KB", "pages/s", "beside the slowest"], rows))


if __name__ == "__main__":
    main()
