"""What a crawl did, and how its end is judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
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
    budget: int
    """How many pages are visited at most."""
    back_off: float = 0.0
    """How many seconds the shop wants to be left alone."""

    @property
    def to_visit(self) -> int:
        """How many of those that wait are visited, as far as is known."""
        return max(min(self.left, self.budget - self.pages), 0)


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
    unlike: int = 0
    """How many known products were there, and did not look like products."""
    unchanged: int = 0
    """How many pages the server knew that we have."""
    gone: int = 0
    """How many addresses lead nowhere any more."""
    removed: int = 0
    """How many products are no longer offered."""
    failed: Counter[str] = field(default_factory=Counter)
    cost: Cost = field(default_factory=Cost)
    not_before: datetime | None = None
    """When the next attempt is due, where the shop could not be reached."""

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
    unlike: int,
    door: tuple[CrawlOutcome, str] | None,
    flaw: str | None,
) -> tuple[CrawlOutcome, str]:
    """How a crawl ended, and why.

    ``trouble`` is what ended it, ``left`` counts the addresses that nobody took, ``door`` is what
    the front page says where nothing is behind it, and ``flaw`` is what could not be had: empty
    where only that is known.
    """
    if trouble is not None:
        return ("blocked" if _is_refusal(trouble) else "unreachable"), trouble.message
    if unlike > products:
        return "blocked", f"{_unlike(unlike)}; look at one in a browser"
    if left:
        more = f"at least {_counted(left, 'more page is', 'more pages are')} left"
        also = f"{_unlike(unlike)}; " if unlike else ""
        return (
            "budget",
            f"{also}{more}; the next crawl begins there, or allow more with --max-pages",
        )
    if not products and door is not None:
        return door
    told = _seen(unlike, flaw)
    if not products:
        return "empty", f"no page of it looks like a product; {told}"
    return "ok", told


def _seen(unlike: int, flaw: str | None) -> str:
    """Whether all there is was seen as it is."""
    if unlike:
        return f"{_unlike(unlike)}, so nothing is taken for missing"
    if flaw is not None:
        return f"not all pages could be had{flaw and ': '}{flaw}"
    return "all pages were seen"


def _unlike(count: int) -> str:
    one = "known product no longer looks like a product"
    return _counted(count, one, "known products no longer look like products")


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _is_refusal(error: FetchError) -> bool:
    return isinstance(error, PageForbidden | TooManyRequests | RobotsDisallowed)
