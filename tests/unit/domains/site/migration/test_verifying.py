from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import patterns
from gotgan.domains.site.migration import Options, Sources, migrate, retire, verify
from gotgan.errors import MigrationError, UsageError
from gotgan.store import Ref, Store
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.old_tables import OldSite
from tests.unit.domains.site.migration.site_state import everything, posts_of


@pytest.fixture
def site() -> OldSite:
    return old_tables.make(5, count=30)


@pytest.fixture
def sources(store: Store, site: OldSite, options: Options) -> Sources:
    sources = old_tables.tables(store, site)
    migrate(store, sources, options)
    clock = store.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(hours=1))
    return sources


def _damage(store: Store, ref: Ref[Any], expression: str, **values: str) -> None:
    request: dict[str, Any] = {
        "TableName": "FMWebAppTable",
        "Key": ref.item,
        "UpdateExpression": expression,
    }
    if values:
        given = {f":{name}": {"S": value} for name, value in values.items()}
        request["ExpressionAttributeValues"] = given
    store.calls.driver.call("UpdateItem", request)


def test_a_migration_that_was_carried_out_is_verified(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    before = everything(store)
    found = verify(store, sources, options)
    assert found.passed
    assert everything(store) == before
    posts = found.kinds["Post"]
    assert (posts.rows, posts.found, posts.equal) == (30, 30, 30)
    assert posts.source_sum == posts.stored_sum != 0
    assert found.kinds["Category"].rows == len(site.categories)
    assert found.kinds["CorpInfo"].set_aside == 1
    assert found.cost.writes == 0


def test_a_report_says_when_a_verification_last_passed(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    verify(store, sources, options)
    old_tables.put(store, "posts", {**site.posts[0], "postId": "new"})
    assert not verify(store, sources, options).passed
    report = migrate(store, sources, replace(options, verify=False))
    assert report.verification is None
    assert report.last_verified is not None
    assert report.last_verified["at"] == "2026-01-01T01:00:00Z"
    assert report.last_verified["rows"]["Post"] == 30


def test_verification_holds_without_the_state_of_the_migration(
    store: Store, sources: Sources
) -> None:
    assert verify(store, sources, Options()).passed


def test_an_edit_here_is_newer_and_no_difference(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    posts_of(store).update(site.posts[0]["postId"], {"title": "edited"}, version=None)
    posts_of(store).delete(site.posts[1]["postId"])
    found = verify(store, sources, options)
    assert found.passed
    posts = found.kinds["Post"]
    assert (posts.equal, posts.newer_here, posts.deleted_here) == (28, 1, 1)


@pytest.mark.parametrize(
    ("expression", "values", "reason"),
    [
        ("SET title = :v", {"v": "spoilt"}, "title"),
        ("SET contents = :v", {"v": "spoilt"}, "contents"),
        ("SET authorId = :v", {"v": "spoilt"}, "authorId"),
        ("REMOVE legacyId", {}, "legacyId"),
        ("SET thumbnailUrl = :v", {"v": "spoilt"}, "thumbnailUrl"),
        ("REMOVE UpdatedAt", {}, "no UpdatedAt"),
    ],
)
def test_a_copy_that_is_not_what_the_origin_says_is_different(
    store: Store,
    sources: Sources,
    options: Options,
    site: OldSite,
    expression: str,
    values: dict[str, str],
    reason: str,
) -> None:
    post = posts_of(store).get(site.posts[0]["postId"])
    _damage(store, post.key, expression, **values)
    found = verify(store, sources, options)
    assert not found.passed
    assert found.kinds["Post"].different == 1
    assert found.kinds["Post"].source_sum != found.kinds["Post"].stored_sum
    assert reason in found.trouble["different"].examples[0]


def test_what_the_origin_has_and_nobody_copied_is_missing(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    old_tables.put(store, "posts", {**site.posts[0], "postId": "new"})
    found = verify(store, sources, options)
    assert not found.passed
    assert found.trouble["missing"].examples == ["new"]


def test_what_the_origin_has_newer_keeps_a_verification_from_passing(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    later = store.clock.now().isoformat()
    old_tables.put(store, "contact", {**site.contact[0], "updatedAt": later})
    found = verify(store, sources, options)
    assert not found.passed
    assert found.is_whole
    assert found.trouble["newer_at_origin"].examples == [site.contact[0]["inquiryId"]]


def test_a_row_that_cannot_be_copied_keeps_a_verification_from_passing(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    old_tables.put(store, "posts", {**site.posts[0], "postId": "x" * 200})
    migrate(store, sources, options)
    assert verify(store, sources, options).kinds["Post"].missing == 1


def test_a_pointer_that_is_gone_keeps_a_verification_from_passing_until_it_is_mended(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    post = posts_of(store).get(site.posts[0]["postId"])
    for asked in (post.id, site.posts[0]["postId"]):
        store.delete(patterns.post_pointer(asked))
        assert not verify(store, sources, options).passed
        migrate(store, sources, options)
        assert verify(store, sources, options).passed


def test_a_slug_that_finds_nothing_keeps_a_verification_from_passing_until_it_is_mended(
    store: Store, sources: Sources, options: Options
) -> None:
    store.delete(patterns.slug_guard("kind-0"))
    found = verify(store, sources, options)
    assert found.kinds["Category"].different == 1
    migrate(store, sources, options)
    assert verify(store, sources, options).passed


def test_old_tables_are_removed_only_after_a_verification_that_passed(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    post = posts_of(store).get(site.posts[0]["postId"])
    _damage(store, post.key, "SET title = :v", v="spoilt")
    with pytest.raises(MigrationError, match="did not pass"):
        retire(store, sources, options)
    assert len(store.calls.driver.call("ListTables", {})["TableNames"]) == 5
    _damage(store, post.key, "SET title = :v", v=site.posts[0]["title"])
    assert retire(store, sources, options).passed
    assert store.calls.driver.call("ListTables", {})["TableNames"] == ["FMWebAppTable"]


def test_files_are_never_removed(store: Store, sources: Sources, options: Options) -> None:
    assert options.folder is not None
    path = old_tables.write_lines(options.folder.parent / "posts.jsonl", [])
    mixed = replace(sources, posts=Sources.named(store, posts=str(path)).posts)
    with pytest.raises(UsageError, match="Only tables can be retired"):
        retire(store, mixed, options)
    assert path.exists()
