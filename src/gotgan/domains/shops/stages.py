"""The two stages of the work on a shop, and who has it in hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from gotgan.clock import utc_iso
from gotgan.domains.shops.models import Shop
from gotgan.errors import BadItem, LostRace, UsageError
from gotgan.lifecycle import Claim, LifecycleOf, Position, State
from gotgan.store import Store

__all__ = [
    "STAGES",
    "Stage",
    "Stuck",
    "claim_of",
    "claimed",
    "holder_of",
    "is_free",
    "lifecycle_of",
    "stage_of",
    "stuck_in",
]

Stage = Literal["crawl", "scrape"]
STAGES: Final[tuple[Stage, ...]] = ("crawl", "scrape")
_DONE_TO: Final = {"crawl": "crawled", "scrape": "scraped"}


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


def claimed(store: Store, stage: Stage, shop: Shop, lease: timedelta) -> Claim[Shop]:
    """Win the work on a shop; whoever cannot is told who has it, and until when."""
    try:
        return lifecycle_of(stage).claim(store, shop, lease=lease)
    except LostRace as lost:
        held = None if lost.current is None else holder_of(lost.current, stage)
        told = held or f"somebody else has just dealt with {shop.domain}"
        raise LostRace(told, lost.current, lost.winner) from lost


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
