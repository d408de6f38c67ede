"""The two stages of the work on a shop: which shops are due, claimed, postponed or done."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, ClassVar, Final

from gotgan.clock import utc_iso
from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.models import STAGES, Shop, Stage, last_times, lifecycle_of, postponement
from gotgan.errors import BadItem, GotganError, LostRace, UsageError
from gotgan.events import emit
from gotgan.lifecycle import Claim, Position, State
from gotgan.messages import Message, dump
from gotgan.retry import Policy
from gotgan.store import Query

if TYPE_CHECKING:
    from gotgan.store import Store


_RETRY_POLICY: Final = Policy(base=5 * 60, cap=6 * 3600)
"""For a shop that could not be reached: 5 minutes, then 10, up to 6 hours."""


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
        """Whether the claim began by then; one without a time did."""
        return self.since is None or self.since <= moment


def parse_stage(word: str) -> Stage:
    """The stage that a word names."""
    for stage in STAGES:
        if stage == word:
            return stage
    raise UsageError(messages.NOT_A_STAGE(word=repr(word), stages=STAGES))


def is_free(shop: Shop, stage: Stage) -> bool:
    """Whether a shop that was read whole has no claim."""
    try:
        return lifecycle_of(stage).position(shop).state is not State.PROGRESS
    except BadItem:
        return False


def is_ready(shop: Shop, stage: Stage, now: datetime) -> bool:
    """Whether a shop that was read whole may be tried now, or is postponed."""
    waits = postponement(shop, stage)
    return waits is None or waits.not_before <= now


def may_be_postponed(shop: Shop, stage: Stage) -> bool:
    """Whether a shop as an index has it may be postponed: started since it was last done."""
    began, ended = last_times(shop, stage)
    return began is not None and (ended is None or ended < began)


def claim_shop(
    store: Store, stage: Stage, shop: Shop, lease: timedelta, *, is_early: bool = False
) -> Claim[Shop]:
    """Claim a shop; LostRace says who has it and until when.

    With ``is_early`` a postponed shop is tried before its time.
    """
    try:
        return lifecycle_of(stage).claim(store, shop, lease=lease, is_early=is_early)
    except LostRace as lost:
        now = lost.current
        reason = None if now is None else _why_not_free(now, stage)
        reason = reason or messages.JUST_DONE(domain=shop.domain)
        raise LostRace(reason, now, lost.winner) from lost


def _why_not_free(shop: Shop, stage: Stage) -> Message | None:
    waits = postponement(shop, stage) if is_free(shop, stage) else None
    if waits is None:
        return holder(shop, stage)
    until, error = waits.not_before, waits.last_error
    return messages.POSTPONED(domain=shop.domain, until=until, error=error)


def postpone(store: Store, stage: Stage, claim: Claim[Shop], error: str) -> datetime:
    """Release a shop that could not be reached; return when the next attempt is due."""
    attempts = claim.position.attempts
    due = store.clock.now() + timedelta(seconds=_RETRY_POLICY.longest(attempts))
    lifecycle_of(stage).postpone(store, claim, error=dump(error), until=due)
    emit(
        f"shops.{stage}.unreachable",
        level="warning",
        domain=claim.item.domain,
        reason=error,
        attempts=attempts,
        not_before=utc_iso(due),
    )
    return due


def release(store: Store, stage: Stage, claim: Claim[Shop]) -> None:
    """Release a shop after an interrupt, so that another worker can go on at once."""
    try:
        lifecycle_of(stage).release(store, claim)
    except GotganError as error:  # its lease expires
        domain = claim.item.domain
        emit(f"shops.{stage}.held", level="warning", domain=domain, reason=error.message)


def current_claim(shop: Shop, stage: Stage) -> Stuck | None:
    """The claim on a shop that was read whole, expired or not."""
    position = lifecycle_of(stage).position(shop)
    if position.state is not State.PROGRESS:
        return None
    return Stuck(shop, stage, position.since, position.owner, position.attempts)


def stuck_claim(shop: Shop, stage: Stage, now: datetime) -> Stuck | None:
    """The expired claim on a shop that was read whole, if there is one."""
    lifecycle = lifecycle_of(stage)
    try:
        position = lifecycle.position(shop)
        is_over = position.is_over(now, lifecycle.declared.lease)
    except BadItem:  # reported, so that it gets repaired
        position, is_over = Position(None), True
    if not is_over:
        return None
    return Stuck(shop, stage, position.since, position.owner, position.attempts)


def holder(shop: Shop, stage: Stage) -> Message | None:
    """Who holds a shop that was read whole; None if it is free."""
    position = lifecycle_of(stage).position(shop)
    if position.state is not State.PROGRESS:
        return None
    owner, word = position.owner or messages.UNKNOWN_WORKER(), messages.WORDS[stage]()
    if position.lease_until is None:
        return messages.HELD(owner=owner, stage=word, domain=shop.domain)
    until = position.lease_until
    return messages.HELD_UNTIL(owner=owner, stage=word, domain=shop.domain, until=until)


CRAWL_INTERVAL: Final = timedelta(days=2)
"""How old a crawl is when the next one is due."""


@dataclass(frozen=True)
class DueSpan:
    """When a shop was last done to be due, both ends included.

    With ``after``, shops that were never done are left out.
    """

    before: datetime
    after: datetime | None = None

    @classmethod
    def of(
        cls, stage: Stage, now: datetime, before: datetime | None, after: datetime | None
    ) -> DueSpan:
        """The requested span, or the default up to now.

        A crawl is due when the last one is two days old. A scrape is due as soon as there is a
        crawl to scrape from.
        """
        usual = now - CRAWL_INTERVAL if stage == "crawl" else now
        span = cls(usual if before is None else before, after)
        if after is not None and after > span.before:
            end = span.before.isoformat()
            raise UsageError(messages.EMPTY_SPAN(after=after.isoformat(), before=end))
        return span

    def query(self, stage: Stage, country: str) -> Query[Shop]:
        """The shops of a country that are due."""
        if self.after is None:
            to_do = keys.shops_to_crawl if stage == "crawl" else keys.shops_to_scrape
            return to_do(country, self.before)
        done = keys.shops_crawled if stage == "crawl" else keys.shops_to_scrape_again
        return done(country, self.after, self.before)

    def has(self, last_end: datetime | None) -> bool:
        """Whether work that ended then is within the span."""
        if last_end is None:
            return self.after is None
        return last_end <= self.before and (self.after is None or self.after <= last_end)


def is_due(shop: Shop, stage: Stage, span: DueSpan) -> bool:
    """Whether a free shop is due: the same rule as the queries."""
    if stage == "crawl":
        return span.has(shop.last_crawled_end)
    return is_due_for_scrape(shop.last_crawled_end, shop.last_scraped_end, span)


def is_due_for_scrape(
    last_crawled_end: datetime | None,
    last_scraped_end: datetime | None,
    span: DueSpan | None = None,
) -> bool:
    """Crawled and never scraped; or scraped within the span, and crawled since.

    While a crawl is in progress, the end of the one before counts.
    """
    if last_crawled_end is None or (span is not None and not span.has(last_scraped_end)):
        return False
    return last_scraped_end is None or last_crawled_end > last_scraped_end
