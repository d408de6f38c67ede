"""Examples are valid items, made of what fields say about themselves."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from gotgan.store.data.item_json import readable_item
from gotgan.store.entities import Entity
from gotgan.store.fields import Id
from gotgan.store.keys import Key
from gotgan.store.outputs.descriptions import example_item
from gotgan.store.schema import schema_of
from gotgan.store.tables import Table

from .blog import Category, Event, Imprint, Post, Redirect

THINGS = Table("things", pk="pk")


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Size(BaseModel):
    width: int
    height: int = 3


class Thing(Entity, table=THINGS):
    key = Key("THING#{id}")
    id: Id
    name: Annotated[str, Field(examples=["kettle"])]
    colour: Colour
    shape: Literal["round", "square"]
    size: Size
    weight: Decimal
    ratio: float
    flag: bool
    off: bool = False
    made: date
    number: UUID
    raw: bytes
    parts: list[str]
    pair: tuple[int, ...]
    labels: frozenset[int] = frozenset()
    prices: Mapping[str, Decimal]
    maybe: int | None = None
    count: int = 7
    zero: int = 0


class Coded(Entity, table=THINGS):
    key = Key("CODE#{code}")
    code: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d+$", max_length=20)]


class Optional(Entity, table=THINGS):
    key = Key("OPTIONAL#{id}")
    id: Id
    code: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d+$", max_length=20)] | None = None


class Shown(Entity, table=THINGS):
    key = Key("SHOWN#{code}")
    code: Annotated[str, Field(pattern=r"^[A-Z]{3}-\d+$", max_length=20, examples=["ABC-1"])]


def test_a_field_of_every_kind_has_an_example() -> None:
    item = example_item(Thing)
    assert item is not None
    assert readable_item(item) == {
        "pk": "THING#id",
        "id": "id",
        "name": "kettle",
        "colour": "red",
        "shape": "round",
        "size": {"width": 1, "height": 3},
        "weight": 12.5,
        "ratio": 0.5,
        "flag": False,
        "off": False,
        "made": "2025-11-06",
        "number": "00000000-0000-0000-0000-000000000001",
        "raw": "Ynl0ZXM=",
        "parts": ["parts"],
        "pair": [1],
        "labels": [1],
        "prices": {"prices": 12.5},
        "maybe": 1,
        "count": 7,
        "zero": 0,
    }


def test_an_example_can_be_loaded_again() -> None:
    for entity in (Category, Post, Redirect, Imprint, Event, Thing, Shown):
        item = example_item(entity)
        assert item is not None
        schema = schema_of(entity)
        assert schema.item(schema.load(item)) == item


def test_what_is_optional_and_has_no_valid_example_is_left_out() -> None:
    item = example_item(Optional)
    assert item == {"pk": {"S": "OPTIONAL#id"}, "id": {"S": "id"}}


def test_what_has_no_valid_example_has_none_until_it_gives_one() -> None:
    assert example_item(Coded) is None
    assert example_item(Shown) == {"pk": {"S": "SHOWN#ABC-1"}, "code": {"S": "ABC-1"}}
