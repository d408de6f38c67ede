"""Drafts: for the staff alone, until a move makes a post of them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site import patterns
from gotgan.domains.site.models import Post
from gotgan.domains.site.service import Site
from gotgan.errors import NotFound, VersionConflict
from gotgan.store import Store
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.meddling import Killed, Meddling
from tests.unit.domains.site.records import a_draft, a_post, items, pointers

TRANSACTION = "TransactWriteItems"
HOUR = timedelta(hours=1)


def test_a_draft_is_in_no_public_read(site: Site, store: Store) -> None:
    draft, post = a_draft(site), a_post(site)
    assert site.posts.list().items == site.posts.list(category="c001").items == (post,)
    assert site.types.list("Post").items == (post,)
    together = store.query(patterns.category_with_posts("c001"))
    assert together.items == (site.categories.get("c001"), post)
    assert store.count(patterns.posts_in("c001")).items == 1
    with pytest.raises(NotFound):
        site.posts.get(draft.id)


def test_drafts_come_newest_first(site: Site, clock: FixedClock) -> None:
    first = a_draft(site)
    clock.advance(HOUR)
    second = a_draft(site, "c002")
    assert site.drafts.list().items == (second, first)
    page = site.drafts.list(limit=1)
    assert site.drafts.list(limit=1, cursor=page.cursor).items == (first,)


def test_a_published_draft_is_as_new_as_that_moment(site: Site, clock: FixedClock) -> None:
    draft = a_draft(site)
    clock.advance(HOUR)
    between = a_post(site)
    clock.advance(HOUR)
    post = site.drafts.publish(draft.id, version=1)
    assert (post.created_at, post.draft_id) == (MORNING + 2 * HOUR, draft.id)
    assert post.id > between.id > draft.id
    assert site.posts.list(category="c001").items == site.posts.list().items == (post, between)
    assert site.drafts.list().items == ()


def test_a_published_draft_takes_everything_along_and_its_id_still_finds_it(
    site: Site, store: Store, clock: FixedClock
) -> None:
    draft = a_draft(site, title="t", contents="# c", thumbnail_url="/a.png", author_id="u002")
    clock.advance(HOUR)
    post = site.drafts.publish(draft.id)
    kept = {name: getattr(post, name) for name in ("title", "contents", "thumbnail_url")}
    assert kept == {"title": "t", "contents": "# c", "thumbnail_url": "/a.png"}
    assert (post.author_id, post.version) == ("u002", 2)
    assert site.posts.get(draft.id) == site.posts.get(post.id) == post
    assert {key for key in items(store) if "DRAFT#" in key[1]} == set()
    assert {asked: told["kind"] for asked, told in pointers(store).items()} == {
        draft.id: "post",
        post.id: "post",
    }
    with pytest.raises(NotFound):
        site.drafts.get(draft.id)


def test_publishing_twice_gives_the_same_post(site: Site, store: Store, clock: FixedClock) -> None:
    draft = a_draft(site)
    post = site.drafts.publish(draft.id)
    before = items(store)
    clock.advance(HOUR)
    assert site.drafts.publish(draft.id) == post
    assert items(store) == before


def test_of_two_who_publish_at_once_both_get_the_one_post(site: Site, meddling: Meddling) -> None:
    draft = a_draft(site)
    won: list[Post] = []
    meddling.before(TRANSACTION, lambda: won.append(site.drafts.publish(draft.id)))
    assert [site.drafts.publish(draft.id)] == won
    assert site.posts.list().items == tuple(won)


def test_a_draft_that_was_edited_meanwhile_is_not_published(
    site: Site, store: Store, meddling: Meddling
) -> None:
    draft = a_draft(site)
    meddling.before(
        TRANSACTION, lambda: site.drafts.update(draft.id, {"title": "Better"}, version=1)
    )
    with pytest.raises(VersionConflict) as lost:
        site.drafts.publish(draft.id, version=1)
    assert lost.value.current == site.drafts.get(draft.id)
    with pytest.raises(VersionConflict):
        site.drafts.publish(draft.id, version=1)
    assert site.posts.list().items == ()
    assert set(pointers(store)) == {draft.id}


def test_a_draft_that_moved_away_meanwhile_is_not_published(site: Site, meddling: Meddling) -> None:
    draft = a_draft(site)
    meddling.before(
        TRANSACTION, lambda: site.drafts.update(draft.id, {"category_id": "c002"}, version=1)
    )
    with pytest.raises(VersionConflict):
        site.drafts.publish(draft.id)
    assert site.drafts.publish(draft.id).category_id == "c002"


def test_a_draft_that_was_deleted_meanwhile_is_not_published(
    site: Site, store: Store, meddling: Meddling
) -> None:
    draft = a_draft(site)
    meddling.before(TRANSACTION, lambda: site.drafts.delete(draft.id))
    with pytest.raises(NotFound):
        site.drafts.publish(draft.id)
    assert pointers(store) == {}
    assert site.posts.list().items == ()


def test_an_edit_of_a_draft_that_is_published_meanwhile_finds_no_draft(
    site: Site, meddling: Meddling
) -> None:
    draft = a_draft(site)
    meddling.before("UpdateItem", lambda: site.drafts.publish(draft.id))
    with pytest.raises(NotFound):
        site.drafts.update(draft.id, {"title": "Late"}, version=1)
    assert site.posts.get(draft.id).title == draft.title


def test_a_program_that_ends_when_it_has_published_has_published(
    site: Site, meddling: Meddling
) -> None:
    draft = a_draft(site)
    meddling.dies_after(TRANSACTION)
    with pytest.raises(Killed):
        site.drafts.publish(draft.id)
    [post] = site.posts.list().items
    assert site.drafts.publish(draft.id) == post


def test_a_deleted_post_takes_the_pointer_of_its_draft_along(site: Site, store: Store) -> None:
    post = site.drafts.publish(a_draft(site).id)
    site.posts.delete(post.id)
    assert pointers(store) == {}


def test_publishing_what_is_not_there_says_so(site: Site) -> None:
    with pytest.raises(NotFound):
        site.drafts.publish("nothing")
    with pytest.raises(NotFound):
        site.drafts.publish(a_post(site).id)
