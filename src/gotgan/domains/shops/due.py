"""Which shops are due for a crawl or a scrape: the rules, as functions and as queries."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gotgan.domains.shops import patterns
from gotgan.domains.shops.models import Shop, Stage
from gotgan.errors import UsageError
from gotgan.store import Query

__all__ = ["CRAWL_EVERY", "DueSpan", "is_due", "is_due_for_crawl", "is_due_for_scrape"]

CRAWL_EVERY: Final = timedelta(days=2)
"""How old a crawl is when the next one is due, unless somebody says otherwise."""


@dataclass(frozen=True)
class DueSpan:
    """When a shop was last done, to be due: up to a moment and from another, both included.

    With a beginning it is about shops that were done at some time; those that never were are left
    out.
    """

    before: datetime
    after: datetime | None = None

    @classmethod
    def of(
        cls, stage: Stage, now: datetime, before: datetime | None, after: datetime | None
    ) -> DueSpan:
        """The span that is asked for, up to the usual cutoff where none is given.

        A crawl is due when the last one is two days old. A scrape is due as soon as there is a
        crawl to scrape from, however recent the last one is.
        """
        usual = now - CRAWL_EVERY if stage == "crawl" else now
        span = cls(usual if before is None else before, after)
        if after is not None and after > span.before:
            raise UsageError(
                f"after {after.isoformat()} and before {span.before.isoformat()} there is nothing; "
                "give a later end"
            )
        return span

    def query(self, stage: Stage, country: str) -> Query[Shop]:
        """The shops of a country that are due."""
        if self.after is None:
            to_do = patterns.shops_to_crawl if stage == "crawl" else patterns.shops_to_scrape
            return to_do(country, self.before)
        done = patterns.shops_crawled if stage == "crawl" else patterns.shops_to_scrape_again
        return done(country, self.after, self.before)

    def has(self, last_end: datetime | None) -> bool:
        """Whether what was last done then is within it."""
        if last_end is None:
            return self.after is None
        return last_end <= self.before and (self.after is None or self.after <= last_end)


def is_due(shop: Shop, stage: Stage, span: DueSpan) -> bool:
    """Whether a shop that nobody works on is due: what the queries find, of a shop at hand."""
    if stage == "crawl":
        return is_due_for_crawl(shop.last_crawled_end, span)
    return is_due_for_scrape(shop.last_crawled_end, shop.last_scraped_end, span)


def is_due_for_crawl(last_crawled_end: datetime | None, span: DueSpan) -> bool:
    """Never crawled, or last within the span."""
    return span.has(last_crawled_end)


def is_due_for_scrape(
    last_crawled_end: datetime | None,
    last_scraped_end: datetime | None,
    span: DueSpan | None = None,
) -> bool:
    """Crawled and never scraped; or scraped, within the span where one is given, and crawled since.

    While a new crawl is under way the end of the last one counts.
    """
    if last_crawled_end is None or (span is not None and not span.has(last_scraped_end)):
        return False
    return last_scraped_end is None or last_crawled_end > last_scraped_end
