"""Copies that are gone: what left a trace was deleted, and what left none was lost."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import patterns
from gotgan.domains.site.migration import Options, Sources, messages, migrate, retire, verify
from gotgan.domains.site.resources import Categories
from gotgan.errors import MigrationError, NotFound
from gotgan.store import Ref, Store
from tests.unit.domains.site.migration import old_tables
from tests.unit.domains.site.migration.old_tables import OldSite
from tests.unit.domains.site.migration.site_state import everything, posts_of, settled

KINDS = {"posts": "Post", "categories": "Category", "corp": "CorpInfo", "contact": "ContactInquiry"}
MADE_AGAIN = messages.COPIED_AGAIN()


@pytest.fixture
def site() -> OldSite:
    """With a category that has no posts, so that an editor can delete it."""
    site = old_tables.make(7, count=12)
    for row in site.posts:
        row["category"] = "kind-1"
    return site


@pytest.fixture
def sources(store: Store, clock: FixedClock, site: OldSite, options: Options) -> Sources:
    sources = old_tables.tables(store, site)
    migrate(store, sources, options)
    clock.advance(timedelta(hours=1))
    return sources


def _lose(store: Store, kind: str, site: OldSite, *, pointers: bool = False) -> None:
    """Remove a copy as nobody can who uses the site."""
    for ref in _copies(store, kind, site, pointers=pointers):
        store.calls.driver.call("DeleteItem", {"TableName": "FMWebAppTable", "Key": ref.item})


def _copies(store: Store, kind: str, site: OldSite, *, pointers: bool) -> Iterator[Ref[Any]]:
    if kind == "categories":
        yield patterns.category(site.categories[0]["categoryId"])
    elif kind == "contact":
        yield patterns.inquiry(site.contact[0]["inquiryId"])
    elif kind == "corp":
        yield patterns.company()
    else:
        post = posts_of(store).get(site.posts[0]["postId"])
        yield post.key
        if pointers:
            yield patterns.post_pointer(post.id)
            yield patterns.post_pointer(site.posts[0]["postId"])


@pytest.mark.parametrize("keeps", [True, False])
@pytest.mark.parametrize("pointers", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_that_vanished_keeps_the_old_tables_until_it_was_made_again(
    store: Store,
    sources: Sources,
    options: Options,
    site: OldSite,
    kind: str,
    pointers: bool,
    keeps: bool,
) -> None:
    known = options if keeps else Options()
    before = settled(store)
    _lose(store, kind, site, pointers=pointers)
    found = verify(store, sources, known)
    assert not found.is_whole
    assert (found.kinds[KINDS[kind]].missing, found.kinds[KINDS[kind]].deleted_here) == (1, 0)
    with pytest.raises(MigrationError, match=r"1 missing, such as .*a run of the migration copies"):
        retire(store, sources, known)
    assert len(store.calls.driver.call("ListTables", {})["TableNames"]) == 5
    report = migrate(store, sources, known)
    assert report.is_good
    assert report.tally.kinds[kind].copied == 1
    assert settled(store) == before
    assert retire(store, sources, known).passed
    assert store.calls.driver.call("ListTables", {})["TableNames"] == ["FMWebAppTable"]


@pytest.mark.parametrize("kind", KINDS)
def test_a_copy_that_was_made_again_is_told(
    store: Store, sources: Sources, options: Options, site: OldSite, kind: str
) -> None:
    _lose(store, kind, site)
    report = migrate(store, sources, options)
    assert report.tally.decisions[MADE_AGAIN].count == 1


def test_a_post_that_was_lost_comes_back_under_the_id_that_it_had(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    row = site.posts[0]
    before = posts_of(store).get(row["postId"])
    _lose(store, "posts", site)
    old_tables.put(store, "posts", {**row, "createdAt": old_tables.stamp(5.5)})
    migrate(store, sources, options)
    assert posts_of(store).get(before.id).id == posts_of(store).get(row["postId"]).id == before.id


def test_a_post_whose_pointer_is_lost_and_that_was_moved_is_not_copied_twice(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    row = site.posts[0]
    home = site.categories[2]["categoryId"]
    posts_of(store).update(row["postId"], {"category_id": home}, version=None)
    store.delete(patterns.post_pointer(row["postId"]))
    migrate(store, sources, options)
    assert posts_of(store).get(row["postId"]).category_id == home
    copies = [each for each in everything(store).values() if each.get("legacyId") == row["postId"]]
    assert len(copies) == 1


def test_a_category_that_was_deleted_here_stays_so_once_the_origin_has_it_no_more(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    category = site.categories[0]["categoryId"]
    Categories(store).delete(category)
    found = verify(store, sources, options)
    assert found.trouble["missing"].examples == [category]
    assert "delete it at the origin" in found.fields()["trouble"]["missing"]["advice"]
    old_tables.remove(store, "categories", category)
    assert verify(store, sources, options).passed
    assert migrate(store, sources, options).is_good
    with pytest.raises(NotFound):
        Categories(store).get(category)


@pytest.mark.parametrize("keeps", [True, False])
def test_a_post_that_was_deleted_here_was_not_lost(
    store: Store, sources: Sources, options: Options, site: OldSite, keeps: bool
) -> None:
    known = options if keeps else Options()
    posts_of(store).delete(site.posts[0]["postId"])
    found = verify(store, sources, known)
    assert (found.passed, found.kinds["Post"].deleted_here) == (True, 1)
    assert migrate(store, sources, known).tally.kinds["posts"].deleted_here == 1


@pytest.mark.parametrize("keeps", [True, False])
def test_a_post_that_ended_here_is_not_brought_back(
    store: Store, clock: FixedClock, sources: Sources, options: Options, site: OldSite, keeps: bool
) -> None:
    row, known = site.posts[0], options if keeps else Options()
    until = store.clock.now() + timedelta(days=1)
    post = posts_of(store).update(row["postId"], {"expires_at": until}, version=None)
    clock.advance(timedelta(days=2))
    for ref in (post.key, patterns.post_pointer(post.id)):
        store.delete(ref)  # as the time to live does
        old_tables.put(store, "posts", {**row, "updatedAt": store.clock.now().isoformat()})
        report = migrate(store, sources, known)
        assert (report.is_good, report.tally.kinds["posts"].deleted_here) == (True, 1)
        assert verify(store, sources, known).passed
    with pytest.raises(NotFound):
        posts_of(store).get(row["postId"])


def test_a_post_that_is_gone_before_it_ends_was_lost(
    store: Store, sources: Sources, options: Options, site: OldSite
) -> None:
    until = store.clock.now() + timedelta(days=1)
    posts_of(store).update(site.posts[0]["postId"], {"expires_at": until}, version=None)
    _lose(store, "posts", site)
    assert verify(store, sources, options).kinds["Post"].missing == 1
