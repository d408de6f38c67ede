"""Posts, which are public, and drafts, which are published by moving them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from gotgan.domains.site import articles, messages, patterns, resource
from gotgan.domains.site.articles import Articles
from gotgan.domains.site.auth import Users
from gotgan.domains.site.content import plain_text
from gotgan.domains.site.keys import new_id
from gotgan.domains.site.models import Draft, Post
from gotgan.domains.site.params import CategoryName, Consistent, RecordId, Search, Version
from gotgan.domains.site.resources import Categories, arrival_writes
from gotgan.errors import BadCursor, ConditionFailed, NotFound, UsageError
from gotgan.items import item_page
from gotgan.params import Cursor, Limit
from gotgan.store import Page, Query, Store, writes
from gotgan.verbs import verb


class Posts(Articles[Post]):
    """Manage posts, which are all public."""

    kind = "post"

    def __init__(self, store: Store, categories: Categories, users: Users) -> None:
        super().__init__(store, users, patterns.post, patterns.all_posts)
        self._categories = categories

    def list(
        self,
        *,
        category: CategoryName | None = None,
        q: Search | None = None,
        limit: Limit = resource.DEFAULT_LIMIT,
        cursor: Cursor | None = None,
        consistent: Consistent = False,
    ) -> Page[Post]:
        """List posts, newest first, of one category or of all.

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
                    on_bad=resource.skip_bad_item,
                    units=resource.MAX_PAGE_UNITS,
                )
            return self._store.query(
                query,
                limit=limit,
                cursor=cursor,
                on_bad=resource.skip_bad_item,
                keep=lambda post: matches(post, q),
                units=resource.MAX_PAGE_UNITS,
            )

        def read_category(category_id: str) -> Page[Post]:
            query = patterns.posts_in(category_id)
            return read(query.consistent() if consistent else query)

        if category is None:
            if consistent:
                raise UsageError(messages.CONSISTENT_NEEDS_CATEGORY())
            return read(patterns.all_posts())
        with suppress(BadCursor):
            page = read_category(category)
            if page.read or cursor is not None:
                return page
        # It is a slug, to whose category the cursor belongs; or the category is empty.
        known = self._categories.get(category, consistent=consistent).id
        return read_category(known)


def matches(post: Post, q: str) -> bool:
    """Whether all words are in the title or the contents, in any case."""
    words = q.casefold().split()
    # Markdown as it is written has its words in it; parsing it would cost milliseconds.
    is_plain = isinstance(post.contents, str) and post.format != "tiptap"
    contents = post.contents if is_plain else plain_text(post.contents, post.format)
    text = f"{post.title}\n{contents}".casefold()
    return all(word in text for word in words)


class Drafts(Articles[Draft]):
    """Manage drafts: articles that are not public yet."""

    kind = "draft"

    def __init__(self, store: Store, posts: Posts, users: Users) -> None:
        super().__init__(store, users, patterns.draft, patterns.all_drafts)
        self._posts = posts

    @verb(role="editor", kind="write", path="drafts/{id}/publish")
    def publish(self, id: RecordId, *, version: Version | None = None) -> Post:
        """Publish a draft as a new post, or return its post if it is already published.

        The post gets a new ID: IDs sort by time, and posts are sorted by when they were published.
        The draft's ID still finds it.
        """
        try:
            with articles.follow_moves(lambda: self.get(id, consistent=True)) as draft:
                return self._move(draft, version)
        except (ConditionFailed, NotFound):
            with suppress(NotFound):
                post = self._posts.get(id, consistent=True)
                if post.draft_id is not None:
                    return post
            raise

    def _move(self, draft: Draft, version: int | None) -> Post:
        resource.expect_version(draft, version)
        now = self._store.clock.now()
        changes = {"id": new_id(now), "created_at": now, "updated_at": now, "draft_id": draft.id}
        gone, put = writes.move(draft, Post, **changes)
        known = {name: getattr(draft, name) for name in Draft.model_fields}
        post = Post(**{**known, **changes, "version": draft.version + 1})
        arriving = arrival_writes(post.category_id)
        articles.commit(self._store, [gone, put, *articles.pointer_writes(post), *arriving])
        return post


_MAX_ATTEMPTS: Final = 5
"""Attempts until no other writer comes between the read and the write."""


@dataclass(frozen=True)
class KeptPost:
    """A post, and whether it was written."""

    post: Post
    outcome: Literal["new", "changed", "duplicate"]


def ensure_post(store: Store, post_id: str, **fields: Any) -> KeptPost:
    """Create a post with these fields, update it, or find it unchanged."""
    for _ in range(_MAX_ATTEMPTS - 1):
        with suppress(ConditionFailed):  # another writer was faster
            return _ensure_once(store, post_id, fields)
    return _ensure_once(store, post_id, fields)


def _ensure_once(store: Store, post_id: str, fields: dict[str, Any]) -> KeptPost:
    current = articles.find_article(store, post_id, "post", patterns.post, consistent=True)
    if current is None:
        now = store.clock.now()
        post = Post(id=post_id, created_at=now, updated_at=now, **fields)
        pointers = [writes.put_new(pointer) for pointer in articles.article_pointers(post)]
        articles.commit(store, [writes.put_new(post), *pointers, *arrival_writes(post.category_id)])
        return KeptPost(post, "new")
    changes = {name: value for name, value in fields.items() if getattr(current, name) != value}
    if not changes:
        return KeptPost(current, "duplicate")
    return KeptPost(articles.change_article(store, current, changes, current.version), "changed")
