"""What a crawl did, and how its end is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from gotgan.domains.shops.models import CrawlOutcome
from gotgan.errors import FetchError, PageForbidden, RobotsDisallowed, TooManyRequests
from gotgan.store import Cost

__all__ = ["CrawlReport", "CrawlStep", "OnCrawlStep", "judged", "silently"]


@dataclass(frozen=True)
class CrawlStep:
    """How far a crawl has come."""

    domain: str
    pages: int
    products: int
    left: int
    """How many addresses wait; there may be more behind them."""
    url: str
    back_off: float = 0.0
    """How many seconds the shop wants to be left alone."""


OnCrawlStep: TypeAlias = Callable[[CrawlStep], None]


@dataclass
class CrawlReport:
    """What a crawl did, and why it ended."""

    domain: str
    outcome: CrawlOutcome = "ok"
    reason: str = ""
    pages: int = 0
    products: int = 0
    new: int = 0
    changed: int = 0
    """How many pages are of another kind than before."""
    unchanged: int = 0
    """How many pages the server knew that we have."""
    gone: int = 0
    """How many addresses lead nowhere any more."""
    removed: int = 0
    """How many products are no longer offered."""
    failed: Counter[str] = field(default_factory=Counter)
    cost: Cost = field(default_factory=Cost)

    @property
    def is_failure(self) -> bool:
        """Whether the shop could not be looked at: then nothing follows from what was not seen."""
        return self.outcome in ("blocked", "unreachable")


def silently(_: CrawlStep) -> None:
    """Tell nobody how far it has come."""


def judged(
    products: int,
    *,
    trouble: FetchError | None,
    left: int,
    login: str | None,
    is_partial: bool,
) -> tuple[CrawlOutcome, str]:
    """How a crawl ended, and why.

    ``trouble`` is what ended it, ``left`` counts the addresses that nobody took, and ``login`` is
    the form that the front page leads to.
    """
    if trouble is not None:
        return ("blocked" if _is_refusal(trouble) else "unreachable"), trouble.message
    if left:
        return "budget", f"{left:,} pages are left; allow more with --max-pages"
    if not products and login is not None:
        return "blocked", f"its front page leads to {login}: it wants a login"
    told = "not all pages could be had" if is_partial else "all pages were seen"
    if not products:
        return "empty", f"no page of it looks like a product; {told}"
    return "ok", told


def _is_refusal(error: FetchError) -> bool:
    return isinstance(error, PageForbidden | TooManyRequests | RobotsDisallowed)
