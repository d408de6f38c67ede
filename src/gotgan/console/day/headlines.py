"""Headlines under the tickers that they are about, each of them once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gotgan.domains.news.models import NewsItem
from gotgan.domains.news.summaries import NewsDay

__all__ = ["HeadlineGroup", "groups_of"]

_SHOWN: Final = 3


@dataclass(frozen=True)
class HeadlineGroup:
    """What there is about a ticker; about none, where it is None."""

    ticker: str | None
    items: tuple[NewsItem, ...]
    told: int | None = None
    """How many stories of the day the ticker is counted with; None where that is not known."""

    @property
    def is_cut(self) -> bool:
        """Whether there are more than these: further down the day, or under another ticker."""
        return self.told is not None and self.told > len(self.items)

    @property
    def first(self) -> tuple[NewsItem, ...]:
        """Those that are shown at once."""
        return self.items[:_SHOWN]

    @property
    def rest(self) -> tuple[NewsItem, ...]:
        """Those that are a click away."""
        return self.items[_SHOWN:]


def groups_of(news: NewsDay, ticker: str | None = None) -> list[HeadlineGroup]:
    """Headlines by ticker, the one with most stories of the day first; or those of one ticker.

    One that is about several stands under the first of them.
    """
    counts: dict[str | None, int] = {each.ticker: each.count for each in news.tickers}
    if ticker is not None:
        return (
            [HeadlineGroup(ticker, found, counts.get(ticker))]
            if (found := news.about(ticker))
            else []
        )
    held: dict[str | None, list[NewsItem]] = {each.ticker: [] for each in news.tickers}
    for item in news.headlines:
        about = next((each for each in held if each in item.tickers), None)
        held.setdefault(about, []).append(item)
    return [
        HeadlineGroup(each, tuple(items), counts.get(each)) for each, items in held.items() if items
    ]
