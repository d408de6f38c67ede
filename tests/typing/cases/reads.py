"""What checkers make of reads: every type is that of the access pattern."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import assert_type

from gotgan.domains.shops.keys import shop, shops_to_crawl
from gotgan.domains.shops.models import Shop
from gotgan.domains.site.models import Category, Post, User
from gotgan.domains.site.patterns import category_with_posts, post, posts_in
from gotgan.store import BatchGetResult, Page, Pattern, Query, Ref, Store, attr, collection
from gotgan.store.keys import BoundIndexKey, BoundKey

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def patterns_keep_their_signature() -> None:
    assert_type(post("c1", "p1"), Ref[Post])
    assert_type(post(category_id="c1", post_id="p1"), Ref[Post])
    assert_type(category_with_posts("c1"), Query[Category | Post])
    assert_type(shops_to_crawl("DE", NOON), Query[Shop])
    declared: Pattern[[str, str], Ref[Post]] = post  # its parameters cannot be named here
    assert_type(declared("c1", "p1"), Ref[Post])


def keys_belong_to_their_entity(a_post: Post) -> None:
    assert_type(Post.key, BoundKey[Post])
    assert_type(Post.key(category_id="c1", id="p1"), Ref[Post])
    assert_type(a_post.key, Ref[Post])
    assert_type(Post.by_type, BoundIndexKey[Post])
    assert_type(User.by_type.query(), Query[User])


def narrowing_a_query_keeps_its_type() -> None:
    query = Post.key.query(category_id="c1")
    assert_type(query, Query[Post])
    assert_type(query.between("a", "b"), Query[Post])
    assert_type(query.before("b").newest_first(), Query[Post])
    assert_type(query.after("b").whole(), Query[Post])
    assert_type(query.begins_with("p").consistent(), Query[Post])
    assert_type(query.filtered(attr("title") == "x").only("title"), Query[Post])


def joined_queries_give_either_kind(store: Store) -> None:
    joined = Post.by_type.query() + Category.by_type.query()
    assert_type(joined, Query[Post | Category])
    assert_type(joined + User.by_type.query(), Query[Post | Category | User])
    assert_type(store.query(joined), Page[Post | Category])


def a_collection_gives_any_of_its_kinds() -> None:
    assert_type(collection(Post, category_id="c1"), Query[Post])
    assert_type(collection(Post, Category, category_id="c1"), Query[Post | Category])
    assert_type(collection(Post, Category, User, category_id="c1"), Query[Post | Category | User])


def a_page_has_the_types_of_its_query(store: Store) -> None:
    page = store.query(category_with_posts("c1"))
    assert_type(page, Page[Category | Post])
    assert_type(page.items, tuple[Category | Post, ...])
    assert_type(page.of(Post), list[Post])
    assert_type(page.of(Category), list[Category])
    assert_type(page.cursor, str | None)
    for item in page:
        assert_type(item, Category | Post)


def getting_gives_the_entity_or_none(store: Store) -> None:
    assert_type(store.get(post("c1", "p1")), Post | None)
    assert_type(store.get(shop("example.com")), Shop | None)
    assert_type(store.first(posts_in("c1")), Post | None)
    assert_type(store.get_all([post("c1", "p1")]), BatchGetResult[Post])
    assert_type(store.get_all([post("c1", "p1")]).items, tuple[Post, ...])


def walking_gives_the_entities(store: Store) -> None:
    assert_type(store.iterate(posts_in("c1"), at_most=10), Iterator[Post])
    assert_type(store.scan(Post), Iterator[Post])
    assert_type(store.count(posts_in("c1")).items, int)
