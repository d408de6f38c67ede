"""Results of the verbs of a day: its page fits on a screen on a normal day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from gotgan.cli.format import count_text
from gotgan.cli.reader import domain_title, language, later, rendered, tr
from gotgan.cli.table import padded, safe_text, truncate
from gotgan.cli.terminal.news import article_counts
from gotgan.clock import ZONES
from gotgan.day.page import DayFailure, DayPage, DayPart, JobDay, PublishedDay, UpcomingEvent
from gotgan.day.texts import (
    change_text,
    day_words,
    duration_text,
    percent_text,
    summary_facts,
    units_text,
)
from gotgan.domains.market.rows import IndexMove, Mover
from gotgan.domains.market.summary import MarketDay
from gotgan.domains.news.summary import NewsDay
from gotgan.domains.shops.summary import ShopsDay
from gotgan.domains.site.summary import SiteDay
from gotgan.domains.videos.summary import VideosDay
from gotgan.errors import GotganError

_MAX_HEADLINES: Final = 6
_MAX_CHANGES: Final = 6
_MAX_MOVERS: Final = 3
_MAX_SHARES: Final = 6
_MAX_TICKERS: Final = 8
_MAX_FAILURES: Final = 8
_MAX_COMING: Final = 5
_MAX_WIDTH: Final = 100
_BARS: Final = "▁▂▃▄▅▆▇█"
_OUTCOMES: Final = {
    "new": later("Published: {title}, post {id} in category {category}"),
    "changed": later("Updated: {title}, post {id} in category {category}"),
    "duplicate": later("Already published: {title}, post {id} in category {category}"),
}


def get(page: DayPage) -> str:
    """What fits on a screen; ``--json`` has the rest."""
    return "\n".join(truncate(safe_text(line), _MAX_WIDTH) for line in _Text(page).lines())


def publish(published: PublishedDay) -> str:
    """The outcome of publishing the post."""
    text = _OUTCOMES[published.outcome]
    named = {"title": published.title, "id": published.id, "category": published.category_id}
    return safe_text(tr(text, **named))


class _Text:
    """The lines of a page, with times in its zone."""

    def __init__(self, page: DayPage) -> None:
        self._page = page
        self._words = day_words(language())
        self._place = ZoneInfo(ZONES[page.zone])

    def lines(self) -> Iterator[str]:
        page, faults = self._page, self._page.faults
        named = {
            "weekday": self._words(f"{page.day:%A}".lower()),
            "day": page.day,
            "place": self._words(page.zone),
        }
        if page.is_today:
            now = self._clock(page.now)
            yield tr("{weekday} {day} in {place}, up to {now}", now=now, **named)
        else:
            yield tr("{weekday} {day} in {place}", **named)
        yield from _part(domain_title("market"), page.market, self._market)
        yield from _part(domain_title("news"), page.news, self._news)
        yield from _part(domain_title("shops"), page.shops, self._shops)
        yield from _part(domain_title("videos"), page.videos, self._videos)
        yield from _part(domain_title("site"), page.site, self._site)
        for name, part in page.others.items():
            yield from _part(name, part, _facts)
        yield from _part(tr("work"), page.work, self._work)
        failed = [self._failure_line(each) for each in page.failures]
        yield from _first(tr("failed"), faults.get("failures"), failed, _MAX_FAILURES)
        coming = [self._next(each) for each in page.coming]
        yield from _first(tr("next"), faults.get("coming"), coming, _MAX_COMING)

    def _clock(self, moment: datetime) -> str:
        local = moment.astimezone(self._place)
        return f"{local:%H:%M}" if moment in self._page.span else f"{local:%Y-%m-%d %H:%M}"

    def _market(self, market: MarketDay) -> Iterator[str]:
        sheet = market.sheet
        yield rendered(market.next)
        if sheet.indices:
            yield ", ".join(_index(row) for row in sheet.indices)
        if sheet.breadth.total:
            yield tr(
                "{rising} rising, {falling} falling, {unchanged} unchanged",
                rising=sheet.breadth.rising,
                falling=sheet.breadth.falling,
                unchanged=sheet.breadth.unchanged,
            )
        for word, rows in ((tr("up"), sheet.gainers), (tr("down"), sheet.losers)):
            if rows:
                yield f"{word}: {', '.join(_mover(row) for row in rows[:_MAX_MOVERS])}"
        for kind, found in market.screens.items():
            if found.count:
                names = ", ".join(row.name for row in found.rows[:_MAX_SHARES])
                yield f"{self._words(kind)}: {found.count:,} ({names})"

    def _news(self, news: NewsDay) -> Iterator[str]:
        if not news.new:
            yield tr("no new stories")
            return
        bodies = ", ".join(article_counts(news.bodies))
        text = "{count:new story|new stories}; article texts: {bodies}"
        yield tr(text, count=news.new, bodies=bodies)
        yield tr("by hour: {bars}", bars=_sparkline(news.hours))
        if news.tickers:
            counts = news.tickers[:_MAX_TICKERS]
            tickers = [f"{each.ticker} {each.count}" for each in counts]
            yield tr("tickers: {tickers:list}", tickers=tickers)
        for item in news.headlines[:_MAX_HEADLINES]:
            about = f"  [{' '.join(item.tickers)}]" if item.tickers else ""
            yield f"{self._clock(item.uploaded_at)}  {item.title}{about}"

    def _shops(self, shops: ShopsDay) -> Iterator[str]:
        crawled, scraped = len(shops.crawled), len(shops.scraped)
        parts = [tr("{count:shop|shops} crawled", count=crawled)] if crawled else []
        parts += [tr("{count:shop|shops} scraped", count=scraped)] if scraped else []
        parts += [
            self._words("change_count", count=f"{count:,}", kind=self._words(kind))
            for kind, count in shops.counts.items()
        ]
        text = ", ".join(parts) or tr("no changes")
        yield tr("{counts}, and more", counts=text) if shops.is_cut else text
        for change in (*shops.changed, *shops.new_products)[:_MAX_CHANGES]:
            kind = padded(self._words(change.kind), 10)
            what = f"{kind} {change_text(change, self._words)}"
            product = change.title or change.url
            yield f"{self._clock(change.seen_at)}  {what}  {product} ({change.domain})"

    def _videos(self, videos: VideosDay) -> Iterator[str]:
        if not videos.jobs:
            yield tr("no analyses; {count} from the cache", count=videos.hits)
            return
        counts = tr(
            "{completed} analysed, {failed} failed, {open} open",
            completed=videos.completed,
            failed=videos.failed,
            open=videos.open,
        )
        tokens = videos.input_tokens + videos.output_tokens
        spent = tr("{units} units, {tokens} tokens", units=videos.units, tokens=tokens)
        price = f"${videos.cost_usd:.4f}"
        if videos.unpriced:
            price = tr("{price} and {count} of unknown price", price=price, count=videos.unpriced)
        hits = tr("{count} from the cache", count=videos.hits)
        yield f"{counts}; {spent}, {price}; {hits}"
        done = [each for each in videos.jobs if each.job.status == "completed"]
        for titled in done[:_MAX_MOVERS]:
            yield f"{self._clock(titled.job.created_at)}  {titled.title or titled.job.video_id}"

    def _site(self, site: SiteDay) -> Iterator[str]:
        posts = len(site.posts)
        more = tr("{count} or more published", count=posts)
        parts = [more if site.is_cut else count_text(posts, "published")]
        parts.append(tr("{count:inquiry|inquiries}", count=site.inquiries))
        parts.append(tr("{count:mail|mails} waiting to be sent", count=site.mails_waiting))
        yield ", ".join(parts)
        for post in site.posts[:_MAX_MOVERS]:
            yield f"{self._clock(post.created_at)}  {post.title}"

    def _work(self, jobs: Sequence[JobDay]) -> Iterator[str]:
        ran = [job for job in jobs if job.ran]
        if not ran:
            yield tr("no scheduled job ran (runs are kept for 30 days)")
        for job in ran:
            failed = job.counts.get("failed", 0)
            parts = [tr("{count:run|runs}", count=job.ran)]
            parts += [count_text(failed, "failed")] if failed else []
            parts.append(duration_text(job.seconds, self._words))
            if job.reads or job.writes:
                parts.append(units_text(job.reads, job.writes, self._words))
            if job.last is not None:
                parts.append(tr("last at {time}", time=self._clock(job.last.at)))
            yield f"{job.job:<18} {', '.join(parts)}"

    def _failure_line(self, failure: DayFailure) -> str:
        at = "" if failure.at is None else f"{self._clock(failure.at)}  "
        sign = "✓" if failure.is_over else "✕"
        return f"{sign} {at}{failure.what}: {rendered(failure.next)}. {rendered(failure.words)}"

    def _next(self, coming: UpcomingEvent) -> str:
        at = tr("now") if coming.at is None else self._clock(coming.at)
        words = rendered(coming.words)
        subject = "" if words.startswith(coming.what) else f"{coming.what}: "
        return f"{at}  {subject}{words}"


def _facts(summary: Any) -> Iterator[str]:
    yield ", ".join(f"{name} {value}" for name, value in summary_facts(summary))


def _part(
    title: str, part: DayPart[Any], lines_of: Callable[[Any], Iterator[str]]
) -> Iterator[str]:
    lines = [_error(part.error)] if part.error is not None else list(lines_of(part.value))
    if part.unset is not None:
        lines.append(tr("not set up: {why}", why=part.unset))
    return _titled_lines(title, lines)


def _first(title: str, error: GotganError | None, lines: Sequence[str], most: int) -> Iterator[str]:
    left = len(lines) - most
    more = [tr("and {count} more", count=left)] if left > 0 else []
    return _titled_lines(title, [*([] if error is None else [_error(error)]), *lines[:most], *more])


def _titled_lines(title: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{padded('' if number else title, 7)} {line}"


def _error(error: GotganError) -> str:
    return f"✕ {rendered(error.message)}"


def _index(row: IndexMove) -> str:
    moved = "" if row.percent is None else f" ({percent_text(row.percent)})"
    return f"{row.name} {row.close:,.2f}{moved}"


def _mover(row: Mover) -> str:
    return f"{row.name} {row.close:,} ({percent_text(row.percent)})"


def _sparkline(counts: Sequence[int]) -> str:
    """A bar for each hour; a dot for none."""
    step = (len(_BARS) - 1) / (max(counts) or 1)
    return "".join(_BARS[round(count * step)] if count else "·" for count in counts)
