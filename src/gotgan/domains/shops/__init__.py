"""Shops: which there are, when each was crawled and scraped, and what its pages are."""

from __future__ import annotations

from typing import Final

from gotgan.domain import Domain, Job

__all__ = ["DOMAIN"]

DOMAIN: Final = Domain(
    name="shops",
    line="Crawl shops, scrape their products and detect changes.",
    service="gotgan.domains.shops.service:Shops",
    tables="gotgan.domains.shops.keys",
    section="gotgan.console.shops",
    terminal="gotgan.cli.terminal.shops",
    jobs=(
        Job(
            "shops.adopt",
            "50 3 * * *",
            gate="shops.is_to_adopt",
            words="Adds index keys that shops of other tools lack; reads up to 100,000 items a "
            "day.",
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
            words="Looks at all products of shops that were crawled since they were last scraped.",
        ),
        Job(
            "shops.deliver",
            "*/15 * * * *",
            gate="shops.is_webhook_ready",
            words="Hands over to the webhook what changed in shops.",
        ),
    ),
)
