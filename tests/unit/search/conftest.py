"""A domain whose documents a test chooses, and the search over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import pytest

from gotgan.clock import FixedClock
from gotgan.documents import DocumentBatch, SearchDocument
from gotgan.domain import Core, Service
from gotgan.search.indexer import Indexer
from gotgan.search.service import Search
from gotgan.sql import Database
from tests.sql.fixtures import database, database_settings, postgres, prepared_file

__all__ = ["clock", "database", "database_settings", "postgres", "prepared_file"]

NOW = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)


class Shelf(Service):
    """A domain that has what lies on a shelf; its mark is how often it was read."""

    domain = "shelf"
    rereads_documents = True

    def __init__(self) -> None:
        self.documents: list[SearchDocument] = []
        self.batches: list[DocumentBatch] = []
        self.marks: list[str | None] = []
        self.error: Exception | None = None
        self.refreshed = self.rebuilt = 0

    @classmethod
    def open(cls, core: Core) -> Shelf:
        """An empty one."""
        del core
        return cls()

    def refresh(self) -> None:
        """Count it."""
        self.refreshed += 1

    def rebuild(self) -> None:
        """Count it."""
        self.rebuilt += 1

    def search_documents(self, mark: str | None) -> DocumentBatch:
        """The next batch, or without one all documents."""
        self.marks.append(mark)
        if self.error is not None:
            raise self.error
        if self.batches:
            return self.batches.pop(0)
        return DocumentBatch(list(self.documents), mark="all")


@dataclass
class Library:
    """A shelf, its index and the search over it."""

    database: Database
    clock: FixedClock
    shelf: Shelf = field(default_factory=Shelf)

    def __post_init__(self) -> None:
        self.indexer = Indexer(self.database, {"shelf": lambda: self.shelf}, self.clock, self.clock)
        self.search = Search(lambda: self.database, lambda: self.indexer)

    def put(self, *documents: SearchDocument) -> None:
        """Put documents on the shelf, and index them."""
        self.shelf.documents += documents
        self.indexer.update()

    def found(self, words: str, kinds: Sequence[str] = ()) -> list[str]:
        """The ids of what is found, in order."""
        return [each.id for each in self.search.find(words, kinds=kinds).items]


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves."""
    return FixedClock(NOW)


@pytest.fixture
def library(database: Database, clock: FixedClock) -> Library:
    """An empty library in each kind of database."""
    return Library(database, clock)
