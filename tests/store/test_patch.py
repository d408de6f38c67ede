"""Changes by key alone: what can be known is made anew, what cannot be is refused."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.errors import ConditionFailed, ItemMissing, StaleIndexKey, UsageError
from gotgan.retry import Policy
from gotgan.store import Store, append, attr, increment, remove
from gotgan.store.engine.faults import InternalServerError
from tests.store.deviations import Feature, Where
from tests.store.library import Account, Clip, book
from tests.store.stored import scribble, stored

REF = book(1).key


@pytest.fixture(autouse=True)
def _given(store: Store) -> None:
    store.put_new(book(1, title="Owl", genre="myth", rating=7, author="lee"))


def truth(store: Store) -> dict[str, Any]:
    found = stored(store, REF)
    assert found is not None
    return found


def test_a_field_that_nothing_follows_from_is_simply_changed(store: Store) -> None:
    item = store.patch(REF, lent=4).item
    assert item == book(1, title="Owl", genre="myth", rating=7, author="lee", lent=4)
    assert store.get(REF) == item


def test_a_key_is_made_anew_where_all_that_it_is_made_of_is_given(store: Store) -> None:
    store.patch(REF, title="Ant", genre="farm", rating=8, author="kim")
    item = truth(store)
    assert (item["genre_pk"], item["genre_sk"], item["heading"]) == ("GENRE#farm", "008#ant", "ant")
    assert item["author_pk"] == "AUTHOR#kim"
    store.patch(REF, title="Ant", genre=None, rating=8, author=remove())
    assert not truth(store).keys() & {"genre", "genre_pk", "genre_sk", "author", "author_pk"}


@pytest.mark.parametrize("change", [{"rating": 8}, {"genre": None}, {"title": "Ant", "rating": 8}])
def test_a_key_that_would_go_stale_refuses_the_patch(store: Store, change: dict[str, Any]) -> None:
    before = truth(store)
    with pytest.raises(StaleIndexKey, match="by_genre"):
        store.patch(REF, **change)
    assert truth(store) == before


def test_numbers_are_added_lists_grow_and_attributes_go(store: Store) -> None:
    store.patch(REF, lent=increment(), notes=append("a"))
    item = store.patch(REF, lent=increment(4), notes=append("b"), bought_at=remove()).item
    assert (item.lent, item.notes) == (5, ("a", "b"))
    with pytest.raises(StaleIndexKey):
        store.patch(REF, rating=increment())


def test_a_missing_number_counts_as_nothing_and_a_missing_list_as_empty(store: Store) -> None:
    scribble(store, book(2), shelfId="s1", id="b0002")
    item = store.patch(book(2).key, lent=increment(3), notes=append("a")).item
    assert (item.lent, item.notes) == (3, ("a",))


@pytest.mark.parametrize("change", [{"lent": 1}, {"lent": increment()}, {"notes": append("a")}, {}])
def test_what_is_missing_is_not_made_by_a_patch(store: Store, change: dict[str, Any]) -> None:
    missing = book(9).key
    with pytest.raises(ItemMissing):
        store.patch(missing, **change)
    assert stored(store, missing) is None


def test_an_empty_patch_shows_the_item(store: Store, where: Where) -> None:
    before = truth(store)
    if where.lacks(Feature.EMPTY_UPDATE):
        store.calls.driver.policy = Policy(attempts=1)
        with pytest.raises(InternalServerError):
            store.patch(REF)
    else:
        assert store.patch(REF).item == store.get(REF)
    assert truth(store) == before


def test_what_no_entity_knows_survives(store: Store) -> None:
    scribble(store, REF, colour="red")
    store.patch(REF, lent=1, title="Ant", genre="farm", rating=8, author=None)
    assert truth(store)["colour"] == "red"


def test_a_condition_is_asked_with_the_patch(store: Store) -> None:
    with pytest.raises(ConditionFailed) as caught:
        store.patch(REF, lent=1, only_if=attr("title") == "Ant")
    assert caught.value.current == store.get(REF)
    assert store.patch(REF, lent=1, only_if=attr("title") == "Owl").item.lent == 1


def test_a_patch_counts_the_version_that_it_does_not_know(store: Store) -> None:
    store.put_new(Account(id="a1", owner="kim"))
    ref = Account.key(id="a1")
    assert store.patch(ref, owed=increment(5)).item.version == 2
    assert store.patch(ref, owed=increment(5)).item == Account(
        id="a1", owner="kim", owed=10, version=3
    )


def test_what_is_no_field_and_what_is_in_the_key_cannot_be_patched(store: Store) -> None:
    with pytest.raises(UsageError, match="no field"):
        store.patch(REF, heavy=1)
    with pytest.raises(UsageError, match="key"):
        store.patch(REF, id="b2")
    with pytest.raises(UsageError, match="key"):
        store.patch(Clip(url="one").key, url="two")
    with pytest.raises(UsageError, match="rating"):
        store.patch(REF, title="Ant", genre="farm", rating="high")
    assert store.get(REF) == book(1, title="Owl", genre="myth", rating=7, author="lee")
