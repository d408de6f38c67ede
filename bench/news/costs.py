"""What a run over the latest list costs, in units and money, beside conditional puts alone.

``python -m bench.news.costs``

Fifty stories, of which thirty-eight are known, as on a list that is read every few minutes. The
units are computed by the embedded engine as AWS computes them, so nothing here is timed.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from bench.store.boards import table
from gotgan.domains.news.keys import NEWS_ITEMS
from gotgan.domains.news.models import NewsItem
from gotgan.store import Cost, Price, Store
from gotgan.store.prices import money

__all__ = ["main"]

_NOON: Final = datetime(2026, 11, 6, 12, tzinfo=UTC)
_GIVEN: Final = 50
_KNOWN: Final = 38
_RUNS: Final = 288 * 30
"""A month of runs, one every five minutes."""


def _item(number: int) -> NewsItem:
    return NewsItem(
        source="yf_latest",
        title=f"A headline of common length that says something of share number {number}",
        url=f"https://finance.yahoo.com/news/a-slug-of-common-length-{number:09}.html",
        tickers=("NVDA", "PLTR"),
        uploaded_at=_NOON,
    )


def _cost(*, probing: bool) -> Cost:
    with Store.in_memory() as store:
        store.create(NEWS_ITEMS)
        store.put_new_all(_item(number) for number in range(_KNOWN))
        report = store.put_new_all((_item(number) for number in range(_GIVEN)), probe=probing)
    return report.cost


def main() -> None:
    """Compute, and print a table."""
    price = Price.listed()
    costs = {"as the news do it": _cost(probing=True), "conditional puts": _cost(probing=False)}
    rows = [
        [
            label,
            f"{cost.reads:g}",
            f"{cost.writes:g}",
            money(price.on_demand(cost)),
            money(price.on_demand(cost) * _RUNS),
        ]
        for label, cost in costs.items()
    ]
    head = [f"{_GIVEN} stories, {_KNOWN} known", "read units", "write units", "a run", "a month"]
    print(table(head, rows))
    print(f"\non demand in {price.region}; a month is {_RUNS:,} runs, one every five minutes")


if __name__ == "__main__":
    main()
