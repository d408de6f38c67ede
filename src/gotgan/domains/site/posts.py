"""Posts: every one is public, in the partition of its category, and found by its id alone."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from gotgan.domains.site import patterns
from gotgan.domains.site.articles import Articles
from gotgan.domains.site.categories import Categories
from gotgan.domains.site.contents import plain_text
from gotgan.domains.site.models import Post
from gotgan.domains.site.params import CategoryName, Consistent, Search
from gotgan.domains.site.records import PAGE, PAGE_UNITS, pass_over
from gotgan.domains.site.users import Users
from gotgan.errors import BadCursor, UsageError
from gotgan.items import item_page
from gotgan.params import Cursor, Limit
from gotgan.store import Page, Query, Store

__all__ = ["Posts", "matches"]


class Posts(Articles[Post]):
    """Posts: every one is public."""

    kind = "post"

    def __init__(self, store: Store, categories: Categories, users: Users) -> None:
        super().__init__(store, users, patterns.post, patterns.all_posts)
        self._categories = categories

    def list(
        self,
        *,
        category: CategoryName | None = None,
        q: Search | None = None,
        limit: Limit = PAGE,
        cursor: Cursor | None = None,
        consistent: Consistent = False,
    ) -> Page[Post]:
        """List posts, newest first: of a category, or of all of them.

        A strongly consistent read needs a category.
        """

        def read(query: Query[Post]) -> Page[Post]:
            if q is None:
                return item_page(
                    self._store,
                    query,
                    Post,
                    limit=limit,
                    cursor=cursor,
                    on_bad=pass_over,
                    units=PAGE_UNITS,
                )
            return self._store.query(
                query,
                limit=limit,
                cursor=cursor,
                on_bad=pass_over,
                keep=lambda post: matches(post, q),
                units=PAGE_UNITS,
            )

        return self._paged(read, category, cursor, consistent=consistent)

    def _paged(
        self,
        read: Callable[[Query[Post]], Page[Post]],
        category: str | None,
        cursor: str | None,
        *,
        consistent: bool,
    ) -> Page[Post]:
        if category is None:
            return read(_all(consistent=consistent))
        with suppress(BadCursor):
            page = read(_in(category, consistent=consistent))
            if page.read or cursor is not None:
                return page
        # It is a slug, to whose category the cursor belongs; or the category is empty.
        known = self._categories.get(category, consistent=consistent).id
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
