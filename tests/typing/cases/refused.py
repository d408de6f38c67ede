"""What checkers refuse: each line is wrong, and says what mypy and pyright call it.

A complaint that is not made is an error itself: an ignore that nothing needs.
"""

from __future__ import annotations

from datetime import UTC, date, datetime

from gotgan.domains.news.models import NewsItem, news_of_day
from gotgan.domains.shops.keys import shop, shops_to_crawl
from gotgan.domains.shops.models import Shop, ShopPage
from gotgan.domains.site.models import Category, Post
from gotgan.domains.site.patterns import post, posts_in
from gotgan.lifecycle import Claim
from gotgan.store import Query, Ref, Store, collection, pattern

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def a_pattern_takes_what_it_declares() -> None:
    posts_in(1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    news_of_day("2025-11-06")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    shops_to_crawl("DE", "now")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    shops_to_crawl("DE")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    post("c1")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    post("c1", "p1", "x")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    post("c1", id="p1")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def a_query_is_no_ref(store: Store) -> None:
    store.get(posts_in("c1"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    store.query(post("c1", "p1"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    store.patch(posts_in("c1"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    store.get("POST#p1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def what_was_read_has_the_type_that_was_asked_for(store: Store) -> None:
    found: Category | None = store.get(post("c", "p"))  # type: ignore[assignment]  # pyright: ignore[reportAssignmentType]
    page = store.query(posts_in("c1"))
    kinds: list[Category] = page.of(Post)  # type: ignore[arg-type]  # pyright: ignore[reportAssignmentType]
    for item in page:
        str(item.headline)  # type: ignore[attr-defined]  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType, reportUnknownArgumentType]
    str(store.get(post("c", "p")).title)  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess]
    del found, kinds


def a_kind_is_a_class(store: Store) -> None:
    page = store.query(posts_in("c1"))
    page.of("Post")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    collection("Post", category_id="c1")  # type: ignore[call-overload]  # pyright: ignore[reportCallIssue, reportArgumentType]
    store.scan("Post")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def an_instance_is_frozen(a_post: Post, item: NewsItem) -> None:
    a_post.title = "x"  # type: ignore[misc]  # pyright: ignore[reportAttributeAccessIssue]
    item.dt_utc = "x"  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]


def a_constructor_takes_the_declared_fields() -> None:
    ShopPage(domain="a.de", url=1)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    ShopPage(domain="a.de")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ShopPage(domain="a.de", url="u", colour="red")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    ShopPage("a.de", "u")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def what_is_stored_is_an_entity(store: Store) -> None:
    store.put_new({"pk": "x"})  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]
    store.put_new_all(["x"])  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]
    store.delete("x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def a_lifecycle_takes_its_own_entity(store: Store, a_post: Post, claim: Claim[Post]) -> None:
    Shop.crawl.claim(store, a_post)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Shop.crawl.finish(store, claim)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Shop.crawl.done("DE", before="now")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    Shop.crawl.claim(store, shop("a.de"))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def a_condition_is_no_truth(store: Store, a_post: Post) -> None:
    store.put(a_post, only_if=a_post.title == "x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    posts_in("c1").filtered("title = x")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def a_pattern_returns_a_read() -> None:
    @pattern  # type: ignore[type-var]  # pyright: ignore[reportArgumentType]
    def nothing_of_the_sort(day: date) -> str:
        """A text."""
        return day.isoformat()

    @pattern
    def of_another_kind(category_id: str) -> Query[Category]:
        """Posts, not categories."""
        return posts_in(category_id)  # type: ignore[return-value]  # pyright: ignore[reportReturnType]

    @pattern
    def another_item(category_id: str) -> Ref[Category]:
        """A post, not a category."""
        return post(category_id, "p1")  # type: ignore[return-value]  # pyright: ignore[reportReturnType]
