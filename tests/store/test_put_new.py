"""The first write of a key wins for ever."""

from __future__ import annotations

import pytest

from gotgan.errors import BadItem, BadKeyPart, KeyCollision, UsageError
from gotgan.store import Store
from tests.store.conftest import MakeStore
from tests.store.library import CLIPS, Account, Book, Clip, Entry, Shelf, book
from tests.store.stored import scribble, stored


def test_what_is_new_is_written(store: Store) -> None:
    result = store.put_new(book(1, title="First"))
    assert result.new
    assert result.item == book(1, title="First")
    assert store.get(book(1).key) == book(1, title="First")
    assert result.cost.writes == 1


def test_a_duplicate_changes_nothing_and_shows_the_first(store: Store) -> None:
    store.put_new(book(1, title="First", lent=3))
    scribble(store, book(1), colour="red")
    before = stored(store, book(1).key)
    result = store.put_new(book(1, title="Second"))
    assert not result.new
    assert result.item == book(1, title="First", lent=3)
    assert result.item.origin is not None
    assert result.item.origin.item["colour"] == {"S": "red"}
    assert stored(store, book(1).key) == before


def test_a_refused_put_is_billed(store: Store) -> None:
    store.put_new(book(1))
    assert store.put_new(book(1)).cost.writes == 1


def test_a_deleted_item_can_be_new_again(store: Store) -> None:
    store.put_new(book(1, title="First"))
    store.delete(book(1).key)
    assert store.put_new(book(1, title="Second")).new


def test_another_thing_under_the_same_key_is_a_collision(make_store: MakeStore) -> None:
    store = make_store(CLIPS)
    store.put_new(Clip(url="https://one", title="kept"))
    assert Clip(url="https://eno").key == Clip(url="https://one").key
    with pytest.raises(KeyCollision, match="https://one"):
        store.put_new(Clip(url="https://eno"))
    assert not store.put_new(Clip(url="https://one", title="later")).new
    assert store.get(Clip(url="https://one").key) == Clip(url="https://one", title="kept")


def test_a_foreign_item_under_the_key_is_left_as_it_is(store: Store) -> None:
    scribble(store, Account.key(id="a1"), id="a1", owner=["not", "a", "name"])
    before = stored(store, Account.key(id="a1"))
    with pytest.raises(BadItem, match="owner"):
        store.put_new(Account(id="a1", owner="kim"))
    assert stored(store, Account.key(id="a1")) == before


@pytest.mark.parametrize(
    ("entity", "reason"),
    [
        (Entry(log="l", day="a#b", number=1), "separates"),
        (Entry(log="l", day="a", number=10_000), "4 digits"),
        (Entry(log="l", day="a", number=-1), "whole number"),
        (book(1, rating=1234, genre="myth"), "3 digits"),
    ],
)
def test_what_cannot_be_a_key_is_refused_before_anything_is_sent(
    store: Store, entity: Book | Entry, reason: str
) -> None:
    with pytest.raises(BadKeyPart, match=reason):
        store.put_new(entity)
    assert store.total().writes == 0


def test_what_cannot_be_stored_is_refused_in_a_sentence(make_store: MakeStore) -> None:
    store = make_store(CLIPS)
    with pytest.raises(UsageError, match="nan"):
        store.put_new(Clip(url="one", price=float("nan")))


def test_a_key_part_may_hold_anything_that_does_not_end_it(store: Store) -> None:
    for part in (
        "a/b c",
        "a?b=c&d",
        "한글",
        "'; DROP TABLE",
        "a\x00b",
        "\U0010ffff",
        "SHELF",
        "#x",
    ):
        given = Book(shelf_id="s1", id=part)
        assert store.put_new(given).new
        assert store.get(given.key) == given
    assert len(store.query(Book.key.query(shelf_id="s1"))) == 8
    assert store.put_new(Shelf(id="s1#x")).new
