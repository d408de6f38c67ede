"""Shops: which there are, when each was crawled and scraped, and what its pages are."""

from __future__ import annotations

from typing import Final

from gotgan.domain import Command, Domain, Job

__all__ = ["DOMAIN"]

DOMAIN: Final = Domain(
    name="shops",
    line="Crawl shops, scrape their products and detect changes.",
    service="gotgan.domains.shops.service:Shops",
    exports="gotgan.domains.shops.exports",
    tables="gotgan.domains.shops.keys",
    section="gotgan.console.shops",
    terminal="gotgan.cli.terminal.shops",
    commands={
        "remove": Command("gotgan.cli.shops", "Delete a shop with its pages and changes.", "remove")
    },
    jobs=(
        Job(
            "shops.adopt",
            "50 3 * * *",
            gate="shops.is_to_adopt",
            words="Adds missing index keys to shops written by other tools; reads up to 100,000 "
            "items a day.",
            at_start=True,
        ),
        Job(
            "shops.crawl",
            "10 * * * *",
            gate="shops.is_ready",
            words="Crawls the shops that are due: never crawled, or not for two days.",
        ),
        Job(
            "shops.scrape",
            "40 * * * *",
            gate="shops.is_ready",
            words="Checks all products of shops that were crawled since their last scrape.",
        ),
        Job(
            "shops.deliver",
            "*/15 * * * *",
            gate="shops.is_webhook_ready",
            words="Sends changes of shops to the webhook.",
        ),
    ),
)
