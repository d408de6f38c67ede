"""What a day brought on the site: what was published, and who wrote in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import ClassVar, Final

from gotgan.clock import Span
from gotgan.domains.site import patterns
from gotgan.domains.site.resource import skip_bad_item
from gotgan.store import Store

MAX_POSTS: Final = 50
"""How many posts of a day are shown."""
_MAX_UNITS: Final = 128
"""After a megabyte of posts it ends, for all of a post is read, however long it is."""
_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True)
class SitePost:
    """A post without its contents."""

    shown: ClassVar = {
        "id": "id",
        "categoryId": "category_id",
        "title": "title",
        "CreatedAt": "created_at",
    }

    id: str
    category_id: str
    author_id: str
    title: str
    created_at: datetime


@dataclass(frozen=True)
class SiteDay:
    """The site on a day."""

    posts: tuple[SitePost, ...]
    """Posts that were published, newest first; at most 50."""
    is_cut: bool
    """Whether there are more posts."""
    inquiries: int
    """Messages from visitors."""
    mails_waiting: int
    """Mails that wait to be sent, now."""


def site_day(store: Store, span: Span, mails_waiting: int) -> SiteDay:
    """What happened within a span."""
    ends = span.last - _SECOND  # moments have whole seconds, and a range has both its ends
    posts = store.query(
        patterns.posts_within(span.first, ends).only("title", "category_id", "author_id"),
        limit=MAX_POSTS,
        on_bad=skip_bad_item,
        units=_MAX_UNITS,
    )
    return SiteDay(
        posts=tuple(
            SitePost(each.id, each.category_id, each.author_id, each.title, each.created_at)
            for each in posts
        ),
        is_cut=posts.cursor is not None,
        inquiries=int(store.count(patterns.inquiries_within(span.first, ends))),
        mails_waiting=mails_waiting,
    )
