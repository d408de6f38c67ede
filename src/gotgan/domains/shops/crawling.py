"""The crawl of one shop: from its front page and its sitemaps to all pages that they lead to.

Every few dozen pages what was seen is written down, pages first and the journal after them: whoever
goes on after a crash repeats the last stretch, and finds the pages as it would have written them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import Final, TypeAlias

from gotgan.domains.shops import changes, patterns
from gotgan.domains.shops.canonical import canonical
from gotgan.domains.shops.frontier import Frontier
from gotgan.domains.shops.journal import Journal, Log, Visit, other_slot, remembered
from gotgan.domains.shops.models import CrawlOutcome, Shop, ShopPage
from gotgan.domains.shops.reading import PageFacts, read_page
from gotgan.domains.shops.scrape_reports import is_about_the_shop
from gotgan.domains.shops.seeds import seeds
from gotgan.domains.shops.sites import is_same_site
from gotgan.errors import (
    BadItem,
    FetchError,
    GotganError,
    LeadsElsewhere,
    LostRace,
    PageForbidden,
    PageMissing,
    RobotsDisallowed,
    TooManyRequests,
)
from gotgan.events import emit
from gotgan.fetch import Answer, Ask, Fetched, Validators, Web
from gotgan.lifecycle import TWO_HOURS, Claim
from gotgan.store import Cost, Ref, Store

__all__ = [
    "BUDGET",
    "STRETCH",
    "Crawl",
    "CrawlReport",
    "CrawlStep",
    "OnCrawlStep",
    "crawl_shop",
    "silently",
]

BUDGET: Final = 5_000
"""How many pages of one shop are visited, unless somebody says otherwise."""
_AT_ONCE: Final = 8
STRETCH: Final = 50 - _AT_ONCE
"""How many pages are written down together: with those under way, fifty are repeated at most."""
_LARGEST: Final = 5_000_000
_PATIENCE: Final = 20
"""After so many failures in a row the shop is left alone."""


@dataclass(frozen=True)
class CrawlStep:
    """How far a crawl has come."""

    domain: str
    pages: int
    products: int
    left: int
    """How many addresses wait; there may be more behind them."""
    url: str
    back_off: float = 0.0
    """How many seconds the shop wants to be left alone."""


OnCrawlStep: TypeAlias = Callable[[CrawlStep], None]


@dataclass
class CrawlReport:
    """What a crawl did, and why it ended."""

    domain: str
    outcome: CrawlOutcome = "ok"
    reason: str = ""
    pages: int = 0
    products: int = 0
    new: int = 0
    changed: int = 0
    """How many pages are of another kind than before."""
    unchanged: int = 0
    """How many pages the server knew that we have."""
    gone: int = 0
    """How many addresses lead nowhere any more."""
    removed: int = 0
    """How many products are no longer offered."""
    failed: Counter[str] = field(default_factory=Counter)
    cost: Cost = field(default_factory=Cost)


def silently(_: CrawlStep) -> None:
    """Tell nobody how far it has come."""


class Crawl:
    """One crawl of a shop that was claimed."""

    def __init__(
        self,
        store: Store,
        web: Web,
        claim: Claim[Shop],
        *,
        budget: int = BUDGET,
        lease: timedelta = TWO_HOURS,
        on_step: OnCrawlStep = silently,
    ) -> None:
        shop = claim.item
        self._store, self._web, self._claim, self._on_step = store, web, claim, on_step
        self._domain = shop.domain
        self._memory = remembered(store, shop)
        self._journal, log = _journal(store, claim)
        self._frontier = Frontier(budget, log)
        self._visits = list[Visit]()
        self._found = list[str]()
        self._is_resumed = bool(log.visits)
        self._seen = set[str]()
        self._standards: dict[str, None] = dict.fromkeys(
            (self._is_resumed and shop.standards) or ()
        )
        self._is_partial = False
        self._in_a_row: list[FetchError] = []
        self._lease = lease
        self._renewed = store.clock.now()
        self.report = CrawlReport(shop.domain)
        for visit in log.visits.values():
            self._count(visit)

    def run(self) -> CrawlReport:
        """Visit what there is to visit, and be done with the shop; LostRace where it was lost."""
        with self._store.metered("crawl") as measured:
            if not self._frontier.taken:
                self._find(self._seeds(2 * self._frontier.budget))
            self._visit_all()
            self._write_down()
            self._judge()
            if self.report.outcome == "ok" and not (self._is_partial or self._is_resumed):
                self._remove_the_missing()
            self._finish()
        self.report.cost = measured.cost
        return self.report

    # Visiting

    def _seeds(self, most: int) -> Iterator[str]:
        """Where it begins; of endless sitemaps no more than shows that the budget is too small."""
        found = seeds(self._web, self._domain, on_flaw=self._note_flaw)
        for number, url in enumerate(islice(found, most)):
            if number % 1_000 == 0:
                self._keep_claim()
            yield url

    def _visit_all(self) -> None:
        """Round after round: pages that are under way may lead to more."""
        while self._frontier.left and not self._frontier.is_spent and not self._is_hopeless():
            with closing(self._web.get_all(self._asks(), at_once=_AT_ONCE)) as answers:
                for fetched in answers:
                    self._note(fetched)
                    if self._is_hopeless():
                        break

    def _asks(self) -> Iterator[Ask[str]]:
        while (url := self._frontier.take()) is not None:
            known = self._memory.visits.get(url)
            yield Ask(
                url,
                about=url,
                validators=known.validators if known else Validators(),
                most_bytes=_LARGEST,
                within=self._is_ours,
            )

    def _is_ours(self, url: str) -> bool:
        return is_same_site(url, self._domain)

    def _note(self, fetched: Fetched[str]) -> None:
        visit = self._visited(fetched)
        self._find(visit.links)
        self._visits.append(visit)
        self._count(visit)
        if len(self._visits) >= STRETCH:
            self._write_down()
        self._keep_claim()
        self._tell(visit.url)

    def _tell(self, url: str) -> None:
        self._on_step(
            CrawlStep(
                domain=self._domain,
                pages=self.report.pages,
                products=self.report.products,
                left=self._frontier.left,
                url=url,
                back_off=self._web.back_off(self._domain),
            )
        )

    def _visited(self, fetched: Fetched[str]) -> Visit:
        url = fetched.ask.about
        if fetched.answer is None:
            return self._failed(url, fetched.error)
        self._in_a_row.clear()
        if fetched.answer.is_unchanged:
            self.report.unchanged += 1
            return self._memory.visits[url]
        return self._read(url, fetched.answer)

    def _failed(self, url: str, error: FetchError | None) -> Visit:
        if isinstance(error, PageMissing):
            self._in_a_row.clear()
            return Visit(url, "gone")
        if error is not None:
            self.report.failed[error.code] += 1
            if is_about_the_shop(error):
                self._in_a_row.append(error)
            else:
                self._in_a_row.clear()
        if isinstance(error, LeadsElsewhere | RobotsDisallowed):
            return Visit(url, "seen")  # it is what it is, and no page of the shop's
        self._is_partial = True
        known = self._memory.visits.get(url)
        kept = (known.links, known.validators) if known else ((), Validators())
        return Visit(url, "failed", None, *kept)

    def _read(self, url: str, answer: Answer) -> Visit:
        home = canonical(answer.url) or url
        if home != url:  # a redirect: what it leads to is the page
            return Visit(url, "seen", links=(home,))
        facts = read_page(answer.body, answer.url, charset=answer.charset)
        self._standards |= dict.fromkeys(facts.standards)
        twin = self._twin_of(url, facts)
        if twin is not None:
            return Visit(url, "seen", links=(twin,), validators=answer.validators)
        return Visit(url, "seen", facts.type, facts.links, answer.validators)

    def _twin_of(self, url: str, facts: PageFacts) -> str | None:
        """The address that a page says it is at home at, where that is another one of the shop."""
        home = canonical(facts.canonical, url) if facts.canonical else None
        return home if home is not None and home != url and self._is_ours(home) else None

    def _find(self, urls: Iterable[str]) -> None:
        self._found += self._frontier.add(urls, within=self._is_ours)

    def _count(self, visit: Visit) -> None:
        self.report.pages += 1
        self.report.gone += visit.state == "gone"
        self.report.products += visit.type == "product"
        self._is_partial = self._is_partial or visit.state == "failed"
        if visit.type is not None or visit.state == "gone":  # what is gone is counted by itself
            self._seen.add(visit.url)

    def _note_flaw(self, reason: str) -> None:
        """Remember that not all could be found, so that nothing is taken for missing."""
        emit("shops.crawl.partial", domain=self._domain, reason=reason)
        self._is_partial = True

    # Writing

    def _write_down(self) -> None:
        """Pages first, then the journal: what is repeated after a crash is written as it was."""
        pages = {visit.url: visit for visit in self._visits if visit.type is not None}
        known = {page.url: page for page in self._known(pages)}
        fresh = [
            ShopPage(domain=self._domain, url=url, type=visit.type)
            for url, visit in pages.items()
            if url not in known
        ]
        stored = self._store.put_new_all(fresh, probe=False)
        self.report.new += len(stored.new)
        for failed in stored.failed:  # before the journal says that they are done
            raise failed.error
        for url, page in known.items():
            self._found_again(page, pages[url].type)
        self._miss([visit.url for visit in self._visits if visit.state == "gone"])
        self._journal.write(self._found, self._visits)
        self._found, self._visits = [], []

    def _found_again(self, page: ShopPage, page_type: str | None) -> None:
        """Note what a page is; what a scrape wrote about it stays."""
        if page.type != page_type:
            page = self._store.update(page, type=page_type).item
            self.report.changed += 1
        if changes.is_gone(page):
            changes.restore(self._store, page)

    def _miss(self, urls: list[str]) -> None:
        known = self._known(urls)
        self.report.removed += sum(
            changes.miss(self._store, page) == "removed" for page in known if page.type == "product"
        )

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
        self.report.failed[misfit.code] += 1

    def _keep_claim(self) -> None:
        """Hold the claim for longer, four times in a lease; whoever lost it is told by that."""
        now = self._store.clock.now()
        if now - self._renewed >= self._lease / 4:
            self._claim = Shop.crawl.renew(self._store, self._claim, lease=self._lease)
            self._renewed = now

    def give_back(self) -> None:
        """Let somebody else go on at once."""
        try:
            Shop.crawl.release(self._store, self._claim)
        except GotganError as error:  # its lease ends by itself
            emit("shops.crawl.held", level="warning", domain=self._domain, reason=error.message)

    # Ending

    def _is_hopeless(self) -> bool:
        return len(self._in_a_row) >= _PATIENCE

    def _judge(self) -> None:
        """Say how it ended: as well as it could, or why not."""
        report = self.report
        if self._is_hopeless() or (self._in_a_row and not report.products):
            report.outcome = "blocked" if _is_refusal(self._in_a_row[-1]) else "unreachable"
            report.reason = self._in_a_row[-1].message
        elif self._frontier.left:
            report.outcome = "budget"
            report.reason = f"{self._frontier.left:,} pages are left; allow more with --max-pages"
        elif not report.products:
            report.outcome, report.reason = "empty", "no page of it looks like a product"
        else:
            told = "not all pages could be had" if self._is_partial else "all pages were seen"
            report.reason = told

    def _remove_the_missing(self) -> None:
        """Products that were known and that nothing leads to any more are no longer offered."""
        self._claim = Shop.crawl.renew(self._store, self._claim, lease=self._lease)
        products = patterns.pages_of_type(self._domain, "product")
        for page in self._store.iterate(products, at_most=None, on_bad=self._pass_over):
            if page.url not in self._seen and not changes.is_gone(page):
                self.report.removed += changes.remove(self._store, page) == "removed"
                self._keep_claim()

    def _finish(self) -> None:
        report = self.report
        is_kept = report.outcome in ("ok", "empty", "budget")
        Shop.crawl.finish(
            self._store,
            self._claim,
            crawl_outcome=report.outcome,
            crawl_reason=report.reason,
            crawl_pages=report.pages,
            standards=tuple(self._standards) if is_kept else self._claim.item.standards,
            journal=self._journal.slot if is_kept else self._claim.item.journal,
        )


def crawl_shop(
    store: Store,
    web: Web,
    claim: Claim[Shop],
    *,
    budget: int = BUDGET,
    lease: timedelta = TWO_HOURS,
    on_step: OnCrawlStep = silently,
) -> CrawlReport:
    """Crawl a shop that was claimed; who is interrupted gives it back, with how far it came."""
    crawl = Crawl(store, web, claim, budget=budget, lease=lease, on_step=on_step)
    try:
        return crawl.run()
    except LostRace:
        raise
    except BaseException:
        crawl.give_back()
        raise


def _journal(store: Store, claim: Claim[Shop]) -> tuple[Journal, Log]:
    """The journal of a crawl that did not end, or a new one."""
    slot = other_slot(claim.item.journal)
    return Journal.resumed(store, claim, slot) or (Journal.begin(store, claim, slot), Log())


def _is_refusal(error: FetchError) -> bool:
    return isinstance(error, PageForbidden | TooManyRequests | RobotsDisallowed)
