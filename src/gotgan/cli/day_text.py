"""The page of a day in a terminal: dense, a screen for a normal day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, Final
from zoneinfo import ZoneInfo

from gotgan.cli.grid import cut, safe
from gotgan.clock import ZONES
from gotgan.day.calendar import PLACES
from gotgan.day.figures import (
    change_text,
    count_text,
    duration_text,
    kind_text,
    percent,
    units_text,
)
from gotgan.day.page import DayPage, Failure, Fault, JobDay, Part
from gotgan.day.words import ENGLISH
from gotgan.domains.market.rows import IndexMove, Mover
from gotgan.domains.market.summaries import MarketDay
from gotgan.domains.news.summaries import NewsDay
from gotgan.domains.shops.summaries import ShopsDay, kind_of
from gotgan.domains.site.summaries import SiteDay
from gotgan.domains.videos.summaries import VideosDay

__all__ = ["day_text"]

_HEADLINES: Final = 6
_CHANGES: Final = 6
_MOVERS: Final = 3
_SHARES: Final = 6
_TICKERS: Final = 8
_FAILURES: Final = 8
_COMING: Final = 5
_WIDEST: Final = 100
_BARS: Final = "▁▂▃▄▅▆▇█"


def day_text(page: DayPage) -> str:
    """All of the page that fits on a screen; ``--json`` has the rest."""
    return "\n".join(map(_line, _Text(page).lines()))


def _line(text: str) -> str:
    return cut(safe(text), _WIDEST)


class _Text:
    """The lines of one page, by the clock of its zone."""

    def __init__(self, page: DayPage) -> None:
        self._page = page
        self._place = ZoneInfo(ZONES[page.zone])

    def lines(self) -> Iterator[str]:
        page = self._page
        yield self._head()
        yield from _under("market", page.market, self._market)
        yield from _under("news", page.news, self._news)
        yield from _under("shops", page.shops, self._shops)
        yield from _under("videos", page.videos, self._videos)
        yield from _under("site", page.site, self._site)
        yield from _under("work", page.work, self._work)
        yield from _untold("failed", page.faults.get("failures"))
        yield from _first("failed", [self._failed(each) for each in page.failures], _FAILURES)
        yield from _untold("next", page.faults.get("coming"))
        yield from _first("next", [self._next(*each) for each in self._coming()], _COMING)
        yield ""
        yield f"Read for {page.cost.reads:g} read units."

    def _head(self) -> str:
        page = self._page
        so_far = f", up to {self._clock(page.now)}" if page.is_today else ""
        return f"{page.day:%A} {page.day} in {PLACES[page.zone]}{so_far}"

    def _clock(self, moment: datetime) -> str:
        local = moment.astimezone(self._place)
        return f"{local:%H:%M}" if moment in self._page.span else f"{local:%Y-%m-%d %H:%M}"

    # The domains

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
            yield "no new story"
            return
        bodies = ", ".join(f"{count:,} {state}" for state, count in news.bodies.items())
        yield f"{count_text(news.new, 'new story', 'new stories')}; bodies: {bodies}"
        yield f"by the hour: {_spark(news.hours)}"
        if news.tickers:
            counted = news.tickers[:_TICKERS]
            yield f"about {', '.join(f'{ticker} {count}' for ticker, count in counted)}"
        for item in news.headlines[:_HEADLINES]:
            about = f"  [{' '.join(item.tickers)}]" if item.tickers else ""
            yield f"{self._clock(item.uploaded_at)}  {item.title}{about}"

    def _shops(self, shops: ShopsDay) -> Iterator[str]:
        looked_at = {"crawled": len(shops.crawled), "scraped": len(shops.scraped)}
        told = [f"{count_text(count, 'shop')} {word}" for word, count in looked_at.items() if count]
        told += [f"{count:,} {kind_text(kind)}" for kind, count in shops.counts.items()]
        yield (", ".join(told) or "no change") + (", and more" if shops.is_cut else "")
        for change in (*shops.changed, *shops.new_products)[:_CHANGES]:
            what = f"{kind_text(kind_of(change)):<10} {change_text(change)}"
            thing = change.title or change.url
            yield f"{self._clock(change.seen_at)}  {what}  {thing} ({change.domain})"

    def _videos(self, videos: VideosDay) -> Iterator[str]:
        if not videos.jobs:
            yield f"no analysis was asked for; {videos.hits:,} from the cache"
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
        wrote = count_text(site.inquiries, "inquiry", "inquiries")
        mails = count_text(site.mails_waiting, "mail")
        yield f"{len(site.posts):,}{more} published, {wrote}, {mails} waiting to be sent"
        for post in site.posts[:_MOVERS]:
            yield f"{self._clock(post.created_at)}  {post.title}"

    # The timetable

    def _work(self, jobs: Sequence[JobDay]) -> Iterator[str]:
        ran = [job for job in jobs if job.ran]
        if not ran:
            yield "the timetable ran nothing, or nobody remembers: ticks are kept for thirty days"
        for job in ran:
            failed = job.counts.get("failed", 0)
            bad = f", {failed:,} failed" if failed else ""
            units = f", {units_text(job.reads, job.writes)}" if job.reads or job.writes else ""
            last = "" if job.last is None else f", last at {self._clock(job.last.at)}"
            took = duration_text(job.seconds)
            yield f"{job.job:<18} {count_text(job.ran, 'run')}{bad}, {took}{units}{last}"

    def _failed(self, failure: Failure) -> str:
        at = "" if failure.at is None else f"{self._clock(failure.at)}  "
        sign = "✓" if failure.is_over else "✕"
        return f"{sign} {at}{failure.what}: {failure.next}. {failure.words}"

    def _coming(self) -> Iterator[tuple[str, str]]:
        for each in self._page.coming:
            is_said = each.words.startswith(each.what)
            words = each.words if is_said else f"{each.what}: {each.words}"
            yield ("now" if each.at is None else self._clock(each.at)), words

    @staticmethod
    def _next(at: str, words: str) -> str:
        return f"{at}  {words}"


def _under(title: str, part: Part[Any], told: Any) -> Iterator[str]:
    """The lines of a part under its title, which stands once; or what is wrong with it."""
    lines = [f"✕ {part.error.message}"] if part.error is not None else list(told(part.value))
    if part.unset is not None:
        lines.append(f"not set up: {part.unset}")
    yield from _titled(title, lines)


def _untold(title: str, fault: Fault | None) -> Iterator[str]:
    return _titled(title, [] if fault is None else [f"✕ {fault.message}"])


def _first(title: str, lines: Sequence[str], most: int) -> Iterator[str]:
    left = len(lines) - most
    more = [f"and {left:,} more"] if left > 0 else []
    yield from _titled(title, [*islice(lines, most), *more])


def _titled(title: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"{'' if number else title:<7} {line}"


def _index(row: IndexMove) -> str:
    moved = "" if row.percent is None else f" ({percent(row.percent)})"
    return f"{row.name} {row.close:,.2f}{moved}"


def _mover(row: Mover) -> str:
    return f"{row.name} {row.close:,} ({percent(row.percent)})"


def _spark(counts: Sequence[int]) -> str:
    """A small column for each hour; a dot where nothing came."""
    most = max(counts)
    if not most:
        return ""
    step = len(_BARS) - 1
    return "".join("·" if not count else _BARS[round(count * step / most)] for count in counts)
