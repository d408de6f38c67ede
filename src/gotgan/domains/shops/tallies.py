"""How many changes there were on each of some days, in all shops together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import chain, islice
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Span, Zone, day_span
from gotgan.domains.shops import patterns
from gotgan.domains.shops.models import Change
from gotgan.domains.shops.summaries import MOST_SHOPS, pass_over, read_each, touched_since
from gotgan.store import Page, Store

__all__ = ["MOST_COUNTED", "changes_by_day"]

MOST_COUNTED: Final = 10_000
"""How many changes are counted, the newest of each shop, and of each shop as many."""
_SECOND: Final = timedelta(seconds=1)


def changes_by_day(
    store: Store, countries: Sequence[str], days: Sequence[date], zone: Zone
) -> dict[date, int]:
    """The changes of each of some days in a row."""
    place = ZoneInfo(ZONES[zone])
    span = Span(day_span(days[0], zone).first, day_span(days[-1], zone).last)
    found = _changes(store, countries, span)
    counted = Counter(change.seen_at.astimezone(place).date() for change in found)
    return {day: counted[day] for day in days}


def _changes(store: Store, countries: Sequence[str], span: Span) -> Iterator[Change]:
    domains = list(islice(touched_since(store, span.first, countries), MOST_SHOPS))
    most = MOST_COUNTED // max(1, len(domains))
    ends = span.last - _SECOND  # moments have whole seconds, and a range has both its ends

    def read(domain: str) -> Page[Change]:
        query = patterns.changes_within(domain, span.first, ends).only("seen_at")
        return store.query(query, limit=most, on_bad=pass_over)

    return chain.from_iterable(read_each(store, read, domains))
