"""Instances as items and items as instances: names, forms, keys, and what is carried along."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from gotgan.errors import BadItem, BadKeyPart, UsageError
from gotgan.lifecycle import Lifecycle
from gotgan.store import (
    Attribute,
    Entity,
    Epoch,
    Id,
    IndexKey,
    Key,
    KeyOnly,
    Prefixed,
    Table,
    Timestamp,
    camel_case,
    derived,
    number,
)
from gotgan.store.attributes import Item
from gotgan.store.schema import EntityScope, Schema, schema_of

TABLE = Table("stock", pk="pk", sk="sk", ttl="expiresAt")
BY_OWNER = TABLE.index("by_owner", pk="owner_pk", sk="owner_sk")
BY_RANK = TABLE.index("by_rank", pk="warehouse", sk=number("rank"))
WORK = TABLE.index("work", pk="work_pk", sk="work_sk", project=("size", "expiresAt"))
RANKED = TABLE.local_index("ranked", sk="label")
NUMBERS = Table("numbers", pk=number("pk"))
NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)

Country = Annotated[str, Field(max_length=2), Prefixed("COUNTRY#")]


class Size(BaseModel):
    width: int
    height: int | None = None


class Box(Entity, table=TABLE, names=camel_case):
    key = Key("WAREHOUSE#{warehouse}", "BOX#{id:06d}#{label}")
    by_owner = IndexKey(BY_OWNER, "OWNER#{owner}", "{packed_at}")
    by_rank = IndexKey(BY_RANK, "{warehouse}", "{rank}")
    check = Lifecycle(WORK, "{country}")
    labelled = IndexKey(RANKED, "WAREHOUSE#{warehouse}", "{label}")
    warehouse: Id
    id: Annotated[int, KeyOnly()]
    label: Id
    owner: Id | None = None
    country: Country | None = None
    packed_at: Annotated[Timestamp | None, Attribute("PackedAt")] = None
    rank: int | None = None
    tags: frozenset[str] = frozenset()
    size: Size | None = None
    state: Literal["open", "shut"] = "open"
    expires_at: Epoch | None = None

    @derived("label")
    def initial(self) -> str:
        return self.label[0]


class Page(Entity, table=TABLE):
    key = Key("SITE#{site}", "URL#{url}", long="sha256")
    site: Annotated[Id, KeyOnly()]
    url: str


class Number(Entity, table=NUMBERS):
    key = Key("{n}")
    n: Annotated[int, KeyOnly()]
    word: str


BARE = Box(warehouse="w1", id=7, label="Lamp")
FULL = Box(
    warehouse="w1",
    id=7,
    label="Lamp",
    owner="o1",
    country="DE",
    packed_at=NOON,
    rank=3,
    tags=frozenset({"b", "a"}),
    size=Size(width=2),
    expires_at=NOON,
)
BARE_ITEM: Item = {
    "pk": {"S": "WAREHOUSE#w1"},
    "sk": {"S": "BOX#000007#Lamp"},
    "warehouse": {"S": "w1"},
    "label": {"S": "Lamp"},
    "state": {"S": "open"},
    "initial": {"S": "L"},
    "work_sk": {"S": "NEVER#"},
}
SCHEMA: Schema = schema_of(Box)


# To items


def test_what_is_none_or_empty_is_left_out() -> None:
    assert SCHEMA.item(BARE) == BARE_ITEM


def test_an_item_has_keys_index_keys_fields_and_derived_attributes() -> None:
    assert SCHEMA.item(FULL) == BARE_ITEM | {
        "owner_pk": {"S": "OWNER#o1"},
        "owner_sk": {"S": "2025-11-06T12:00:00Z"},
        "work_pk": {"S": "COUNTRY#DE"},
        "owner": {"S": "o1"},
        "country": {"S": "COUNTRY#DE"},
        "PackedAt": {"S": "2025-11-06T12:00:00Z"},
        "rank": {"N": "3"},
        "tags": {"SS": ["a", "b"]},
        "size": {"M": {"width": {"N": "2"}, "height": {"NULL": True}}},
        "expiresAt": {"N": "1762430400"},
    }


def test_an_item_stays_out_of_an_index_as_long_as_a_part_is_missing() -> None:
    item = SCHEMA.item(BARE.model_copy(update={"owner": "o1"}))
    assert "owner_pk" not in item
    assert "owner_sk" not in item


def test_a_field_that_is_an_index_key_too_stays_where_the_item_is_not_in_the_index() -> None:
    assert SCHEMA.item(BARE)["warehouse"] == {"S": "w1"}
    assert "rank" not in SCHEMA.item(BARE)


def test_the_tables_own_key_is_never_that_of_an_index() -> None:
    labelled = vars(Box)["labelled"]
    stored = {name: part.dump(getattr(BARE, name)) for name, part in SCHEMA.parts.items()}
    assert SCHEMA.index_attributes(labelled, stored) == {}
    assert SCHEMA.index_attributes(labelled, stored | {"label": None}) == {}


def test_a_part_that_no_key_can_have_is_refused_before_it_is_written() -> None:
    with pytest.raises(BadKeyPart, match="id is 1000000"):
        SCHEMA.item(BARE.model_copy(update={"id": 1_000_000}))
    with pytest.raises(BadKeyPart, match="id is -1"):
        SCHEMA.item(BARE.model_copy(update={"id": -1}))


# To instances


@pytest.mark.parametrize("box", [BARE, FULL])
def test_an_item_reads_back_to_the_same_instance(box: Box) -> None:
    assert SCHEMA.load(SCHEMA.item(box)) == box


def test_a_field_that_only_the_key_holds_is_read_from_it() -> None:
    item = SCHEMA.item(BARE)
    assert "id" not in item
    assert SCHEMA.load(item).id == 7


def test_a_number_that_only_the_key_holds_is_read_from_it() -> None:
    schema = schema_of(Number)
    item = schema.item(Number(n=-5, word="five"))
    assert item == {"pk": {"N": "-5"}, "word": {"S": "five"}}
    assert schema.load(item) == Number(n=-5, word="five")


def test_a_long_address_is_kept_in_its_attribute_and_hashed_in_the_key() -> None:
    schema, page = schema_of(Page), Page(site="s", url="https://example.com/" + "한" * 500)
    item = schema.item(page)
    assert item["sk"]["S"].startswith("URL#sha256:")
    assert schema.load(item) == page


def test_attributes_that_no_field_knows_are_carried_along() -> None:
    foreign: Item = {"theirs": {"L": [{"N": "1"}]}, "type": {"S": "x"}}
    read = SCHEMA.load(SCHEMA.item(BARE) | foreign)
    assert SCHEMA.item(read) == BARE_ITEM | foreign


def test_what_a_lifecycle_keeps_is_carried_along() -> None:
    state: Item = {"work_sk": {"S": "DONE#2025-11-06T12:00:00Z"}, "check_fence": {"N": "3"}}
    read = SCHEMA.load(SCHEMA.item(BARE) | state)
    assert SCHEMA.item(read) == BARE_ITEM | state


def test_index_keys_of_what_was_read_are_made_anew() -> None:
    read = SCHEMA.load(SCHEMA.item(FULL) | {"owner_pk": {"S": "OWNER#stale"}})
    assert SCHEMA.item(read)["owner_pk"] == {"S": "OWNER#o1"}


def test_an_item_that_does_not_fit_says_where_and_is_left_alone() -> None:
    item = SCHEMA.item(BARE) | {"state": {"S": "ajar"}}
    with pytest.raises(BadItem) as refused:
        SCHEMA.load(item)
    said = str(refused.value)
    assert (
        "The item WAREHOUSE#w1 / BOX#000007#Lamp of table stock is not a valid Box: state:" in said
    )
    assert "Correct the item or the declaration" in said


@pytest.mark.parametrize(
    ("pk", "sk", "matches"),
    [
        ("WAREHOUSE#w1", "BOX#000007#Lamp", True),
        ("WAREHOUSE#w1", "BOX#000007", False),
        ("SITE#s", "BOX#000007#Lamp", False),
        ("WAREHOUSE#", "BOX#000007#Lamp", False),
    ],
)
def test_an_item_is_known_by_its_keys(pk: str, sk: str, matches: bool) -> None:
    assert SCHEMA.matches({"pk": {"S": pk}, "sk": {"S": sk}}) is matches


def test_what_an_index_holds_is_read_in_part() -> None:
    held = frozenset({"pk", "sk", "work_pk", "work_sk", "size", "expiresAt"})
    assert WORK.held() == held
    item = {name: value for name, value in SCHEMA.item(FULL).items() if name in held}
    part = SCHEMA.load(item, held)
    assert (part.warehouse, part.id, part.label, part.country) == ("w1", 7, "Lamp", "DE")
    assert part.size == Size(width=2)
    assert part.origin.missing == {
        "owner",
        "packed_at",
        "rank",
        "tags",
        "state",
    }


def test_a_hash_is_not_taken_for_the_text_that_it_stands_for() -> None:
    schema, page = schema_of(Page), Page(site="s", url="x" * 2_000)
    item = schema.item(page)
    del item["url"]
    part = schema.load(item, frozenset({"pk", "sk"}))
    assert part.origin.missing == {"url"}


texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


@given(texts, texts, st.none() | texts, st.integers(0, 999_999))
def test_any_instance_survives_the_way_to_an_item_and_back(
    warehouse: str, label: str, owner: str | None, number_: int
) -> None:
    box = Box(warehouse=warehouse, id=number_, label=label, owner=owner, packed_at=NOON)
    assert SCHEMA.load(SCHEMA.item(box)) == box


# What conditions may ask


def test_conditions_name_fields_and_speak_of_attributes() -> None:
    scope = EntityScope.of([Box])
    assert scope.attribute("packed_at") == "PackedAt"
    assert scope.attribute("size.width") == "size.width"
    assert scope.dump("country", "DE") == "COUNTRY#DE"
    assert scope.dump("size.width", 2) == 2


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("colour", r"Box or Page has no field 'colour'; use raw\('colour'\)"),
        ("site", "site is in the key alone and no attribute; query by it"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(name: str, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        EntityScope.of([Box, Page]).attribute(name)


def test_the_same_name_is_looked_up_in_each_kind() -> None:
    assert EntityScope.of([Page, Box]).attribute("owner") == "owner"


def test_new_values_are_checked() -> None:
    values: dict[str, Any] = {"warehouse": "w1", "id": 7, "label": "", "state": "open"}
    with pytest.raises(UsageError, match="Not a valid Box: label: String should have at least 1"):
        SCHEMA.build(values)
