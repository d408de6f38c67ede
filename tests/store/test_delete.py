"""Removing items."""

from __future__ import annotations

import pytest

from gotgan.errors import ConditionFailed, ItemMissing, VersionConflict
from gotgan.store import Store, attr, increment
from tests.store.library import LIBRARY, Account, Book, Shelf, book
from tests.store.stored import everything, in_index, stored


def account(store: Store) -> Account:
    store.put_new(Account(id="a1", owner="kim"))
    found = store.get(Account.key(id="a1"))
    assert found is not None
    return found


def test_a_deleted_item_is_gone_from_the_table_and_its_indexes(store: Store) -> None:
    store.put_new(book(1, genre="myth", author="lee"))
    store.put_new(book(2))
    removed = store.delete(book(1).key)
    assert removed.existed
    assert removed.cost.writes >= 1
    assert store.get(book(1).key) is None
    assert not in_index(store, LIBRARY.indexes["by_genre"])
    assert len(everything(store, LIBRARY)) == 1


def test_deleting_what_is_not_there_is_no_error(store: Store) -> None:
    assert not store.delete(book(1).key).existed
    assert not store.delete(book(1)).existed
    gone = account(store)
    assert store.delete(gone).existed
    assert not store.delete(gone).existed


def test_what_was_changed_since_it_was_read_is_not_deleted(store: Store) -> None:
    stale = account(store)
    store.patch(stale.key, owed=increment())
    with pytest.raises(VersionConflict) as caught:
        store.delete(stale)
    assert caught.value.current == Account(id="a1", owner="kim", owed=1, version=2)
    assert store.delete(caught.value.current).existed
    assert stored(store, stale.key) is None


def test_by_its_key_it_is_deleted_whatever_its_version(store: Store) -> None:
    stale = account(store)
    store.patch(stale.key, owed=increment())
    assert store.delete(stale.key).existed


def test_a_condition_is_asked_before_anything_is_removed(store: Store) -> None:
    store.put_new(Shelf(id="s1", room="attic"))
    with pytest.raises(ConditionFailed) as caught:
        store.delete(Shelf.key(id="s1"), only_if=attr("room") == "cellar")
    assert caught.value.current == Shelf(id="s1", room="attic")
    assert store.delete(Shelf.key(id="s1"), only_if=attr("room") == "attic").existed
    with pytest.raises(ItemMissing):
        store.delete(Shelf.key(id="s1"), only_if=attr("room") == "attic")


def test_what_was_read_in_part_can_be_deleted(store: Store) -> None:
    store.put_new(book(1, title="Owl", author="lee"))
    [part] = store.query(Book.by_author.query(author="lee"))
    assert store.delete(part).existed
