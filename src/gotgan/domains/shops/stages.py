"""The two stages of the work on a shop, who has it in hand, and when it is tried again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, Final

from gotgan.clock import utc_iso
from gotgan.domains.shops.models import STAGES, Shop, Stage, lifecycle_of, postponed_in
from gotgan.errors import BadItem, LostRace, UsageError
from gotgan.events import emit
from gotgan.lifecycle import Claim, Position, State
from gotgan.retry import Policy

if TYPE_CHECKING:
    from gotgan.store import Store

__all__ = [
    "Stuck",
    "claim_of",
    "claimed",
    "holder_of",
    "is_free",
    "is_ready",
    "may_wait",
    "postpone",
    "stage_of",
    "stuck_in",
]

_DONE_TO: Final = {"crawl": "crawled", "scrape": "scraped"}
_UNREACHED: Final = Policy(base=5 * 60, cap=6 * 3600)
"""A shop that could not be reached is tried again after 5 minutes, then 10, up to 6 hours."""


@dataclass(frozen=True)
class Stuck:
    """A shop whose worker stopped responding: its claim is past its lease."""

    shown: ClassVar = ("domain", "shop_country", "stage", "since", "owner", "attempts")

    shop: Shop
    stage: Stage
    since: datetime | None
    """When the claim started; null where that is not stored."""
    owner: str | None
    """The worker."""
    attempts: int
    """Claims since it was last done."""

    @property
    def domain(self) -> str:
        """The domain of the shop."""
        return self.shop.domain

    @property
    def shop_country(self) -> str | None:
        """The country of the shop."""
        return self.shop.shop_country

    def began_by(self, moment: datetime) -> bool:
        """Whether the claim began then or before; one that does not say when did."""
        return self.since is None or self.since <= moment


def stage_of(word: str) -> Stage:
    """The stage that a word names."""
    for stage in STAGES:
        if stage == word:
            return stage
    raise UsageError(f"{word!r} is no stage; use one of {', '.join(STAGES)}")


def is_free(shop: Shop, stage: Stage) -> bool:
    """Whether nobody has a claim on a shop that was read whole."""
    try:
        return lifecycle_of(stage).position(shop).state is not State.PROGRESS
    except BadItem:
        return False


def is_ready(shop: Shop, stage: Stage, now: datetime) -> bool:
    """Whether a shop that was read whole may be tried now: it is not postponed, or no longer."""
    waits = postponed_in(shop, stage)
    return waits is None or waits.not_before <= now


def may_wait(shop: Shop, stage: Stage) -> bool:
    """Whether a shop as an index has it may be postponed: it was begun since it was last done."""
    if stage == "crawl":
        began, ended = shop.last_crawled_start, shop.last_crawled_end
    else:
        began, ended = shop.last_scraped_start, shop.last_scraped_end
    return began is not None and (ended is None or ended < began)


def claimed(
    store: Store, stage: Stage, shop: Shop, lease: timedelta, *, is_early: bool = False
) -> Claim[Shop]:
    """Win the work on a shop; whoever cannot is told who has it, and until when.

    With ``is_early`` a shop that could not be reached is tried again before its time.
    """
    try:
        return lifecycle_of(stage).claim(store, shop, lease=lease, is_early=is_early)
    except LostRace as lost:
        held = None if lost.current is None else _why_not(lost.current, stage)
        told = held or f"somebody else has just dealt with {shop.domain}"
        raise LostRace(told, lost.current, lost.winner) from lost


def postpone(store: Store, stage: Stage, claim: Claim[Shop], error: str) -> datetime:
    """Give back a shop that could not be reached, and return when the next attempt is due."""
    attempts = claim.position.attempts
    due = store.clock.now() + timedelta(seconds=_UNREACHED.longest(attempts))
    lifecycle_of(stage).postpone(store, claim, error=error, until=due)
    emit(
        f"shops.{stage}.unreachable",
        level="warning",
        domain=claim.item.domain,
        reason=error,
        attempts=attempts,
        not_before=utc_iso(due),
    )
    return due


def claim_of(shop: Shop, stage: Stage) -> Stuck | None:
    """The claim on a shop that was read whole, whether or not its lease is over."""
    position = lifecycle_of(stage).position(shop)
    if position.state is not State.PROGRESS:
        return None
    return Stuck(shop, stage, position.since, position.owner, position.attempts)


def stuck_in(shop: Shop, stage: Stage, now: datetime) -> Stuck | None:
    """How a shop that was read whole is stuck in a stage; None where it is not."""
    lifecycle = lifecycle_of(stage)
    try:
        position = lifecycle.position(shop)
        is_over = position.is_over(now, lifecycle.declared.lease)
    except BadItem:  # shown, so that somebody mends it; whoever acts on it is told what is wrong
        position, is_over = Position(None), True
    if not is_over:
        return None
    return Stuck(shop, stage, position.since, position.owner, position.attempts)


def holder_of(shop: Shop, stage: Stage) -> str | None:
    """A sentence on who works on a shop that was read whole; None where nobody does."""
    position = lifecycle_of(stage).position(shop)
    if position.state is not State.PROGRESS:
        return None
    until = "" if position.lease_until is None else f" until {utc_iso(position.lease_until)}"
    return f"{shop.domain} is {_DONE_TO[stage]} by {position.owner or 'somebody'}{until}"


def _why_not(shop: Shop, stage: Stage) -> str | None:
    """Why a shop that was read whole cannot be claimed."""
    waits = postponed_in(shop, stage)
    if waits is not None and is_free(shop, stage):
        return f"{waits.last_error}; next attempt {utc_iso(waits.not_before)}"
    return holder_of(shop, stage)
