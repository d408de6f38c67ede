"""The state of a shop in each stage, as the console draws it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gotgan.domains.shops.models import STAGES, Postponed, Shop, Stage, postponement, state_of
from gotgan.domains.shops.stages import Stuck, stuck_claim

STAGE_KINDS: Final[Mapping[str, str]] = {
    "never": "none",
    "progress": "running",
    "done": "good",
    "ok": "good",
    "empty": "none",
    "blocked": "warning",
    "unreachable": "warning",
    "budget": "warning",
    "stuck": "bad",
}
"""The state that the console draws for each word."""


@dataclass(frozen=True)
class StageStatus:
    """The status of a shop in a stage."""

    stage: Stage
    word: str
    """The state, or the outcome of one that is done."""
    began: datetime | None
    ended: datetime | None
    outcome: str | None
    """The outcome of the last run that ended."""
    reason: str | None
    stuck: Stuck | None
    postponed: Postponed | None
    """Why the last attempt could not reach the shop, and when the next one is due."""


def stage_statuses(shop: Shop, now: datetime) -> list[StageStatus]:
    """The status of a shop in each stage."""
    return [_stage_status(shop, stage, now) for stage in STAGES]


def _stage_status(shop: Shop, stage: Stage, now: datetime) -> StageStatus:
    stuck, postponed = stuck_claim(shop, stage, now), postponement(shop, stage)
    state, is_crawl = (state_of(shop, stage) or "NEVER").lower(), stage == "crawl"
    outcome = shop.crawl_outcome if is_crawl else shop.scrape_outcome
    word = outcome or state if state == "done" else state
    if postponed and state != "progress":
        word = "unreachable"
    return StageStatus(
        stage=stage,
        word="stuck" if stuck else word,
        began=shop.last_crawled_start if is_crawl else shop.last_scraped_start,
        ended=shop.last_crawled_end if is_crawl else shop.last_scraped_end,
        outcome=outcome,
        reason=shop.crawl_reason if is_crawl else shop.scrape_reason,
        stuck=stuck,
        postponed=postponed,
    )
