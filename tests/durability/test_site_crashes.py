"""kill -9 before any statement of an adoption or a migration of the site; the next run ends it."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.domains.site.adopt import adopt
from gotgan.domains.site.keys import SITE
from gotgan.store import Store
from gotgan.store.attributes import decode_item, encode
from gotgan.store.engine import connect
from tests.durability.crash import crashed, migrate_site, opened
from tests.durability.invariants import check_file
from tests.scenario.site_document import EXAMPLES
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.site_state import everything, settled

Items = dict[tuple[str, ...], dict[str, Any]]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path / "base.db"


def _as_they_wrote_it() -> Items:
    """The document's items, with more posts, in two categories."""
    items = [*EXAMPLES.values()]
    items.append({**EXAMPLES["Category"], "PK": "CATEGORY#c002", "id": "c002", "slug": "more"})
    for number in range(5):
        place = {"PK": f"CATEGORY#c00{number % 2 + 1}", "SK": f"POST#x{number}", "id": f"x{number}"}
        items.append({**EXAMPLES["Post"], **place, "categoryId": place["PK"][9:], "own": number})
    return {(each["PK"], each["SK"]): each for each in items}


def _helpers(items: Items) -> dict[str, int]:
    """How many items there are beside the author's, by their kinds."""
    return Counter(key[0].partition("#")[0] for key, item in items.items() if "Type" not in item)


def test_a_site_whose_adoption_was_killed_anywhere_is_adopted_by_the_next_run(base: Path) -> None:
    theirs = _as_they_wrote_it()
    with opened(base) as store:
        store.create(SITE)
        for each in theirs.values():
            item = {name: encode(value) for name, value in each.items()}
            store.calls.driver.call("PutItem", {"TableName": SITE.name, "Item": item})
    killed, whole = crashed("site adopted", base)
    with opened(whole) as store:
        complete = _helpers(everything(store))
    assert complete == {"POST": 6, "SLUG": 1, "ADOPTION": 1}
    left = []
    for path in killed:
        with opened(path) as store:
            left.append(sum(_helpers(everything(store)).values()))
            assert adopt(store, at_most=1000, on_step=lambda _: None).is_complete
            after = everything(store)
            assert _helpers(after) == complete
            again = adopt(store, at_most=1000, on_step=lambda _: None)
            assert (again.read, again.pointers, again.slugs, again.failed) == (8, 0, 0, [])
        assert after.items() >= theirs.items()
        _check_their_own_reads(path, theirs)
        check_file(path)
    assert {0, 3, 7, 8} <= set(left), "some were killed between the first and the last write"


def _check_their_own_reads(path: Path, theirs: Items) -> None:
    with connect(path, synchronous="normal") as client:
        for (pk, sk), item in theirs.items():
            key = {"PK": {"S": pk}, "SK": {"S": sk}}
            assert decode_item(client.get_item(TableName=SITE.name, Key=key)["Item"]) == item
        found = client.query(
            TableName=SITE.name,
            IndexName="Type_CreatedAt",
            KeyConditionExpression="#t = :t",
            ExpressionAttributeNames={"#t": "Type"},
            ExpressionAttributeValues={":t": {"S": "Post"}},
        )
        assert found["Count"] == 6


# Drafts of the old site


def _old_site() -> old_tables.OldSite:
    site = old_tables.make(5, count=3, category_count=1)
    for post in site.posts[:2]:
        post["status"] = "draft"
    site.contact.clear()
    return site


def _articles(items: Items) -> dict[str, int]:
    return Counter(each["Type"] for each in items.values() if each.get("Type") in {"Draft", "Post"})


def _publish(store: Store, site: old_tables.OldSite) -> None:
    """Publish all drafts at the origin, as it does."""
    late = (store.clock.now() + timedelta(hours=1)).isoformat()
    for post in site.posts[:2]:
        old_tables.put(store, "posts", {**post, "status": "published", "updatedAt": late})


@pytest.mark.parametrize("is_published", [False, True], ids=["drafts", "published later"])
def test_drafts_whose_migration_was_killed_anywhere_are_migrated_by_the_next_run(
    base: Path, is_published: bool
) -> None:
    site = _old_site()
    with opened(base) as store:
        store.create(SITE)
        old_tables.tables(store, site)
        if is_published:
            migrate_site(store, base)
            assert _articles(everything(store)) == {"Draft": 2, "Post": 1}
            _publish(store, site)
    killed, whole = crashed("site migrated", base)
    with opened(whole) as store:
        complete = settled(store)
    assert _articles(complete) == ({"Post": 3} if is_published else {"Draft": 2, "Post": 1})
    left = []
    for path in killed:
        with opened(path) as store:
            found = everything(store)
            left.append(_articles(found))
            _check_pointers(found)
            report = migrate_site(store, path)
            assert report.total("failed") == report.total("conflicting") == 0
            assert settled(store) == complete
            assert report.verification is not None
            assert report.verification.passed
    some = [each for each in left if each not in (left[0], _articles(complete))]
    assert some, "some were killed between the first and the last article"


def _check_pointers(items: Items) -> None:
    """Every draft and post has both of its pointers, which say what it is."""
    kinds = {each["id"]: each["Type"].lower() for each in items.values() if "legacyId" in each}
    leads = [each for key, each in items.items() if key[0].startswith("POST#")]
    assert Counter((each["id"], each["kind"]) for each in leads) == dict.fromkeys(kinds.items(), 2)
