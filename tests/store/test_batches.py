"""Batches without conditions, and what they report."""

from __future__ import annotations

import pytest

from gotgan.errors import UsageError
from gotgan.store import Entity, Store
from tests.store.conftest import MakeStore
from tests.store.deviations import Feature, Where
from tests.store.library import CLIPS, LIBRARY, Account, Book, Clip, Shelf, book, books
from tests.store.stored import everything


def test_many_are_put_and_deleted(store: Store, where: Where) -> None:
    done = store.put_all(book(n, genre="myth", rating=n % 1000) for n in range(where.many))
    assert (done.done, done.undone) == (where.many, ())
    assert done.cost.writes >= (1 if where.lacks(Feature.CAPACITY) else where.many)
    assert store.count(Book.by_genre.query(genre="myth")).items == where.many
    gone = store.delete_all(each.key for each in books(where.many - 1))
    assert (gone.done, gone.undone) == (where.many - 1, ())
    assert len(everything(store, LIBRARY)) == 1


def test_what_is_there_is_written_over(store: Store) -> None:
    store.put_all([book(1, title="First", genre="myth")])
    store.put_all([book(1, title="Second")])
    assert store.get(book(1).key) == book(1, title="Second")
    assert len(store.query(Book.by_genre.query(genre="myth"))) == 0


def test_of_two_with_one_key_the_last_one_counts(store: Store) -> None:
    done = store.put_all([book(1, title="First"), book(2), book(1, title="Last")])
    assert done.undone == ()
    assert store.get(book(1).key) == book(1, title="Last")
    assert store.delete_all([book(1).key, book(1).key, book(2).key]).undone == ()
    assert everything(store, LIBRARY) == []


def test_deleting_what_is_not_there_is_done(store: Store) -> None:
    assert store.delete_all([book(1).key]).done == 1


def test_nothing_given_is_nothing_done(store: Store) -> None:
    assert store.put_all([]).done == 0
    assert store.delete_all([]).done == 0


def test_kinds_can_be_mixed_even_over_tables(make_store: MakeStore) -> None:
    store = make_store(LIBRARY, CLIPS)
    given: list[Entity] = [book(1), Shelf(id="s1"), Clip(url="one")]
    assert store.put_all(given).done == 3
    assert store.delete_all([each.key for each in given]).done == 3
    assert everything(store, CLIPS) == []


def test_what_has_a_version_is_not_put_without_a_look_at_it(store: Store) -> None:
    with pytest.raises(UsageError, match="version"):
        store.put_all([Account(id="a1", owner="kim")])
    assert everything(store, LIBRARY) == []
