"""Posts that are kept as somebody wants them, under an id that is theirs from the beginning.

Whoever wants such a post says how it is to be. Of all who say so at once one writes it, because its
pointer can be written once; the others find it. What is as it should be is not written again.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Literal

from gotgan.domains.site import articles, patterns
from gotgan.domains.site.categories import arrivals
from gotgan.domains.site.models import Post
from gotgan.errors import ConditionFailed
from gotgan.store import Store, writes

__all__ = ["Kept", "keep"]

_ATTEMPTS: Final = 5
"""How often somebody else may come between our look and our write."""


@dataclass(frozen=True)
class Kept:
    """A post as it was wanted, and whether that took a write."""

    post: Post
    outcome: Literal["new", "changed", "duplicate"]


def keep(store: Store, post_id: str, **fields: Any) -> Kept:
    """Have a post with these fields: write it, change it, or find it as it should be."""
    for _ in range(_ATTEMPTS - 1):
        with suppress(ConditionFailed):  # somebody wrote, changed, moved or deleted it meanwhile
            return _kept(store, post_id, fields)
    return _kept(store, post_id, fields)


def _kept(store: Store, post_id: str, fields: dict[str, Any]) -> Kept:
    current = articles.find(store, post_id, "post", patterns.post, consistent=True)
    if current is None:
        return Kept(_written(store, post_id, fields), "new")
    changes = {name: value for name, value in fields.items() if getattr(current, name) != value}
    if not changes:
        return Kept(current, "duplicate")
    return Kept(articles.change(store, current, changes, current.version), "changed")


def _written(store: Store, post_id: str, fields: dict[str, Any]) -> Post:
    now = store.clock.now()
    post = Post(id=post_id, created_at=now, updated_at=now, **fields)
    pointers = [writes.put_new(pointer) for pointer in articles.pointers_of(post)]
    articles.commit(store, [writes.put_new(post), *pointers, *arrivals(post.category_id)])
    return post
