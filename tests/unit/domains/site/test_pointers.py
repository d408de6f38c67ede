"""Pointers and guards: found by their keys, and never in the index."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from gotgan.domains.site.keys import SITE
from gotgan.domains.site.models import (
    Adoption,
    CategoryGuard,
    OutboxEntry,
    PostPointer,
    RateCounter,
    SignInCode,
    SiteEntity,
    SlugGuard,
)
from gotgan.domains.site.service import Site
from gotgan.store import Entity, Store, entities_of
from gotgan.store.schema import schema_of
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.records import a_draft, a_post, indexed, items
from tests.unit.domains.wire import stored_alone

HELPERS: list[type[Entity]] = [
    Adoption,
    PostPointer,
    SlugGuard,
    CategoryGuard,
    OutboxEntry,
    RateCounter,
    SignInCode,
]
EXAMPLES: list[tuple[Entity, dict[str, Any]]] = [
    (
        Adoption(cursor="c", finished_at=MORNING),
        {
            "PK": "ADOPTION",
            "SK": "METADATA",
            "cursor": "c",
            "finishedAt": "2025-11-10T09:00:00Z",
        },
    ),
    (
        PostPointer(
            asked="old", id="p1", category_id="c1", kind="post", deleted_at=MORNING, expires_at=None
        ),
        {
            "PK": "POST#old",
            "SK": "METADATA",
            "id": "p1",
            "categoryId": "c1",
            "kind": "post",
            "deletedAt": "2025-11-10T09:00:00Z",
        },
    ),
    (
        SlugGuard(slug="news", category_id="c1"),
        {"PK": "SLUG#news", "SK": "METADATA", "categoryId": "c1"},
    ),
    (
        CategoryGuard(category_id="c1", changes=3),
        {"PK": "CATEGORY_GUARD#c1", "SK": "METADATA", "changes": 3},
    ),
    (
        OutboxEntry(due_at=MORNING, mail_id="m1"),
        {"PK": "OUTBOX", "SK": "2025-11-10T09:00:00Z#m1"},
    ),
    (
        RateCounter(who="w", window=MORNING, count=2, expires_at=MORNING + timedelta(hours=1)),
        {
            "PK": "RATE#w#2025-11-10T09:00:00Z",
            "SK": "METADATA",
            "count": 2,
            "expiresAt": 1762768800,
        },
    ),
    (
        SignInCode(digest="d", user_id="u1", user_since=MORNING, expires_at=MORNING),
        {
            "PK": "SIGN_IN#d",
            "SK": "METADATA",
            "userId": "u1",
            "userSince": "2025-11-10T09:00:00Z",
            "expiresAt": 1762765200,
        },
    ),
]


def test_all_that_is_in_the_table_and_has_no_type_is_known_here() -> None:
    typeless = [each for each in entities_of(SITE) if not issubclass(each, SiteEntity)]
    assert set(typeless) == set(HELPERS)


@pytest.mark.parametrize("helper", HELPERS)
def test_a_helper_has_no_index_key_and_no_type(helper: type[Entity]) -> None:
    schema = schema_of(helper)
    assert schema.index_keys == ()
    assert not schema.owned & {"Type", "CreatedAt"}


@pytest.mark.parametrize(("instance", "item"), EXAMPLES, ids=lambda each: type(each).__name__)
def test_a_helper_is_stored_so(instance: Entity, item: dict[str, Any]) -> None:
    assert stored_alone(instance) == item


def test_nothing_without_a_type_is_in_the_index_however_the_site_is_used(
    site: Site, store: Store
) -> None:
    a_post(site, expires_at=MORNING + timedelta(days=1))
    site.drafts.publish(a_draft(site).id)
    a_draft(site)
    site.banners.create(title="t", img_uri="https://cdn.example.com/a.png")
    site.company.replace({"name": "n", "email": "a@example.com"})
    form = {"name": "n", "email": "a@example.com", "subject": "s", "message": "m"}
    site.inquiries.receive(**form, address="192.0.2.1")
    site.tokens.create(user_id="u001", role="viewer")
    site.tokens.sign_in_code("u001")
    everything, index = items(store), indexed(store)
    typed = [item for item in everything.values() if "Type" in item]
    assert sorted(map(repr, index)) == sorted(map(repr, typed))
    assert {item["Type"] for item in index} == {
        *("User", "Category", "Post", "Draft", "Banner"),
        *("CorpInfo", "ContactInquiry", "Mail", "Token"),
    }
    prefixes = {pk.partition("#")[0] for (pk, _), item in everything.items() if "Type" not in item}
    assert prefixes == {"POST", "SLUG", "CATEGORY_GUARD", "OUTBOX", "RATE", "SIGN_IN"}
