"""The one table of the shops, and its four indexes."""

from __future__ import annotations

from typing import Final

from gotgan.store import KEYS_ONLY, Table

__all__ = ["BY_CORE_DOMAIN", "BY_CRAWL", "BY_PAGE_TYPE", "BY_SCRAPE", "SHOPS"]

SHOPS: Final = Table("aura-historia-data", pk="pk", sk="sk")
BY_PAGE_TYPE: Final = SHOPS.index("GSI1", pk="gsi1_pk", sk="gsi1_sk")
BY_CRAWL: Final = SHOPS.index(
    "GSI2",
    pk="gsi2_pk",
    sk="gsi2_sk",
    project=("domain", "last_crawled_start", "last_crawled_end"),
)
BY_SCRAPE: Final = SHOPS.index(
    "GSI3",
    pk="gsi3_pk",
    sk="gsi3_sk",
    project=("domain", "last_scraped_start", "last_scraped_end", "last_crawled_end"),
)
BY_CORE_DOMAIN: Final = SHOPS.index("GSI4", pk="gsi4_pk", sk="gsi4_sk", project=KEYS_ONLY)
