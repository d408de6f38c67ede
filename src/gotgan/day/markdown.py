"""The page of a day as Markdown, to be published.

It leaves out what will be otherwise tomorrow: what waits, what comes next, what reading the page
cost. So a day that is over says the same whenever it is asked, as long as what is known of it
stays: a failure that is made up for later changes it, and ticks are forgotten after thirty days.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES
from gotgan.day.calendar import PLACES
from gotgan.day.figures import (
    change_text,
    count_text,
    duration_text,
    kind_text,
    move_percent,
    percent,
    units_text,
)
from gotgan.day.marking import link, listed, plain, section, table
from gotgan.day.page import DayPage, JobDay
from gotgan.domains.market.models import Screen
from gotgan.domains.market.summaries import MarketDay, Screened
from gotgan.domains.news.summaries import NewsDay
from gotgan.domains.shops.summaries import ShopsDay, kind_of
from gotgan.domains.site.summaries import SiteDay
from gotgan.domains.videos.summaries import VideosDay

__all__ = ["AUTHOR", "SCREEN_WORDS", "contents_of", "is_empty", "title_of"]

AUTHOR: Final = "gotgan"
"""Who is named as the author of a day that was published."""
_HEADLINES: Final = 20
_CHANGES: Final = 20
_MOVERS: Final = 5
_SHARES: Final = 8
SCREEN_WORDS: Final[Mapping[Screen, str]] = {
    "oversold": "RSI below 30",
    "overbought": "RSI above 70",
    "macd_up": "MACD crossed its signal upwards",
    "macd_down": "MACD crossed its signal downwards",
}
Clock = Callable[[datetime], str]


def title_of(page: DayPage) -> str:
    """The day in words, and whose day it is."""
    day = page.day
    return f"{day:%A}, {day.day} {day:%B} {day.year} ({PLACES[page.zone]})"


def contents_of(page: DayPage) -> str:
    """All of the page."""
    return "\n\n".join(_told(page) or ["Nothing was collected on this day."]) + "\n"


def is_empty(page: DayPage) -> bool:
    """Whether there is nothing to tell of a day."""
    return not _told(page)


def _told(page: DayPage) -> list[str]:
    place = ZoneInfo(ZONES[page.zone])

    def clock(moment: datetime) -> str:
        return f"{moment.astimezone(place):%H:%M}"

    return [part for part in _sections(page, clock) if part]


def _sections(page: DayPage, clock: Clock) -> Iterator[str]:
    if page.market.value is not None:
        yield _market(page.market.value)
    if page.news.value is not None:
        yield _news(page.news.value, clock)
    if page.shops.value is not None:
        yield _shops(page.shops.value)
    if page.videos.value is not None:
        yield _videos(page.videos.value)
    if page.site.value is not None:
        yield _site(page.site.value)
    yield _failures(page)
    yield _work(page.work.value or ())


# The market


def _market(market: MarketDay) -> str:
    sheet = market.sheet
    if not sheet.breadth.total and not sheet.indices:
        return ""
    indices = [(plain(row["name"]), f"{row['close']:,.2f}", _moved(row)) for row in sheet.indices]
    breadth = sheet.breadth
    told = (
        f"{breadth.rising:,} rising, {breadth.falling:,} falling, {breadth.unchanged:,} unchanged, "
        f"{breadth.halted:,} halted."
        if breadth.total
        else ""
    )
    movers = [*sheet.risers[:_MOVERS], *sheet.fallers[:_MOVERS]]
    rows = [(_share(row), f"{row['close']:,}", percent(row["percent"])) for row in movers]
    return section(
        "Market",
        table(("index", "close", "move"), indices, numbers=2),
        told,
        table(("largest moves", "close", "move"), rows, numbers=2),
        listed(_screen(kind, found) for kind, found in market.screens.items() if found.count),
    )


def _moved(index: Mapping[Any, Any]) -> str:
    move = move_percent(index)
    return "–" if move is None else percent(move)


def _share(row: Mapping[Any, Any]) -> str:
    return f"{plain(row['name'])} ({plain(row['ticker'])})"


def _screen(kind: Screen, found: Screened) -> str:
    shares = ", ".join(_share(row) for row in found.rows[:_SHARES])
    left = found.count - min(_SHARES, len(found.rows))
    more = f" and {left:,} more" if left else ""
    return f"**{SCREEN_WORDS[kind]}**: {shares}{more}"


# The others


def _news(news: NewsDay, clock: Clock) -> str:
    if not news.new:
        return ""
    about = ", ".join(f"{plain(ticker)} {count}" for ticker, count in news.tickers[:_HEADLINES])
    headlines = [
        f"{clock(item.uploaded_at)} {link(item.title, item.url)}"
        + (f" ({plain(', '.join(item.tickers))})" if item.tickers else "")
        for item in news.headlines[:_HEADLINES]
    ]
    return section(
        "News",
        f"{count_text(news.new, 'new story', 'new stories')}." + (f" {about}." if about else ""),
        listed(headlines),
    )


def _shops(shops: ShopsDay) -> str:
    if not shops.changes:
        return ""
    told = ", ".join(f"{count:,} {kind_text(kind)}" for kind, count in shops.counts.items())
    rows = [
        (
            link(change.title or change.url, change.url),
            plain(change.domain),
            kind_text(kind_of(change)),
            plain(change_text(change)),
        )
        for change in (*shops.changed, *shops.new_products)[:_CHANGES]
    ]
    more = "At least " if shops.is_cut else ""
    head = ("thing", "shop", "what", "before → after")
    return section("Shops", f"{more}{told}.", table(head, rows, numbers=1))


def _videos(videos: VideosDay) -> str:
    watching = "https://www.youtube.com/watch?v="
    titles = [
        link(each.title or each.job.video_id, watching + each.job.video_id)
        for each in videos.jobs
        if each.job.status == "completed"
    ]
    if not titles:
        return ""
    told = f"{count_text(videos.completed, 'analysis', 'analyses')}."
    return section("Videos", told, listed(dict.fromkeys(titles)))


def _site(site: SiteDay) -> str:
    """What people published: days that tell of one another would never come to rest."""
    titles = [plain(post.title) for post in site.posts if post.author_id != AUTHOR]
    return section("Published", listed(titles))


def _failures(page: DayPage) -> str:
    return section(
        "What failed",
        listed(
            f"**{plain(failure.what)}**: {plain(failure.words)}"
            + (f" ({plain(failure.next)})" if failure.is_over else "")
            for failure in page.failures
            if failure.is_over or not page.is_today
        ),
    )


def _work(jobs: tuple[JobDay, ...]) -> str:
    ran = [job for job in jobs if job.ran]
    rows = [
        (
            plain(job.job),
            f"{job.ran:,}",
            f"{job.counts.get('failed', 0):,}",
            duration_text(job.seconds),
            units_text(job.reads, job.writes),
        )
        for job in ran
    ]
    head = ("job", "runs", "failed", "time", "DynamoDB")
    return section("At work", table(head, rows, numbers=4))
