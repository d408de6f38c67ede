"""The page of a day as Markdown, to be published.

It leaves out what will be different tomorrow: what waits, what comes next, what reading the page
cost. So the text of a past day changes only with its data: a failure may recover later, and ticks
are kept for thirty days.
"""

from __future__ import annotations

import re
from calendar import day_name, month_name
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.parse import quote, urlsplit
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES
from gotgan.day.page import DayPage, JobDay
from gotgan.day.texts import change_text, day_words, duration_text, percent_text, units_text
from gotgan.domains.market.models import Screen
from gotgan.domains.market.rows import IndexMove, Mover, ScreenRow
from gotgan.domains.market.summary import MarketDay, Screened
from gotgan.domains.news.summary import NewsDay
from gotgan.domains.shops.summary import ShopsDay
from gotgan.domains.site.summary import SiteDay
from gotgan.domains.videos.summary import VideosDay
from gotgan.messages import render
from gotgan.texts import Language, Texts

AUTHOR: Final = "gotgan"
"""The author of published days."""
_MAX_HEADLINES: Final = 20
_MAX_CHANGES: Final = 20
_MAX_MOVERS: Final = 5
_MAX_SHARES: Final = 8
_INLINE_MARKUP: Final = re.compile(r"([\\`*\[\]<>&|~]|(?<![^\W_])_|_(?![^\W_]))")
"""What Markdown interprets within a line; an underscore between two letters it does not."""
_LINE_START_MARKUP: Final = re.compile(r"^(\d{0,9})([#+\-=.)])(?=[\s#+\-=]|$)")
"""What it interprets at the start of a line, such as the sign after the number of a list."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that change the direction of the text."""
_ENTITY: Final = re.compile(r"&(?=#?\w+;)")
_URL_CHARACTERS: Final = "%/:?#@!$&'*+,;=~-._"
"""What is not quoted in a URL; brackets and blanks would end it."""


def day_title(page: DayPage, language: Language = "ko") -> str:
    """The day in words, and whose day it is."""
    day, words = page.day, day_words(language)
    return words(
        "title",
        weekday=words(day_name[day.weekday()].lower()),
        day=day.day,
        month=day.month,
        month_name=month_name[day.month],
        year=day.year,
        place=words(page.zone),
    )


def day_markdown(page: DayPage, language: Language = "ko") -> str:
    """All of the page."""
    words = day_words(language)
    return "\n\n".join(_section_texts(page, words) or [words("nothing")]) + "\n"


def is_empty(page: DayPage) -> bool:
    """Whether nothing happened on a day."""
    return not _section_texts(page, day_words("en"))


def _section_texts(page: DayPage, words: Texts) -> list[str]:
    sections: list[str] = []
    if page.market.value is not None:
        sections.append(_market(page.market.value, words))
    if page.news.value is not None:
        sections.append(_news(page.news.value, words, ZoneInfo(ZONES[page.zone])))
    if page.shops.value is not None:
        sections.append(_shops(page.shops.value, words))
    if page.videos.value is not None:
        sections.append(_videos(page.videos.value, words))
    if page.site.value is not None:
        sections.append(_site(page.site.value, words))
    sections += [_failures(page, words), _work(page.work.value or (), words)]
    return [text for text in sections if text]


# The market


def _market(market: MarketDay, words: Texts) -> str:
    sheet = market.sheet
    if not sheet.breadth.total and not sheet.indices:
        return ""
    indices = [
        (escape_text(row.name), f"{row.close:,.2f}", _move_text(row)) for row in sheet.indices
    ]
    breadth = sheet.breadth
    counts = {
        name: f"{getattr(breadth, name):,}" for name in ("rising", "falling", "unchanged", "halted")
    }
    summary = words("breadth", **counts) if breadth.total else ""
    close, move = words("close"), words("move")
    movers = [*sheet.gainers[:_MAX_MOVERS], *sheet.losers[:_MAX_MOVERS]]
    rows = [(_share(row), f"{row.close:,}", percent_text(row.percent)) for row in movers]
    return section(
        words("market"),
        table((words("index"), close, move), indices, numbers=2),
        summary,
        table((words("moves"), close, move), rows, numbers=2),
        bullet_list(
            _screen(kind, found, words) for kind, found in market.screens.items() if found.count
        ),
    )


def _move_text(index: IndexMove) -> str:
    return "–" if index.percent is None else percent_text(index.percent)


def _share(row: Mover | ScreenRow) -> str:
    return f"{escape_text(row.name)} ({escape_text(row.ticker)})"


def _screen(kind: Screen, found: Screened, words: Texts) -> str:
    shares = ", ".join(_share(row) for row in found.rows[:_MAX_SHARES])
    left = found.count - min(_MAX_SHARES, len(found.rows))
    more = words("more", count=f"{left:,}") if left else ""
    return f"**{words(kind)}**: {shares}{more}"


