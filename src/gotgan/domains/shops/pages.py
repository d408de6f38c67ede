"""The pages of a crawl: fetched, read and stored.

What a scrape stored about a page stays. Everything can be repeated: a stored page stays as it is,
and one crawl counts the absence of a page once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Final

from gotgan.domains.shops import changes, keys, messages
from gotgan.domains.shops.canonical import canonical_url
from gotgan.domains.shops.extract import Status, read_page
from gotgan.domains.shops.frontier import front_page_url
from gotgan.domains.shops.journal import Visit
from gotgan.domains.shops.models import ShopPage
from gotgan.domains.shops.reports import UNANSWERED, CrawlReport, is_shop_failure
from gotgan.domains.shops.sites import is_same_site
from gotgan.errors import BadItem, FetchError, LeadsElsewhere, PageMissing, RobotsDisallowed
from gotgan.events import emit
from gotgan.fetch import FetchRequest, FetchResponse, FetchResult, Validators, display_url
from gotgan.store import Store

_MAX_PAGE_BYTES: Final = 5_000_000
_MAX_FAILURES: Final = 20
"""After this many failures in a row the crawl gives up."""


class PageFetcher:
    """Fetches the pages of a shop, with the visits of the last crawl at hand."""

    def __init__(self, report: CrawlReport, memory: Mapping[str, Visit]) -> None:
        self._report = report
        self._memory = memory
        self._in_a_row: list[FetchError] = []
        self._lost = Counter[str]()
        self._example: dict[str, str] = {}
        self._has_answered = False
        self._no_answer: FetchError | None = None
        self._front = front_page_url(report.domain)
        self.front_error: FetchError | None = None
        self.front_title: str | None = None
        self.is_ours = partial(is_same_site, domain=report.domain)

    def ask(self, url: str) -> FetchRequest[str]:
        """The conditional request for a page."""
        known = self._memory.get(url)
        return FetchRequest(
            url,
            about=url,
            validators=known.validators if known else Validators(),
            most_bytes=_MAX_PAGE_BYTES,
            within=self.is_ours,
        )

    def visit(self, fetched: FetchResult[str]) -> Visit:
        """The visit that a response, or its absence, amounts to."""
        url = fetched.ask.about
        if fetched.answer is None:
            return self._failed_visit(url, fetched.error)
        self._in_a_row.clear()
        self._has_answered = True
        if fetched.answer.is_unchanged:
            self._report.unchanged += 1
            return replace(self._memory[url], state="seen")  # it may have failed the last time
        return self._page_visit(url, fetched.answer)

    def gives_up(self) -> bool:
        """Whether too many requests in a row failed."""
        return len(self._in_a_row) >= _MAX_FAILURES

    @property
    def unreached(self) -> FetchError | None:
        """Why the shop could not be reached, if no request was answered."""
        return None if self._has_answered else self._no_answer

    @property
    def trouble(self) -> FetchError | None:
        """The last error, if the last request failed."""
        return self._in_a_row[-1] if self._in_a_row else None

    @property
    def worst(self) -> str:
        """The most frequent error and an example; empty if there was none."""
        if not self._lost:
            return ""
        [(code, times)] = self._lost.most_common(1)
        url = display_url(self._example[code])
        return messages.MOST_FREQUENT(code=code, count=times, url=url)

    def _failed_visit(self, url: str, error: FetchError | None) -> Visit:
        if error is not None and isinstance(error, UNANSWERED):
            self._no_answer = self._no_answer or error
        else:
            self._has_answered = True
        if url == self._front:
            self.front_error = error
        if isinstance(error, PageMissing):
            self._in_a_row.clear()
            return Visit(url, "gone")
        if error is not None:
            self._report.failed[error.code] += 1
            if is_shop_failure(error):
                self._in_a_row.append(error)
            else:
                self._in_a_row.clear()
        if isinstance(error, LeadsElsewhere):
            return Visit(url, "seen")  # no page of the shop
        if isinstance(error, RobotsDisallowed):
            return Visit(url, "barred")
        if error is not None:
            self._lost[error.code] += 1
            self._example.setdefault(error.code, url)
        return replace(self._memory.get(url, Visit(url, "failed")), state="failed")

    def _page_visit(self, url: str, answer: FetchResponse) -> Visit:
        home = canonical_url(answer.url) or url
        if home != url:  # a redirect: what it leads to is the page
            return Visit(url, "seen", links=(home,))
        facts = read_page(answer.body, answer.url, charset=answer.charset)
        if url == self._front:
            self.front_title = facts.title
        twin = canonical_url(facts.canonical, url) if facts.canonical else None
        is_twin = twin is not None and twin != url and self.is_ours(twin)
        page_type, links = (None, (twin,)) if twin and is_twin else (facts.type, facts.links)
        return Visit(url, "seen", page_type, links, answer.validators, facts.standards)


class PageWriter:
    """Stores the pages of one shop; ``keep_claim`` raises if the shop was lost meanwhile."""

    def __init__(self, store: Store, report: CrawlReport, keep_claim: Callable[[], None]) -> None:
        self._store, self._report, self._keep_claim = store, report, keep_claim
        self._domain = report.domain

    def write(self, visits: Iterable[Visit]) -> set[str]:
        """Store the visited pages; return those that no longer look like the product stored.

        A visit may meet a captcha, so a page with an offer stays a product, and is scraped again.
        """
        types = {each.url: each.type for each in visits if each.state == "seen" and each.type}
        known = self._stored_pages(types)
        self._write_new(types, {page.url for page in known})
        for page in known:
            page_type = "product" if _has_offer(page) else types[page.url]
            if page.type != page_type:
                page = self._store.update(page, type=page_type).item  # noqa: PLW2901
                self._report.changed += 1
            changes.clear_misses(self._store, page)
        return {page.url for page in known if _has_offer(page) and types[page.url] != "product"}

    def miss(self, urls: Sequence[str], *, since: datetime) -> None:
        """Count that pages are gone, once per crawl."""
        for page in self._stored_pages(urls):
            checked_at = page.checked_at if page.misses is not None else None
            was_missed = checked_at is not None and checked_at >= since  # before a crash
            if _is_product(page) and not was_missed:
                self._report.removed += changes.record_missing(self._store, page) == "removed"
                self._keep_claim()

    def remove_all_but(self, seen: Container[str]) -> None:
        """Mark known products without links to them as removed."""
        pages = keys.pages_of(self._domain)  # a page with an offer is a product, whatever its type
        for page in self._store.iterate(pages, at_most=None, on_bad=self._count_bad_page):
            if _is_product(page) and page.url not in seen and not changes.is_gone(page):
                self._report.removed += changes.record_removed(self._store, page) == "removed"
                self._keep_claim()

    def _write_new(self, types: dict[str, str], known: set[str]) -> None:
        fresh = [
            ShopPage(domain=self._domain, url=url, type=page_type)
            for url, page_type in types.items()
            if url not in known
        ]
        stored = self._store.put_new_all(fresh, probe=False)
        self._report.new += len(stored.new)
        for failed in stored.failed:  # before they count as done in the journal
            raise failed.error

    def _stored_pages(self, urls: Iterable[str]) -> list[ShopPage]:
        """The stored pages; those of other tools that cannot be read are left out."""
        refs = [keys.page(self._domain, url) for url in urls]
        try:
            return list(self._store.get_all(refs))
        except BadItem:
            pages: list[ShopPage] = []
        for ref in refs:
            try:
                page = self._store.get(ref)
            except BadItem as misfit:
                self._count_bad_page(misfit)
            else:
                pages += [page] if page is not None else []
        return pages

    def _count_bad_page(self, misfit: BadItem) -> None:
        emit("shops.page.bad", level="warning", domain=self._domain, reason=misfit.message)
        self._report.failed[misfit.code] += 1


def _has_offer(page: ShopPage) -> bool:
    """Whether the offer of a page is known, and not removed."""
    return page.hash is not None and page.status != Status.REMOVED


def _is_product(page: ShopPage) -> bool:
    return page.type == "product" or _has_offer(page)
