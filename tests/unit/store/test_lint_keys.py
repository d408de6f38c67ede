"""What cannot stand in a key, does not sort, or can get too long is refused at its declaration."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import pytest
from pydantic import AwareDatetime, Field

from gotgan.store import (
    Attribute,
    Entity,
    Epoch,
    EpochMs,
    FewValues,
    Id,
    IndexKey,
    Key,
    LongKey,
    Prefixed,
    Table,
    Timestamp,
    number,
)

from .declaring import refused, things

Short = Annotated[str, Field(max_length=10)]


# What can stand in a key


@pytest.mark.parametrize(
    "annotation", [list[str], dict[str, str], frozenset[str], bytes, int | str, tuple[str, ...]]
)
def test_a_part_of_a_key_is_a_text_or_a_number(annotation: Any) -> None:
    with refused("tags is stored as", "cannot be part of the key", "of a text or a number"):

        class Thing(Entity, table=things()):
            key = Key("THING#{tags}", "METADATA")
            tags: annotation


@pytest.mark.parametrize("annotation", [str, Decimal, float, bool, Timestamp])
def test_only_whole_numbers_have_a_width(annotation: Any) -> None:
    with refused("n is no whole number; leave out its width in 'THING#{n:08d}'"):

        class Thing(Entity, table=things()):
            key = Key("THING#{n:08d}", "METADATA")
            n: annotation


@pytest.mark.parametrize(
    ("annotation", "template", "stop"),
    [
        (Timestamp, "{part}-{id}", "-"),
        (Timestamp, "{part}:{id}", ":"),
        (UUID, "{part}-{id}", "-"),
        (Annotated[Short, Prefixed("COUNTRY#")], "{part}#{id}", "#"),
    ],
)
def test_a_part_does_not_always_hold_the_separator_behind_it(
    annotation: Any, template: str, stop: str
) -> None:
    with refused(f"every part holds {stop!r}, which ends it", "by another character"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", template)
            id: Id
            part: annotation


def test_a_part_of_the_key_is_never_none() -> None:
    with refused("id is part of the key and cannot be None; declare it without | None"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id | None = None


# Sorting


@pytest.mark.parametrize("annotation", [datetime, AwareDatetime, datetime | None])
def test_a_sort_key_holds_no_moment_that_sorts_wrongly(annotation: Any) -> None:
    table = things()
    index = table.index("by_time", pk="time_pk", sk="time_sk")
    with refused("at cannot be sorted by in 'AT#{at}'", "declare it as Timestamp"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            timed = IndexKey(index, "{id}", "AT#{at}")
            id: Id
            at: annotation


@pytest.mark.parametrize("annotation", [int, Epoch, EpochMs])
def test_a_sort_key_holds_no_number_without_a_width(annotation: Any) -> None:
    with refused("rank cannot be sorted by in 'RANK#{rank}'", "such as {rank:012d}"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "RANK#{rank}")
            id: Id
            rank: annotation


@pytest.mark.parametrize("annotation", [float, Decimal])
def test_a_sort_key_of_text_holds_no_fractions(annotation: Any) -> None:
    with refused("price cannot be sorted by", "declare it int, in a smaller unit"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "PRICE#{price}")
            id: Id
            price: annotation


@pytest.mark.parametrize("annotation", [Timestamp, Annotated[Timestamp, Attribute("At")]])
def test_timestamps_and_padded_numbers_may_be_sorted_by(annotation: Any) -> None:
    class Thing(Entity, table=things()):
        key = Key("THING#{id}", "{rank:06d}#{at}")
        id: Id
        rank: int
        at: annotation


@pytest.mark.parametrize("annotation", [int, Decimal, float, Epoch])
def test_a_sort_key_of_numbers_sorts_by_itself(annotation: Any) -> None:
    class Thing(Entity, table=Table("numbered", pk="pk", sk=number("sk"))):
        key = Key("THING#{id}", "{rank}")
        id: Id
        rank: annotation


def test_a_partition_key_is_not_sorted_and_may_hold_any_number() -> None:
    class Thing(Entity, table=things()):
        key = Key("THING#{id}", "METADATA")
        id: int


# Lengths


def test_a_key_of_unbounded_text_is_refused() -> None:
    with refused(
        "nothing bounds url, and the key 'URL#{url}' may have 1,024 bytes",
        "use Id, or a max_length, or long='sha256', or say acknowledge=[LongKey('why')]",
    ):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "URL#{url}")
            id: Id
            url: str


def test_a_key_that_can_pass_its_limit_is_refused() -> None:
    with refused(
        "the key 'NAME#{name}' can have 1,205 bytes and may have 1,024",
        "lower a max_length (a character can take 4 bytes)",
        "acknowledge=[LongKey('why')]",
    ):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "NAME#{name}")
            id: Id
            name: Annotated[str, Field(max_length=300)]


def test_a_key_may_have_all_the_bytes_of_its_limit() -> None:
    class Thing(Entity, table=things()):
        key = Key("THING#{id}", "NAM#{name}")
        id: Id
        name: Annotated[str, Field(max_length=255)]


def test_a_partition_key_may_be_twice_as_long() -> None:
    class Thing(Entity, table=things()):
        key = Key("NAME#{name}", "METADATA")
        name: Annotated[str, Field(max_length=300)]

    with refused("'NAME#{name}' can have 2,405 bytes and may have 2,048"):

        class Longer(Entity, table=things()):
            key = Key("NAME#{name}", "METADATA")
            name: Annotated[str, Field(max_length=600)]


def test_a_key_of_an_index_has_the_same_limits() -> None:
    table = things()
    index = table.index("by_name", pk="name_pk", sk="name_sk")
    with refused("nothing bounds name, and the key '{name}' may have 1,024 bytes"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            named = IndexKey(index, "ALL#{id}", "{name}")
            id: Id
            name: str


def test_a_long_key_can_be_acknowledged_with_a_reason() -> None:
    class Thing(Entity, table=things()):
        key = Key("THING#{id}", "URL#{url}", acknowledge=[LongKey("they are all short here")])
        id: Id
        url: str


def test_a_few_values_are_no_excuse_for_a_long_key() -> None:
    with refused("nothing bounds url"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "URL#{url}", acknowledge=[FewValues("another matter")])
            id: Id
            url: str


def test_a_last_part_that_is_hashed_needs_no_bound() -> None:
    class Thing(Entity, table=things()):
        key = Key("THING#{id}", "URL#{url}", long="sha256")
        id: Id
        url: str


def test_the_parts_before_a_hash_need_a_bound_all_the_same() -> None:
    with refused("nothing bounds host, and the key '{host}#{url}'"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "{host}#{url}", long="sha256")
            id: Id
            host: str
            url: str
