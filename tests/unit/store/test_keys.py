"""Keys of entities: refs, queries, and what may be left open in them."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any

import pytest
from pydantic import Field

from gotgan.errors import BadKeyPart, UsageError
from gotgan.store import (
    Entity,
    Id,
    IndexKey,
    Key,
    KeyOnly,
    Prefixed,
    Ref,
    Table,
    Timestamp,
    binary,
    collection,
    number,
)
from gotgan.store.keys import BoundKey
from gotgan.store.queries import LAST_CHAR, Leg, Query, SortCondition

SHOP = Table("shop", pk="PK", sk="SK")
BY_COUNTRY = SHOP.index("by_country", pk="country", sk="rank_sk")
BY_DAY = SHOP.index("by_day", pk="day_pk")
NUMBERS = Table("numbers", pk=number("n"), sk=binary("b"))
LONE = Table("lone", pk="pk")

Country = Annotated[str, Field(max_length=2), Prefixed("COUNTRY#")]


class Customer(Entity, table=SHOP):
    key = Key("CUSTOMER#{id}", "METADATA")
    by_country = IndexKey(BY_COUNTRY, "{country}", "RANK#{rank:04d}#{id}")
    by_day = IndexKey(BY_DAY, "DAY#{day}")
    id: Id
    country: Country | None = None
    rank: int = 0
    day: date | None = None


class Order(Entity, table=SHOP):
    key = Key("CUSTOMER#{customer}", "ORDER#{at}#{number}")
    customer: Annotated[Id, KeyOnly()]
    at: Timestamp
    number: Id


class Cell(Entity, table=NUMBERS):
    key = Key("{n}", "{b}")
    n: int
    b: Annotated[bytes, Field(max_length=8)]


class Setting(Entity, table=LONE):
    key = Key("{name}")
    name: Id


NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
STAMP = "2025-11-06T12:00:00Z"


def leg(query: Query[Any]) -> Leg:
    [only] = query.legs
    return only


# Refs


def test_a_ref_is_the_key_of_one_item() -> None:
    ref = Order.key(customer="c1", at=NOON, number="7")
    assert ref == Ref(Order, "CUSTOMER#c1", "ORDER#2025-11-06T12:00:00Z#7")
    assert ref.table is SHOP
    assert ref.item == {
        "PK": {"S": "CUSTOMER#c1"},
        "SK": {"S": "ORDER#2025-11-06T12:00:00Z#7"},
    }
    assert str(ref) == "Order CUSTOMER#c1 / ORDER#2025-11-06T12:00:00Z#7"


def test_a_ref_can_be_looked_up() -> None:
    assert {Customer.key(id="c1"), Customer.key(id="c1")} == {Customer.key(id="c1")}


def test_a_ref_of_a_table_without_a_sort_key_has_one_part() -> None:
    ref = Setting.key(name="theme")
    assert ref.sk is None
    assert ref.item == {"pk": {"S": "theme"}}
    assert str(ref) == "Setting theme"


def test_numbers_and_bytes_keep_their_type_in_a_ref() -> None:
    assert Cell.key(n=Decimal(2), b=b"x").item == {"n": {"N": "2"}, "b": {"B": b"x"}}
    assert Cell(n=1, b=b"x").key.item == {"n": {"N": "1"}, "b": {"B": b"x"}}


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        (
            {},
            "takes at, customer, number: at missing, customer missing, number missing",
        ),
        ({"customer": "c1", "at": NOON}, "number missing"),
        ({"customer": "c1", "at": NOON, "number": "7", "id": "x"}, "id unknown"),
    ],
)
def test_a_ref_needs_each_part_of_the_key(parts: dict[str, Any], complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        Order.key(**parts)


def test_a_part_of_a_ref_is_not_none() -> None:
    with pytest.raises(BadKeyPart, match="id cannot be None"):
        Customer.key(id=None)


@pytest.mark.parametrize("part", ["", "\ud800", "x" * 2_000])
def test_no_key_is_made_of_a_part_that_dynamodb_would_not_take(part: str) -> None:
    with pytest.raises(BadKeyPart):
        Order.key(customer="c1", at=NOON, number=part)
    with pytest.raises(BadKeyPart):
        Order.key.query(customer="c1", at=NOON, number=part)
    with pytest.raises(BadKeyPart):
        Customer.by_day.query(day=part * 2)


def test_an_id_that_poses_as_a_key_stays_an_id() -> None:
    assert Customer.key(id="c1/METADATA#ORDER#").pk == "CUSTOMER#c1/METADATA#ORDER#"
    assert Order.key(customer="c1", at=NOON, number="ORDER#").sk == f"ORDER#{STAMP}#ORDER#"


def test_the_key_of_a_class_makes_refs() -> None:
    assert Customer.key == BoundKey(Customer, vars(Customer)["key"])


# Queries of a table


def test_a_query_by_the_partition_finds_the_entitys_own_sort_keys() -> None:
    found = leg(Order.key.query(customer="c1"))
    assert (found.table, found.index, found.entities) == (SHOP, None, (Order,))
    assert found.pk == "CUSTOMER#c1"
    assert found.sort == SortCondition("begins_with", "ORDER#")


def test_a_query_is_narrowed_by_parts_from_the_left() -> None:
    found = leg(Order.key.query(customer="c1", at=NOON))
    assert found.sort == SortCondition("begins_with", "ORDER#2025-11-06T12:00:00Z#")
    found = leg(Order.key.query(customer="c1", at=NOON, number="7"))
    assert found.sort == SortCondition("=", "ORDER#2025-11-06T12:00:00Z#7")


def test_a_part_is_not_left_out_from_the_middle() -> None:
    with pytest.raises(UsageError, match="filled in from the left; give at too, or filter by numb"):
        Order.key.query(customer="c1", number="7")


def test_a_query_needs_its_whole_partition_key() -> None:
    with pytest.raises(UsageError, match="customer missing"):
        Order.key.query()
    with pytest.raises(UsageError, match="colour unknown"):
        Order.key.query(customer="c1", colour="red")


def test_a_sort_key_that_never_varies_is_settled() -> None:
    found = leg(Customer.key.query(id="c1"))
    assert found.sort == SortCondition("=", "METADATA")
    with pytest.raises(UsageError, match="is settled"):
        Customer.key.query(id="c1").begins_with("x")


def test_a_table_without_a_sort_key_is_queried_by_its_partition() -> None:
    assert leg(Setting.key.query(name="theme")).sort is None


# Ranges


def test_a_range_is_between_parts_that_stand_behind_the_start() -> None:
    low, high = datetime(2025, 1, 1, tzinfo=UTC), datetime(2025, 12, 31, tzinfo=UTC)
    query = Order.key.query(customer="c1")
    first, last = "ORDER#2025-01-01T00:00:00Z", f"ORDER#2025-12-31T00:00:00Z#{LAST_CHAR}"
    assert leg(query.between(low, high)).sort == SortCondition("BETWEEN", first, last)
    assert leg(query.after(low)).sort == SortCondition("BETWEEN", first, f"ORDER#{LAST_CHAR}")
    assert leg(query.before(high)).sort == SortCondition("BETWEEN", "ORDER#", last)
    assert leg(query.begins_with("2025-11")).sort == SortCondition("begins_with", "ORDER#2025-11")


def test_a_bound_with_more_parts_behind_it_is_included_with_all_of_them() -> None:
    sort = leg(Order.key.query(customer="c1").before(NOON)).sort
    assert sort is not None
    for number_ in ("7", "zzz", "\U0010fffe"):
        key = Order.key(customer="c1", at=NOON, number=number_).sk
        assert str(sort.low) <= str(key) <= str(sort.high)


def test_a_bound_of_the_last_part_is_exact() -> None:
    query = Order.key.query(customer="c1", at=NOON)
    prefix = "ORDER#2025-11-06T12:00:00Z#"
    assert leg(query.between("1", "5")).sort == SortCondition("BETWEEN", f"{prefix}1", f"{prefix}5")


def test_bounds_of_numbers_and_bytes_keep_their_type() -> None:
    assert leg(Cell.key.query(n=1)).sort is None
    assert leg(Cell.key.query(n=1).before(b"m")).sort == SortCondition("<=", b"m")
    assert leg(Cell.key.query(n=1).after(b"m")).sort == SortCondition(">=", b"m")
    assert leg(Cell.key.query(n=1).between(b"a", b"m")).sort == SortCondition("BETWEEN", b"a", b"m")


def test_bounds_are_padded_as_keys_are() -> None:
    query = Customer.by_country.query(country="DE").between(7, 12)
    assert leg(query).sort == SortCondition("BETWEEN", "RANK#0007", f"RANK#0012#{LAST_CHAR}")


def test_a_query_is_narrowed_once() -> None:
    with pytest.raises(UsageError, match="is settled"):
        Order.key.query(customer="c1").before(NOON).after(NOON)


# Indexes


def test_a_query_of_an_index_is_made_of_stored_forms() -> None:
    found = leg(Customer.by_country.query(country="DE"))
    assert (found.index, found.pk) == (BY_COUNTRY, "COUNTRY#DE")
    assert found.sort == SortCondition("begins_with", "RANK#")


def test_an_index_without_a_sort_key_is_queried_by_its_partition() -> None:
    found = leg(Customer.by_day.query(day=date(2025, 11, 6)))
    assert (found.pk, found.sort) == ("DAY#2025-11-06", None)


def test_an_index_key_is_the_same_on_an_instance() -> None:
    assert Customer(id="c1").by_day == Customer.by_day


@pytest.mark.parametrize(
    ("stored", "attributes"),
    [
        (
            {"country": "COUNTRY#DE", "rank": 7, "id": "c1"},
            {"country": "COUNTRY#DE", "rank_sk": "RANK#0007#c1"},
        ),
        ({"country": None, "rank": 7, "id": "c1"}, {"country": None, "rank_sk": None}),
    ],
)
def test_an_item_without_a_part_stays_out_of_the_index(
    stored: dict[str, Any], attributes: dict[str, Any]
) -> None:
    declared = vars(Customer)["by_country"]
    assert declared.attributes(stored) == attributes


# Collections


def test_a_collection_is_a_whole_partition_of_several_kinds() -> None:
    found = leg(collection(Customer, Order, id="c1"))
    assert (found.pk, found.sort) == ("CUSTOMER#c1", None)
    assert found.entities == (Customer, Order)


def test_a_collection_is_named_by_the_parts_of_its_first_kind() -> None:
    assert leg(collection(Order, Customer, customer="c1")).pk == "CUSTOMER#c1"
    with pytest.raises(UsageError, match="a key of Order takes customer: at unknown"):
        collection(Order, Customer, customer="c1", at=NOON)


def test_what_is_never_in_the_partition_is_not_collected() -> None:
    class Invoice(Entity, table=SHOP):
        key = Key("INVOICE#{id}", "METADATA")
        id: Id

    try:
        with pytest.raises(UsageError, match=r"Invoice is never in the partition 'CUSTOMER#c1'"):
            collection(Customer, Invoice, id="c1")
    finally:
        SHOP.entities.remove(Invoice)
