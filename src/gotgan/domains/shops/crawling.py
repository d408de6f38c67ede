"""The crawl of one shop: from its front page and its sitemaps to all pages that they lead to.

Every few dozen pages what was seen is written down, pages first and the journal after them: whoever
goes on after a crash repeats the last stretch, and finds the pages as it would have written them.
What is gone is noted at the very end, by whoever still has the claim.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Final

from gotgan.domains.shops.crawl_claims import HeldClaim
from gotgan.domains.shops.crawl_reports import (
    CrawlReport,
    CrawlStep,
    OnCrawlStep,
    judged,
    silently,
)
from gotgan.domains.shops.crawl_tally import CrawlTally
from gotgan.domains.shops.front_door import closed_door
from gotgan.domains.shops.frontier import Frontier
from gotgan.domains.shops.journal import Journal, Log, Visit, other_slot, remembered
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.page_visits import Visitor
from gotgan.domains.shops.page_writer import PageWriter
from gotgan.domains.shops.seeds import seeds
from gotgan.errors import FetchError, LostRace
from gotgan.events import emit
from gotgan.fetch import Ask, Fetched, Web
from gotgan.lifecycle import TWO_HOURS, Claim
from gotgan.store import Store

__all__ = ["BUDGET", "STRETCH", "Crawl", "crawl_shop"]

BUDGET: Final = 5_000
"""How many pages of one shop are visited, unless somebody says otherwise."""
_AT_ONCE: Final = 8
STRETCH: Final = 50 - _AT_ONCE
"""How many pages are written down together: with those under way, fifty are repeated at most."""
_MOST_LEFT_OVER: Final = 10
"""How many times the budget is taken over from the last crawl, of a shop that has no end."""
_KEPT_EVERY: Final = 1_000
"""After how many addresses of a sitemap it is asked whether the claim must be renewed."""


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
        self._store, self._web, self._on_step = store, web, on_step
        self._domain = shop.domain
        self._claim = HeldClaim(store, claim, lease)
        self._journal, log = _journal(store, claim)
        self._frontier = Frontier(budget, log)
        self._visits = list[Visit]()
        self._found = list[str]()
        self.report = CrawlReport(shop.domain)
        self._tally = CrawlTally(self.report, log)
        self._memory = remembered(store, shop)
        self._visitor = Visitor(self.report, self._memory.visits)
        self._flaw = ""
        self._writer = PageWriter(store, self.report, self._claim.keep)

    def run(self) -> CrawlReport:
        """Visit what there is to visit, and be done with the shop; LostRace where it was lost.

        A shop of which no page was answered is not done: it is given back, to be tried again.
        """
        with self._store.metered("crawl") as measured:
            if not self._frontier.taken:
                self._begin()
            self._visit_all()
            if (error := self._visitor.unreached) is not None:
                self._postpone(error)
            else:
                self._write_down()
                self._judge()
                self._note_absences()
                self._finish()
        self.report.cost = measured.cost
        return self.report

    def give_back(self) -> None:
        """Let somebody else go on at once."""
        self._claim.give_back()

    # Visiting

    def _begin(self) -> None:
        """Queue where it begins; what the last crawl had no budget for comes before that."""
        budget, memory = self._frontier.budget, self._memory
        left = memory.left_over(_MOST_LEFT_OVER * budget)
        self._find(left)
        self._find(self._seeds(2 * budget, known=memory.found if left else {}))

    def _seeds(self, most: int, *, known: Container[str]) -> Iterator[str]:
        """The way in; of endless sitemaps no more than shows that the budget is too small."""
        found = seeds(self._web, self._domain, on_file=self._claim.keep, on_flaw=self._note_flaw)
        new = 0
        for number, url in enumerate(found):
            if new == most:
                self._note_flaw(f"its sitemaps list more than {most:,} addresses")
                return
            if number % _KEPT_EVERY == 0:
                self._claim.keep()
            new += url not in known
            yield url

    def _note_flaw(self, reason: str) -> None:
        """Remember that not all could be found, so that nothing is taken for missing."""
        emit("shops.crawl.partial", domain=self._domain, reason=reason)
        self._tally.is_partial = True
        self._flaw = self._flaw or reason

    def _visit_all(self) -> None:
        """Round after round: pages that are under way may lead to more."""
        while self._frontier.left and not self._frontier.is_spent and not self._visitor.gives_up():
            with closing(self._web.get_all(self._asks(), at_once=_AT_ONCE)) as answers:
                for fetched in answers:
                    self._note(fetched)
                    if self._visitor.gives_up():
                        break

    def _asks(self) -> Iterator[Ask[str]]:
        while (url := self._frontier.take()) is not None:
            yield self._visitor.ask(url)

    def _note(self, fetched: Fetched[str]) -> None:
        visit = self._visitor.visit(fetched)
        self._find(visit.links)
        self._visits.append(visit)
        self._tally.count(visit)
        self._claim.keep()
        if len(self._visits) >= STRETCH and self._visitor.unreached is None:
            self._write_down()
        self._tell(visit.url)

    def _find(self, urls: Iterable[str]) -> None:
        self._found += self._frontier.add(urls, within=self._visitor.is_ours)

    def _write_down(self) -> None:
        """Pages first, then the journal: what is repeated after a crash is written as it was."""
        self._claim.keep()  # whoever was taken over is told before a page is touched
        unlike = self._writer.write(self._visits)
        self._tally.count_unlike(unlike)
        visits = [
            replace(each, state="unlike") if each.url in unlike else each for each in self._visits
        ]
        self._journal.write(self._found, visits, is_partial=self._tally.is_partial)
        self._found, self._visits = [], []

    def _tell(self, url: str) -> None:
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

    # Ending

    def _judge(self) -> None:
        """Say how it ended: as well as it could, or why not."""
        tally, visitor = self._tally, self._visitor
        self.report.outcome, self.report.reason = judged(
            self.report.products,
            trouble=self._final_trouble(),
            left=self._frontier.left,
            unlike=self.report.unlike,
            door=closed_door(tally.front, visitor.front_error, visitor.front_title),
            flaw=(visitor.worst or self._flaw) if tally.is_partial else None,
        )

    def _final_trouble(self) -> FetchError | None:
        """What the crawl failed of; one that has found products may well end with a failure."""
        is_final = self._visitor.gives_up() or not self.report.products
        return self._visitor.trouble if is_final else None

    def _note_absences(self) -> None:
        """Count what is gone, and where all was seen, remove what nothing leads to any more."""
        if self.report.is_failure:
            return
        self._claim.renew()
        self._writer.miss(self._tally.gone, since=self._journal.began_at)
        sees_all = not self._tally.is_partial and not self.report.unlike
        if self.report.outcome == "ok" and sees_all:
            self._writer.remove_all_but(self._tally.seen)

    def _postpone(self, error: FetchError) -> None:
        """Give the shop back as it was; its journal too, so that the next attempt visits all."""
        self.report.outcome, self.report.reason = "unreachable", error.message
        self.report.not_before = self._claim.postpone(error.message)

    def _finish(self) -> None:
        report, shop = self.report, self._claim.shop
        self._claim.finish(
            crawl_outcome=report.outcome,
            crawl_reason=report.reason,
            crawl_pages=report.pages,
            standards=shop.standards if report.is_failure else tuple(self._tally.standards),
            journal=shop.journal if report.is_failure else self._journal.slot,
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
