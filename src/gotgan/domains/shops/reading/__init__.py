"""Understanding a page of a shop: what it is, what it offers, and where it leads.

What a page declares counts before what it shows, and each fact says where it is from. Nothing
that stands on a page makes the reader fail: what cannot be read is as if it were not there.
"""

from __future__ import annotations

from gotgan.domains.shops.reading.facts import PageFacts, PageType, Status
from gotgan.domains.shops.reading.reader import read_page

__all__ = ["PageFacts", "PageType", "Status", "read_page"]
