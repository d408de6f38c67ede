"""Posts: every one is public, in the partition of its category, and found by its id alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, TypeVar

from gotgan.domains.site import articles, patterns
from gotgan.domains.site.categories import Categories
from gotgan.domains.site.contents import plain_text
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import Post
from gotgan.domains.site.records import PAGE, pass_over
from gotgan.domains.site.showing import shower
from gotgan.errors import BadCursor, UsageError
from gotgan.store import Page, Query, Store

__all__ = ["Posts", "matches"]

T = TypeVar("T")

_MOST_UNITS: Final = 128
"""A page ends after a megabyte of posts: whoever asks is the public, and may ask again."""


class Posts:
    """The posts of the site."""

    def __init__(self, store: Store, categories: Categories) -> None:
        self._store = store
        self._categories = categories

    def page(
        self,
        *,
        category: str | None = None,
        q: str | None = None,
        limit: int = PAGE,
        cursor: str | None = None,
        consistent: bool = False,
    ) -> Page[Post]:
        """A page of posts, newest first: of a category, by its id or slug, or of all of them.

        ``q`` looks for words in titles and contents. That is a filtered read: every post on the way
        is read and billed, and ``Page.read`` says how many they were.
        """
        keep = None if not q else lambda post: matches(post, q)

        def read(query: Query[Post]) -> Page[Post]:
            return self._store.query(
                query, limit=limit, cursor=cursor, on_bad=pass_over, keep=keep, units=_MOST_UNITS
            )

        return self._paged(read, category, cursor, consistent=consistent)

    def shown_page(
        self,
        *,
        category: str | None = None,
        limit: int = PAGE,
        cursor: str | None = None,
        consistent: bool = False,
    ) -> Page[dict[str, Any]]:
        """The same page as ``page``, as its posts are shown; for who only hands them on."""

        def read(query: Query[Post]) -> Page[dict[str, Any]]:
            return self._store.query_as(
                query, shower(Post), limit=limit, cursor=cursor, units=_MOST_UNITS
            )

        return self._paged(read, category, cursor, consistent=consistent)

    def get(self, post_id: str, *, consistent: bool = False) -> Post:
        """One post, by any id that it ever had: two reads."""
        return articles.get(self._store, post_id, "post", patterns.post, consistent=consistent)

    def create(self, **fields: Any) -> Post:
        """Write a post; it is public at once."""
        now = self._store.clock.now()
        post = Post(id=new_id(now), created_at=now, updated_at=now, **fields)
        articles.add(self._store, post)
        return post

    def update(self, post_id: str, changes: Mapping[str, Any], *, expected: int | None) -> Post:
        """Change fields; another ``category_id`` moves the post there."""
        with articles.followed(lambda: self.get(post_id, consistent=True)) as current:
            return articles.change(self._store, current, changes, expected)

    def delete(self, post_id: str, *, expected: int | None = None) -> None:
        """Delete a post, and what points at it."""
        with articles.followed(lambda: self.get(post_id, consistent=True)) as current:
            articles.remove(self._store, current, expected)

    def _paged(
        self,
        read: Callable[[Query[Post]], Page[T]],
        category: str | None,
        cursor: str | None,
        *,
        consistent: bool,
    ) -> Page[T]:
        if category is None:
            return read(_all(consistent=consistent))
        with suppress(BadCursor):
            page = read(_in(category, consistent=consistent))
            if page.read or cursor is not None:
                return page
        # It is a slug, to whose category the cursor belongs; or the category is empty.
        known = self._categories.find(category, consistent=consistent).id
        return read(_in(known, consistent=consistent))


def matches(post: Post, q: str) -> bool:
    """Whether all words are in the title or the contents, in any case."""
    words = q.casefold().split()
    text = f"{post.title}\n{_searched(post)}".casefold()
    return all(word in text for word in words)


def _searched(post: Post) -> str:
    """Markdown as it is written has its words in it; taking it apart would cost milliseconds."""
    if isinstance(post.contents, str) and post.format != "tiptap":
        return post.contents
    return plain_text(post.contents, post.format)


def _in(category_id: str, *, consistent: bool) -> Query[Post]:
    query = patterns.posts_in(category_id)
    return query.consistent() if consistent else query


def _all(*, consistent: bool) -> Query[Post]:
    if consistent:
        raise UsageError(
            "an index answers here, and an index has no consistent reads; name a category"
        )
    return patterns.all_posts()
