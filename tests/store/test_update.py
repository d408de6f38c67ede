"""Changes of an item that was read, with everything that follows from them."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.errors import (
    ConditionFailed,
    ItemMissing,
    NotRead,
    StaleIndexKey,
    UsageError,
    VersionConflict,
)
from gotgan.store import Store, append, attr, increment, remove
from gotgan.store.schema import schema_of
from tests.store.deviations import Feature, Where
from tests.store.library import Account, Book, book
from tests.store.stored import scribble, stored


def put(store: Store, **fields: Any) -> Book:
    store.put(book(1, **fields))
    found = store.get(book(1).key)
    assert found is not None
    return found


def truth(store: Store) -> dict[str, Any]:
    found = stored(store, book(1).key)
    assert found is not None
    return found


def account(store: Store) -> Account:
    found = store.get(Account.key(id="a1"))
    assert found is not None
    return found


def test_an_update_writes_what_it_was_given_and_shows_the_item(store: Store, where: Where) -> None:
    given = put(store, title="First", lent=1, notes=("kept",))
    written = store.update(given, lent=5)
    assert written.item == book(1, title="First", lent=5, notes=("kept",))
    assert store.get(given.key) == written.item
    assert written.cost.writes == (0.5 if where.lacks(Feature.CAPACITY) else 1)


def test_what_somebody_else_changed_meanwhile_stays(store: Store) -> None:
    given = put(store, lent=1)
    store.update(given, notes=("theirs",))
    store.update(given, lent=2)
    assert store.get(given.key) == book(1, lent=2, notes=("theirs",))


def test_index_keys_and_derived_attributes_follow(store: Store) -> None:
    given = put(store, title="The Owl", genre="myth", rating=7)
    item = store.update(given, rating=8).item
    assert truth(store)["genre_sk"] == "008#owl"
    store.update(item, title="The Ant")
    assert (truth(store)["heading"], truth(store)["genre_sk"]) == ("ant", "008#ant")
    assert [each.id for each in store.query(Book.by_genre.query(genre="myth", rating=8))] == [
        "b0001"
    ]


def test_an_item_comes_into_a_sparse_index_and_goes_out_of_it(store: Store) -> None:
    given = put(store, title="Owl", rating=7)
    assert not truth(store).keys() & {"genre_pk", "genre_sk", "author_pk"}
    inside = store.update(given, genre="myth", author="lee").item
    assert (truth(store)["genre_pk"], truth(store)["genre_sk"]) == ("GENRE#myth", "007#owl")
    assert len(store.query(Book.by_author.query(author="lee"))) == 1
    outside = store.update(inside, genre=None, author=remove()).item
    assert not truth(store).keys() & {"genre", "genre_pk", "genre_sk", "author", "author_pk"}
    assert truth(store)["title"] == "Owl"
    assert outside == book(1, title="Owl", rating=7)
    assert len(store.query(Book.by_author.query(author="lee"))) == 0


def test_what_no_entity_knows_survives(store: Store) -> None:
    given = put(store, genre="myth")
    scribble(store, given, colour="red", nested={"a": [1, {"b": None}]})
    store.update(given, genre="farm", lent=3, title="New")
    assert (truth(store)["colour"], truth(store)["nested"]) == ("red", {"a": [1, {"b": None}]})


def test_an_update_of_nothing_writes_nothing(store: Store) -> None:
    given = put(store, title="Owl", genre="myth", lent=3)
    spent = store.total().writes
    written = store.update(given)
    assert written.item == given
    assert written.cost.writes == 0
    assert store.total().writes == spent


def test_what_is_named_is_written_even_if_it_seemed_to_be_so(store: Store) -> None:
    given = put(store, lent=3)
    store.update(given, lent=4)
    assert store.update(given, lent=3).item.lent == 3


def test_none_takes_an_attribute_away_where_it_may_be_missing(store: Store) -> None:
    given = put(store, bought_at=None, tags=frozenset({"x"}))
    store.update(given, tags=frozenset())
    assert "tags" not in truth(store)
    with pytest.raises(UsageError, match="cannot be removed"):
        store.update(given, title=None)
    with pytest.raises(UsageError, match="no field 'heavy'"):
        store.update(given, heavy=True)
    with pytest.raises(UsageError, match="part of the key"):
        store.update(given, shelf_id="s2")
    with pytest.raises(UsageError, match="rating"):
        store.update(given, rating="high")


def test_numbers_are_added_and_lists_grow(store: Store) -> None:
    given = put(store, lent=1)
    store.update(given, lent=increment(2), notes=append("a"))
    item = store.update(given, lent=increment(-5), notes=append("b", "c")).item
    assert (item.lent, item.notes) == (-2, ("a", "b", "c"))
    with pytest.raises(StaleIndexKey, match="rating"):
        store.update(item, rating=increment())


def test_an_update_of_what_is_gone_says_so_and_does_not_bring_it_back(store: Store) -> None:
    given = put(store)
    store.delete(given.key)
    with pytest.raises(ItemMissing):
        store.update(given, lent=2)
    assert stored(store, given.key) is None


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        ({"rating": 8}, {"title": "Ant"}),
        ({"title": "Ant"}, {"rating": 8}),
        ({"genre": "farm"}, {"rating": 8}),
        ({"genre": None}, {"rating": 8}),
        ({"rating": 8}, {"genre": None}),
    ],
)
def test_two_who_change_what_one_index_key_is_made_of_do_not_leave_it_stale(
    store: Store, theirs: dict[str, Any], mine: dict[str, Any]
) -> None:
    given = put(store, title="Owl", genre="myth", rating=7)
    store.update(given, **theirs)
    before = truth(store)
    with pytest.raises(ConditionFailed) as caught:
        store.update(given, **mine)
    assert truth(store) == before
    store.update(caught.value.current, **mine)
    merged = book(1, **{"title": "Owl", "genre": "myth", "rating": 7, **theirs, **mine})
    assert store.get(given.key) == merged
    assert truth(store).get("genre_sk") == (
        None if merged.genre is None else f"{merged.rating:03d}#{merged.heading}"
    )


def test_two_who_each_fill_in_a_part_of_a_missing_key_both_count(store: Store) -> None:
    given = put(store, title="Owl", rating=7)
    store.update(given, genre="myth")
    with pytest.raises(ConditionFailed):
        store.update(given, rating=8)
    assert truth(store)["genre_sk"] == "007#owl"


def test_a_stale_key_that_others_left_is_mended_by_the_next_change(store: Store) -> None:
    given = put(store, title="Owl", genre="myth", rating=7)
    scribble(store, given, genre_sk="stale")
    with pytest.raises(ConditionFailed):
        store.update(given, rating=8)
    found = store.get(given.key)
    assert found is not None
    store.update(found, rating=8)
    assert truth(store)["genre_sk"] == "008#owl"


def test_a_version_counts_and_conflicts_carry_the_current_item(store: Store) -> None:
    store.put_new(Account(id="a1", owner="kim", branch="myth"))
    first = account(store)
    assert store.update(first, owed=5).item.version == 2
    with pytest.raises(VersionConflict) as caught:
        store.update(first, owed=6)
    assert caught.value.current == Account(id="a1", owner="kim", branch="myth", owed=5, version=2)
    assert store.update(caught.value.current, owner="lee").item.version == 3
    with pytest.raises(UsageError, match="version"):
        store.update(first, version=9)


def test_a_version_that_was_not_read_cannot_be_guarded(store: Store) -> None:
    store.put_new(Account(id="a1", owner="kim"))
    part = store.get(Account.key(id="a1"), only=("owed",))
    assert part is not None
    with pytest.raises(NotRead, match="version"):
        store.update(part, owed=1)
    with pytest.raises(NotRead, match="version"):
        store.delete(part)
    assert account(store) == Account(id="a1", owner="kim")


def test_a_condition_is_asked_with_the_change(store: Store) -> None:
    given = put(store, lent=1)
    with pytest.raises(ConditionFailed) as caught:
        store.update(given, title="New", only_if=attr("lent") == 0)
    assert caught.value.current == given
    assert store.update(given, title="New", only_if=attr("lent") == 1).item.title == "New"


def test_what_was_read_in_part_can_be_changed_in_what_is_known(store: Store) -> None:
    put(store, title="Owl", genre="myth", rating=7, author="lee", lent=2)
    [part] = store.query(Book.by_author.query(author="lee"))
    assert store.update(part, author="kim", lent=9).item.lent == 9
    assert truth(store)["author_pk"] == "AUTHOR#kim"
    with pytest.raises(NotRead, match="genre"):
        store.update(part, rating=8)
    assert truth(store)["genre_sk"] == "007#owl"


def test_a_copy_of_what_was_read_brings_its_differences_along(store: Store) -> None:
    given = put(store, title="Owl", genre="myth", rating=7)
    changed = given.model_copy(update={"rating": 8})
    assert store.update(changed, title="Ant").item == book(1, title="Ant", genre="myth", rating=8)
    assert truth(store)["genre_sk"] == "008#ant"


def test_what_was_just_made_and_put_can_be_updated(store: Store) -> None:
    made = book(1, title="Owl", genre="myth", rating=7)
    store.put_new(made)
    assert store.update(made, rating=8).item.rating == 8
    with pytest.raises(ConditionFailed):
        store.update(made, rating=9)
    assert truth(store)["genre_sk"] == "008#owl"


def test_attributes_that_the_entity_does_not_declare_are_written_and_removed(store: Store) -> None:
    given = put(store, lent=1)
    item = store.update(given, lent=2, others={"shelf": "B4", "damp": True}).item
    assert (truth(store)["lent"], truth(store)["shelf"], truth(store)["damp"]) == (2, "B4", True)
    store.update(item, others={"damp": None})
    assert "damp" not in truth(store)
    made = store.put_new(book(2), others={"shelf": "C1"}).item
    assert schema_of(Book).others(made) == {"shelf": "C1"}
    with pytest.raises(UsageError, match="declares lent"):
        store.update(given, others={"lent": 3})
