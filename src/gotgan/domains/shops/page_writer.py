"""What is stored of the pages that a crawl has seen, and of those that it has not.

What a scrape wrote about a page stays. All of it can be done twice: a page that is there already is
left as it is, and one crawl counts the absence of a page once.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from datetime import datetime

from gotgan.domains.shops import changes, patterns
from gotgan.domains.shops.crawl_reports import CrawlReport
from gotgan.domains.shops.journal import Visit
from gotgan.domains.shops.models import ShopPage
from gotgan.domains.shops.reading import Status
from gotgan.errors import BadItem
from gotgan.events import emit
from gotgan.store import Ref, Store

__all__ = ["PageWriter"]


class PageWriter:
    """Whoever writes the pages of one shop; what came of it is counted in the report."""

    def __init__(self, store: Store, report: CrawlReport, keep_claim: Callable[[], None]) -> None:
        """``keep_claim`` is called where it takes long, and raises where the shop was lost."""
        self._store, self._report, self._keep_claim = store, report, keep_claim
        self._domain = report.domain

    def write(self, visits: Iterable[Visit]) -> set[str]:
        """Write the pages that were seen; gives those that no longer look like the product there.

        One visit may meet a captcha, so what has an offer stays a product, and is scraped again.
        """
        types = {each.url: each.type for each in visits if each.state == "seen" and each.type}
        known = self._known(types)
        self._write_new(types, {page.url for page in known})
        for page in known:
            self._found_again(page, "product" if _has_offer(page) else types[page.url])
        return {page.url for page in known if _has_offer(page) and types[page.url] != "product"}

    def miss(self, urls: Sequence[str], *, since: datetime) -> None:
        """Count that pages are gone, but for what was counted since the crawl began."""
        for page in self._known(urls):
            if _is_product(page) and not _was_missed(page, since):
                self._report.removed += changes.miss(self._store, page) == "removed"
                self._keep_claim()

    def remove_all_but(self, seen: Container[str]) -> None:
        """Products that were known and that nothing leads to any more are no longer offered."""
        # Of all pages: what has an offer is a product, whatever type is stored with it.
        pages = patterns.pages_of(self._domain)
        for page in self._store.iterate(pages, at_most=None, on_bad=self._pass_over):
            if _is_product(page) and page.url not in seen and not changes.is_gone(page):
                self._report.removed += changes.remove(self._store, page) == "removed"
                self._keep_claim()

    def _write_new(self, types: dict[str, str], known: set[str]) -> None:
        fresh = [
            ShopPage(domain=self._domain, url=url, type=page_type)
            for url, page_type in types.items()
            if url not in known
        ]
        stored = self._store.put_new_all(fresh, probe=False)
        self._report.new += len(stored.new)
        for failed in stored.failed:  # before the journal says that they are done
            raise failed.error

    def _found_again(self, page: ShopPage, page_type: str) -> None:
        if page.type != page_type:
            page = self._store.update(page, type=page_type).item
            self._report.changed += 1
        changes.restore(self._store, page)

    def _known(self, urls: Iterable[str]) -> list[ShopPage]:
        """Pages that are stored; what somebody else wrote and does not fit is passed over."""
        refs = [patterns.page(self._domain, url) for url in urls]
        try:
            return list(self._store.get_all(refs))
        except BadItem:
            return [page for ref in refs if (page := self._readable(ref)) is not None]

    def _readable(self, ref: Ref[ShopPage]) -> ShopPage | None:
        try:
            return self._store.get(ref)
        except BadItem as misfit:
            self._pass_over(misfit)
            return None

    def _pass_over(self, misfit: BadItem) -> None:
        emit("shops.page.bad", level="warning", domain=self._domain, reason=misfit.message)
        self._report.failed[misfit.code] += 1


def _has_offer(page: ShopPage) -> bool:
    """Whether somebody knows what a page offers, and that it is still there."""
    return page.hash is not None and page.status != Status.REMOVED


def _is_product(page: ShopPage) -> bool:
    return page.type == "product" or _has_offer(page)


def _was_missed(page: ShopPage, since: datetime) -> bool:
    """Whether a page was found gone since a moment, as by a crawl that died after it noted that."""
    return page.misses is not None and page.checked_at is not None and page.checked_at >= since
