"""How a shop stands in a stage, in one word and as one of the console's states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Final

from gotgan.domains.shops.models import STAGES, Postponed, Shop, Stage, postponed_in, state_of
from gotgan.domains.shops.stages import Stuck, stuck_in

__all__ = ["KINDS", "StageStatus", "standings"]

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
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
)
"""The console's state of each: good, running, warning, bad or none."""


@dataclass(frozen=True)
class StageStatus:
    """Where a shop that was read whole stands in a stage."""

    stage: Stage
    word: str
    """A state; of one that is done its outcome, where that is known, unless it is unreachable."""
    began: datetime | None
    ended: datetime | None
    outcome: str | None
    """How it last ended, whatever is under way now."""
    reason: str | None
    stuck: Stuck | None
    postponed: Postponed | None
    """Why the last attempt could not reach the shop, and when the next one is due."""


def standings(shop: Shop, now: datetime) -> list[StageStatus]:
    """Where a shop stands in each stage."""
    return [_standing(shop, stage, now) for stage in STAGES]


def _standing(shop: Shop, stage: Stage, now: datetime) -> StageStatus:
    stuck = stuck_in(shop, stage, now)
    state = (state_of(shop, stage) or "NEVER").lower()
    postponed, is_crawl = postponed_in(shop, stage), stage == "crawl"
    outcome = shop.crawl_outcome if is_crawl else shop.scrape_outcome
    return StageStatus(
        stage=stage,
        word=_word(state, outcome, stuck, postponed),
        began=shop.last_crawled_start if is_crawl else shop.last_scraped_start,
        ended=shop.last_crawled_end if is_crawl else shop.last_scraped_end,
        outcome=outcome,
        reason=shop.crawl_reason if is_crawl else shop.scrape_reason,
        stuck=stuck,
        postponed=postponed,
    )


def _word(state: str, outcome: str | None, stuck: Stuck | None, postponed: Postponed | None) -> str:
    if stuck:
        return "stuck"
    if postponed and state != "progress":
        return "unreachable"
    return outcome or state if state == "done" else state
