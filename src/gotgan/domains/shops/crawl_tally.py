"""What a crawl has seen so far, whoever saw it: it follows from the visits that are written down.

Whoever goes on with a crawl that died counts the visits of its journal, and knows what the one
that died knew.
"""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from gotgan.domains.shops.crawl_reports import CrawlReport
from gotgan.domains.shops.journal import Log, Visit
from gotgan.domains.shops.seeds import front_page
from gotgan.fetch import shown

__all__ = ["CrawlTally"]

_LOGIN: Final = re.compile(
    r"(?<![a-z])(?:(?:log|sign)[-_]?in|anmeld(?:en|ung)|connexion|password)(?![a-z])", re.IGNORECASE
)
"""How shops name the form behind which they keep everything."""


class CrawlTally:
    """What was seen, what is gone, and whether that is all."""

    def __init__(self, report: CrawlReport, log: Log) -> None:
        """``log`` is how far the crawl has come; its visits are counted into the report."""
        self._report = report
        self._home = front_page(report.domain)
        self.seen: set[str] = set()
        """Addresses that are accounted for, so that nothing there is taken for missing."""
        self.gone: list[str] = []
        self.standards: dict[str, None] = {}
        self.login: str | None = None
        """The form that the front page leads to, where it leads to one."""
        self.is_partial = log.is_partial
        """Whether something could not be had, so that not all was seen."""
        for visit in log.visits.values():
            self.count(visit)

    def count(self, visit: Visit) -> None:
        """Add a visit."""
        self._report.pages += 1
        self.standards |= dict.fromkeys(visit.standards)
        match visit.state:
            case "seen":
                self._count_seen(visit)
            case "gone":  # what is gone is counted by itself
                self._report.gone += 1
                self.gone.append(visit.url)
                self.seen.add(visit.url)
            case "barred":
                self.seen.add(visit.url)
            case "failed":
                self.is_partial = True

    def _count_seen(self, visit: Visit) -> None:
        self._report.products += visit.type == "product"
        if visit.type is not None:
            self.seen.add(visit.url)
        elif visit.url == self._home and visit.links and _is_login(visit.links[0]):
            self.login = shown(visit.links[0])


def _is_login(url: str) -> bool:
    place = urlsplit(url)
    return _LOGIN.search(f"{place.path}?{place.query}") is not None
