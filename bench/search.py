"""How long the search takes among 100,000 documents, in SQLite and in PostgreSQL.

``python -m bench.search``; PostgreSQL is installed with the requirements of the tests.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import median
from typing import ClassVar, Final, Self

from bench.store.boards import table
from gotgan.clock import SystemClock
from gotgan.documents import DocumentBatch, SearchDocument
from gotgan.domain import Core, Service
from gotgan.search.indexer import Indexer
from gotgan.search.service import Search
from gotgan.settings import Settings
from gotgan.sql import Database
from gotgan.world.news.stories import make_headline
from tests.sql.servers import running_postgres

__all__ = ["main"]

_DOCUMENTS: Final = 100_000
_BATCH: Final = 500
_ROUNDS: Final = 5
_NOW: Final = datetime(2026, 11, 17, tzinfo=UTC)
_COMPANIES: Final = ("삼성전자", "삼성물산", "SK하이닉스", "현대차", "카카오", "네이버", "포스코")
_WORDS: Final = ("실적", "반도체", "수출", "배당", "급등", "하락", "전망", "분기", "투자", "공시")
_QUERIES: Final = (
    "삼성",
    "삼성전자 실적",
    "삼",
    "005930",
    "s",
    "st",
    "sto",
    "the story",
    "story 7 profit",
    "word0",
    "word0 word1",
    "word12 삼성",
    "하이닉스 배당",
    "반도체 전망 수출",
    "nothing matches this",
)


class _Made(Service):
    """A domain with documents of all kinds; a word in ten is in nearly all of them."""

    domain: ClassVar = "made"

    @classmethod
    def open(cls, core: Core) -> Self:
        del core
        return cls()

    def search_documents(self, mark: str | None) -> DocumentBatch:
        first = int(mark or 0)
        last = min(first + _BATCH, _DOCUMENTS)
        documents = [_document(number) for number in range(first, last)]
        return DocumentBatch(documents, mark=str(last), is_last=last == _DOCUMENTS)


def _document(number: int) -> SearchDocument:
    dice = Random(number)
    kind = ("story", "story", "story", "product", "comment", "video", "share")[number % 7]
    korean = f"{dice.choice(_COMPANIES)} {dice.choice(_WORDS)} {dice.choice(_WORDS)}"
    title = korean if number % 2 else make_headline(dice).title
    text = " ".join(f"word{min(dice.randrange(2_000), dice.randrange(2_000))}" for _ in range(60))
    at = None if kind == "share" else _NOW - timedelta(minutes=number)
    names = (f"{number:06}",)
    return SearchDocument(kind, str(number), title, f"the story {korean} {text}", names, at)


def _measured(work: Callable[[], object]) -> float:
    """The milliseconds of the median of some runs."""
    times = []
    for _ in range(_ROUNDS):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return 1_000 * median(times)


def _databases(stack: ExitStack) -> Iterator[tuple[str, Database]]:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    yield "SQLite", stack.enter_context(Database.open(Settings(data=folder)))
    if "--sqlite" in sys.argv:
        return
    server = stack.enter_context(running_postgres())
    settings = stack.enter_context(server.fresh(prepared=False))
    yield "PostgreSQL", stack.enter_context(Database.open(settings))


def main() -> None:
    """Fill both databases, and print the milliseconds of each query."""
    lines: dict[str, dict[str, str]] = {each: {} for each in ("documents a second", *_QUERIES)}
    with ExitStack() as stack:
        for name, database in _databases(stack):
            database.prepare()
            clock = SystemClock()
            indexer = Indexer(database, {"made": _Made}, clock, clock)
            search = Search(lambda database=database: database, lambda indexer=indexer: indexer)  # type: ignore[misc]
            begun = time.perf_counter()
            indexer.update()
            speed = _DOCUMENTS / (time.perf_counter() - begun)
            lines["documents a second"][name] = f"{speed:,.0f}"
            for words in _QUERIES:
                took = _measured(lambda search=search, words=words: search.find(words))  # type: ignore[misc]
                lines[words][name] = f"{took:.1f} ms ({search.find(words).total:,})"
    names = [*next(iter(lines.values()))]
    print(table(["", *names], [[each, *line.values()] for each, line in lines.items()]))


if __name__ == "__main__":
    main()
