"""Tracing a pattern gives its key condition, with names where values will stand."""

from __future__ import annotations

import hashlib
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import Field

from gotgan.errors import BadKeyPart
from gotgan.store import (
    Entity,
    EpochMs,
    Id,
    IndexKey,
    Key,
    Query,
    Ref,
    Table,
    Timestamp,
    attr,
    binary,
    collection,
    number,
)
from gotgan.store.patterns import PatternRead, trace
from gotgan.store.queries import LAST_CHAR

from .declaring import things

TABLE = Table("events", pk="PK", sk="SK")
BY_TIME = TABLE.index("by_time", pk="kind", sk="time_sk")
BY_YEAR = TABLE.index("by_year", pk="year_pk", sk=number("at_ms"))
BLOBS = Table("blobs", pk=binary("hash"), sk=number("size"))


class Kind(Enum):
    TALK = "talk"
    WALK = "walk"


class Event(Entity, table=TABLE):
    key = Key("PLACE#{place}", "EVENT#{id}")
    by_time = IndexKey(BY_TIME, "{kind}", "AT#{at}#{id}")
    by_year = IndexKey(BY_YEAR, "YEAR#{year:04d}#{weekday:01d}", "{at_ms}")
    place: Id
    id: Id
    kind: Id
    at: Timestamp
    at_ms: EpochMs
    year: int
    weekday: int
    price: Decimal = Decimal(0)
    is_public: bool = True


class Place(Entity, table=TABLE):
    key = Key("PLACE#{id}", "METADATA")
    id: Id


class Blob(Entity, table=BLOBS):
    key = Key("{hash}", "{size}")
    hash: Annotated[bytes, Field(max_length=32)]
    size: int


def traced(function: Any) -> PatternRead:
    [read] = trace(function)
    return read


def test_a_ref_is_one_item_by_its_whole_key() -> None:
    def event(place: str, event_id: str) -> Ref[Event]:
        return Event.key(place=place, id=event_id)

    assert traced(event) == PatternRead(
        operation="GetItem",
        table=TABLE,
        index=None,
        pk="PLACE#{place}",
        sort='SK = "EVENT#{event_id}"',
        filter="",
        newest_first=False,
        entities=("Event",),
    )


def test_a_query_is_a_partition_and_a_condition_on_the_sort_key() -> None:
    def events(place: str) -> Query[Event]:
        return Event.key.query(place=place).newest_first()

    read = traced(events)
    assert (read.operation, read.index, read.newest_first) == ("Query", None, True)
    assert (read.pk, read.sort) == ("PLACE#{place}", 'begins_with(SK, "EVENT#")')


def test_a_collection_has_no_condition_on_the_sort_key() -> None:
    def everything(place: str) -> Query[Place | Event]:
        return collection(Place, Event, id=place)

    read = traced(everything)
    assert (read.pk, read.sort, read.entities) == ("PLACE#{place}", "", ("Place", "Event"))


def test_each_leg_of_a_joined_query_is_a_read() -> None:
    def both(place: str, kind: str) -> Query[Event]:
        return Event.key.query(place=place) + Event.by_time.query(kind=kind)

    first, second = trace(both)
    assert (first.index, first.pk) == (None, "PLACE#{place}")
    assert (second.index, second.pk) == (BY_TIME, "{kind}")
    assert second.sort == 'begins_with(time_sk, "AT#")'


def test_moments_are_named_in_the_middle_of_a_key() -> None:
    def between(kind: str, low: datetime, high: datetime) -> Query[Event]:
        return Event.by_time.query(kind=kind).between(low, high)

    assert traced(between).sort == f'time_sk BETWEEN "AT#{{low}}" AND "AT#{{high}}#{LAST_CHAR}"'


def test_open_ends_are_those_of_the_entitys_own_keys() -> None:
    def since(kind: str, moment: datetime) -> Query[Event]:
        return Event.by_time.query(kind=kind).after(moment)

    def until(kind: str, moment: datetime) -> Query[Event]:
        return Event.by_time.query(kind=kind).before(moment)

    assert traced(since).sort == f'time_sk BETWEEN "AT#{{moment}}" AND "AT#{LAST_CHAR}"'
    assert traced(until).sort == f'time_sk BETWEEN "AT#" AND "AT#{{moment}}#{LAST_CHAR}"'


def test_numbers_are_named_however_they_are_padded() -> None:
    def of_year(year: int, weekday: int) -> Query[Event]:
        return Event.by_year.query(year=year, weekday=weekday)

    assert traced(of_year).pk == "YEAR#{year}#{weekday}"


def test_numbers_are_shown_without_quotes() -> None:
    def lately(year: int, weekday: int, since: datetime) -> Query[Event]:
        return Event.by_year.query(year=year, weekday=weekday).after(since)

    def small(digest: bytes, size: int) -> Query[Blob]:
        return Blob.key.query(hash=digest).before(size)

    assert traced(lately).sort == "at_ms >= {since}"
    assert (traced(small).pk, traced(small).sort) == ("{digest}", "size <= {size}")


