"""Drafts: articles that only the staff sees, until they are published by a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gotgan.domains.site import articles, patterns
from gotgan.domains.site.categories import arrivals
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import Draft, Post
from gotgan.domains.site.posts import Posts
from gotgan.domains.site.records import PAGE, pass_over, refuse_stale
from gotgan.errors import ConditionFailed, NotFound
from gotgan.store import Page, Store, writes

__all__ = ["Drafts"]


class Drafts:
    """The drafts of the site."""

    def __init__(self, store: Store, posts: Posts) -> None:
        self._store = store
        self._posts = posts

    def page(self, *, limit: int = PAGE, cursor: str | None = None) -> Page[Draft]:
        """A page of drafts, newest first."""
        query = patterns.all_drafts()
        return self._store.query(query, limit=limit, cursor=cursor, on_bad=pass_over)

    def get(self, draft_id: str, *, consistent: bool = False) -> Draft:
        """One draft: two reads."""
        return articles.get(self._store, draft_id, "draft", patterns.draft, consistent=consistent)

    def create(self, **fields: Any) -> Draft:
        """Write a draft."""
        now = self._store.clock.now()
        draft = Draft(id=new_id(now), created_at=now, updated_at=now, **fields)
        articles.add(self._store, draft)
        return draft

    def update(self, draft_id: str, changes: Mapping[str, Any], *, expected: int | None) -> Draft:
        """Change fields; another ``category_id`` moves the draft there."""
        with articles.followed(lambda: self.get(draft_id, consistent=True)) as current:
            return articles.change(self._store, current, changes, expected)

    def delete(self, draft_id: str, *, expected: int | None = None) -> None:
        """Delete a draft."""
        with articles.followed(lambda: self.get(draft_id, consistent=True)) as current:
            articles.remove(self._store, current, expected)

    def publish(self, draft_id: str, *, expected: int | None = None) -> Post:
        """Make a draft a post, as new as this moment; of one that is published, give the post.

        The post gets an id of its own, because ids sort by time and it would else stand among
        posts of the day that the draft was begun. The draft's id still finds it.
        """
        try:
            return self._publish(draft_id, expected)
        except (ConditionFailed, NotFound):
            post = self._published(draft_id)
            if post is None:
                raise
            return post

    def _publish(self, draft_id: str, expected: int | None) -> Post:
        with articles.followed(lambda: self.get(draft_id, consistent=True)) as draft:
            return self._move(draft, expected)

    def _move(self, draft: Draft, expected: int | None) -> Post:
        refuse_stale(draft, expected)
        now = self._store.clock.now()
        changes = {"id": new_id(now), "created_at": now, "updated_at": now, "draft_id": draft.id}
        gone, put = writes.move(draft, Post, **changes)
        known = {name: getattr(draft, name) for name in Draft.model_fields}
        post = Post(**{**known, **changes, "version": draft.version + 1})
        arriving = arrivals(post.category_id)
        articles.commit(self._store, [gone, put, *articles.pointers(post), *arriving])
        return post

    def _published(self, draft_id: str) -> Post | None:
        """The post that a draft has become in the meantime."""
        try:
            post = self._posts.get(draft_id, consistent=True)
        except NotFound:
            return None
        return None if post.draft_id is None else post
