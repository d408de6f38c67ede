"""The scrape of one shop: every known product is fetched, and changes are recorded.

It discovers nothing. A page that cannot be fetched, or that shows no offer, stays as it is: when a
shop is down or refuses requests, its products are not touched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from gotgan.domains.shops import changes, keys, messages
from gotgan.domains.shops.canonical import canonical_url
from gotgan.domains.shops.extract import PageFacts, read_page
from gotgan.domains.shops.extract.selected import FACT_FIELDS, selectors_digest
from gotgan.domains.shops.models import PageVerdict, ScrapeOutcome, Shop, ShopPage
from gotgan.domains.shops.platforms import known_platform, product_facts, read_product_list
from gotgan.domains.shops.reports import (
    MAX_ABSENT,
    UNANSWERED,
    ScrapeReport,
    ScrapeStep,
    is_shop_failure,
    judge_scrape,
)
from gotgan.domains.shops.sites import form_kind, is_same_site
from gotgan.domains.shops.stages import postpone, release
from gotgan.errors import (
    BadItem,
    BlockPage,
    FetchError,
    GotganError,
    LeadsElsewhere,
    LostRace,
    NotRecorded,
    PageError,
    PageMissing,
    UnknownShape,
)
from gotgan.events import emit
from gotgan.fetch import FetchRequest, FetchResult, Validators, Web, display_url
from gotgan.lifecycle import Claim
from gotgan.store import Store

_CONCURRENCY: Final = 8
"""Pages fetched at once; the web client limits the rate per shop."""
_MAX_PAGE_BYTES: Final = 5_000_000
_MAX_FAILURES: Final = 20
"""After this many failures in a row the shop is the problem, not its pages."""
_HEARTBEAT_S: Final = 60.0


def scrape_shop(
    store: Store,
    web: Web,
    claim: Claim[Shop],
    *,
    on_step: Callable[[ScrapeStep], None] = lambda _: None,
    seconds_between_renewals: float = _HEARTBEAT_S,
    lease: timedelta | None = None,
) -> ScrapeReport:
    """Check all products of a claimed shop, and finish it.

    The claim is renewed for ``lease`` meanwhile. A lost claim ends the scrape; an interrupt
    releases the shop.
    """
    scrape = _Scrape(store, web, claim, on_step, seconds_between_renewals, lease)
    with store.metered("scrape") as measured:
        try:
            outcome, reason = scrape.run()
        except LostRace as lost:
            outcome, reason = None, lost.message
        except BaseException:
            release(store, "scrape", scrape.claim)
            raise
    return ScrapeReport(
        domain=claim.item.domain,
        outcome=outcome,
        reason=reason,
        pages=scrape.noted.total() + scrape.failed.total(),
        noted=dict(scrape.noted),
        failed=dict(scrape.failed),
        cost=measured.cost,
        not_before=scrape.not_before,
        listed=scrape.listed,
        saved=max(0, scrape.listed - scrape.list_requests),
    )


class _Scrape:
    def __init__(
        self,
        store: Store,
        web: Web,
        claim: Claim[Shop],
        on_step: Callable[[ScrapeStep], None],
        heartbeat: float,
        lease: timedelta | None,
    ) -> None:
        self._store, self._web, self.claim, self._on_step = store, web, claim, on_step
        self._heartbeat, self._lease = heartbeat, lease
        self._renewed = store.clock.monotonic()
        self._domain = claim.item.domain
        self._in_a_row = 0
        self._last: GotganError | None = None
        self._has_answered = False
        self.not_before: datetime | None = None
        self.noted: Counter[PageVerdict] = Counter()
        self.failed: Counter[str] = Counter()
        self._selectors = claim.item.selectors or {}
        self._digest = selectors_digest(claim.item.selectors)
        self._absent: list[ShopPage] = []
        self._listed: Mapping[str, PageFacts] = {}
        self._forgets_list = False
        self.listed = self.list_requests = 0

    def run(self) -> tuple[ScrapeOutcome, str]:
        """Check all products and finish; return the outcome, and why.

        A shop that answered no request is postponed.
        """
        self._read_list()
        with closing(self._web.get_all(self._asks(), at_once=_CONCURRENCY)) as answers:
            for fetched in answers:
                self._report_step(fetched.ask.url, self._check(fetched))
                if self._in_a_row >= _MAX_FAILURES:
                    break
        self._count_absent()
        if self._last is not None and not self._has_answered:
            self.not_before = postpone(self._store, "scrape", self.claim, self._last.message)
            return "unreachable", self._last.message
        is_hopeless = self._in_a_row >= _MAX_FAILURES
        outcome, reason = judge_scrape(
            self.claim.item, self.noted.total(), self.failed, self._last, is_hopeless=is_hopeless
        )
        known: dict[str, Any] = {"scrape_outcome": outcome, "scrape_reason": reason}
        if outcome == "ok" and not self.failed:
            known["selectors_scraped"] = self._digest
        if self._forgets_list:
            now = self._store.clock.now()
            known |= {"product_list": None, "product_list_checked_at": now}
        Shop.scrape.finish(self._store, self.claim, **known)
        return outcome, reason

    def _report_step(self, url: str, result: str) -> None:
        """Renew the claim in time, and tell how far the scrape has come."""
        if (now := self._store.clock.monotonic()) - self._renewed >= self._heartbeat:
            self.claim = Shop.scrape.renew(self._store, self.claim, lease=self._lease)
            self._renewed = now
        changed = sum(self.noted[each] for each in ("new", "changed", "removed"))
        back_off = self._web.back_off(self._domain)
        pages = self.noted.total() + self.failed.total()
        self._on_step(ScrapeStep(self._domain, pages, changed, url, result, back_off))

    def _read_list(self) -> None:
        """Read the list of the shop's system, if it has one; selectors are for its pages."""
        platform = known_platform(self.claim.item)
        if platform is None or self._selectors.keys() & set(FACT_FIELDS):
            return
        listing = read_product_list(
            self._web, self._domain, platform, on_page=lambda url: self._report_step(url, "list")
        )
        self._has_answered = bool(listing.products)
        self._forgets_list = listing.is_refused
        self._listed = product_facts(self._web, listing, self._domain)
        self.list_requests = listing.requests

    def _asks(self) -> Iterator[FetchRequest[ShopPage]]:
        """The pages to fetch; products that are in the list are recorded on the way."""
        products = keys.pages_of_type(self._domain, "product")
        is_ours = partial(is_same_site, domain=self._domain)
        rereads = self._digest != self.claim.item.selectors_scraped
        for page in self._store.iterate(products, at_most=None, on_bad=self._count_bad_page):
            if changes.is_gone(page):
                continue
            facts = self._listed.get(page.url)
            if facts is not None:
                self.listed += 1
                self._report_step(
                    page.url, self._note(changes.record_offer(self._store, page, facts))
                )
                continue
            validators = Validators(page.etag, page.last_modified)
            if rereads or changes.known_offer(page) is None:
                validators = Validators()  # the page is needed whole
            yield FetchRequest(
                page.url,
                about=page,
                validators=validators,
                most_bytes=_MAX_PAGE_BYTES,
                within=is_ours,
            )

    def _check(self, fetched: FetchResult[ShopPage]) -> str:
        """Record a page; return the verdict, or the code of the error."""
        try:
            verdict = self._record(fetched)
        except GotganError as error:
            if isinstance(error, NotRecorded) or not isinstance(error, FetchError | PageError):
                raise  # the settings or the database are in trouble, not the page
            self._last = error
            self._has_answered = self._has_answered or not isinstance(error, UNANSWERED)
            self.failed[error.code] += 1
            self._in_a_row += is_shop_failure(error)
            return error.code
        self._in_a_row = 0
        self._has_answered = True
        return "absent" if verdict is None else self._note(verdict)

    def _note(self, verdict: PageVerdict) -> PageVerdict:
        self.noted[verdict] += 1
        return verdict

    def _record(self, fetched: FetchResult[ShopPage]) -> PageVerdict | None:
        """Record a page; None if it says that its product is gone, which is counted at the end."""
        page, answer = fetched.ask.about, fetched.answer
        if isinstance(fetched.error, PageMissing):
            return changes.record_missing(self._store, page)
        if answer is None:
            raise fetched.error or GotganError(messages.NO_RESPONSE())
        if answer.is_unchanged:
            return changes.record_unchanged(self._store, page)
        selectors = self._selectors
        facts = read_page(answer.body, answer.url, charset=answer.charset, selectors=selectors)
        is_moved = canonical_url(answer.url) != canonical_url(page.url)
        url, target = display_url(page.url), display_url(answer.url)
        if facts.absence == "blocked":
            moved = messages.REDIRECT_BLOCKED(url=url, target=target)
            raise BlockPage(moved if is_moved else messages.PAGE_BLOCKED(url=url))
        if facts.absence == "gone" or (is_moved and _stands_for_nothing(answer.url, facts)):
            self._absent.append(page)
            return None
        if is_moved:  # its offer is recorded there
            raise LeadsElsewhere(messages.PAGE_MOVED(url=url, target=target))
        verdict = changes.record_offer(self._store, page, facts, answer.validators)
        if verdict == "unread":
            raise UnknownShape(messages.NO_OFFER(url=display_url(page.url)))
        return verdict

    def _count_absent(self) -> None:
        """Count products that are gone by their own pages as missing, unless it is the shop."""
        count = len(self._absent)
        if count > max(MAX_ABSENT, self.noted.total()):
            self._last = UnknownShape(messages.TOO_MANY_ABSENT(count=count))
            self.failed[self._last.code] += count
            return
        for page in self._absent:
            self._report_step(page.url, self._note(changes.record_missing(self._store, page)))

    def _count_bad_page(self, misfit: BadItem) -> None:
        emit("shops.page.bad", level="warning", domain=self._domain, reason=misfit.message)
        self.failed[misfit.code] += 1


_FRONT_PATH: Final = re.compile(r"/?(?:[a-z]{2}(?:[-_][a-z]{2})?/?)?", re.IGNORECASE)
"""The path of a front page, perhaps in a language."""


def _stands_for_nothing(url: str, facts: PageFacts) -> bool:
    """Whether a redirect leads to where shops send visitors of products that are gone."""
    if form_kind(url) is not None:
        return False
    is_front = _FRONT_PATH.fullmatch(urlsplit(url).path) is not None
    return is_front or facts.type in ("category", "listing")
