"""What a crawl has seen so far, whoever saw it: it follows from the visits that are written down.

Whoever goes on with a crawl that died counts the visits of its journal, and knows what the one
that died knew.
"""

from __future__ import annotations

from collections.abc import Collection

from gotgan.domains.shops.crawl_reports import CrawlReport
from gotgan.domains.shops.journal import Log, Visit
from gotgan.domains.shops.seeds import front_page

__all__ = ["CrawlTally"]


class CrawlTally:
    """What was seen, what is gone, and whether that is all."""

    def __init__(self, report: CrawlReport, log: Log) -> None:
        """``log`` is how far the crawl has come; its visits are counted into the report."""
        self._report = report
        self._front = front_page(report.domain)
        self.seen: set[str] = set()
        """Addresses that are accounted for, so that nothing there is taken for missing."""
        self.gone: list[str] = []
        self.standards: dict[str, None] = {}
        self.front: Visit | None = None
        """What became of the front page, once it was visited."""
        self.is_partial = log.is_partial
        """Whether something could not be had, so that not all was seen."""
        for visit in log.visits.values():
            self.count(visit)

    def count(self, visit: Visit) -> None:
        """Add a visit."""
        self._report.pages += 1
        self.front = visit if visit.url == self._front else self.front
        self.standards |= dict.fromkeys(visit.standards)
        match visit.state:
            case "seen" if visit.type is not None:
                self._report.products += visit.type == "product"
                self.seen.add(visit.url)
            case "unlike":
                self.count_unlike([visit.url])
            case "gone":  # what is gone is counted by itself
                self._report.gone += 1
                self.gone.append(visit.url)
                self.seen.add(visit.url)
            case "barred":
                self.seen.add(visit.url)
            case "failed":
                self.is_partial = True

    def count_unlike(self, urls: Collection[str]) -> None:
        """Add products that were met and did not look like products."""
        self._report.unlike += len(urls)
        self.seen.update(urls)
