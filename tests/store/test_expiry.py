"""Items whose time is over are hidden, although the database still has them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.store import Store, attr
from tests.store.conftest import NOON, MakeStore
from tests.store.library import LIBRARY, Book, book, books
from tests.store.stored import stored

SHELF = Book.key.query(shelf_id="s1")


@pytest.fixture
def store(make_store: MakeStore, clock: FixedClock) -> Store:
    """Ten books; every second one is gone after an hour."""
    store = make_store(LIBRARY, clock=clock)
    store.put_all(books(10, genre="myth"))
    for n in (1, 3, 5, 7, 9):
        store.put(book(n, genre="myth", expires_at=NOON + timedelta(hours=1)))
    return store


def left(store: Store) -> list[str]:
    return [each.id for each in store.iterate(SHELF, at_most=None)]


def test_until_its_time_an_item_is_there(store: Store, clock: FixedClock) -> None:
    clock.advance(timedelta(minutes=59, seconds=59))
    assert len(left(store)) == 10
    assert store.get(book(1).key) is not None


def test_from_its_time_on_no_read_shows_it(store: Store, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=1))
    even = [f"b{n:04d}" for n in (0, 2, 4, 6, 8)]
    assert stored(store, book(1).key) is not None
    assert store.get(book(1).key) is None
    assert left(store) == even
    assert [each.id for each in store.query(SHELF)] == even
    assert sorted(each.id for each in store.query(Book.by_genre.query(genre="myth"))) == even
    assert sorted(each.id for each in store.scan(Book)) == even
    assert store.count(SHELF).items == 5
    assert store.count(SHELF.filtered(attr("id") > "b0003")).items == 3
    found = store.get_all([each.key for each in books(4)])
    assert [each.id for each in found] == even[:2]
    assert found.missing == (book(1).key, book(3).key)


@pytest.mark.parametrize("limit", [1, 2, 3, 5])
def test_pages_fill_up_without_the_expired(store: Store, clock: FixedClock, limit: int) -> None:
    clock.advance(timedelta(hours=1))
    first = store.query(SHELF, limit=limit)
    assert len(first) == limit
    rest = store.query(SHELF, cursor=first.cursor)
    assert [each.id for each in (*first, *rest)] == left(store)


def test_a_projection_does_not_bring_the_expired_back(store: Store, clock: FixedClock) -> None:
    clock.advance(timedelta(hours=1))
    assert store.get(book(1).key, only=("title",)) is None
    assert len(store.query(SHELF.only("title"))) == 5


def test_who_keeps_an_item_in_time_keeps_it(store: Store, clock: FixedClock) -> None:
    found = store.get(book(1).key)
    assert found is not None
    store.update(found, expires_at=None)
    clock.advance(timedelta(days=1))
    assert store.get(book(1).key) is not None
