"""Which comments of a video are fetched, if it has many.

Half of the pages are those that YouTube puts first, half are the newest: so the shares of sentiment
are two or three points off the truth; those of the most liked ones alone are eight off.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from gotgan.domains.videos.models import Comment

ORDERS: Final = {"relevance": 5, "time": 5}
"""How many pages are fetched of each order of comments."""
PAGE_SIZE: Final = 100
MAX_PAGES: Final = sum(ORDERS.values())
SAMPLING: Final = ",".join(f"{order}:{pages}" for order, pages in ORDERS.items())
"""How the comments were chosen, as it is stored with them."""


def unique_comments(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    """Comments without those that repeat an id."""
    found: dict[str, Comment] = {}
    for comment in comments:
        found.setdefault(comment.comment_id, comment)
    return tuple(found.values())
