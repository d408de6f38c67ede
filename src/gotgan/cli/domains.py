"""``gotgan shops`` and the other domains: the verbs of each service."""

from __future__ import annotations

from gotgan.cli.binder import VerbGroup

__all__ = ["shops"]

shops = VerbGroup(
    "shops",
    "gotgan.domains.shops.service:Shops",
    help="Crawl shops, scrape their products and detect changes.",
)
