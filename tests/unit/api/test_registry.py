"""The registry: what is in the table, for programs that know it only by ``Type``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import SCHEMA_VERSION
from tests.unit.api.calling import Api

DOCUMENTED = {"User", "Category", "Post", "Banner", "CorpInfo", "ContactInquiry"}
OURS = {"Draft", "Mail", "Token"}
SEVENTH = "tests.unit.api.seventh"


@pytest.fixture
def seventh() -> Iterator[Any]:
    """Kinds of items that nobody has thought of, for as long as a test runs."""
    entities, patterns = list(SITE.entities), list(SITE.patterns)
    try:
        yield import_module(SEVENTH)
    finally:
        SITE.entities[:], SITE.patterns[:] = entities, patterns
        sys.modules.pop(SEVENTH, None)


def _described(api: Api) -> dict[str, Any]:
    registry = api.data("GET", "/types", role=None)
    assert registry["schemaVersion"] == SCHEMA_VERSION
    assert registry["documentVersion"] == "v1.0.0"
    return {each["type"]: each for each in registry["items"]}


def test_the_registry_has_the_documents_types_and_ours_and_no_pointers(api: Api) -> None:
    assert _described(api).keys() == DOCUMENTED | OURS


def test_a_type_tells_its_keys_its_patterns_and_what_may_be_written(api: Api) -> None:
    post = _described(api)["Post"]
    assert post["key"] == {"PK": "CATEGORY#{category_id}", "SK": "POST#{id}"}
    assert post["indexes"] == {"Type_CreatedAt": {"Type": "Post", "CreatedAt": "{created_at}"}}
    assert {"posts_in", "all_posts", "post"} <= {each["name"] for each in post["patterns"]}
    assert (post["readableBy"], post["writableBy"]) == ("public", "editor")
    assert {"categoryId", "title", "contents"} <= set(post["writable"])
    assert "id" not in post["writable"]


def test_an_item_fits_the_schema_of_its_type(api: Api) -> None:
    api.category()
    schema = _described(api)["Post"]["schema"]
    made = api.post()
    assert made.keys() <= schema["properties"].keys()
    assert set(schema["required"]) <= made.keys()


def test_what_is_hidden_is_not_even_in_a_schema(api: Api) -> None:
    assert "secretHash" not in str(_described(api))


def test_the_items_of_a_type_come_newest_first(api: Api, clock: FixedClock) -> None:
    made = []
    for number in range(3):
        made.append(api.banner(title=f"Banner {number}")["id"])
        clock.advance(timedelta(seconds=1))
    items = api.data("GET", "/items?type=Banner", role=None)["items"]
    assert [item["id"] for item in items] == made[::-1]


def test_a_new_kind_of_item_shows_up_by_itself_for_admins(
    api: Api, seventh: Any, clock: FixedClock
) -> None:
    described = _described(api)["Event"]
    assert described["description"] == "Something that takes place."
    assert described["key"] == {"PK": "EVENT#{id}", "SK": "METADATA"}
    assert {each["name"] for each in described["patterns"]} == {"one_event", "all_events"}
    assert (described["readableBy"], described["writable"]) == ("admin", ["placeName"])
    assert described["schema"]["properties"]["placeName"]["type"] == "string"
    words: dict[str, Any] = {"id": "e001", "place_name": "Seoul", "created_at": clock.now()}
    api.app.store.put_new(seventh.Event(**words))
    [item] = api.data("GET", "/items?type=Event")["items"]
    assert item == {
        "Type": "Event",
        "id": "e001",
        "placeName": "Seoul",
        "CreatedAt": "2025-11-15T12:00:00Z",
        "version": 1,
    }
    assert api.refusal("GET", "/items?type=Event", role="editor") == (403, "forbidden")
    assert api.refusal("GET", "/items?type=Event", role=None) == (401, "unauthenticated")


def test_a_kind_of_item_that_says_nothing_of_roles_is_for_admins(api: Api, seventh: Any) -> None:
    api.app.store.put_new(seventh.Bare(id="b1"))
    assert _described(api)["Bare"]["readableBy"] == "admin"
    assert api.data("GET", "/items?type=Bare")["items"] == [{"Type": "Bare", "id": "b1"}]
    assert api.refusal("GET", "/items?type=Bare", role="editor") == (403, "forbidden")


def test_a_kind_of_item_that_is_gone_again_is_in_no_registry(api: Api) -> None:
    assert not {"Event", "Bare"} & _described(api).keys()
    assert api.refusal("GET", "/items?type=Event") == (404, "not_found")
