"""Wrong declarations fail where they are made, with a sentence that says what to do."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from pydantic import Field

from gotgan.lifecycle import Lifecycle
from gotgan.store import (
    Attribute,
    Entity,
    Epoch,
    EpochMs,
    Id,
    IndexKey,
    Key,
    KeyOnly,
    Table,
    Timestamp,
    binary,
    derived,
    number,
)

from .declaring import refused, things

Short = Annotated[str, Field(max_length=10)]


# Fields that are not there


def test_a_template_names_fields_that_are_there() -> None:
    with refused("Thing: {idd} in 'THING#{idd}' is no field; there are id, title"):

        class Thing(Entity, table=things()):
            key = Key("THING#{idd}", "METADATA")
            id: Id
            title: str


def test_an_index_key_names_fields_that_are_there() -> None:
    table = things()
    by_owner = table.index("by_owner", pk="owner")
    with refused("{owner} in 'OWNER#{owner}' is no field; there are id"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            owned = IndexKey(by_owner, "OWNER#{owner}")
            id: Id


def test_the_version_is_a_field() -> None:
    with refused("version='revision' names no field; there are id"):

        class Thing(Entity, table=things(), version="revision"):
            key = Key("THING#{id}", "METADATA")
            id: Id


@pytest.mark.parametrize("identity", ["link", ("id", "link")])
def test_the_identity_is_made_of_fields(identity: Any) -> None:
    with refused("identity='link' names no field; there are id"):

        class Thing(Entity, table=things(), identity=identity):
            key = Key("THING#{id}", "METADATA")
            id: Id


def test_a_derived_attribute_follows_from_fields() -> None:
    with refused("shout is derived from 'tittle', which is no field; there are id, title, shout"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id
            title: str

            @derived("tittle")
            def shout(self) -> str:
                return self.title.upper()


def test_two_fields_are_not_stored_under_one_name() -> None:
    with refused("2 fields are stored as Title; give each its own Attribute(...)"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id
            title: Annotated[str, Attribute("Title")]
            name: Annotated[str, Attribute("Title")]


# Keys that do not fit their table or index


@pytest.mark.parametrize(
    ("key", "table", "sentence"),
    [
        (Key("T#{id}"), things(), "the key has 1 template(s), and things has 2 key attribute(s)"),
        (
            Key("T#{id}", "METADATA"),
            Table("one", pk="pk"),
            "the key has 2 template(s), and one has 1 key attribute(s), pk; give one for each",
        ),
    ],
)
def test_a_key_has_a_template_for_each_key_attribute(key: Key, table: Table, sentence: str) -> None:
    declared = key
    with refused(sentence, "give one for each"):

        class Thing(Entity, table=table):
            key = declared
            id: Id


@pytest.mark.parametrize(("sort_key", "template"), [("when", None), (None, "{owner}")])
def test_an_index_key_has_a_template_for_each_key_attribute(
    sort_key: str | None, template: str | None
) -> None:
    table = things()
    index = table.index("by_owner", pk="owner_pk", sk=sort_key)
    with refused("owned has", "give one for each"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            owned = IndexKey(index, "{owner}", template)
            id: Id
            owner: Id


def test_an_index_belongs_to_the_entitys_own_table() -> None:
    other = Table("others", pk="pk").index("by_owner", pk="owner")
    with refused("owned is in an index of others; use one of the same table"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            owned = IndexKey(other, "{id}")
            id: Id


@pytest.mark.parametrize(
    ("attribute", "annotation", "given", "wanted"),
    [
        ("place", int, "N", "S"),
        ("place", bytes, "B", "S"),
        ("place", bool, "BOOL", "S"),
        ("place", list[str], "L", "S"),
        (number("place"), Id, "S", "N"),
        (binary("place"), Id, "S", "B"),
        (number("place"), Timestamp, "S", "N"),
        ("place", Epoch, "N", "S"),
    ],
)
def test_a_key_that_is_one_field_has_the_type_of_its_attribute(
    attribute: Any, annotation: Any, given: str, wanted: str
) -> None:
    table = things()
    index = table.index("by_place", pk=attribute)
    sentence = f"'{{place}}' gives {given}, and the key attribute place is {wanted}"
    with refused(sentence, "declare it with number() or binary(), or change the field"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            placed = IndexKey(index, "{place}")
            id: Id
            place: annotation


def test_a_template_of_text_makes_no_number() -> None:
    with refused("'{n:04d}' gives S, and the key attribute pk is N"):

        class Thing(Entity, table=Table("numbers", pk=number("pk"))):
            key = Key("{n:04d}")
            n: int


def test_a_field_that_is_a_key_attribute_too_is_its_template() -> None:
    with refused("the key attribute sk is the field sk as well; its template must be '{sk}'"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "SORT#{sk}")
            id: Id
            sk: Id


def test_two_index_keys_do_not_keep_one_index() -> None:
    table = things()
    index = table.index("by_owner", pk="owner_pk")
    with refused("one and two both keep the index by_owner", "give one of them a separate index"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            one = IndexKey(index, "ONE#{id}")
            two = IndexKey(index, "TWO#{id}")
            id: Id


def test_two_lifecycles_do_not_keep_one_index() -> None:
    table = things()
    index = table.index("work", pk="work_pk", sk="work_sk")
    with refused("crawl and scrape both keep the index work", "a separate index"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            crawl = Lifecycle(index, "{id}")
            scrape = Lifecycle(index, "{id}")
            id: Id


def test_two_index_keys_do_not_write_one_attribute() -> None:
    table = things()
    by_day = table.index("by_day", pk="shared", sk="day_sk")
    by_name = table.index("by_name", pk="shared", sk="name_sk")
    with refused("shared is written by daily and by named; give the index a separate attribute"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            daily = IndexKey(by_day, "ALL#{id}", "{day}")
            named = IndexKey(by_name, "ALL#{id}", "{name}")
            id: Id
            day: Id | None = None
            name: Id | None = None


def test_an_index_key_does_not_write_over_the_state_of_a_lifecycle() -> None:
    table = things()
    work = table.index("work", pk="work_pk", sk="state")
    by_state = table.index("by_state", pk="state_pk", sk="state")
    with refused("state is written by crawl and by listed"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            crawl = Lifecycle(work, "{id}")
            listed = IndexKey(by_state, "ALL#{id}", "NEVER#")
            id: Id


def test_indexes_may_share_an_attribute_that_is_a_field() -> None:
    table = things()
    by_day = table.index("by_day", pk="owner", sk="day")
    by_name = table.index("by_name", pk="owner", sk="name")

    class Thing(Entity, table=table):
        key = Key("THING#{id}", "METADATA")
        daily = IndexKey(by_day, "{owner}", "{day}")
        named = IndexKey(by_name, "{owner}", "{name}")
        id: Id
        owner: Id
        day: Id
        name: Id


def test_an_index_does_not_write_over_the_key_of_the_table() -> None:
    table = things()
    ranked = table.local_index("ranked", sk="rank")
    with refused("pk is written by the key of things and by by_rank"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            by_rank = IndexKey(ranked, "OTHER#{id}", "{rank}")
            id: Id
            rank: Id


def test_an_index_may_turn_the_tables_own_key_around() -> None:
    table = things()
    inverted = table.index("inverted", pk="sk", sk="pk")

    class Membership(Entity, table=table):
        key = Key("USER#{user}", "GROUP#{group}")
        by_group = IndexKey(inverted, "GROUP#{group}", "USER#{user}")
        user: Id
        group: Id

    item = Membership.__schema__.item(Membership(user="u", group="g"))
    assert {name: item[name] for name in ("pk", "sk")} == {
        "pk": {"S": "USER#u"},
        "sk": {"S": "GROUP#g"},
    }


def test_what_a_lifecycle_keeps_is_no_field() -> None:
    table = things()
    index = table.index("work", pk="work_pk", sk="work_sk")
    with refused("crawl keeps crawl_owner itself; store the field under another name"):

        class Thing(Entity, table=table):
            key = Key("THING#{id}", "METADATA")
            crawl = Lifecycle(index, "{id}")
            id: Id
            crawl_owner: str


# KeyOnly, time to live, version


@pytest.mark.parametrize(
    "declared", [Key("THING#{id}", "METADATA"), Key("THING#{id}", "N#{note}", long="sha256")]
)
def test_a_field_that_the_key_alone_holds_can_be_read_from_it(declared: Key) -> None:
    with refused("note is KeyOnly and must be a part of the key that is never hashed"):

        class Thing(Entity, table=things()):
            key = declared
            id: Id
            note: Annotated[Short, KeyOnly()]


def test_a_field_before_a_hash_can_be_held_by_the_key_alone() -> None:
    class Thing(Entity, table=things()):
        key = Key("THING#{id}", "{host}#{url}", long="sha256")
        id: Annotated[Id, KeyOnly()]
        host: Annotated[Short, KeyOnly()]
        url: str


@pytest.mark.parametrize("annotation", [str, Timestamp, EpochMs, Timestamp | None, bool])
def test_a_time_to_live_is_a_number_of_seconds(annotation: Any) -> None:
    with refused("expires is the table's time to live", "number of seconds; declare it Epoch"):

        class Thing(Entity, table=things(ttl="expires")):
            key = Key("THING#{id}", "METADATA")
            id: Id
            expires: annotation


def test_a_time_to_live_is_known_by_the_name_that_it_is_stored_under() -> None:
    with refused("until is the table's time to live"):

        class Thing(Entity, table=things(ttl="expires")):
            key = Key("THING#{id}", "METADATA")
            id: Id
            until: Annotated[Timestamp, Attribute("expires")]


@pytest.mark.parametrize("annotation", [Epoch, Epoch | None, int])
def test_a_number_of_seconds_is_a_time_to_live(annotation: Any) -> None:
    class Thing(Entity, table=things(ttl="expires")):
        key = Key("THING#{id}", "METADATA")
        id: Id
        expires: annotation


@pytest.mark.parametrize("annotation", [str, float, int | None, bool, Epoch])
def test_a_version_is_an_int(annotation: Any) -> None:
    with refused("version='version' must be an int; declare it version: int = 1"):

        class Thing(Entity, table=things(), version="version"):
            key = Key("THING#{id}", "METADATA")
            id: Id
            version: annotation


@pytest.mark.parametrize("annotation", [int, Annotated[int, Field(ge=1)]])
def test_an_int_is_a_version(annotation: Any) -> None:
    class Thing(Entity, table=things(), version="version"):
        key = Key("THING#{id}", "METADATA")
        id: Id
        version: annotation = 1


# What comes back as it was


def test_an_attribute_has_no_dot_in_its_name() -> None:
    with refused("title is stored as 'a.b', and a dot leads into a map; leave it out"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id
            title: Annotated[str, Attribute("a.b")]


def test_what_can_be_none_is_none_when_it_is_missing() -> None:
    with refused("size can be None, which is not stored", "back as 5; make its default None"):

        class Thing(Entity, table=things()):
            key = Key("THING#{id}", "METADATA")
            id: Id
            size: int | None = 5
