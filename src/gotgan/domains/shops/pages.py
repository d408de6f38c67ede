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
from gotgan.domains.shops.journal import Visit, VisitState
from gotgan.domains.shops.models import Platform, ShopPage
from gotgan.domains.shops.platforms import marked_platform
from gotgan.domains.shops.reports import UNANSWERED, CrawlReport, is_shop_failure
from gotgan.domains.shops.sites import is_same_site
from gotgan.errors import (
    BadItem,
    BlockPage,
    FetchError,
    LeadsElsewhere,
    PageMissing,
    RobotsDisallowed,
)
from gotgan.events import emit
from gotgan.fetch import FetchRequest, FetchResponse, FetchResult, Validators, display_url
from gotgan.store import Store

_MAX_PAGE_BYTES: Final = 5_000_000
_MAX_FAILURES: Final = 20
"""After this many failures in a row the crawl gives up."""


class PageFetcher:
    """Fetches the pages of a shop, with the visits of the last crawl at hand.

    With ``rereads`` all pages are needed whole; else the front page is, unless
    ``is_platform_known``, for the marks on it.
    """

    def __init__(
        self,
        report: CrawlReport,
        memory: Mapping[str, Visit],
        selectors: Mapping[str, str],
        *,
        rereads: bool,
        is_platform_known: bool,
    ) -> None:
        self._report = report
        self._memory = memory
        self._selectors = selectors
        self._rereads = rereads
        self._is_platform_known = is_platform_known
        self._in_a_row: list[FetchError | BlockPage] = []
        self._lost = Counter[str]()
        self._example: dict[str, str] = {}
        self._no_answer: FetchError | None = None
        self._front = front_page_url(report.domain)
        self.has_answered = False
        self.absent: set[str] = set()
        """Pages that say, with status 200, that they are gone."""
        self.platform: Platform | None = None
        """The shop system that left its marks on the front page."""
        self.has_read_front = False
        self.front_error: FetchError | None = None
        self.front_title: str | None = None
        self.is_ours = partial(is_same_site, domain=report.domain)

    def ask(self, url: str) -> FetchRequest[str]:
        """The conditional request for a page."""
        known = self._memory.get(url)
        is_whole = self._rereads or (url == self._front and not self._is_platform_known)
        return FetchRequest(
            url,
            about=url,
            validators=Validators() if known is None or is_whole else known.validators,
            most_bytes=_MAX_PAGE_BYTES,
            within=self.is_ours,
        )

    def visit(self, fetched: FetchResult[str]) -> Visit:
        """The visit that a response, or its absence, amounts to."""
        url = fetched.ask.about
        if fetched.answer is None:
            return self._failed_visit(url, fetched.error)
        self.has_answered = True
        if fetched.answer.is_unchanged:
            self._in_a_row.clear()
            self._report.unchanged += 1
            known = self._memory[url]
            self.absent |= {url} if known.state == "absent" else set()
            return replace(known, state="seen")  # it may have failed the last time
        visit = self._page_visit(url, fetched.answer)
        if visit.state != "blocked":
            self._in_a_row.clear()
        return visit

    def gives_up(self) -> bool:
        """Whether too many requests in a row failed."""
        return len(self._in_a_row) >= _MAX_FAILURES

    @property
    def unreached(self) -> FetchError | None:
        """Why the shop could not be reached, if no request was answered."""
        return None if self.has_answered else self._no_answer

    @property
    def trouble(self) -> FetchError | BlockPage | None:
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
            self.has_answered = True
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
        home, is_front = canonical_url(answer.url) or url, url == self._front
        charset, selectors = answer.charset, self._selectors
        facts = read_page(answer.body, answer.url, charset=charset, selectors=selectors)
        if facts.absence == "blocked" and (is_front or home != url):
            return self._blocked_visit(url)
        if is_front:
            self.platform, self.has_read_front = marked_platform(answer.body), True
        if home != url:  # a redirect: what it leads to is the page
            return Visit(url, "seen", links=(home,))
        if is_front:
            self.front_title = facts.title
        twin = canonical_url(facts.canonical, url) if facts.canonical else None
        is_twin = twin is not None and twin != url and self.is_ours(twin)
        page_type, links = (None, (twin,)) if twin and is_twin else (facts.type, facts.links)
        if facts.absence == "gone" and page_type is not None:
            self.absent.add(url)
            page_type = "other" if page_type == "product" else page_type
        return Visit(url, "seen", page_type, links, answer.validators, facts.standards)

    def _blocked_visit(self, url: str) -> Visit:
        """A captcha in the place of a page, or of what it redirects to."""
        error = BlockPage(messages.PAGE_BLOCKED(url=display_url(url)))
        self._in_a_row.append(error)
        self._report.failed[error.code] += 1
        self._lost[error.code] += 1
        self._example.setdefault(error.code, url)
        return Visit(url, "blocked")


_PRESENT: Final = ("seen", "listed")


class PageWriter:
    """Stores the pages of one shop; ``keep_claim`` raises if the shop was lost meanwhile."""

    def __init__(self, store: Store, report: CrawlReport, keep_claim: Callable[[], None]) -> None:
        self._store, self._report, self._keep_claim = store, report, keep_claim
        self._domain = report.domain

    def write(
        self, visits: Iterable[Visit], absent: Container[str] = frozenset()
    ) -> Mapping[str, VisitState]:
        """Store the visited pages; return the states of those that are not as they were stored.

        A visit may meet a captcha, so a page with an offer stays a product, and is scraped again.
        A product among the ``absent`` pages may be gone; it stays as it is for now.
        """
        types = {each.url: each.type for each in visits if each.state in _PRESENT and each.type}
        known = self._stored_pages(types)
        self._write_new(types, {page.url for page in known})
        missed = {page.url for page in known if page.url in absent and _is_product(page)}
        for page in known:
            if page.url in missed:
                continue
            page_type = "product" if _has_offer(page) else types[page.url]
            if page.type != page_type:
                page = self._store.update(page, type=page_type).item  # noqa: PLW2901
                self._report.changed += 1
            changes.clear_misses(self._store, page)
        unlike = (page for page in known if _has_offer(page) and types[page.url] != "product")
        states: dict[str, VisitState] = {page.url: "unlike" for page in unlike}
        return states | dict.fromkeys(missed, "absent")

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
