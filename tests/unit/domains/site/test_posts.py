"""Posts: newest first, found with two reads, and searched at a price that is told."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.models import Post
from gotgan.domains.site.posts import matches
from gotgan.domains.site.service import Site
from gotgan.errors import BadCursor, NotFound, UsageError
from gotgan.store import Page, Store
from tests.unit.domains.site.conftest import MORNING
from tests.unit.domains.site.meddling import Meddling
from tests.unit.domains.site.records import a_draft, a_post, items, put_raw


def titles(page: Page[Post]) -> list[str]:
    return [post.title for post in page]


@pytest.fixture
def five(site: Site, clock: FixedClock) -> Site:
    """Posts 0 to 4, a second apart, those with even numbers in c001."""
    for number in range(5):
        clock.advance(timedelta(seconds=1))
        a_post(site, "c002" if number % 2 else "c001", title=f"Post {number}")
    return site


def test_posts_come_newest_first_of_a_category_and_of_all(five: Site) -> None:
    assert titles(five.posts.list()) == ["Post 4", "Post 3", "Post 2", "Post 1", "Post 0"]
    assert titles(five.posts.list(category="c001")) == ["Post 4", "Post 2", "Post 0"]
    assert titles(five.posts.list(category="c001", consistent=True)) == [
        *("Post 4", "Post 2", "Post 0"),
    ]


def test_posts_of_one_second_are_in_the_order_in_which_they_were_made(
    site: Site, store: Store, clock: FixedClock
) -> None:
    for number in range(20):
        clock.advance(timedelta(microseconds=1))
        a_post(site, title=str(number))
    stored = [item for (_, sk), item in items(store).items() if sk.startswith("POST#")]
    assert {item["CreatedAt"] for item in stored} == {"2025-11-10T09:00:00Z"}
    newest_first = [str(number) for number in reversed(range(20))]
    assert titles(site.posts.list(category="c001")) == newest_first


@pytest.mark.parametrize("category", ["c001", "news", None])
@pytest.mark.parametrize("q", [None, "post"])
def test_pages_go_on_where_the_last_one_ended_however_the_category_is_named(
    five: Site, category: str | None, q: str | None
) -> None:
    every = titles(five.posts.list(category=category, q=q))
    first = five.posts.list(category=category, q=q, limit=2)
    assert first.cursor is not None
    rest = five.posts.list(category=category, q=q, limit=3, cursor=first.cursor)
    assert titles(first) + titles(rest) == every
    assert rest.cursor is None or titles(five.posts.list(category=category, q=q)) == every


def test_a_cursor_of_another_category_is_refused(five: Site) -> None:
    cursor = five.posts.list(category="c001", limit=1).cursor
    for category in ("c002", "reports", None):
        with pytest.raises(BadCursor):
            five.posts.list(category=category, cursor=cursor)
    with pytest.raises(BadCursor):
        five.posts.list(category="c001", cursor="AAAA")


def test_an_empty_category_is_an_empty_page_and_an_unknown_one_is_told(site: Site) -> None:
    for name in ("c001", "news"):
        page = site.posts.list(category=name)
        assert (page.items, page.cursor) == ((), None)
    with pytest.raises(NotFound, match="ID or slug"):
        site.posts.list(category="nothing")


def test_a_category_by_its_id_costs_no_more_than_its_posts(five: Site, store: Store) -> None:
    with store.metered() as measured:
        five.posts.list(category="c001")
    assert measured.cost.reads == 0.5


def test_one_post_costs_two_reads(five: Site, store: Store, meddling: Meddling) -> None:
    asked = five.posts.list().items[0].id
    meddling.seen.clear()
    with store.metered() as measured:
        five.posts.get(asked)
    assert meddling.seen == ["GetItem", "GetItem"]
    assert measured.cost.reads == 1.0
    with store.metered() as strongly:
        five.posts.get(asked, consistent=True)
    assert strongly.cost.reads == 2.0


def test_a_post_that_moves_between_the_two_reads_is_still_found(
    site: Site, meddling: Meddling
) -> None:
    post = a_post(site)
    meddling.before("GetItem", lambda: None)
    meddling.before(
        "GetItem", lambda: site.posts.update(post.id, {"category_id": "c002"}, version=None)
    )
    assert site.posts.get(post.id).category_id == "c002"


def test_an_index_has_no_consistent_reads(site: Site) -> None:
    with pytest.raises(UsageError, match="Name a category"):
        site.posts.list(consistent=True)


def test_drafts_and_posts_whose_time_is_over_are_not_among_them(
    five: Site, clock: FixedClock
) -> None:
    a_draft(five)
    a_post(five, title="Notice", expires_at=clock.now() + timedelta(hours=1))
    assert len(five.posts.list()) == 6
    clock.advance(timedelta(hours=1))
    assert "Notice" not in titles(five.posts.list()) + titles(five.posts.list(category="c001"))
    assert len(five.posts.list()) == 5


def test_a_spoilt_post_is_left_out_of_pages(five: Site, store: Store) -> None:
    texts = {"PK": "CATEGORY#c001", "SK": "POST#zzz", "Type": "Post", "id": "zzz"}
    put_raw(store, {k: {"S": v} for k, v in {**texts, "CreatedAt": "2025"}.items()})
    assert len(five.posts.list()) == 5
    assert len(five.posts.list(category="c001")) == 3


def test_words_are_looked_for_in_titles_and_contents_in_any_case(site: Site) -> None:
    a_post(site, title="Spring REPORT", contents="# Sales\n\nThey *grew*.")
    a_post(site, title="Autumn", contents={"type": "doc", "content": []})
    for q, found in [("report sales", 1), ("GREW spring", 1), ("autumn grew", 0), ("doc", 0)]:
        assert len(site.posts.list(q=q)) == found, q


def test_a_search_says_how_much_it_read(five: Site) -> None:
    page = five.posts.list(q="post 3")
    assert titles(page) == ["Post 3"]
    assert (page.read, page.cost.reads) == (5, 0.5)


def test_blank_words_match_everything() -> None:
    post = Post(id="p", category_id="c", author_id="u", title="t", contents="c", created_at=MORNING)
    assert matches(post, "  ")


def test_a_field_is_cleared_by_none(site: Site, store: Store) -> None:
    post = a_post(site, thumbnail_url="https://cdn.example.com/a.png")
    cleared = site.posts.update(post.id, {"thumbnail_url": None}, version=1)
    assert cleared.thumbnail_url is None
    assert "thumbnailUrl" not in items(store)["CATEGORY#c001", f"POST#{post.id}"]


def test_a_change_says_when_it_was_made(site: Site, clock: FixedClock) -> None:
    post = a_post(site)
    clock.advance(timedelta(hours=1))
    changed = site.posts.update(post.id, {"title": "New"}, version=1)
    assert (changed.created_at, changed.updated_at) == (MORNING, MORNING + timedelta(hours=1))
