"""Results of the verbs of a day: its page fits on a screen on a normal day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from gotgan.cli.table import safe_text, truncate
from gotgan.clock import ZONES
from gotgan.day.calendar import ZONE_NAMES
from gotgan.day.page import Coming, DayFailure, DayPage, DayPart, JobDay, PublishedDay
from gotgan.day.texts import (
    ENGLISH,
    change_text,
    duration_text,
    percent_text,
    summary_facts,
    units_text,
)
from gotgan.domains.market.rows import IndexMove, Mover
from gotgan.domains.market.summary import MarketDay
from gotgan.domains.news.summary import NewsDay
from gotgan.domains.shops.summary import ShopsDay, change_kind
from gotgan.domains.site.summary import SiteDay
from gotgan.domains.videos.summary import VideosDay
from gotgan.errors import GotganError
from gotgan.texts import count_text

_HEADLINES: Final = 6
_CHANGES: Final = 6
_MOVERS: Final = 3
_SHARES: Final = 6
_TICKERS: Final = 8
_FAILURES: Final = 8
_COMING: Final = 5
_MAX_WIDTH: Final = 100
_BARS: Final = "▁▂▃▄▅▆▇█"
_OUTCOMES: Final = {"new": "Published", "changed": "Updated", "duplicate": "Already published"}


def get(page: DayPage) -> str:
    """What fits on a screen; ``--json`` has the rest."""
    return "\n".join(truncate(safe_text(line), _MAX_WIDTH) for line in _Text(page).lines())


def publish(published: PublishedDay) -> str:
    """What became of the post."""
    place = f"post {published.id} in category {published.category_id}"
    return safe_text(f"{_OUTCOMES[published.outcome]}: {published.title}, {place}")


class _Text:
    """The lines of a page, with times in its zone."""

    def __init__(self, page: DayPage) -> None:
        self._page = page
        self._place = ZoneInfo(ZONES[page.zone])

    def lines(self) -> Iterator[str]:
        page, faults = self._page, self._page.faults
        so_far = f", up to {self._clock(page.now)}" if page.is_today else ""
        yield f"{page.day:%A} {page.day} in {ZONE_NAMES[page.zone]}{so_far}"
        yield from _part("market", page.market, self._market)
        yield from _part("news", page.news, self._news)
        yield from _part("shops", page.shops, self._shops)
        yield from _part("videos", page.videos, self._videos)
        yield from _part("site", page.site, self._site)
        for name, part in page.others.items():
            yield from _part(name, part, _facts)
        yield from _part("work", page.work, self._work)
        failed = [self._failed(each) for each in page.failures]
        yield from _first("failed", faults.get("failures"), failed, _FAILURES)
        coming = [self._next(each) for each in page.coming]
        yield from _first("next", faults.get("coming"), coming, _COMING)
        yield ""
        yield f"Read for {page.cost.reads:g} read units."

    def _clock(self, moment: datetime) -> str:
        local = moment.astimezone(self._place)
        return f"{local:%H:%M}" if moment in self._page.span else f"{local:%Y-%m-%d %H:%M}"

    def _market(self, market: MarketDay) -> Iterator[str]:
        sheet = market.sheet
        yield market.next
        if sheet.indices:
            yield ", ".join(_index(row) for row in sheet.indices)
        if sheet.breadth.total:
            rose, fell = sheet.breadth.rising, sheet.breadth.falling
            yield f"{rose:,} rising, {fell:,} falling, {sheet.breadth.unchanged:,} unchanged"
        for word, rows in (("up", sheet.risers), ("down", sheet.fallers)):
            if rows:
                yield f"{word}: {', '.join(_mover(row) for row in rows[:_MOVERS])}"
        for kind, found in market.screens.items():
            if found.count:
                names = ", ".join(row.name for row in found.rows[:_SHARES])
                yield f"{ENGLISH[kind]}: {found.count:,} ({names})"

    def _news(self, news: NewsDay) -> Iterator[str]:
        if not news.new:
            yield "no new stories"
            return
        bodies = ", ".join(f"{count:,} {state}" for state, count in news.bodies.items())
        yield f"{count_text(news.new, 'new story', 'new stories')}; articles: {bodies}"
        yield f"by hour: {_sparkline(news.hours)}"
        if news.tickers:
            counted = news.tickers[:_TICKERS]
            yield f"about {', '.join(f'{each.ticker} {each.count}' for each in counted)}"
        for item in news.headlines[:_HEADLINES]:
            about = f"  [{' '.join(item.tickers)}]" if item.tickers else ""
            yield f"{self._clock(item.uploaded_at)}  {item.title}{about}"

    def _shops(self, shops: ShopsDay) -> Iterator[str]:
        visits = {"crawled": len(shops.crawled), "scraped": len(shops.scraped)}
        parts = [f"{count_text(count, 'shop')} {word}" for word, count in visits.items() if count]
        parts += [f"{count:,} {ENGLISH[kind]}" for kind, count in shops.counts.items()]
        yield (", ".join(parts) or "no changes") + (", and more" if shops.is_cut else "")
        for change in (*shops.changed, *shops.new_products)[:_CHANGES]:
            what = f"{ENGLISH[change_kind(change)]:<10} {change_text(change)}"
            product = change.title or change.url
            yield f"{self._clock(change.seen_at)}  {what}  {product} ({change.domain})"

    def _videos(self, videos: VideosDay) -> Iterator[str]:
        if not videos.jobs:
            yield f"no analyses; {videos.hits:,} from the cache"
            return
        spent = f"{videos.units:,} units, {videos.input_tokens + videos.output_tokens:,} tokens"
        unknown = f" and {videos.unpriced:,} of unknown price" if videos.unpriced else ""
        counts = f"{videos.completed:,} analysed, {videos.failed:,} failed, {videos.open:,} open"
        yield f"{counts}; {spent}, ${videos.cost_usd:.4f}{unknown}; {videos.hits:,} from the cache"
        done = [each for each in videos.jobs if each.job.status == "completed"]
        for titled in done[:_MOVERS]:
            yield f"{self._clock(titled.job.created_at)}  {titled.title or titled.job.video_id}"

    def _site(self, site: SiteDay) -> Iterator[str]:
        more = " or more" if site.is_cut else ""
        inquiries = count_text(site.inquiries, "inquiry", "inquiries")
        mails = count_text(site.mails_waiting, "mail")
        yield f"{len(site.posts):,}{more} published, {inquiries}, {mails} waiting to be sent"
        for post in site.posts[:_MOVERS]:
            yield f"{self._clock(post.created_at)}  {post.title}"

    def _work(self, jobs: Sequence[JobDay]) -> Iterator[str]:
        ran = [job for job in jobs if job.ran]
        if not ran:
            yield "no scheduled job ran (runs are kept for 30 days)"
        for job in ran:
            failed = job.counts.get("failed", 0)
            bad = f", {failed:,} failed" if failed else ""
            units = f", {units_text(job.reads, job.writes)}" if job.reads or job.writes else ""
            last = "" if job.last is None else f", last at {self._clock(job.last.at)}"
            took = duration_text(job.seconds)
            yield f"{job.job:<18} {count_text(job.ran, 'run')}{bad}, {took}{units}{last}"

    def _failed(self, failure: DayFailure) -> str:
        at = "" if failure.at is None else f"{self._clock(failure.at)}  "
        sign = "✓" if failure.is_over else "✕"
        return f"{sign} {at}{failure.what}: {failure.next}. {failure.words}"

    def _next(self, coming: Coming) -> str:
        at = "now" if coming.at is None else self._clock(coming.at)
        subject = "" if coming.words.startswith(coming.what) else f"{coming.what}: "
        return f"{at}  {subject}{coming.words}"


def _facts(summary: Any) -> Iterator[str]:
    yield ", ".join(f"{name} {value}" for name, value in summary_facts(summary))


def _part(
    title: str, part: DayPart[Any], lines_of: Callable[[Any], Iterator[str]]
) -> Iterator[str]:
    lines = [_error(part.error)] if part.error is not None else list(lines_of(part.value))
    if part.unset is not None:
        lines.append(f"not set up: {part.unset}")
    return _titled(title, lines)


def _first(title: str, error: GotganError | None, lines: Sequence[str], most: int) -> Iterator[str]:
    left = len(lines) - most
    more = [f"and {left:,} more"] if left > 0 else []
    return _titled(title, [*([] if error is None else [_error(error)]), *lines[:most], *more])


def _titled(title: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{'' if number else title:<7} {line}"


def _error(error: GotganError) -> str:
    return f"✕ {error.message}"


def _index(row: IndexMove) -> str:
    moved = "" if row.percent is None else f" ({percent_text(row.percent)})"
    return f"{row.name} {row.close:,.2f}{moved}"


def _mover(row: Mover) -> str:
    return f"{row.name} {row.close:,} ({percent_text(row.percent)})"


def _sparkline(counts: Sequence[int]) -> str:
    """A bar for each hour; a dot for none."""
    step = (len(_BARS) - 1) / (max(counts) or 1)
    return "".join(_BARS[round(count * step)] if count else "·" for count in counts)
