"""The scrape of one shop: every known product is fetched, and changes are recorded.

It discovers nothing. A page that cannot be fetched, or that shows no offer, stays as it is: when a
shop is down or refuses requests, its products are not touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from gotgan.domains.shops import changes, keys, messages
from gotgan.domains.shops.canonical import canonical_url
from gotgan.domains.shops.extract import read_page
from gotgan.domains.shops.models import PageVerdict, ScrapeOutcome, Shop, ShopPage
from gotgan.domains.shops.reports import (
    UNANSWERED,
    ScrapeReport,
    ScrapeStep,
    is_shop_failure,
    judge_scrape,
)
from gotgan.domains.shops.sites import is_same_site
from gotgan.domains.shops.stages import postpone, release
from gotgan.errors import (
    BadItem,
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

    def run(self) -> tuple[ScrapeOutcome, str]:
        """Check all products and finish; return the outcome, and why.

        A shop that answered no request is postponed.
        """
        with closing(self._web.get_all(self._asks(), at_once=_CONCURRENCY)) as answers:
            for fetched in answers:
                result = self._check(fetched)
                if (now := self._store.clock.monotonic()) - self._renewed >= self._heartbeat:
                    self.claim = Shop.scrape.renew(self._store, self.claim, lease=self._lease)
                    self._renewed = now
                changed = sum(self.noted[each] for each in ("new", "changed", "removed"))
                back_off = self._web.back_off(self._domain)
                url = fetched.ask.url
                pages = self.noted.total() + self.failed.total()
                self._on_step(ScrapeStep(self._domain, pages, changed, url, result, back_off))
                if self._in_a_row >= _MAX_FAILURES:
                    break
        if self._last is not None and not self._has_answered:
            self.not_before = postpone(self._store, "scrape", self.claim, self._last.message)
            return "unreachable", self._last.message
        is_hopeless = self._in_a_row >= _MAX_FAILURES
        outcome, reason = judge_scrape(
            self.claim.item, self.noted.total(), self.failed, self._last, is_hopeless=is_hopeless
        )
        Shop.scrape.finish(self._store, self.claim, scrape_outcome=outcome, scrape_reason=reason)
        return outcome, reason

    def _asks(self) -> Iterator[FetchRequest[ShopPage]]:
        products = keys.pages_of_type(self._domain, "product")
        is_ours = partial(is_same_site, domain=self._domain)
        for page in self._store.iterate(products, at_most=None, on_bad=self._count_bad_page):
            if not changes.is_gone(page):
                validators = Validators(page.etag, page.last_modified)
                if changes.known_offer(page) is None:
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
        self.noted[verdict] += 1
        return verdict

    def _record(self, fetched: FetchResult[ShopPage]) -> PageVerdict:
        page, answer = fetched.ask.about, fetched.answer
        if isinstance(fetched.error, PageMissing):
            return changes.record_missing(self._store, page)
        if answer is None:
            raise fetched.error or GotganError(messages.NO_RESPONSE())
        if answer.is_unchanged:
            return changes.record_unchanged(self._store, page)
        if canonical_url(answer.url) != canonical_url(page.url):  # its offer is recorded there
            url, target = display_url(page.url), display_url(answer.url)
            raise LeadsElsewhere(messages.PAGE_MOVED(url=url, target=target))
        facts = read_page(answer.body, answer.url, charset=answer.charset)
        verdict = changes.record_offer(self._store, page, facts, answer.validators)
        if verdict == "unread":
            raise UnknownShape(messages.NO_OFFER(url=display_url(page.url)))
        return verdict

    def _count_bad_page(self, misfit: BadItem) -> None:
        emit("shops.page.bad", level="warning", domain=self._domain, reason=misfit.message)
        self.failed[misfit.code] += 1
