"""Many items by their keys."""

from __future__ import annotations

from gotgan.store import Ref, Store
from tests.store.conftest import MakeStore
from tests.store.library import CLIPS, LIBRARY, Book, Clip, Shelf, book, books


def test_items_come_in_the_order_in_which_they_were_asked_for(store: Store) -> None:
    store.put_all(books(250))
    wanted = list(reversed(books(250)))
    found = store.get_all([each.key for each in wanted])
    assert list(found) == wanted
    assert (found.missing, found.unread) == ((), ())


def test_what_is_missing_is_told(store: Store) -> None:
    store.put_all(books(3))
    found = store.get_all([book(n).key for n in (5, 1, 4, 0)])
    assert list(found) == [book(1), book(0)]
    assert found.missing == (book(5).key, book(4).key)


def test_a_key_that_is_asked_for_twice_is_read_once(store: Store) -> None:
    store.put_all(books(2))
    found = store.get_all([book(n).key for n in (0, 1, 0, 9, 1, 9)], consistent=True)
    assert list(found) == books(2)
    assert found.missing == (book(9).key,)


def test_nothing_asked_is_nothing_found(store: Store) -> None:
    nothing: list[Ref[Book]] = []
    found = store.get_all(nothing)
    assert len(found) == 0
    assert found.cost.reads == 0


def test_several_tables_are_asked_in_one_go(make_store: MakeStore) -> None:
    store = make_store(LIBRARY, CLIPS)
    clip, shelf = Clip(url="one"), Shelf(id="s1")
    store.put_new(clip)
    store.put_new(shelf)
    found = store.get_all([clip.key, shelf.key, Clip(url="none").key])
    assert list(found) == [clip, shelf]
    assert found.missing == (Clip(url="none").key,)


def test_refs_may_come_one_by_one(store: Store) -> None:
    store.put_all(books(3))
    assert list(store.get_all(each.key for each in books(3))) == books(3)
