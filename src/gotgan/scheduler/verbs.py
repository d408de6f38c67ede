"""What the names of the timetable stand for: its verbs, and the gates asked before them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from gotgan.backup import back_up
from gotgan.domains.market.service import Market
from gotgan.domains.news.service import News
from gotgan.domains.shops.service import Shops
from gotgan.domains.site.service import Site
from gotgan.domains.videos.service import Videos
from gotgan.errors import NotFound
from gotgan.runs import Run, Runs
from gotgan.scheduler import readiness
from gotgan.scheduler.answers import GO, GateDecision, skipped
from gotgan.settings import Settings
from gotgan.verbs import start

__all__ = ["Verbs"]

_ADOPTED: Final = skipped("adopted", "the whole table was read less than a day ago")
_A_LONG_TIME: Final = 10 * 365 * 86_400.0
T = TypeVar("T")


class Verbs:
    """The verbs and gates of one app, by the names that the timetable has for them."""

    def __init__(
        self,
        settings: Settings,
        runs: Runs,
        *,
        site: Site,
        news: News,
        shops: Shops,
        market: Market,
        videos: Videos,
    ) -> None:
        self.runs = runs
        self._starters = _starters(settings, runs, site, news, shops, market, videos)
        self._gates = _gates(settings, site, shops, market, videos)

    def start(self, verb: str) -> Run:
        """Let a verb do its daily work in the background; one that is under way is joined."""
        return _named(self._starters, "verb", verb)()

    def verb(self, name: str) -> Callable[[], Any]:
        """The daily work of a verb; it gives its report, or raises why it failed."""
        start = _named(self._starters, "verb", name)

        def work() -> Any:
            run = self.runs.wait(start().id, _A_LONG_TIME)
            if run.error is not None:
                raise run.error
            return run.report

        return work

    def ask(self, gate: str) -> GateDecision:
        """What a gate decides now."""
        return _named(self._gates, "gate", gate)()


def _starters(
    settings: Settings,
    runs: Runs,
    site: Site,
    news: News,
    shops: Shops,
    market: Market,
    videos: Videos,
) -> Mapping[str, Callable[[], Run]]:
    return {
        "market.open_day": lambda: start(runs, market.open_day),
        "market.collect": lambda: start(runs, market.collect),
        "market.indicators": lambda: start(runs, market.indicators),
        "market.catch_up": lambda: start(runs, market.catch_up),
        "news.collect": lambda: start(runs, news.collect),
        "news.bodies": lambda: start(runs, news.bodies),
        "shops.adopt": lambda: start(runs, shops.adopt),
        "shops.crawl": lambda: start(runs, shops.crawl),
        "shops.scrape": lambda: start(runs, shops.scrape),
        "shops.deliver": lambda: start(runs, shops.deliver),
        "site.adopt": lambda: start(runs, site.adopt),
        "site.send_mails": lambda: start(runs, site.send_mails),
        "videos.purge": lambda: start(runs, videos.purge),
        "backup": lambda: runs.start("backup", lambda tell: back_up(settings, on_progress=tell)),
    }


def _gates(
    settings: Settings, site: Site, shops: Shops, market: Market, videos: Videos
) -> Mapping[str, Callable[[], GateDecision]]:
    unset = readiness.market_unset
    return {
        "market.is_set": lambda: unset(settings) or GO,
        "market.decide": lambda: unset(settings) or market.decide(),
        "market.decide_indicators": lambda: unset(settings) or market.decide_indicators(),
        "web.is_set": lambda: readiness.web_unset(settings) or GO,
        "shops.are_to_adopt": lambda: GO if shops.is_adoption_due() else _ADOPTED,
        "shops.are_set": lambda: readiness.web_unset(settings) or _shops(shops),
        "shops.webhook_is_set": lambda: readiness.webhook_unset(settings) or _shops(shops),
        "site.is_to_adopt": lambda: GO if site.is_adoption_due() else _ADOPTED,
        "site.mails_wait": lambda: readiness.post_unset(settings) or _mails(site),
        "videos.have_expired": lambda: _collections(videos),
        "backup.is_set": lambda: readiness.backup_unset(settings) or GO,
    }


def _shops(shops: Shops) -> GateDecision:
    return GO if shops.countries() else readiness.NO_SHOP


def _mails(site: Site) -> GateDecision:
    return (
        GO
        if site.mails.count_waiting(at_most=1)
        else skipped("no_mails", "no mail waits to be sent")
    )


def _collections(videos: Videos) -> GateDecision:
    if videos.has_expired():
        return GO
    return skipped("none_expired", "nothing is kept that was collected thirty days ago")


def _named(known: Mapping[str, T], kind: str, name: str) -> T:
    if name not in known:
        raise NotFound(f"there is no {kind} {name}; there are {', '.join(sorted(known))}")
    return known[name]
