"""The two stages of the work on a shop, who has it in hand, and when it is tried again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from gotgan.clock import utc_iso
from gotgan.domains.shops.models import Shop
from gotgan.errors import BadItem, LostRace, UsageError
from gotgan.events import emit
from gotgan.lifecycle import Claim, LifecycleOf, Position, State
from gotgan.retry import Policy
from gotgan.store import Store

__all__ = [
    "STAGES",
    "Postponed",
    "Stage",
    "Stuck",
    "claim_of",
    "claimed",
    "holder_of",
    "is_free",
    "is_ready",
    "lifecycle_of",
    "may_wait",
    "postpone",
    "postponed_in",
    "stage_of",
    "stuck_in",
]

Stage = Literal["crawl", "scrape"]
STAGES: Final[tuple[Stage, ...]] = ("crawl", "scrape")
_DONE_TO: Final = {"crawl": "crawled", "scrape": "scraped"}
_UNREACHED: Final = Policy(base=5 * 60, cap=6 * 3600)
"""A shop that could not be reached is tried again after 5 minutes, then 10, up to 6 hours."""


@dataclass(frozen=True)
class Stuck:
    """A shop whose worker is no more: its claim is past its lease."""

    shop: Shop
    stage: Stage
    since: datetime | None
    """When the claim began; None where what is stored does not say it."""
    owner: str | None
    attempts: int
    """How many claims there were since it was last done."""

    def began_by(self, moment: datetime) -> bool:
        """Whether the claim began then or before; one that does not say when did."""
        return self.since is None or self.since <= moment


@dataclass(frozen=True)
class Postponed:
    """A shop that the last attempt could not reach."""

    domain: str
    stage: Stage
    error: str
    attempts: int
    """How many attempts there were since it was last done."""
    not_before: datetime
    """When the next attempt is due."""
    tried_at: datetime | None
    """When the last attempt began."""


def stage_of(word: str) -> Stage:
    """The stage that a word names."""
    for stage in STAGES:
        if stage == word:
            return stage
    raise UsageError(f"{word!r} is no stage; use one of {', '.join(STAGES)}")


def lifecycle_of(stage: Stage) -> LifecycleOf[Shop]:
    """The lifecycle of a stage."""
    return Shop.crawl if stage == "crawl" else Shop.scrape


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
    due = store.clock.now() + timedelta(seconds=_UNREACHED.longest(max(attempts, 1)))
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


def postponed_in(shop: Shop, stage: Stage) -> Postponed | None:
    """Why a shop that was read whole could not be reached the last time; None where it was."""
    try:
        position = lifecycle_of(stage).position(shop)
    except BadItem:  # ``stuck_in`` shows it
        return None
    if position.last_error is None or position.not_before is None:
        return None
    tried_at = shop.last_crawled_start if stage == "crawl" else shop.last_scraped_start
    return Postponed(
        shop.domain, stage, position.last_error, position.attempts, position.not_before, tried_at
    )


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
        return f"{waits.error}; next attempt {utc_iso(waits.not_before)}"
    return holder_of(shop, stage)
