"""Tables under other names than they were declared with."""

from __future__ import annotations

import pytest

from gotgan.errors import StoreError, TableMissing
from gotgan.settings import Secret
from gotgan.store import Names, Store, Table
from gotgan.store.drivers import Driver
from tests.store.conftest import MakeStore, renamed
from tests.store.deviations import Feature, Where
from tests.store.library import LIBRARY, Book, book
from tests.store.stored import everything, scribble


def test_every_verb_goes_to_the_table_that_is_meant(store: Store, where: Where) -> None:
    real = store.calls.names.of(LIBRARY)
    assert real != LIBRARY.name
    store.put_new(book(1, genre="myth"))
    page = store.query(Book.by_genre.query(genre="myth"))
    assert len(page) == 1
    assert {line.table for line in store.total().lines} == {real}
    if not where.lacks(Feature.CAPACITY):
        index = store.calls.names.of(LIBRARY.indexes["by_genre"])
        assert [line.index for line in page.cost.lines] == [index]


def test_a_tenant_sees_nothing_of_another(make_store: MakeStore) -> None:
    one, other = make_store(LIBRARY), make_store(LIBRARY)
    one.put_new(book(1))
    neighbour = one.named(other.calls.names)
    assert neighbour.get(book(1).key) is None
    neighbour.put_new(book(2))
    assert [each.id for each in other.scan(Book)] == ["b0002"]
    assert neighbour.total() == one.total()


def test_an_item_moves_to_another_table_with_all_that_it_has(make_store: MakeStore) -> None:
    one, other = make_store(LIBRARY), make_store(LIBRARY)
    one.put_new(book(1, genre="myth"))
    scribble(one, book(1), colour="red")
    found = one.get(book(1).key)
    assert found is not None
    assert other.put_new_all([found]).new == [found]
    assert everything(other, LIBRARY) == everything(one, LIBRARY)


def test_a_cursor_of_one_tenant_is_none_of_another(make_store: MakeStore) -> None:
    one, other = make_store(LIBRARY), make_store(LIBRARY)
    one.put_all([book(1), book(2)])
    cursor = one.query(Book.key.query(shelf_id="s1"), limit=1).cursor
    with pytest.raises(StoreError, match="another query"):
        other.query(Book.key.query(shelf_id="s1"), cursor=cursor)


def test_a_store_makes_its_tables_and_leaves_them_as_they_are(driver: Driver) -> None:
    store = Store(driver, secret=Secret("of these tests"), names=renamed(LIBRARY))
    with pytest.raises(TableMissing):
        store.get(book(1).key)
    store.create(LIBRARY)
    store.put_new(book(1, genre="myth"))
    store.create(LIBRARY)
    assert len(everything(store, LIBRARY)) == 1
    assert len(store.query(Book.by_genre.query(genre="myth"))) == 1


def test_a_table_that_does_not_fit_is_an_error_and_not_touched(driver: Driver) -> None:
    names = renamed(LIBRARY)
    Store(driver, secret=Secret("of these tests"), names=names).create(LIBRARY)
    other = Table("other", pk="id")
    claimed = Names({"other": names.of(LIBRARY)})
    with pytest.raises(StoreError, match="is not as declared"):
        Store(driver, secret=Secret("of these tests"), names=claimed).create(other)
