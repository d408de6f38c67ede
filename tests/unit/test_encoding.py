"""Results as JSON, and the schemas that say what they look like."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import ClassVar, Generic, Literal, TypeVar

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops.models import SHOPS, Shop
from gotgan.domains.shops.registry import Registry
from gotgan.encoding import Schemas, encode, field_keys
from gotgan.errors import GotganError
from gotgan.store import Page, Store
from tests.unit.toys import Made, ToyFailure

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
T = TypeVar("T")
U = TypeVar("U")


@dataclass(frozen=True)
class Box(Generic[T]):
    """Something in a box."""

    in_it: T
    """What is in it."""


class Crate(Box[U], Generic[U]):
    """A larger box."""


class Counted(Box[int]):
    """A box with a number."""


@dataclass(frozen=True)
class Chosen:
    """Shows less than it has, and something that is computed."""

    shown: ClassVar = ("first_name", "is_long")

    first_name: str
    secret: str

    @property
    def is_long(self) -> bool:
        """Whether the name is long."""
        return len(self.first_name) > 3


@dataclass(frozen=True)
class Renamed:
    """Shows some attributes, also of its parts, under other names."""

    shown: ClassVar = {"name": "chosen.first_name", "isLong": "chosen.is_long", "size": "size"}

    chosen: Chosen
    size: int
    """How large it is."""


@pytest.mark.parametrize(
    ("value", "made"),
    [
        (NOON, "2026-01-15T12:00:00Z"),
        (date(2026, 1, 15), "2026-01-15"),
        (Decimal("1E+2"), "100"),
        (timedelta(minutes=2), 120.0),
        (b"ab", "YWI="),
        (Path("a", "b"), "a/b"),
        (Counter(a=2), {"a": 2}),
        ({date(2026, 1, 15): (1,)}, {"2026-01-15": [1]}),
        (frozenset({"b", "a"}), ["a", "b"]),
        (float("nan"), None),
        (float("inf"), None),
        (True, True),
    ],
)
def test_plain_values(value: object, made: object) -> None:
    assert encode(value) == made


def test_a_dataclass_is_in_camel_case_and_shows_what_it_lists() -> None:
    assert encode(Made(("a",), 1)) == {"toyNames": ["a"], "howMany": 1, "failed": []}
    assert encode(Chosen("anna", "s")) == {"firstName": "anna", "isLong": True}
    assert field_keys(Chosen) == ("firstName", "isLong")


def test_a_mapping_gives_each_name_its_attribute() -> None:
    assert encode(Renamed(Chosen("anna", "s"), 2)) == {"name": "anna", "isLong": True, "size": 2}
    assert field_keys(Renamed) == ("name", "isLong", "size")
    schemas = Schemas()
    schemas.of(Renamed)
    assert schemas.definitions["Renamed"]["properties"] == {
        "name": {"type": "string"},
        "isLong": {"type": "boolean", "description": "Whether the name is long."},
        "size": {"type": "integer", "description": "How large it is."},
    }


def test_an_error_inside_a_result_is_shown_as_the_caller_says() -> None:
    result = Made((), 0, (ToyFailure("x", GotganError("secret")),))
    told: dict[str, object] = {"code": "gotgan", "reason": None, "message": "secret", "values": {}}
    assert encode(result)["failed"][0]["error"] == told
    assert encode(result, lambda _: "hidden")["failed"][0]["error"] == "hidden"


def test_what_has_no_form_is_refused() -> None:
    with pytest.raises(TypeError, match="object cannot be encoded"):
        encode(object())
    with pytest.raises(TypeError, match="has no JSON Schema"):
        Schemas().of(object.__class__)


def test_an_entity_is_shown_as_far_as_it_was_read() -> None:
    with Store.in_memory(clock=FixedClock(NOON)) as store:
        store.create(SHOPS)
        registry = Registry(store)
        registry.add("a.de", country="DE")
        [partly] = encode(registry.page_of_shops())["items"]
        whole = encode(registry.get("a.de"))
    assert partly["crawl_state"] == whole["crawl_state"] == whole["scrape_state"] == "NEVER"
    assert not {"scrape_state", "shop_name", "crawl_postponed"} & partly.keys()
    assert (whole["shop_name"], whole["crawl_postponed"]) == (None, None)
    assert "journal" not in whole


def test_the_schema_of_a_result_names_its_fields_and_what_they_are() -> None:
    schemas = Schemas("#/")
    assert schemas.of(Made) == {"$ref": "#/Made"}
    made = schemas.definitions["Made"]
    assert made["required"] == ["toyNames", "howMany", "failed"]
    assert made["properties"]["toyNames"] == {
        "type": "array",
        "items": {"type": "string"},
        "description": "The toys.",
    }
    assert schemas.definitions["Error"]["required"] == ["code", "reason", "message", "values"]
    assert schemas.of(Literal["a"] | None) == {"enum": ["a", None]}
    schemas.of(Chosen)
    assert schemas.definitions["Chosen"]["properties"]["isLong"] == {
        "type": "boolean",
        "description": "Whether the name is long.",
    }


@pytest.mark.parametrize(
    ("kind", "name"), [(Box[int], "Boxint"), (Counted, "Counted"), (Crate[int], "Crateint")]
)
def test_the_schema_of_a_generic_class_has_its_types_filled_in(kind: object, name: str) -> None:
    schemas = Schemas()
    schemas.of(kind)
    inside = {"type": "integer", "description": "What is in it."}
    assert schemas.definitions[name]["properties"]["inIt"] == inside


def test_the_schema_of_a_page_and_of_an_entity() -> None:
    schemas = Schemas("#/")
    assert schemas.of(Page[Shop]) == {"$ref": "#/ShopList"}
    assert schemas.definitions["ShopList"]["properties"]["items"]["items"] == {"$ref": "#/Shop"}
    assert schemas.definitions["Shop"]["required"] == ["domain"]


def test_two_results_of_one_name_are_refused() -> None:
    schemas = Schemas()
    schemas.of(Made)
    other: type = dataclass(type("Made", (), {}))
    with pytest.raises(TypeError, match="two result types are named Made"):
        schemas.of(other)
