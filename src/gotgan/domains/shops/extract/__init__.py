"""Extraction from a page of a shop: its type, its offer and its links.

What a page declares counts before what it shows, and each fact has its source. No page makes the
extraction fail: what cannot be read is treated as missing.
"""

from __future__ import annotations

from gotgan.domains.shops.extract.facts import SELECTOR_SOURCE, PageFacts, Status, fact_text
from gotgan.domains.shops.extract.reader import read_page
from gotgan.domains.shops.models import PageType

__all__ = ["SELECTOR_SOURCE", "PageFacts", "PageType", "Status", "fact_text", "read_page"]
