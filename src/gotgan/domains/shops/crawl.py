"""The crawl of one shop: from its front page and sitemaps to all pages that they lead to.

Every few dozen pages the visits are stored, pages first and the journal after them: a worker that
resumes after a crash repeats the last stretch, with the same result. Absent pages are recorded at
the very end, by the worker that still has the claim.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from typing import Final

from gotgan.domains.shops import messages
from gotgan.domains.shops.extract.selected import selectors_digest
from gotgan.domains.shops.frontier import Frontier, front_page_url, seed_urls
from gotgan.domains.shops.journal import (
    CrawlLog,
    Journal,
    Visit,
    VisitState,
    last_crawl_log,
    next_slot,
)
from gotgan.domains.shops.models import CrawlOutcome, Platform, Shop
from gotgan.domains.shops.pages import PageFetcher, PageWriter
from gotgan.domains.shops.platforms import (
    ProductList,
    confirmed_facts,
    is_platform_known,
    known_platform,
    read_product_list,
)
from gotgan.domains.shops.reports import MAX_ABSENT, CrawlReport, CrawlStep, judge_crawl
from gotgan.domains.shops.sites import CONSENT_WORDS, form_kind
from gotgan.domains.shops.stages import postpone, release
from gotgan.errors import FetchError, LeadsElsewhere, LostRace, PageMissing
from gotgan.events import emit
from gotgan.fetch import FetchResult, Web, display_url
from gotgan.lifecycle import DEFAULT_LEASE, Claim
from gotgan.store import Store

DEFAULT_PAGE_BUDGET: Final = 5_000
_CONCURRENCY: Final = 8
CHECKPOINT_PAGES: Final = 50 - _CONCURRENCY
"""Pages stored together: with those in progress, at most fifty are repeated."""
_MAX_LEFT_OVER_FACTOR: Final = 10
"""Pages taken over from the last crawl, as a multiple of the budget."""
_URLS_BETWEEN_RENEWALS: Final = 1_000
_LISTED_BATCH_SIZE: Final = 250
"""Products of a list that are stored together."""


class Crawl:
    """One crawl of a claimed shop."""

    def __init__(
        self,
        store: Store,
        web: Web,
        claim: Claim[Shop],
        *,
        budget: int = DEFAULT_PAGE_BUDGET,
        lease: timedelta = DEFAULT_LEASE,
        on_step: Callable[[CrawlStep], None] = lambda _: None,
    ) -> None:
        shop = claim.item
        self.store, self._web, self._on_step = store, web, on_step
        self._domain = shop.domain
        self.claim, self._lease, self._renewed_at = claim, lease, store.clock.now()
        slot = next_slot(shop.journal)
        resumed = Journal.resumed(store, claim, slot)
        self._journal, log = resumed or (Journal.begin(store, claim, slot), CrawlLog())
        self._frontier = Frontier(budget, log)
        self._visits = list[Visit]()
        self._found = list[str]()
        self.report = CrawlReport(shop.domain)
        self._tally = CrawlTally(self.report, log)
        self._memory = last_crawl_log(store, shop)
        self._selectors = selectors_digest(shop.selectors)
        self._is_platform_known = is_platform_known(shop, store.clock.now())
        self._fetcher = PageFetcher(
            self.report,
            self._memory.visits,
            shop.selectors or {},
            rereads=self._selectors != shop.selectors_crawled,
            is_platform_known=self._is_platform_known,
        )
        self._flaw = ""
        self._writer = PageWriter(store, self.report, self._keep_claim)

    def run(self) -> CrawlReport:
        """Visit the pages and finish the shop; LostRace if the claim was lost.

        A shop that answered no request is postponed, with its journal, so that the next attempt
        visits all.
        """
        with self.store.metered("crawl") as measured:
            if not self._frontier.taken:
                self._begin()
            self._read_list()
            self._visit_all()
            if (error := self._fetcher.unreached) is not None:
                self.report.outcome, self.report.reason = "unreachable", error.message
                self.report.not_before = postpone(self.store, "crawl", self.claim, error.message)
            else:
                self._store_visits()
                self._judge()
                self._record_absences()
                self._finish()
        self.report.cost = measured.cost
        return self.report

    def _keep_claim(self) -> None:
        """Renew the claim after a quarter of the lease; LostRace if it was lost."""
        if self.store.clock.now() - self._renewed_at >= self._lease / 4:
            self._renew_claim()

    def _renew_claim(self) -> None:
        now = self.store.clock.now()
        self.claim = Shop.crawl.renew(self.store, self.claim, lease=self._lease)
        self._renewed_at = now

    def _begin(self) -> None:
        """Queue what the last crawl had no budget for, then the front page and sitemaps."""
        budget, memory = self._frontier.budget, self._memory
        unvisited = (url for url in memory.found if url not in memory.visits)
        left = list(islice(unvisited, _MAX_LEFT_OVER_FACTOR * budget))
        self._find(left)
        self._find(self._seeds(2 * budget, known=memory.found if left else {}))

    def _seeds(self, most: int, *, known: Container[str]) -> Iterator[str]:
        """The seeds; endless sitemaps are cut when the budget is clearly too small."""
        found = seed_urls(self._web, self._domain, on_file=self._keep_claim, on_flaw=self._add_flaw)
        new = 0
        for number, url in enumerate(found):
            if new == most:
                self._add_flaw(messages.SITEMAPS_TOO_LONG(count=most))
                return
            if number % _URLS_BETWEEN_RENEWALS == 0:
                self._keep_claim()
            new += url not in known
            yield url

    def _add_flaw(self, reason: str) -> None:
        """Remember that the crawl is incomplete, so that no page counts as missing."""
        emit("shops.crawl.partial", domain=self._domain, reason=reason)
        self._tally.is_partial = True
        self._flaw = self._flaw or reason

    def _read_list(self) -> None:
        """Take products from the list of the shop's system, if it has one; they need no visit.

        A crawl that was interrupted reads it again: products may be nowhere else.
        """
        known, domain = known_platform(self.claim.item), self._domain
        platform = known if self._is_platform_known else self._marked_platform()
        if platform is None:
            return
        listing = read_product_list(self._web, domain, platform, on_page=self._on_list_page)
        error = listing.error
        if known is not None and error is not None:
            self._add_flaw(error.message)
        if listing.is_refused:
            self._remember_list(None)
        elif known is None and (error is None or not error.retry):
            is_confirmed = confirmed_facts(self._web, listing, domain) is not None
            self._remember_list(platform if is_confirmed else None)
        if known_platform(self.claim.item) is not None:
            self._add_listed(listing)

    def _marked_platform(self) -> Platform | None:
        """The shop system by the front page, which is visited before all others for that."""
        front = front_page_url(self._domain)
        if self._frontier.take_early(front):
            for fetched in self._web.get_all([self._fetcher.ask(front)]):
                self._add_visit(fetched)
        return self._fetcher.platform

    def _remember_list(self, platform: Platform | None) -> None:
        """Store at once whether the shop has a list, before anything depends on it."""
        now = self.store.clock.now()
        shop = self.store.update(
            self.claim.item, product_list=platform, product_list_checked_at=now
        ).item
        self.claim = replace(self.claim, item=shop)

    def _on_list_page(self, url: str) -> None:
        self._fetcher.has_answered = True
        self._keep_claim()
        self._report_step(url)

    def _add_listed(self, listing: ProductList) -> None:
        urls = iter(listing.products)
        while batch := list(islice(urls, _LISTED_BATCH_SIZE)):
            self._find(batch)
            visits = [Visit(url, "listed", "product") for url in batch if self._frontier.drop(url)]
            for visit in visits:
                self._tally.count(visit)
            self._visits += visits
            self._store_visits()
        self.report.saved = max(0, self.report.listed - listing.requests)

    def _visit_all(self) -> None:
        """In rounds: pages in progress may lead to more."""
        while self._frontier.left and not self._frontier.is_spent and not self._fetcher.gives_up():
            asks = map(self._fetcher.ask, iter(self._frontier.take, None))
            with closing(self._web.get_all(asks, at_once=_CONCURRENCY)) as answers:
                for fetched in answers:
                    self._add_visit(fetched)
                    if self._fetcher.gives_up():
                        break

    def _add_visit(self, fetched: FetchResult[str]) -> None:
        visit = self._fetcher.visit(fetched)
        self._find(visit.links)
        self._visits.append(visit)
        self._tally.count(visit)
        self._keep_claim()
        if len(self._visits) >= CHECKPOINT_PAGES and self._fetcher.unreached is None:
            self._store_visits()
        self._report_step(visit.url)

    def _report_step(self, url: str) -> None:
        self._on_step(
            CrawlStep(
                domain=self._domain,
                pages=self.report.pages,
                products=self.report.products,
                left=self._frontier.left,
                url=url,
                budget=self._frontier.budget,
                back_off=self._web.back_off(self._domain),
            )
        )

    def _find(self, urls: Iterable[str]) -> None:
        self._found += self._frontier.add(urls, within=self._fetcher.is_ours)

    def _store_visits(self) -> None:
        """Pages first, then the journal: what a resumed crawl repeats has the same result."""
        self._keep_claim()  # before a page is written
        states = self._writer.write(self._visits, self._fetcher.absent)
        self._tally.count_states(states)
        visits = [replace(each, state=states.get(each.url, each.state)) for each in self._visits]
        self._journal.write(self._found, visits, is_partial=self._tally.is_partial)
        self._found, self._visits = [], []

    def _judge(self) -> None:
        tally, fetcher = self._tally, self._fetcher
        is_final = fetcher.gives_up() or not self.report.products
        self.report.outcome, self.report.reason = judge_crawl(
            self.report.products,
            trouble=fetcher.trouble if is_final else None,
            left=self._frontier.left,
            unlike=self.report.unlike,
            blocked=len(tally.blocked),
            door=front_page_problem(tally.front, fetcher.front_error, fetcher.front_title),
            flaw=(fetcher.worst or self._flaw) if tally.is_partial else None,
        )

    def _record_absences(self) -> None:
        """Count missing pages; after a complete crawl, remove products without links."""
        if self.report.is_failure:
            return
        self._renew_claim()
        absent = self._tally.absent
        if len(absent) > max(MAX_ABSENT, self.report.products):  # it is the shop, not its products
            absent = []
        self.report.gone += len(absent)
        self._writer.miss([*self._tally.gone, *absent], since=self._journal.began_at)
        sees_all = not self._tally.is_partial and not self.report.unlike
        if self.report.outcome == "ok" and sees_all:
            self._writer.remove_all_but(self._tally.seen)

    def _finish(self) -> None:
        report, shop, looked = self.report, self.claim.item, {}
        is_complete = report.outcome in ("ok", "empty") and not self._tally.is_partial
        if self._fetcher.has_read_front and self._fetcher.platform is None:
            now = self.store.clock.now()
            looked = {"product_list": None, "product_list_checked_at": now}
        Shop.crawl.finish(
            self.store,
            self.claim,
            crawl_outcome=report.outcome,
            crawl_reason=report.reason,
            crawl_pages=report.pages,
            standards=shop.standards if report.is_failure else tuple(self._tally.standards),
            journal=shop.journal if report.is_failure else self._journal.slot,
            selectors_crawled=self._selectors if is_complete else shop.selectors_crawled,
            **looked,
        )


def crawl_shop(crawl: Crawl) -> CrawlReport:
    """Crawl a claimed shop; an interrupt releases it, and its journal stays."""
    try:
        return crawl.run()
    except LostRace:
        raise
    except BaseException:
        release(crawl.store, "crawl", crawl.claim)
        raise


class CrawlTally:
    """What a crawl has seen so far, by its own visits and those of its journal."""

    def __init__(self, report: CrawlReport, log: CrawlLog) -> None:
        self._report = report
        self._front = front_page_url(report.domain)
        self.seen: set[str] = set()
        """URLs that do not count as missing."""
        self.gone: list[str] = []
        self.absent: list[str] = []
        """Known products whose pages say that they are gone."""
        self.blocked: list[str] = []
        self.standards: dict[str, None] = {}
        self.front: Visit | None = None
        self.is_partial = log.is_partial
        for visit in log.visits.values():
            self.count(visit)

    def count(self, visit: Visit) -> None:
        """Add a visit."""
        self._report.pages += visit.state != "listed"
        self.front = visit if visit.url == self._front else self.front
        self.standards |= dict.fromkeys(visit.standards)
        match visit.state:
            case "seen" if visit.type is not None:
                self._report.products += visit.type == "product"
                self.seen.add(visit.url)
            case "listed":
                self._report.listed += 1
                self._report.products += 1
                self.seen.add(visit.url)
            case "unlike" | "absent":
                self.count_states({visit.url: visit.state})
            case "blocked":
                self.blocked.append(visit.url)
                self.is_partial = True
            case "gone":
                self._report.gone += 1
                self.gone.append(visit.url)
                self.seen.add(visit.url)
            case "barred":
                self.seen.add(visit.url)
            case "failed":
                self.is_partial = True

    def count_states(self, states: Mapping[str, VisitState]) -> None:
        """Add known products that do not look like products, or say that they are gone."""
        self.absent += [url for url, state in states.items() if state == "absent"]
        self._report.unlike += sum(state == "unlike" for state in states.values())
        self.seen.update(states)


def front_page_problem(
    visit: Visit | None, error: FetchError | None = None, title: str | None = None
) -> tuple[CrawlOutcome, str] | None:
    """Why a crawl found nothing, by its visit of the front page; None if that is open.

    ``error`` and ``title`` came with the page, if this crawl fetched it and not one before.
    """
    if visit is None:
        return None
    if visit.state == "gone":
        if isinstance(error, PageMissing):
            return "unreachable", messages.FRONT_MISSING_STATUS(status=str(error.status))
        return "unreachable", messages.FRONT_MISSING()
    if visit.state == "seen" and visit.type is None:
        return _redirect_problem(visit.links[0]) if visit.links else _off_site_problem(error)
    if visit.state == "seen" and title and CONSENT_WORDS.search(title):
        return "blocked", messages.FRONT_CONSENT()
    return None


def _off_site_problem(error: FetchError | None) -> tuple[CrawlOutcome, str]:
    """A redirect to another site, which may be a form."""
    if not isinstance(error, LeadsElsewhere):
        return "unreachable", messages.FRONT_ELSEWHERE()
    if CONSENT_WORDS.search(error.message):
        return "blocked", messages.FRONT_CONSENT_WHY(why=error.message)
    return "unreachable", messages.FRONT_ELSEWHERE_WHY(why=error.message)


def _redirect_problem(url: str) -> tuple[CrawlOutcome, str] | None:
    """A redirect within the shop is fine, unless it leads to a form."""
    template = {"login": messages.FRONT_LOGIN, "consent": messages.FRONT_CONSENT_AT}
    kind = form_kind(url)
    return None if kind is None else ("blocked", template[kind](url=display_url(url)))
