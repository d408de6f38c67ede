"""Whole items over whatever is there, without running over what somebody else did."""

from __future__ import annotations

import pytest

from gotgan.errors import ConditionFailed, ItemMissing, UsageError, VersionConflict
from gotgan.store import Store, attr
from tests.store.library import Account, Book, book
from tests.store.stored import scribble, stored


def read(store: Store, given: Book) -> Book:
    found = store.get(given.key)
    assert found is not None
    return found


def account(store: Store) -> Account:
    found = store.get(Account.key(id="a1"))
    assert found is not None
    return found


def test_a_put_replaces_what_is_there(store: Store) -> None:
    store.put(book(1, title="First", genre="myth", tags=frozenset({"x"})))
    written = store.put(book(1, title="Second"))
    assert written.item == book(1, title="Second")
    item = stored(store, book(1).key)
    assert item is not None
    assert (item["title"], item["heading"]) == ("Second", "second")
    assert not item.keys() & {"genre", "genre_pk", "genre_sk", "tags"}


def test_what_no_entity_knows_survives_being_read_and_put(store: Store) -> None:
    store.put_new(book(1, genre="myth"))
    scribble(store, book(1), colour="red", weights=[1, 2])
    found = read(store, book(1))
    store.put(found)
    store.put(found.model_copy(update={"title": "New", "genre": None}))
    item = stored(store, book(1).key)
    assert item is not None
    assert (item["colour"], item["weights"], item["title"]) == ("red", [1, 2], "New")
    assert "genre_pk" not in item


def test_what_came_after_the_read_survives_too(store: Store) -> None:
    store.put_new(book(1))
    stale = read(store, book(1))
    scribble(store, book(1), colour="red")
    written = store.put(stale.model_copy(update={"title": "New"})).item
    assert written.origin is not None
    assert written.origin.item["colour"] == {"S": "red"}
    assert stored(store, book(1).key) == {
        "pk": "SHELF#s1",
        "sk": "BOOK#b0001",
        "shelfId": "s1",
        "id": "b0001",
        "title": "New",
        "heading": "new",
        "rating": 0,
        "lent": 0,
        "notes": [],
        "colour": "red",
    }


def test_a_copy_with_another_key_is_another_item(store: Store) -> None:
    store.put_new(Account(id="a1", owner="kim"))
    moved = account(store).model_copy(update={"id": "a2"})
    assert moved.origin is None
    assert store.put(moved).item.version == 1
    assert store.get(Account.key(id="a1")) is not None


def test_what_was_read_in_part_cannot_be_put(store: Store) -> None:
    store.put_new(book(1, title="Ants", author="lee"))
    [part] = store.query(Book.by_author.query(author="lee"))
    for given in (part, part.model_copy(update={"rating": 3})):
        with pytest.raises(UsageError, match="whole"):
            store.put(given)
    projected = store.get(book(1).key, only=("title",))
    assert projected is not None
    with pytest.raises(UsageError, match="whole"):
        store.put(projected)
    [whole] = store.query(Book.by_author.query(author="lee").whole())
    store.put(whole.model_copy(update={"rating": 3}))
    assert read(store, book(1)).rating == 3


def test_each_put_counts_the_version(store: Store) -> None:
    store.put_new(Account(id="a1", owner="kim"))
    first = account(store)
    assert store.put(first.model_copy(update={"owed": 5})).item.version == 2
    with pytest.raises(VersionConflict, match="version 2") as caught:
        store.put(first.model_copy(update={"owed": 6}))
    assert caught.value.current == Account(id="a1", owner="kim", owed=5, version=2)
    assert store.put(caught.value.current.model_copy(update={"owed": 7})).item.version == 3
    assert account(store) == Account(id="a1", owner="kim", owed=7, version=3)


def test_what_was_made_does_not_reset_a_version(store: Store) -> None:
    store.put(Account(id="a1", owner="kim"))
    with pytest.raises(ConditionFailed) as caught:
        store.put(Account(id="a1", owner="lee"))
    assert caught.value.current == Account(id="a1", owner="kim")
    assert account(store).owner == "kim"


def test_an_item_that_was_deleted_since_it_was_read_is_not_brought_back(store: Store) -> None:
    store.put_new(Account(id="a1", owner="kim"))
    store.put_new(book(1))
    for found in (account(store), read(store, book(1))):
        store.delete(found.key)
        with pytest.raises(ItemMissing):
            store.put(found)
        assert stored(store, found.key) is None
        assert store.put_new(found).new


def test_a_condition_that_does_not_hold_leaves_everything_and_shows_it(store: Store) -> None:
    store.put(book(1, title="First", rating=3))
    with pytest.raises(ConditionFailed) as caught:
        store.put(book(1, title="Second"), only_if=attr("rating") > 5)
    assert caught.value.current == book(1, title="First", rating=3)
    assert read(store, book(1)).title == "First"
    store.put(book(1, title="Second"), only_if=attr("rating") == 3)
    assert read(store, book(1)).title == "Second"
    with pytest.raises(ItemMissing):
        store.put(book(2), only_if=attr("rating") == 3)


def test_an_item_without_a_version_gets_one_that_nobody_has_seen(store: Store) -> None:
    scribble(store, Account.key(id="a1"), id="a1", owner="kim")
    found = account(store)
    assert found.version == 1
    assert store.put(found).item.version == 2
    with pytest.raises(VersionConflict):
        store.put(found)
