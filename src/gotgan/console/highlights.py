"""What is new in each domain, for the front page: a few rows of each, read without a scan."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gotgan.app import App
from gotgan.console.parts import read_or_none

if TYPE_CHECKING:
    from gotgan.domains.market.rows import IndexQuote, Movers
    from gotgan.domains.news.reports import NewsItemList
    from gotgan.domains.shops.models import Change
    from gotgan.domains.site.models import ContactInquiry
    from gotgan.domains.videos.reports import VideoLine

_MAX_HEADLINES: Final = 12
_MAX_MOVERS: Final = 5
_MAX_CHANGES: Final = 5
_MAX_VIDEOS: Final = 5
_MAX_INQUIRIES: Final = 3
_LATEST_INQUIRIES: Final = 25
"""Open inquiries are looked for among these."""


@dataclass(frozen=True)
class Highlights:
    """What is new in a domain."""

    domain: str
    found: Any = None
    """None where the domain has nothing yet."""
    is_unread: bool = False
    """Whether it could not be read."""


@dataclass(frozen=True)
class MarketNews:
    """The indices, and the shares that moved most."""

    indices: Sequence[IndexQuote]
    movers: Movers
    closes: Mapping[str, Sequence[float | None]]
    """Recent closes of those shares."""


@dataclass(frozen=True)
class ShopNews:
    """The latest changes of all shops."""

    drops: Sequence[Change]
    added: Sequence[Change]


@dataclass(frozen=True)
class SiteNews:
    """The newest open inquiries."""

    inquiries: Sequence[ContactInquiry]
    is_cut: bool
    """Whether there may be more."""


def read_highlights(app: App, domains: Collection[str]) -> list[Highlights]:
    """What is new in some domains; one that cannot be read says so."""
    return [
        _read_domain(name, partial(read, app)) for name, read in READERS.items() if name in domains
    ]


def _read_domain(name: str, read: Callable[[], Any]) -> Highlights:
    found = read_or_none(name, lambda: (read(),))
    return Highlights(name, is_unread=True) if found is None else Highlights(name, *found)


def _market_news(app: App) -> MarketNews | None:
    indices, movers = app.market.indices().items, app.market.movers(limit=_MAX_MOVERS)
    tickers = [row.ticker for row in (*movers.gainers, *movers.losers)]
    if not indices and not tickers:
        return None
    return MarketNews(indices, movers, app.market.recent_closes(tickers) if tickers else {})


def _news_items(app: App) -> NewsItemList | None:
    found = app.news.list(limit=_MAX_HEADLINES)
    return found if found.items else None


def _shop_news(app: App) -> ShopNews | None:
    drops = app.shops.latest_changes("price_down", limit=_MAX_CHANGES)
    added = app.shops.latest_changes("new", limit=_MAX_CHANGES)
    return ShopNews(drops, added) if drops or added else None


def _video_lines(app: App) -> Sequence[VideoLine] | None:
    return app.videos.list(limit=_MAX_VIDEOS).items or None


def _site_news(app: App) -> SiteNews | None:
    latest = app.site.inquiries.list(limit=_LATEST_INQUIRIES)
    open_ones = [each for each in latest.items if each.status != "done"]
    if not open_ones:
        return None
    is_cut = latest.cursor is not None or len(open_ones) > _MAX_INQUIRIES
    return SiteNews(open_ones[:_MAX_INQUIRIES], is_cut)


READERS: Final[Mapping[str, Callable[[App], Any]]] = {
    "market": _market_news,
    "news": _news_items,
    "shops": _shop_news,
    "videos": _video_lines,
    "site": _site_news,
}
"""In the order of the page."""
