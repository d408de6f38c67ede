"""What needs attention, on the front page: problems by domain, and the buttons that fix them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from gotgan.app import App
from gotgan.console.site.mails import MailDelivery
from gotgan.console.videos.display import LIST, todays_quota, video_page

_FAILED_DAYS_SPAN: Final = timedelta(days=365)
_FAILED_VIDEOS_SPAN: Final = timedelta(days=7)
_MAX_VIDEOS: Final = 100


@dataclass(frozen=True)
class Alert:
    """A problem, and the page where it is fixed."""

    text: str
    """The key of its text; with ``_link`` that of the link."""
    path: str
    count: int = 0

    @property
    def link(self) -> str:
        """The text of the link."""
        return f"{self.text}_link"


@dataclass(frozen=True)
class QuickFix:
    """A form that starts the repair."""

    action: str
    label: str
    fields: Mapping[str, str] = field(default_factory=dict)


_QUICK_FIXES: Final[Mapping[str, QuickFix]] = {
    "market.need.failed": QuickFix(
        "/market/catch-up", "market.begin.catch_up", {"back": "/market/days"}
    ),
    "news.need.collect": QuickFix("/news/collect", "news.begin.collect", {"back": "/news"}),
    "news.need.dead": QuickFix("/news/bodies/retry", "news.retry.all"),
    "site.need.waiting": QuickFix(
        "/site/send-mails", "site.begin.send_mails", {"back": "/site/mails"}
    ),
}
"""By the text of the alert; the others are fixed on the page that they link to."""


def quick_fix(alert: Alert, alerts: Iterable[Alert]) -> QuickFix | None:
    """The button of an alert; mails cannot be sent while no server is set."""
    has_no_server = any(each.text == "site.need.server" for each in alerts)
    is_vain = alert.text == "site.need.waiting" and has_no_server
    return None if is_vain else _QUICK_FIXES.get(alert.text)


def site_alerts(app: App) -> Iterator[Alert]:
    """Missing settings for mails, and the mails that wait; the cause first."""
    delivery, waiting = MailDelivery.of(app), app.site.mails.count_waiting()
    if waiting and not delivery.has_server:
        yield Alert("site.need.server", "/site/company")
    if not delivery.has_address:
        yield Alert("site.need.address", "/site/company")
    if waiting:
        yield Alert("site.need.waiting", "/site/mails?show=waiting", waiting)


def news_alerts(app: App) -> Iterator[Alert]:
    """A list that could not be fetched, and articles that were given up."""
    collected, dead = app.runs.latest("news.collect"), app.news.count_queued("dead")
    if collected and collected.state == "failed":
        yield Alert("news.need.collect", "/news")
    if dead:
        yield Alert("news.need.dead", "/news/bodies?show=dead", dead)


def market_alerts(app: App) -> Iterator[Alert]:
    """Days of the last year that failed and were not recovered."""
    today = app.market.today()
    failed = app.market.failed_days(today - _FAILED_DAYS_SPAN, today)
    if failed:
        path = f"/market/days/{failed[0]}" if len(failed) == 1 else "/market/days"
        yield Alert("market.need.failed", path, len(failed))


def shops_alerts(app: App) -> Iterator[Alert]:
    """Shops whose worker died."""
    if count := len(app.shops.iter_stuck()):
        yield Alert("shops.need.stuck", "/shops", count)


def videos_alerts(app: App) -> Iterator[Alert]:
    """A quota that is used up, and videos of the last week whose last analysis failed."""
    quota = todays_quota(app)
    if quota is not None and quota.is_blocked:
        yield Alert("videos.need.quota", LIST)
    since = app.videos.now() - _FAILED_VIDEOS_SPAN
    lines = app.videos.list(limit=_MAX_VIDEOS).items
    failed = [each for each in lines if each.status == "failed" and each.touched_at >= since]
    if failed:
        path = video_page(failed[0].video_id) if len(failed) == 1 else f"{LIST}/jobs?status=failed"
        yield Alert("videos.need.failed", path, len(failed))


ALERTS: Final[Mapping[str, Callable[[App], Iterator[Alert]]]] = {
    "site": site_alerts,
    "news": news_alerts,
    "market": market_alerts,
    "shops": shops_alerts,
    "videos": videos_alerts,
}
"""The alerts of each domain."""
