"""Entities of one table can be told apart, and partitions with few values are warned of."""

from __future__ import annotations

import warnings
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from pydantic import Field

from gotgan.store import (
    DeclarationWarning,
    Entity,
    FewValues,
    Id,
    IndexKey,
    Key,
    LongKey,
    Table,
)

from .declaring import refused, things

Short = Annotated[str, Field(max_length=10)]


class Status(Enum):
    OPEN = "open"
    CLOSED = "closed"


# Entities that live together


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (("THING#{id}", "METADATA"), ("THING#{id}", "METADATA")),
        (("THING#{id}", "METADATA"), ("{id}", "METADATA")),
        (("THING#{id}", "METADATA"), ("THING#{id}", "{other}")),
        (("THING#{id}", "METADATA"), ("THING#1", "METADATA")),
        (("{id}", "{other}"), ("A#{id}", "B#{other}")),
        (("A#{id}", "POST#{other}"), ("A#{id}", "POST#{other}#END")),
        (("A#{id}", "{other}#A"), ("A#{id}", "{other}#{more}")),
        (("A#{id}", "{other}#A"), ("A#{id}", "{other}|A")),
    ],
)
def test_keys_tell_the_entities_of_a_table_apart(mine: Any, theirs: Any) -> None:
    table = things()

    class First(Entity, table=table):
        key = Key(*mine)
        id: Short
        other: Short
        more: Short

    with refused("its keys look like those of First", "with another word"):

        class Second(Entity, table=table):
            key = Key(*theirs)
            id: Short
            other: Short
            more: Short

    assert table.entities == [First]


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (("THING#{id}", "METADATA"), ("OTHER#{id}", "METADATA")),
        (("THING#{id}", "METADATA"), ("THING#{id}", "META#{other}")),
        (("THING#{id}", "POST#{other}"), ("THING#{id}", "DRAFT#{other}")),
        (("THING#{id}", "METADATA"), ("THING", "METADATA")),
        (("A#{id}", "USER#{other}#POST#{more}"), ("A#{id}", "USER#{other}#COMMENT#{more}")),
        (("A#{id}#X", "M"), ("A#{id}#Y", "M")),
        (("A#{id}#X", "M"), ("B#{id}#X", "M")),
        (("A#{id}#X", "M"), ("A#{id}#X{more}", "M")),
    ],
)
def test_keys_that_can_be_told_apart_are_let_through(mine: Any, theirs: Any) -> None:
    table = things()

    class First(Entity, table=table):
        key = Key(*mine)
        id: Short
        other: Short
        more: Short

    class Second(Entity, table=table):
        key = Key(*theirs)
        id: Short
        other: Short
        more: Short

    assert table.entities == [First, Second]


def test_what_is_refused_is_not_declared() -> None:
    table = things()
    with refused("is no field"):

        class Thing(Entity, table=table):
            key = Key("THING#{nothing}", "METADATA")
            id: Id

    assert table.entities == []


# Partitions with few values


def declare_by(annotation: Any, acknowledge: Any = ()) -> None:
    """Declare an entity whose index has a partition for each value of a field."""
    table = things()
    by_status = table.index("by_status", pk="status_pk", sk="id")

    class Thing(Entity, table=table):
        key = Key("THING#{id}", "METADATA")
        listed = IndexKey(by_status, "STATUS#{status}", "{id}", acknowledge=acknowledge)
        id: Id
        status: annotation


@pytest.mark.parametrize(
    ("annotation", "count"),
    [(Status, 2), (Status | None, 2), (Literal["a", "b", "c"], 3), (bool, 2)],
)
def test_a_partition_with_few_values_is_warned_of(annotation: Any, count: int) -> None:
    with pytest.warns(DeclarationWarning) as warned:
        declare_by(annotation)
    [warning] = warned
    said = str(warning.message)
    assert f"Thing: the partition 'STATUS#{{status}}' of by_status has {count} value(s)" in said
    assert "1,000 write units a second; add a field to it" in said
    assert "acknowledge=[FewValues('why')]" in said


def test_the_warning_points_at_the_declaration() -> None:
    with pytest.warns(DeclarationWarning) as warned:
        declare_by(Status)
    assert warned[0].filename == __file__


@pytest.mark.parametrize("annotation", [Id, str, int, UUID])
def test_a_partition_with_many_values_is_nothing_to_warn_of(annotation: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        declare_by(annotation, [LongKey("not the matter here")])


def test_a_partition_with_few_values_can_be_acknowledged_with_a_reason() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        declare_by(Status, [FewValues("a handful of writes a day")])


def test_a_long_key_is_no_excuse_for_few_values() -> None:
    with pytest.warns(DeclarationWarning):
        declare_by(Status, [LongKey("another matter")])


def test_an_index_with_one_partition_is_warned_of() -> None:
    table = things()
    index = table.index("all", pk="all_pk", sk="id")
    with pytest.warns(DeclarationWarning, match=r"the partition 'ALL' of all has 1 value\(s\)"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            everything = IndexKey(index, "ALL", "{id}")
            id: Id


def test_a_table_with_all_items_in_one_partition_is_warned_of() -> None:
    with pytest.warns(DeclarationWarning, match="the partition 'THINGS' of things has 1 value"):

        class Thing(Entity, table=things()):
            key = Key("THINGS", "THING#{id}")
            id: Id


def test_a_single_item_needs_no_more_than_one_partition() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        class Imprint(Entity, table=things()):
            key = Key("IMPRINT", "METADATA")
            name: str


@pytest.mark.parametrize("annotation", [Literal[tuple(f"v{number}" for number in range(50))]])
def test_values_of_several_fields_multiply(annotation: Any) -> None:
    table = things()
    index = table.index("by_both", pk="both_pk")
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            both = IndexKey(index, "{status}#{kind}")
            id: Id
            status: Status
            kind: annotation


def test_a_table_without_a_sort_key_has_one_item_in_each_partition() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        class Setting(Entity, table=Table("settings", pk="pk")):
            key = Key("SETTING#{status}")
            status: Status
