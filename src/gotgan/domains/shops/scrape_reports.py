"""What a scrape did, and how its end is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeAlias

from gotgan.domains.shops.models import Noted, ScrapeOutcome, Shop
from gotgan.errors import (
    AddressRefused,
    FetchTimeout,
    GotganError,
    LeadsElsewhere,
    NotRecorded,
    PageError,
    PageForbidden,
    PrivateName,
    RobotsDisallowed,
    RobotsUnavailable,
    ServerTrouble,
    TooManyRequests,
    Truncated,
    Unreachable,
)
from gotgan.store import Cost

__all__ = [
    "OnScrapeStep",
    "ScrapeReport",
    "ScrapeStep",
    "is_about_the_shop",
    "is_no_answer",
    "judged",
    "silently",
]

_REFUSALS: Final = (
    LeadsElsewhere,  # to a form that asks who we are
    PageError,
    PageForbidden,
    RobotsDisallowed,
    TooManyRequests,
)
_TROUBLES: Final = (
    AddressRefused,
    FetchTimeout,
    PageForbidden,
    RobotsUnavailable,
    ServerTrouble,
    TooManyRequests,
    Truncated,
    Unreachable,
)
_NO_ANSWERS: Final = (FetchTimeout, NotRecorded, PrivateName, Unreachable)


@dataclass(frozen=True)
class ScrapeStep:
    """How far a scrape has come, told after each page."""

    domain: str
    pages: int
    changes: int
    """How many products are new, changed or removed so far."""
    url: str
    """The page that was just looked at."""
    result: str
    """What was made of it, or the code of what went wrong."""
    back_off: float = 0.0
    """How many seconds the shop wants to be left alone."""


OnScrapeStep: TypeAlias = Callable[[ScrapeStep], None]


@dataclass(frozen=True)
class ScrapeReport:
    """What a scrape did, and why it ended."""

    domain: str
    outcome: ScrapeOutcome | None
    """None where the claim was lost to somebody else, who goes on with it."""
    reason: str
    pages: int
    """How many products were looked at."""
    noted: Mapping[Noted, int]
    """What was made of them, how often."""
    failed: Mapping[str, int]
    """By which codes pages could not be read, how often."""
    cost: Cost
    not_before: datetime | None = None
    """When the next attempt is due, where the shop could not be reached."""

    @property
    def new(self) -> int:
        """How many products were seen for the first time."""
        return self.noted.get("new", 0)

    @property
    def changed(self) -> int:
        """How many products are offered otherwise than before."""
        return self.noted.get("changed", 0)

    @property
    def removed(self) -> int:
        """How many products are gone for good."""
        return self.noted.get("removed", 0)

    @property
    def unchanged(self) -> int:
        """How many products are as they were."""
        return self.noted.get("unchanged", 0)


def silently(_: ScrapeStep) -> None:
    """Tell nobody how far it has come."""


def is_about_the_shop(error: GotganError) -> bool:
    """Whether a failure may be about us and the shop, rather than about one page."""
    if isinstance(error, RobotsDisallowed):
        return error.everything
    return isinstance(error, _TROUBLES)


def is_no_answer(error: GotganError) -> bool:
    """Whether a failure means that the site sent no response: no DNS, refused, timed out."""
    return isinstance(error, _NO_ANSWERS)


def judged(
    shop: Shop,
    answered: int,
    failed: Mapping[str, int],
    last: GotganError | None,
    *,
    is_hopeless: bool,
) -> tuple[ScrapeOutcome, str]:
    """How a scrape ended, and why: ``answered`` pages told something, ``last`` is what failed."""
    if last is not None and (is_hopeless or not answered):
        return ("blocked" if isinstance(last, _REFUSALS) else "unreachable"), last.message
    misses = sum(failed.values())
    if not answered and not misses:
        return "empty", f"no page of it is known as a product; {_why_none(shop)}"
    if not misses:
        return "ok", "all products were looked at"
    codes = ", ".join(f"{code} {times}" for code, times in sorted(failed.items()))
    return "ok", f"{misses} of {answered + misses} products could not be read: {codes}"


def _why_none(shop: Shop) -> str:
    """Why no product of a shop is known, by its last crawl."""
    if shop.crawl_outcome is None:
        return "crawl it first"
    why = f": {shop.crawl_reason}" if shop.crawl_reason else ""
    return f"its last crawl ended {shop.crawl_outcome}{why}"
