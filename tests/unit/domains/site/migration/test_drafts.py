"""A row that is a draft at the origin is a draft here, and is published when it is there."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.auth import Users
from gotgan.domains.site.migration import Options, Sources, migrate, verify
from gotgan.domains.site.posts import Drafts
from gotgan.errors import NotFound
from gotgan.store import Store
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.old_tables import OldSite, put, remove
from tests.unit.domains.site.migration.site_state import everything, posts_of


@pytest.fixture
def site() -> OldSite:
    site = old_tables.make(7, count=6)
    site.posts[0]["status"] = "draft"
    site.posts[1]["status"] = "published"
    site.posts[2]["status"] = "archived"
    return site


@pytest.fixture
def row(site: OldSite) -> old_tables.Row:
    return site.posts[0]


@pytest.fixture
def sources(store: Store, site: OldSite, options: Options) -> Sources:
    """Old tables that were copied once, an hour ago."""
    sources = old_tables.tables(store, site)
    report = migrate(store, sources, options)
    assert report.verification is not None
    assert report.verification.passed
    clock = store.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(hours=1))
    return sources


def _drafts(store: Store) -> Drafts:
    return Drafts(store, posts_of(store), Users(store))


def _later(store: Store) -> str:
    return store.clock.now().isoformat()


def _items(store: Store, row: old_tables.Row) -> dict[str, str]:
    """The sort keys and types of the articles of a row."""
    found = everything(store).items()
    return {k[1].partition("#")[0]: v["Type"] for k, v in found if _is_copy(k, v, row)}


def _is_copy(key: tuple[str, ...], item: dict[str, object], row: old_tables.Row) -> bool:
    return item.get("legacyId") == row["postId"] and key[0].startswith("CATEGORY#")


def test_a_draft_becomes_a_draft(
    store: Store, sources: Sources, options: Options, row: old_tables.Row, site: OldSite
) -> None:
    draft = _drafts(store).get(row["postId"], consistent=True)
    assert (draft.title, draft.legacy_id) == (row["title"], row["postId"])
    assert _items(store, row) == {"DRAFT": "Draft"}
    with pytest.raises(NotFound):
        posts_of(store).get(row["postId"], consistent=True)
    for published in site.posts[1:]:
        assert posts_of(store).get(published["postId"], consistent=True).title == published["title"]
    items = [each for each in everything(store).values() if "legacyId" in each]
    assert [each["status"] for each in items if "status" in each] == ["archived"]
    checked = verify(store, sources, options).kinds
    assert (checked["Draft"].rows, checked["Draft"].equal, checked["Post"].equal) == (1, 1, 5)


def test_a_second_run_changes_nothing(store: Store, sources: Sources, options: Options) -> None:
    before = everything(store)
    report = migrate(store, sources, options)
    assert (report.total("skipped"), report.cost.writes) == (report.rows, 0)
    assert everything(store) == before


def test_a_draft_that_was_published_at_the_origin_moves(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    draft = _drafts(store).get(row["postId"])
    put(store, "posts", {**row, "status": "published", "updatedAt": _later(store)})
    report = migrate(store, sources, options)
    assert report.tally.kinds["posts"].updated == 1
    post = posts_of(store).get(row["postId"], consistent=True)
    assert (post.id, post.version) == (draft.id, draft.version + 1)
    assert _items(store, row) == {"POST": "Post"}
    assert posts_of(store).get(draft.id) == post
    assert verify(store, sources, options).passed


def test_a_post_that_became_a_draft_at_the_origin_moves_back(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    row = site.posts[1]
    put(store, "posts", {**row, "status": " DRAFT ", "updatedAt": _later(store)})
    migrate(store, sources, options)
    assert _items(store, row) == {"DRAFT": "Draft"}
    assert verify(store, sources, options).passed


def test_a_draft_that_was_published_here_stays_published(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    draft = _drafts(store).get(row["postId"])
    post = _drafts(store).publish(draft.id, version=None)
    assert migrate(store, sources, options).tally.kinds["posts"].conflicting == 0
    clock = store.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(hours=1))
    put(store, "posts", {**row, "title": "still a draft", "updatedAt": _later(store)})
    report = migrate(store, sources, options)
    assert report.tally.kinds["posts"].conflicting == 1
    assert posts_of(store).get(row["postId"], consistent=True) == post
    assert verify(store, sources, options).kinds["Draft"].conflicting == 1
    put(
        store,
        "posts",
        {**row, "title": "public", "status": "published", "updatedAt": _later(store)},
    )
    migrate(store, sources, options)
    assert posts_of(store).get(row["postId"], consistent=True).title == "public"
    assert verify(store, sources, options).passed


def test_a_public_copy_of_a_draft_is_taken_back(
    store: Store, site: OldSite, options: Options, row: old_tables.Row
) -> None:
    """As a run left it that did not know of drafts."""
    sources = old_tables.tables(store, site)
    old = {**row}
    del old["status"]
    put(store, "posts", old)
    migrate(store, sources, options)
    assert _items(store, row) == {"POST": "Post"}
    put(store, "posts", row)
    migrate(store, sources, options)
    assert _items(store, row) == {"DRAFT": "Draft"}
    assert verify(store, sources, options).passed


def test_a_draft_that_was_deleted_here_stays_deleted(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    _drafts(store).delete(row["postId"])
    assert migrate(store, sources, options).tally.kinds["posts"].deleted_here == 1
    assert _items(store, row) == {}


def test_a_draft_that_the_origin_has_no_more_is_listed(
    store: Store, sources: Sources, options: Options, row: old_tables.Row
) -> None:
    remove(store, "posts", row["postId"])
    assert migrate(store, sources, options).tally.kinds["posts"].deleted_at_origin == 1
    assert _items(store, row) == {"DRAFT": "Draft"}
