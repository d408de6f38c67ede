"""The scrape of one shop: every product that is known is looked at, and what changed is noted.

It discovers nothing. A page that cannot be had, or on which no offer can be seen, stays as it is:
when a shop is down, or does not want us, its products are not touched.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from typing import Final

from gotgan.domains.shops import changes, patterns
from gotgan.domains.shops.canonical import canonical
from gotgan.domains.shops.models import Noted, ScrapeOutcome, Shop, ShopPage
from gotgan.domains.shops.reading import read_page
from gotgan.domains.shops.scrape_reports import (
    OnScrapeStep,
    ScrapeReport,
    ScrapeStep,
    is_about_the_shop,
    is_no_answer,
    judged,
    silently,
)
from gotgan.domains.shops.sites import is_same_site
from gotgan.domains.shops.stages import postpone
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
from gotgan.fetch import Ask, Fetched, FetchResponse, Validators, Web, shown
from gotgan.lifecycle import Claim
from gotgan.store import Store

__all__ = ["scrape_shop"]

_AT_ONCE: Final = 8
"""How many pages are under way; the shop's own pace is kept by the door to the web."""
_LARGEST: Final = 5_000_000
_PATIENCE: Final = 20
"""After so many failures in a row it is the shop that is in the way, not its pages."""
_HEARTBEAT: Final = 60.0


def scrape_shop(
    store: Store,
    web: Web,
    claim: Claim[Shop],
    *,
    on_step: OnScrapeStep = silently,
    seconds_between_renewals: float = _HEARTBEAT,
    lease: timedelta | None = None,
) -> ScrapeReport:
    """Look at all products of a shop that was claimed, and be done with it.

    The claim is renewed for ``lease`` while it lasts. Who loses it stops, and does not finish; who
    is interrupted gives it back.
    """
    scrape = _Scrape(store, web, claim, on_step, seconds_between_renewals, lease)
    with store.metered("scrape") as measured:
        try:
            outcome, reason = scrape.run()
        except LostRace as lost:
            outcome, reason = None, lost.message
        except BaseException:
            scrape.give_back()
            raise
    return ScrapeReport(
        domain=claim.item.domain,
        outcome=outcome,
        reason=reason,
        pages=scrape.pages,
        noted=dict(scrape.noted),
        failed=dict(scrape.failed),
        cost=measured.cost,
        not_before=scrape.not_before,
    )


class _Scrape:
    """One scrape while it runs."""

    def __init__(
        self,
        store: Store,
        web: Web,
        claim: Claim[Shop],
        on_step: OnScrapeStep,
        heartbeat: float,
        lease: timedelta | None,
    ) -> None:
        self._store, self._web, self._claim, self._on_step = store, web, claim, on_step
        self._heartbeat, self._lease = heartbeat, lease
        self._renewed = store.clock.monotonic()
        self._domain = claim.item.domain
        self._in_a_row = 0
        self._last: GotganError | None = None
        self._has_answered = False
        self.not_before: datetime | None = None
        """When the next attempt is due, where no page was answered."""
        self.noted: Counter[Noted] = Counter()
        self.failed: Counter[str] = Counter()

    @property
    def pages(self) -> int:
        """How many pages were looked at."""
        return self.noted.total() + self.failed.total()

    def run(self) -> tuple[ScrapeOutcome, str]:
        """Look at all products, and finish; how it ended, and why.

        A shop of which no page was answered is not done: it is given back, to be tried again.
        """
        with closing(self._web.get_all(self._asks(), at_once=_AT_ONCE)) as answers:
            for fetched in answers:
                result = self._look_at(fetched)
                self._keep_claim()
                self._tell(fetched.ask.url, result)
                if self._is_hopeless:
                    break
        if self._last is not None and not self._has_answered:
            self.not_before = postpone(self._store, "scrape", self._claim, self._last.message)
            return "unreachable", self._last.message
        outcome, reason = judged(
            self._claim.item,
            self.noted.total(),
            self.failed,
            self._last,
            is_hopeless=self._is_hopeless,
        )
        Shop.scrape.finish(self._store, self._claim, scrape_outcome=outcome, scrape_reason=reason)
        return outcome, reason

    def give_back(self) -> None:
        """Let somebody else begin at once."""
        try:
            Shop.scrape.release(self._store, self._claim)
        except GotganError as error:  # its lease ends by itself
            emit("shops.scrape.held", level="warning", domain=self._domain, reason=error.message)

    def _asks(self) -> Iterator[Ask[ShopPage]]:
        products = patterns.pages_of_type(self._domain, "product")
        for page in self._store.iterate(products, at_most=None, on_bad=self._pass_over):
            if not changes.is_gone(page):
                yield Ask(
                    page.url,
                    about=page,
                    validators=_validators(page),
                    most_bytes=_LARGEST,
                    within=self._is_ours,
                )

    def _is_ours(self, url: str) -> bool:
        return is_same_site(url, self._domain)

    def _look_at(self, fetched: Fetched[ShopPage]) -> str:
        """Note what came of a page, and say it."""
        try:
            noted = self._note(fetched)
        except GotganError as error:
            if isinstance(error, NotRecorded) or not isinstance(error, FetchError | PageError):
                raise  # the settings or the database are in trouble, not the page
            return self._fail(error)
        self._in_a_row = 0
        self._has_answered = True
        self.noted[noted] += 1
        return noted

    def _note(self, fetched: Fetched[ShopPage]) -> Noted:
        page, answer = fetched.ask.about, fetched.answer
        if isinstance(fetched.error, PageMissing):
            return changes.miss(self._store, page)
        if answer is None:
            raise fetched.error or GotganError("nothing came back")
        if answer.is_unchanged:
            return changes.still_there(self._store, page)
        _expect_itself(page, answer)
        facts = read_page(answer.body, answer.url, charset=answer.charset)
        noted = changes.record(self._store, page, facts, answer.validators)
        if noted == "unread":
            raise UnknownShape(
                f"{shown(page.url)} shows neither a price nor whether it can be had; look at it in "
                "a browser"
            )
        return noted

    def _fail(self, error: GotganError) -> str:
        self._last = error
        self._has_answered = self._has_answered or not is_no_answer(error)
        self.failed[error.code] += 1
        self._in_a_row += is_about_the_shop(error)
        return error.code

    def _pass_over(self, misfit: BadItem) -> None:
        emit("shops.page.bad", level="warning", domain=self._domain, reason=misfit.message)
        self.failed[misfit.code] += 1

    def _keep_claim(self) -> None:
        now = self._store.clock.monotonic()
        if now - self._renewed >= self._heartbeat:
            self._claim = Shop.scrape.renew(self._store, self._claim, lease=self._lease)
            self._renewed = now

    def _tell(self, url: str, result: str) -> None:
        told = sum(self.noted[each] for each in ("new", "changed", "removed"))
        back_off = self._web.back_off(self._domain)
        self._on_step(ScrapeStep(self._domain, self.pages, told, url, result, back_off))

    @property
    def _is_hopeless(self) -> bool:
        return self._in_a_row >= _PATIENCE


def _validators(page: ShopPage) -> Validators:
    """By what to ask whether a page has changed; nothing where we do not know what it offered."""
    if changes.known_offer(page) is None:
        return Validators()
    return Validators(page.etag, page.last_modified)


def _expect_itself(page: ShopPage, answer: FetchResponse) -> None:
    """Refuse what a redirect led to: what another page offers is noted there."""
    if canonical(answer.url) != canonical(page.url):
        raise LeadsElsewhere(
            f"{shown(page.url)} leads to {shown(answer.url)}, which is another page; crawl the "
            "shop to find out what became of it"
        )
