"""Scans: every item of some kinds, in no order, in several segments at once."""

from __future__ import annotations

from contextlib import closing
from threading import enumerate as threads

import pytest

from gotgan.errors import UsageError
from gotgan.store import Store
from tests.store.conftest import MakeStore
from tests.store.library import LIBRARY, Account, Book, Clip, Shelf, book, books


@pytest.fixture(scope="module")
def store(make_store: MakeStore) -> Store:
    store = make_store(LIBRARY)
    store.put_all([*(book(n, shelf=f"s{n % 7}") for n in range(60)), Shelf(id="s1")])
    store.put_new(Account(id="a1", owner="kim"))
    return store


@pytest.mark.parametrize("segments", [1, 4, 9])
def test_a_scan_shows_every_item_once(store: Store, segments: int) -> None:
    found = [each.id for each in store.scan(Book, segments=segments)]
    assert sorted(found) == [each.id for each in books(60)]


def test_a_scan_takes_the_kinds_that_it_is_asked_for(store: Store) -> None:
    assert [each.id for each in store.scan(Shelf)] == ["s1"]
    both = list(store.scan(Shelf, Account, segments=3))
    assert sorted(type(each).__name__ for each in both) == ["Account", "Shelf"]


def test_a_scan_that_is_given_up_leaves_nothing_running(store: Store) -> None:
    with closing(store.scan(Book, segments=4)) as found:  # type: ignore[type-var]
        next(iter(found))
    assert not [each for each in threads() if each.name.startswith("scan-")]


def test_a_scan_reads_one_table(store: Store) -> None:
    with pytest.raises(UsageError, match="one table"):
        store.scan(Shelf, Clip)
    with pytest.raises(UsageError, match="at least one"):
        store.scan()
