"""Messages of shops; their Korean is in ``texts/ko/shops.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.messages import Template

WORDS: Final[Mapping[str, Template]] = {
    word: Template(f"shops.word_{word}", word)
    for word in ("crawl", "scrape", "blocked", "unreachable")
}
"""Stages and outcomes, to be named inside another message."""
NO_SHOPS: Final = Template("shops.no_shops", "no shop is registered with a country")
NO_WEBHOOK: Final = Template(
    "shops.no_webhook",
    "nobody wants to hear of changes; set GOTGAN_WEBHOOK and GOTGAN_WEBHOOK_SECRET",
)
DONE_COUNT: Final = Template("shops.done_count", "{count} done")
UNREACHABLE_COUNT: Final = Template("shops.unreachable_count", "{count} unreachable")
ELSEWHERE_COUNT: Final = Template("shops.elsewhere_count", "{count} in progress elsewhere")
FAILED_COUNT: Final = Template("shops.failed_count", "{count} failed")
RESULT: Final = Template("shops.result", "{counts:list}")
NOTHING: Final = Template("shops.nothing", "none")
VISIT_FAILED: Final = Template("shops.visit_failed", "{stage} {outcome}: {why}")
NEXT_ATTEMPT: Final = Template("shops.next_attempt", "next attempt {at}")
DUE_FROM: Final = Template("shops.due_from", "due again from {at} on")
DUE_AFTER_CRAWL: Final = Template("shops.due_after_crawl", "due again after its next crawl")
WORKER_DIED: Final = Template("shops.worker_died", "the {stage} of {owner} never ended")
TAKEN_OVER: Final = Template(
    "shops.taken_over", "the next {stage} takes it over, or gotgan shops release"
)