# The others


def _news(news: NewsDay, words: Texts, zone: ZoneInfo) -> str:
    if not news.new:
        return ""
    tickers = news.tickers[:_MAX_HEADLINES]
    about = ", ".join(f"{escape_text(each.ticker)} {each.count}" for each in tickers)
    headlines = [
        f"{item.uploaded_at.astimezone(zone):%H:%M} {link(item.title, item.url)}"
        + (f" ({escape_text(', '.join(item.tickers))})" if item.tickers else "")
        for item in news.headlines[:_MAX_HEADLINES]
    ]
    return section(
        words("news"),
        words("story" if news.new == 1 else "stories", count=f"{news.new:,}")
        + (f" {about}." if about else ""),
        bullet_list(headlines),
    )


def _shops(shops: ShopsDay, words: Texts) -> str:
    if not shops.changes:
        return ""
    counts = ", ".join(
        words("change_count", count=f"{count:,}", kind=words(kind))
        for kind, count in shops.counts.items()
    )
    rows = [
        (
            link(change.title or change.url, change.url),
            escape_text(change.domain),
            words(change.kind),
            escape_text(change_text(change, words)),
        )
        for change in (*shops.changed, *shops.new_products)[:_MAX_CHANGES]
    ]
    more = words("at_least") if shops.is_cut else ""
    head = (words("thing"), words("shop"), words("what"), words("before_after"))
    return section(words("shops"), f"{more}{counts}.", table(head, rows, numbers=1))


def _videos(videos: VideosDay, words: Texts) -> str:
    watching = "https://www.youtube.com/watch?v="
    titles = [
        link(each.title or each.job.video_id, watching + each.job.video_id)
        for each in videos.jobs
        if each.job.status == "completed"
    ]
    if not titles:
        return ""
    key = "analysis" if videos.completed == 1 else "analyses"
    count = words(key, count=f"{videos.completed:,}")
    return section(words("videos"), count, bullet_list(dict.fromkeys(titles)))


def _site(site: SiteDay, words: Texts) -> str:
    """What people published, without days: they would change each other for ever."""
    titles = [escape_text(post.title) for post in site.posts if post.author_id != AUTHOR]
    return section(words("published"), bullet_list(titles))


def _failures(page: DayPage, words: Texts) -> str:
    def sentence(message: str) -> str:
        return escape_text(render(message, words.language, ZoneInfo(ZONES[page.zone])))

    return section(
        words("failed"),
        bullet_list(
            f"**{escape_text(failure.what)}**: {sentence(failure.words)}"
            + (f" ({sentence(failure.next)})" if failure.is_over else "")
            for failure in page.failures
            if failure.is_over or not page.is_today
        ),
    )


def _work(jobs: Sequence[JobDay], words: Texts) -> str:
    rows = [
        (
            escape_text(job.job),
            f"{job.ran:,}",
            f"{job.counts.get('failed', 0):,}",
            duration_text(job.seconds, words),
            units_text(job.reads, job.writes, words),
        )
        for job in jobs
        if job.ran
    ]
    head = (*map(words, ("job", "runs", "failures", "time")), "DynamoDB")
    return section(words("work"), table(head, rows, numbers=4))


# Pieces of Markdown


def escape_text(text: str) -> str:
    """A text in one line, in which Markdown interprets nothing."""
    line = _INLINE_MARKUP.sub(r"\\\1", " ".join(_CONTROL.sub(" ", text).split()))
    return _LINE_START_MARKUP.sub(r"\1\\\2", line)


def link(text: str, url: str) -> str:
    """A link; the text alone if the URL is not one of the web."""
    if not _is_web_url(url):
        return escape_text(text)
    address = _ENTITY.sub(r"\&", quote(url, safe=_URL_CHARACTERS))
    return f"[{escape_text(text)}]({address})"


def _is_web_url(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def bullet_list(lines: Iterable[str]) -> str:
    """A list; empty without lines."""
    return "\n".join(f"- {line}" for line in lines)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: int = 0) -> str:
    """A table whose last columns are numbers; empty without rows."""
    body = [f"| {' | '.join(row)} |" for row in rows]
    if not body:
        return ""
    rules = [*["---"] * (len(head) - numbers), *["---:"] * numbers]
    return "\n".join([f"| {' | '.join(head)} |", f"| {' | '.join(rules)} |", *body])


def section(title: str, *parts: str) -> str:
    """A heading and its parts; empty if all of them are."""
    texts = [part for part in parts if part]
    return "\n\n".join([f"## {title}", *texts]) if texts else ""
