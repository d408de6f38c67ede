"""Lists of writes, all or none."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.errors import (
    ConditionFailed,
    ItemMissing,
    TransactionFailed,
    UsageError,
    VersionConflict,
)
from gotgan.store import Store, Write, attr, increment, writes
from tests.store.conftest import MakeStore
from tests.store.deviations import Feature
from tests.store.library import CLIPS, LIBRARY, Account, Book, Clip, Shelf, book, books
from tests.store.stored import everything, stored

NEEDS = Feature.TRANSACTIONS


@pytest.fixture
def account(store: Store) -> Account:
    store.put_new(Account(id="a1", owner="kim"))
    found = store.get(Account.key(id="a1"))
    assert found is not None
    return found


def test_every_write_of_a_transaction_is_done(store: Store, account: Account) -> None:
    store.put_all([book(1, genre="myth", rating=7), book(2), Shelf(id="s1")])
    read = store.get(book(1).key)
    assert read is not None
    store.transact(
        [
            writes.put_new(book(3)),
            writes.put(account.model_copy(update={"owed": 2})),
            writes.update(read, rating=8),
            writes.patch(Shelf.key(id="s1"), room="attic"),
            writes.delete(book(2).key),
            writes.check(Book.key(shelf_id="s1", id="b0004"), attr("title").missing()),
        ]
    )
    assert store.get(account.key) == Account(id="a1", owner="kim", owed=2, version=2)
    changed = stored(store, book(1).key)
    assert changed is not None
    assert changed["genre_sk"] == "008#untitled"
    assert store.get(Shelf.key(id="s1")) == Shelf(id="s1", room="attic")
    assert [each.id for each in store.query(Book.key.query(shelf_id="s1"))] == ["b0001", "b0003"]


def test_one_that_is_refused_refuses_all_and_says_why(store: Store, account: Account) -> None:
    store.put_new(book(1, title="First"))
    store.patch(account.key, owed=increment())
    before = everything(store, LIBRARY)
    wanted: list[Write[Any]] = [
        writes.put_new(book(2)),
        writes.put_new(book(1, title="Second")),
        writes.update(account, owed=9),
        writes.check(Shelf.key(id="nowhere")),
    ]
    with pytest.raises(TransactionFailed, match=r"First|b0001") as caught:
        store.transact(wanted)
    assert everything(store, LIBRARY) == before
    duplicate, conflict, missing = caught.value.reasons
    assert [each.write for each in caught.value.reasons] == wanted[1:]
    assert {each.code for each in caught.value.reasons} == {"ConditionalCheckFailed"}
    assert type(duplicate.error) is ConditionFailed
    assert duplicate.current == book(1, title="First")
    assert type(conflict.error) is VersionConflict
    assert conflict.current == Account(id="a1", owner="kim", owed=1, version=2)
    assert type(missing.error) is ItemMissing
    assert missing.current is None


def test_a_condition_of_ones_own_is_told_by_the_current_item(store: Store) -> None:
    store.put_new(book(1, title="First"))
    with pytest.raises(TransactionFailed) as caught:
        store.transact([writes.delete(book(1).key, only_if=attr("title") == "Third")])
    [reason] = caught.value.reasons
    assert type(reason.error) is ConditionFailed
    assert reason.current == book(1, title="First")


def test_a_hundred_writes_fit_and_one_more_does_not(store: Store) -> None:
    with pytest.raises(UsageError, match="101"):
        store.transact([writes.put_new(each) for each in books(101)])
    assert everything(store, LIBRARY) == []
    store.transact([writes.put_new(each) for each in books(100)])
    assert store.count(Book.key.query(shelf_id="s1")).items == 100


def test_an_item_can_be_written_once(store: Store) -> None:
    with pytest.raises(UsageError, match="twice"):
        store.transact([writes.put_new(book(1)), writes.patch(book(1).key, lent=1)])
    assert everything(store, LIBRARY) == []


def test_nothing_to_write_is_nothing_done(store: Store) -> None:
    assert store.transact([]).cost.writes == 0
    store.put_new(book(1))
    read = store.get(book(1).key)
    assert read is not None
    assert store.transact([writes.update(read)]).cost.writes == 0


def test_several_tables_take_part(make_store: MakeStore) -> None:
    store = make_store(LIBRARY, CLIPS)
    store.put_new(Clip(url="one"))
    with pytest.raises(TransactionFailed):
        store.transact([writes.put_new(book(1)), writes.put_new(Clip(url="one"))])
    assert store.get(book(1).key) is None
    store.transact([writes.put_new(book(1)), writes.put_new(Clip(url="two"))])
    assert store.get(book(1).key) == book(1)


def test_an_index_key_is_guarded_in_a_transaction_too(store: Store) -> None:
    store.put_new(book(1, genre="myth", rating=7))
    stale = store.get(book(1).key)
    assert stale is not None
    store.update(stale, genre="farm")
    with pytest.raises(TransactionFailed) as caught:
        store.transact([writes.update(stale, rating=8)])
    assert caught.value.reasons[0].current == book(1, genre="farm", rating=7)


def test_an_item_is_moved_whole_or_not_at_all(store: Store) -> None:
    store.put_new(book(1, title="Owl"))
    moved = book(1, shelf="s2", title="Owl")
    store.transact([writes.delete(book(1).key), writes.put_new(moved)])
    assert store.get(book(1).key) is None
    assert store.get(moved.key) == moved
