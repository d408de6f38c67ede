"""Queries are values: each method gives a new one, and says no where DynamoDB would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from gotgan.errors import UsageError
from gotgan.store import Entity, Id, IndexKey, Key, Query, Table, attr
from gotgan.store.conditions import Expression
from gotgan.store.queries import LAST_CHAR, SortCondition
from gotgan.store.schema import EntityScope

LIBRARY = Table("library", pk="pk", sk="sk")
BY_TITLE = LIBRARY.index("by_title", pk="title")
BY_SHELF = LIBRARY.local_index("by_shelf", sk="shelf")


class Book(Entity, table=LIBRARY):
    key = Key("AUTHOR#{author}", "BOOK#{id}")
    by_title = IndexKey(BY_TITLE, "{title}")
    by_shelf = IndexKey(BY_SHELF, "AUTHOR#{author}", "{shelf}")
    author: Id
    id: Id
    title: Id
    shelf: Id


BOOKS = Book.key.query(author="a1")
TITLED = Book.by_title.query(title="Momo")


@pytest.mark.parametrize(
    "change",
    [
        lambda query: query.newest_first(),
        lambda query: query.before("m"),
        lambda query: query.after("m"),
        lambda query: query.between("a", "m"),
        lambda query: query.begins_with("m"),
        lambda query: query.only("title"),
        lambda query: query.whole(),
        lambda query: query.consistent(),
        lambda query: query.filtered(attr("title") == "x"),
    ],
)
def test_a_query_is_never_changed_in_place(change: Callable[[Query[Book]], Query[Book]]) -> None:
    before: Query[Book] = Query(BOOKS.legs)
    assert change(BOOKS) != BOOKS
    assert before == BOOKS
    with pytest.raises(FrozenInstanceError):
        BOOKS.legs = ()  # type: ignore[misc]


def test_joined_queries_are_read_one_after_the_other() -> None:
    assert (BOOKS + TITLED).legs == (*BOOKS.legs, *TITLED.legs)
    assert (TITLED + BOOKS + TITLED).legs == (*TITLED.legs, *BOOKS.legs, *TITLED.legs)


def test_options_hold_for_every_leg() -> None:
    joined = (BOOKS + TITLED).newest_first().only("title").whole()
    for leg in joined.legs:
        assert (leg.newest_first, leg.fields, leg.whole) == (True, ("title",), True)


def test_options_of_one_leg_stay_its_own() -> None:
    first, second = (BOOKS.newest_first() + BOOKS).legs
    assert (first.newest_first, second.newest_first) == (True, False)


@pytest.mark.parametrize(
    ("narrowed", "sort"),
    [
        (BOOKS.between("a", "m"), SortCondition("BETWEEN", "BOOK#a", "BOOK#m")),
        (BOOKS.before("m"), SortCondition("BETWEEN", "BOOK#", "BOOK#m")),
        (BOOKS.after("m"), SortCondition("BETWEEN", "BOOK#m", f"BOOK#{LAST_CHAR}")),
        (BOOKS.begins_with("m"), SortCondition("begins_with", "BOOK#m")),
    ],
)
def test_a_narrowed_query_stays_among_its_own_kind(
    narrowed: Query[Book], sort: SortCondition
) -> None:
    [leg] = narrowed.legs
    assert leg.sort == sort


def test_a_sort_key_without_a_start_has_open_ends() -> None:
    query = Book.by_shelf.query(author="a1")
    assert query.legs[0].sort is None
    assert query.before("m").legs[0].sort == SortCondition("<=", "m")
    assert query.after("m").legs[0].sort == SortCondition(">=", "m")
    assert query.begins_with("m").legs[0].sort == SortCondition("begins_with", "m")


def test_a_query_on_an_index_without_a_sort_key_cannot_be_narrowed() -> None:
    with pytest.raises(UsageError, match="is settled"):
        TITLED.before("m")


def test_a_joined_query_is_narrowed_only_where_all_of_it_can_be() -> None:
    with pytest.raises(UsageError, match="is settled"):
        (BOOKS + TITLED).before("m")


def test_filters_add_up() -> None:
    def filter_of(query: Query[Any]) -> str:
        [leg] = query.legs
        assert leg.filter is not None
        return leg.filter.write(Expression(EntityScope.of([Book])))

    once = BOOKS.filtered(attr("title") == "x")
    assert filter_of(once) == "#n0 = :v0"
    assert filter_of(once.filtered(attr("shelf").exists())) == (
        "(#n0 = :v0 AND attribute_exists(#n1))"
    )


def test_a_global_index_is_never_read_consistently() -> None:
    with pytest.raises(UsageError, match="read the table, or go without"):
        TITLED.consistent()
    with pytest.raises(UsageError, match="a global index cannot be read consistently"):
        (BOOKS + TITLED).consistent()


def test_a_table_and_a_local_index_can_be_read_consistently() -> None:
    assert BOOKS.consistent().legs[0].consistent
    assert Book.by_shelf.query(author="a1").consistent().legs[0].consistent
