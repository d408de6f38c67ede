"""Categories: one slug each, for good, and none goes while something is in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.service import Site
from gotgan.errors import (
    CategoryHasPosts,
    IdTaken,
    NotFound,
    SlugImmutable,
    SlugTaken,
    StoreError,
    VersionConflict,
)
from gotgan.store import Store
from tests.unit.domains.site.meddling import Meddling
from tests.unit.domains.site.records import a_draft, a_post, indexed, items, put_raw

TRANSACTION = "TransactWriteItems"


def test_a_category_is_found_by_its_id_and_by_its_slug(site: Site) -> None:
    assert site.categories.get("c001") == site.categories.get("news")
    assert site.categories.get("news", consistent=True).title == "회사 소식"
    with pytest.raises(NotFound):
        site.categories.get("nothing")


@pytest.mark.parametrize(
    ("title", "slug"), [("Annual Reports, 2025!", "annual-reports-2025"), ("공지", None)]
)
def test_a_slug_is_made_of_the_title_or_else_of_the_id(
    site: Site, title: str, slug: str | None
) -> None:
    made = site.categories.create(title=title)
    assert made.slug == (slug or made.id)
    assert site.categories.get(made.slug) == made


def test_a_slug_and_an_id_are_taken_once_and_a_refusal_leaves_nothing(
    site: Site, store: Store
) -> None:
    before = items(store)
    with pytest.raises(SlugTaken, match="'news'"):
        site.categories.create(id="c003", title="Other", slug="news")
    with pytest.raises(IdTaken, match="c001"):
        site.categories.create(id="c001", title="Other", slug="other")
    with pytest.raises(IdTaken):
        site.categories.create(id="c001", title="Other", slug="news")
    assert items(store) == before


def test_of_two_who_take_one_slug_at_once_one_gets_it(site: Site, meddling: Meddling) -> None:
    meddling.before(TRANSACTION, lambda: site.categories.create(id="first", title="A", slug="same"))
    with pytest.raises(SlugTaken):
        site.categories.create(id="second", title="B", slug="same")
    assert site.categories.get("same").id == "first"
    with pytest.raises(NotFound):
        site.categories.get("second")


def test_a_slug_is_never_changed_and_never_cleared(site: Site, store: Store) -> None:
    before = items(store)
    for slug in ("other", None):
        with pytest.raises(SlugImmutable, match="'news'"):
            site.categories.update("c001", {"slug": slug, "title": "New"}, version=None)
    assert items(store) == before
    same = site.categories.update("c001", {"slug": "news", "title": "New"}, version=1)
    assert (same.title, same.version) == ("New", 2)


def test_they_are_listed_by_their_order_then_by_their_title(site: Site) -> None:
    for title, order in [("d", None), ("c", 2), ("b", 1), ("a", 2)]:
        site.categories.create(id=title, title=title, order=order)
    listed = [each.id for each in site.categories.list()]
    assert listed == ["b", "a", "c", "c002", "d", "c001"]


def test_a_spoilt_one_does_not_spoil_the_list(site: Site, store: Store) -> None:
    texts = {"PK": "CATEGORY#bad", "SK": "METADATA", "Type": "Category", "id": "bad"}
    put_raw(store, {k: {"S": v} for k, v in {**texts, "CreatedAt": "yesterday"}.items()})
    assert {each.id for each in site.categories.list()} == {"c001", "c002"}


def test_an_empty_one_is_deleted_with_its_guards_and_its_slug_is_free(
    site: Site, store: Store
) -> None:
    post = a_post(site)
    site.posts.delete(post.id)
    site.categories.delete("c001")
    left = [pk for pk, _ in items(store) if "c001" in pk or "news" in pk]
    assert left == []
    assert site.categories.create(id="c009", title="Again", slug="news").slug == "news"


@pytest.mark.parametrize("fill", [a_post, a_draft])
def test_one_with_a_post_or_a_draft_in_it_stays(
    site: Site, store: Store, fill: Callable[[Site], object]
) -> None:
    fill(site)
    before = items(store)
    with pytest.raises(CategoryHasPosts):
        site.categories.delete("c001")
    assert items(store) == before


def test_one_that_was_emptied_by_a_move_can_be_deleted(site: Site) -> None:
    post = a_post(site)
    site.posts.update(post.id, {"category_id": "c002"}, version=None)
    site.categories.delete("c001")
    with pytest.raises(CategoryHasPosts):
        site.categories.delete("c002")


ARRIVALS: list[Callable[[Site], object]] = [
    a_post,
    a_draft,
    lambda site: site.posts.update(a_post(site, "c002").id, {"category_id": "c001"}, version=None),
    lambda site: site.drafts.publish(a_draft(site).id),
]


@pytest.mark.parametrize("arrive", ARRIVALS, ids=["post", "draft", "move", "publish"])
def test_what_comes_in_while_one_is_being_deleted_keeps_it_there(
    site: Site, store: Store, meddling: Meddling, arrive: Callable[[Site], object]
) -> None:
    meddling.before(TRANSACTION, lambda: arrive(site))
    with pytest.raises(CategoryHasPosts):
        site.categories.delete("c001")
    assert site.categories.get("news").id == "c001"
    assert len(site.posts.list(category="c001")) + len(site.drafts.list()) == 1
    assert ("SLUG#news", "METADATA") in items(store)


def test_what_comes_in_again_while_a_used_one_is_being_deleted_keeps_it_there(
    site: Site, meddling: Meddling
) -> None:
    """The guard is there already: it is its count that tells."""
    site.posts.delete(a_post(site).id)
    meddling.before(TRANSACTION, lambda: a_post(site))
    with pytest.raises(CategoryHasPosts):
        site.categories.delete("c001")


def test_a_draft_that_is_published_between_two_looks_keeps_its_category_there(
    site: Site, meddling: Meddling
) -> None:
    """First there is no post yet, then there is no draft any more."""
    draft = a_draft(site)
    meddling.before("Query", lambda: None)
    meddling.before("Query", lambda: site.drafts.publish(draft.id))
    with pytest.raises(CategoryHasPosts):
        site.categories.delete("c001")
    assert site.posts.get(draft.id).category_id == site.categories.get("c001").id


def test_what_came_and_went_while_one_is_being_deleted_is_a_conflict(
    site: Site, meddling: Meddling
) -> None:
    meddling.before(TRANSACTION, lambda: site.posts.delete(a_post(site).id))
    with pytest.raises(StoreError):
        site.categories.delete("c001")
    assert site.categories.get("c001").version == 1
    site.categories.delete("c001")


def test_a_post_that_comes_when_the_category_is_gone_is_refused_and_leaves_nothing(
    site: Site, store: Store, meddling: Meddling
) -> None:
    meddling.before(TRANSACTION, lambda: site.categories.delete("c001"))
    with pytest.raises(NotFound, match="no category"):
        a_post(site)
    assert [key for key in items(store) if "POST#" in "".join(key)] == []
    assert ("CATEGORY_GUARD#c001", "METADATA") not in items(store)


def test_one_is_deleted_only_as_the_version_that_was_meant(
    site: Site, store: Store, meddling: Meddling
) -> None:
    site.categories.update("c001", {"desc": "new"}, version=1)
    with pytest.raises(VersionConflict):
        site.categories.delete("c001", version=1)
    meddling.before(
        TRANSACTION, lambda: site.categories.update("c001", {"desc": "newer"}, version=2)
    )
    with pytest.raises(VersionConflict):
        site.categories.delete("c001", version=2)
    assert site.categories.get("news").desc == "newer"
    assert ("SLUG#news", "METADATA") in items(store)


def test_a_slug_that_others_hold_by_now_stays_theirs(site: Site, store: Store) -> None:
    """An old category that says it has a slug does not free that of another one."""
    texts = {"PK": "CATEGORY#old", "SK": "METADATA", "Type": "Category", "id": "old"}
    texts |= {"title": "old", "slug": "news", "CreatedAt": "2025-11-10T01:00:00Z"}
    put_raw(store, {name: {"S": value} for name, value in texts.items()})
    with pytest.raises(StoreError):
        site.categories.delete("old")
    assert site.categories.get("news").id == "c001"


def test_one_without_a_slug_as_the_document_has_it_can_be_changed_and_deleted(
    site: Site, store: Store
) -> None:
    texts = {"PK": "CATEGORY#c009", "SK": "METADATA", "Type": "Category", "id": "c009"}
    texts |= {"title": "회사 소식", "CreatedAt": "2025-11-10T01:00:00Z"}
    put_raw(store, {name: {"S": value} for name, value in texts.items()})
    assert site.categories.update("c009", {"order": 1}, version=1).version == 2
    site.categories.delete("c009")
    with pytest.raises(NotFound):
        site.categories.get("c009")


def test_deleting_what_is_not_there_says_so(site: Site) -> None:
    with pytest.raises(NotFound):
        site.categories.delete("nothing")


def test_guards_are_not_in_the_index(site: Site, store: Store, clock: FixedClock) -> None:
    clock.advance(timedelta(seconds=1))
    a_post(site)
    assert {item["Type"] for item in indexed(store)} == {"User", "Category", "Post"}
    typeless = [item for item in items(store).values() if "Type" not in item]
    assert len(typeless) == 4  # two slugs, a category's guard, a post's pointer


def test_a_slug_that_follows_from_a_taken_title_gives_way_to_the_id(site: Site) -> None:
    site.categories.create(id="c011", title="Events")
    assert site.categories.create(id="c012", title="Events").slug == "c012"


def test_nobody_takes_the_id_of_another_for_a_slug_nor_the_other_way(site: Site) -> None:
    site.categories.create(id="notes", title="소식", slug="first")
    with pytest.raises(SlugTaken):
        site.categories.create(id="c012", title="소식", slug="notes")
    with pytest.raises(IdTaken):
        site.categories.create(id="first", title="소식", slug="second")
