"""Drafts: articles that only the staff sees, until they are published by a move."""

from __future__ import annotations

from gotgan.domains.site import articles, patterns
from gotgan.domains.site.articles import Articles
from gotgan.domains.site.categories import arrivals
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import Draft, Post
from gotgan.domains.site.params import RecordId, Version
from gotgan.domains.site.posts import Posts
from gotgan.domains.site.records import refuse_stale
from gotgan.domains.site.users import Users
from gotgan.errors import ConditionFailed, NotFound
from gotgan.store import Store, writes
from gotgan.verbs import verb

__all__ = ["Drafts"]


class Drafts(Articles[Draft]):
    """Drafts: articles that are not public yet."""

    kind = "draft"

    def __init__(self, store: Store, posts: Posts, users: Users) -> None:
        super().__init__(store, users, patterns.draft, patterns.all_drafts)
        self._posts = posts

    @verb(role="editor", kind="write", path="drafts/{id}/publish")
    def publish(self, id: RecordId, *, version: Version | None = None) -> Post:
        """Publish a draft as a new post; of one that is published already, give the post.

        The post gets an id of its own, because ids sort by time and it would else stand among
        posts of the day that the draft was begun. The draft's id still finds it.
        """
        try:
            return self._publish(id, version)
        except (ConditionFailed, NotFound):
            post = self._published(id)
            if post is None:
                raise
            return post

    def _publish(self, draft_id: str, version: int | None) -> Post:
        with articles.followed(lambda: self.get(draft_id, consistent=True)) as draft:
            return self._move(draft, version)

    def _move(self, draft: Draft, version: int | None) -> Post:
        refuse_stale(draft, version)
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
