"""Which comments are read of a video that has more than one can read.

Half of the pages are those that YouTube puts first, half are the newest: the shares of what people
feel come out two or three points off the truth, where those of the most liked ones are eight off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from gotgan.domains.videos.models import Comment

__all__ = ["ORDERS", "PAGES", "PER_PAGE", "SAMPLING", "Order", "each_once"]


@dataclass(frozen=True)
class Order:
    """An order in which comments come, and how many pages are read of it."""

    name: str
    pages: int


ORDERS: Final = (Order("relevance", 5), Order("time", 5))
PER_PAGE: Final = 100
PAGES: Final = sum(order.pages for order in ORDERS)
SAMPLING: Final = ",".join(f"{order.name}:{order.pages}" for order in ORDERS)
"""How the comments were chosen, as it is kept with them."""


def each_once(comments: Iterable[Comment]) -> tuple[Comment, ...]:
    """The comments by their ids; of two with one id the first."""
    found: dict[str, Comment] = {}
    for comment in comments:
        found.setdefault(comment.comment_id, comment)
    return tuple(found.values())
