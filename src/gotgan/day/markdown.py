"""The page of a day as Markdown, to be published.

It leaves out what will be otherwise tomorrow: what waits, what comes next, what reading the page
cost. So a day that is over says the same whenever it is asked, as long as what is known of it
stays: a failure that is made up for later changes it, and ticks are forgotten after thirty days.
"""

from __future__ import annotations

from calendar import month_name
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES
from gotgan.day.figures import (
    change_text,
    duration_text,
    kind_text,
    percent,
    units_text,
)
from gotgan.day.marking import link, listed, plain, section, table
from gotgan.day.page import DayPage, JobDay
from gotgan.day.words import words_in
from gotgan.domains.market.models import Screen
from gotgan.domains.market.rows import IndexMove, Mover, ScreenRow
from gotgan.domains.market.summaries import MarketDay, Screened
from gotgan.domains.news.summaries import NewsDay
from gotgan.domains.shops.summaries import ShopsDay, kind_of
from gotgan.domains.site.summaries import SiteDay
from gotgan.domains.videos.summaries import VideosDay
from gotgan.texts import Language, Texts

__all__ = ["AUTHOR", "contents_of", "is_empty", "title_of"]

AUTHOR: Final = "gotgan"
"""Who is named as the author of a day that was published."""
_HEADLINES: Final = 20
_CHANGES: Final = 20
_MOVERS: Final = 5
_SHARES: Final = 8
_WEEKDAYS: Final = (
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
)
Clock = Callable[[datetime], str]


def title_of(page: DayPage, language: Language = "ko") -> str:
    """The day in words, and whose day it is."""
    day, words = page.day, words_in(language)
    return words(
        "title",
        weekday=words(_WEEKDAYS[day.weekday()]),
        day=day.day,
        month=day.month,
        month_name=month_name[day.month],
        year=day.year,
        place=words(page.zone),
    )


def contents_of(page: DayPage, language: Language = "ko") -> str:
    """All of the page."""
    words = words_in(language)
    return "\n\n".join(_told(page, words) or [words("nothing")]) + "\n"


def is_empty(page: DayPage) -> bool:
    """Whether there is nothing to tell of a day."""
    return not _told(page, words_in("en"))


def _told(page: DayPage, words: Texts) -> list[str]:
    place = ZoneInfo(ZONES[page.zone])

    def clock(moment: datetime) -> str:
        return f"{moment.astimezone(place):%H:%M}"

    return [part for part in _sections(page, words, clock) if part]


def _sections(page: DayPage, words: Texts, clock: Clock) -> Iterator[str]:
    if page.market.value is not None:
        yield _market(page.market.value, words)
    if page.news.value is not None:
        yield _news(page.news.value, words, clock)
    if page.shops.value is not None:
        yield _shops(page.shops.value, words)
    if page.videos.value is not None:
        yield _videos(page.videos.value, words)
    if page.site.value is not None:
        yield _site(page.site.value, words)
    yield _failures(page, words)
    yield _work(page.work.value or (), words)


# The market


def _market(market: MarketDay, words: Texts) -> str:
    sheet = market.sheet
    if not sheet.breadth.total and not sheet.indices:
        return ""
    indices = [(plain(row.name), f"{row.close:,.2f}", _moved(row)) for row in sheet.indices]
    breadth = sheet.breadth
    counts = {
        name: f"{getattr(breadth, name):,}" for name in ("rising", "falling", "unchanged", "halted")
    }
    told = words("breadth", **counts) if breadth.total else ""
    close, move = words("close"), words("move")
    movers = [*sheet.risers[:_MOVERS], *sheet.fallers[:_MOVERS]]
    rows = [(_share(row), f"{row.close:,}", percent(row.percent)) for row in movers]
    return section(
        words("market"),
        table((words("index"), close, move), indices, numbers=2),
        told,
        table((words("moves"), close, move), rows, numbers=2),
        listed(
            _screen(kind, found, words) for kind, found in market.screens.items() if found.count
        ),
    )


def _moved(index: IndexMove) -> str:
    return "–" if index.percent is None else percent(index.percent)


def _share(row: Mover | ScreenRow) -> str:
    return f"{plain(row.name)} ({plain(row.ticker)})"


def _screen(kind: Screen, found: Screened, words: Texts) -> str:
    shares = ", ".join(_share(row) for row in found.rows[:_SHARES])
    left = found.count - min(_SHARES, len(found.rows))
    more = words("more", count=f"{left:,}") if left else ""
    return f"**{words(kind)}**: {shares}{more}"


# The others


def _news(news: NewsDay, words: Texts, clock: Clock) -> str:
    if not news.new:
        return ""
    counted = news.tickers[:_HEADLINES]
    about = ", ".join(f"{plain(each.ticker)} {each.count}" for each in counted)
    headlines = [
        f"{clock(item.uploaded_at)} {link(item.title, item.url)}"
        + (f" ({plain(', '.join(item.tickers))})" if item.tickers else "")
        for item in news.headlines[:_HEADLINES]
    ]
    return section(
        words("news"),
        words("story" if news.new == 1 else "stories", count=f"{news.new:,}")
        + (f" {about}." if about else ""),
        listed(headlines),
    )


def _shops(shops: ShopsDay, words: Texts) -> str:
    if not shops.changes:
        return ""
    told = ", ".join(
        words("change_count", count=f"{count:,}", kind=kind_text(kind, words))
        for kind, count in shops.counts.items()
    )
    rows = [
        (
            link(change.title or change.url, change.url),
            plain(change.domain),
            kind_text(kind_of(change), words),
            plain(change_text(change, words)),
        )
        for change in (*shops.changed, *shops.new_products)[:_CHANGES]
    ]
    more = words("at_least") if shops.is_cut else ""
    head = (words("thing"), words("shop"), words("what"), words("before_after"))
    return section(words("shops"), f"{more}{told}.", table(head, rows, numbers=1))


def _videos(videos: VideosDay, words: Texts) -> str:
    watching = "https://www.youtube.com/watch?v="
    titles = [
        link(each.title or each.job.video_id, watching + each.job.video_id)
        for each in videos.jobs
        if each.job.status == "completed"
    ]
    if not titles:
        return ""
    told = words("analysis" if videos.completed == 1 else "analyses", count=f"{videos.completed:,}")
    return section(words("videos"), told, listed(dict.fromkeys(titles)))


def _site(site: SiteDay, words: Texts) -> str:
    """What people published: days that tell of one another would never come to rest."""
    titles = [plain(post.title) for post in site.posts if post.author_id != AUTHOR]
    return section(words("published"), listed(titles))


def _failures(page: DayPage, words: Texts) -> str:
    return section(
        words("failed"),
        listed(
            f"**{plain(failure.what)}**: {plain(failure.words)}"
            + (f" ({plain(failure.next)})" if failure.is_over else "")
            for failure in page.failures
            if failure.is_over or not page.is_today
        ),
    )


def _work(jobs: Sequence[JobDay], words: Texts) -> str:
    ran = [job for job in jobs if job.ran]
    rows = [
        (
            plain(job.job),
            f"{job.ran:,}",
            f"{job.counts.get('failed', 0):,}",
            duration_text(job.seconds, words),
            units_text(job.reads, job.writes, words),
        )
        for job in ran
    ]
    head = (*map(words, ("job", "runs", "failures", "time")), "DynamoDB")
    return section(words("work"), table(head, rows, numbers=4))