@pytest.mark.parametrize("annotation", [Kind, Literal["talk", "walk"], str, Kind | None])
def test_one_of_a_few_values_is_named_too(annotation: Any) -> None:
    def of_kind(kind: annotation) -> Query[Event]:
        return Event.by_time.query(kind=kind)

    of_kind.__annotations__["kind"] = annotation
    assert traced(of_kind).pk == "{kind}"


@pytest.mark.parametrize("annotation", [date, UUID, int, Decimal, datetime, Annotated[str, "x"]])
def test_values_of_every_type_are_named(annotation: Any) -> None:
    def at_place(place: annotation) -> Query[Event]:
        return Event.key.query(place=place)

    at_place.__annotations__["place"] = annotation
    assert traced(at_place).pk == "PLACE#{place}"


@pytest.mark.parametrize(
    ("annotation", "bounded"),
    [
        (str, Annotated[str, Field(max_length=2, pattern="^[A-Z]{2}$")]),
        (int, Annotated[int, Field(ge=1900, le=2100)]),
        (date, Annotated[date, Field(le=date(2100, 1, 1))]),
    ],
)
def test_bounds_of_a_field_do_not_stand_in_the_way(annotation: Any, bounded: Any) -> None:
    class Thing(Entity, table=things()):
        key = Key("PLACE#{place}", "METADATA")
        place: bounded

    def at_place(place: annotation) -> Ref[Thing]:
        return Thing.key(place=place)

    at_place.__annotations__ = {"place": annotation}
    assert traced(at_place).pk == "PLACE#{place}"
    with pytest.raises(BadKeyPart, match="place cannot be"):
        at_place("\ue000place0\ue000")


def test_an_argument_of_another_type_than_the_field_is_refused() -> None:
    def of_year(year: date) -> Query[Event]:
        return Event.by_year.query(year=year, weekday=1)

    with pytest.raises(BadKeyPart, match="year cannot be"):
        trace(of_year)


def test_the_day_of_a_moment_is_named_as_the_moment() -> None:
    def on_day(moment: datetime) -> Query[Event]:
        return Event.key.query(place=f"{moment:%Y-%m-%d}")

    assert traced(on_day).pk == "PLACE#{moment}"


def test_what_is_computed_from_arguments_says_only_where_it_goes() -> None:
    def hashed(url: str) -> Ref[Event]:
        return Event.key(place=hashlib.sha256(url.encode()).hexdigest(), id="x")

    def hashed_id(place: str, url: str) -> Ref[Event]:
        return Event.key(place=place, id=hashlib.sha256(url.encode()).hexdigest())

    def earlier(kind: str, now: datetime) -> Query[Event]:
        return Event.by_time.query(kind=kind).before(now - timedelta(hours=2))

    assert (traced(hashed).pk, traced(hashed).sort) == ("{PK}", 'SK = "EVENT#x"')
    assert (traced(hashed_id).pk, traced(hashed_id).sort) == ("PLACE#{place}", 'SK = "{SK}"')
    assert traced(earlier).sort == 'time_sk BETWEEN "AT#" AND "{time_sk}"'


def test_a_filter_is_shown_with_the_names_of_attributes_and_parameters() -> None:
    def cheap(place: str, price: Decimal, before: datetime) -> Query[Event]:
        return Event.key.query(place=place).filtered(
            (attr("price") <= price) & (attr("at") < before) | attr("is_public").missing()
        )

    assert traced(cheap).filter == (
        '((price <= {price} AND at < "{before}") OR attribute_not_exists(is_public))'
    )


def test_a_filter_by_truth_or_a_computed_value_is_shown() -> None:
    def public(place: str, is_public: bool) -> Query[Event]:
        return Event.key.query(place=place).filtered(attr("is_public") == is_public)

    def dearer(place: str, price: Decimal) -> Query[Event]:
        return Event.key.query(place=place).filtered(attr("price") > price * 7)

    assert traced(public).filter == "is_public = {is_public}"
    assert traced(dearer).filter == "price > {value}"


def test_many_names_in_a_filter_are_not_mixed_up() -> None:
    def any_of(place: str) -> Query[Event]:
        values = [f"value {number_}" for number_ in range(12)]
        return Event.key.query(place=place).filtered(attr("kind").is_in(*values))

    shown = ", ".join(f'"value {number_}"' for number_ in range(12))
    assert traced(any_of).filter == f"kind IN ({shown})"


def test_defaults_do_not_keep_a_parameter_from_being_named() -> None:
    def events(place: str = "here", *, limit_to: str | None = None) -> Query[Event]:
        query = Event.key.query(place=place)
        return query if limit_to is None else query.begins_with(limit_to)

    assert (traced(events).pk, traced(events).sort) == (
        "PLACE#{place}",
        'begins_with(SK, "EVENT#{limit_to}")',
    )


def test_a_name_with_a_digit_in_it_is_not_taken_for_a_number() -> None:
    def of_day(part1: str, weekday: int, year: int, before: datetime) -> Query[Event]:
        found = Event.by_year.query(year=year, weekday=weekday)
        return found.filtered((attr("kind") == part1) & (attr("at") < before))

    assert traced(of_day).pk == "YEAR#{year}#{weekday}"
    assert traced(of_day).filter == '(kind = "{part1}" AND at < "{before}")'
