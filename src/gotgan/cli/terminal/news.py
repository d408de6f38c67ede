"""Results of the news verbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.cli.format import localized, time_text
from gotgan.cli.output import ExitCode, TextResult
from gotgan.cli.reader import later, rendered, tr
from gotgan.cli.table import padded, page_table, safe_lines, with_cursor
from gotgan.clock import ZONES, Zone, utc_iso
from gotgan.domains.news.models import NewsBody, NewsItem, NewsSource
from gotgan.domains.news.reports import (
    AddedSource,
    AlsoAt,
    BodiesReport,
    KeyReason,
    NewsDetails,
    NewsItemList,
    PollReport,
    Uploaded,
)
from gotgan.encoding import encode
from gotgan.store import Page

_MAX_SHOWN: Final = 50
_LISTED: Final = ("time", "key", "tickers", "title")
_STATES: Final = {
    "never": later("not fetched"),
    "ok": later("stored"),
    "external": later("on another site"),
    "premium": later("for subscribers"),
    "gone": later("no longer available"),
    "blocked": later("blocked by robots.txt"),
    "dead": later("given up"),
}
_SOURCE_COLUMNS: Final = (
    "name",
    "format",
    "health",
    "last success",
    "failures",
    "next",
    "stored",
    "url",
)


def article_counts(states: Mapping[str, int]) -> Sequence[str]:
    """How many articles are in which state: ``stored 4``."""
    return [f"{tr(_STATES.get(state, state))} {count}" for state, count in states.items() if count]


def collect(report: Uploaded) -> TextResult:
    """Counts, the first new items, and each story that failed."""
    counts = {
        later("received"): report.given,
        later("new"): len(report.new),
        later("duplicate"): report.duplicates,
        later("failed"): len(report.failed),
    }
    parts = [f"{tr(word)} {count}" for word, count in counts.items()]
    left = len(report.new) - _MAX_SHOWN
    lines = [
        " · ".join(parts),
        *(f"  {padded(tr('new'), 6)}  {_headline(item)}" for item in report.new[:_MAX_SHOWN]),
        *(["  " + tr("and {count} more", count=left)] if left > 0 else []),
        *(
            f"  {tr('failed')}  {each.item.url}: {rendered(each.error.message)}"
            for each in report.failed
        ),
    ]
    if not report.failed:
        return safe_lines(lines), ExitCode.OK
    may_pass = all(each.error.retry for each in report.failed)
    return safe_lines(lines), ExitCode.RETRY if may_pass else ExitCode.FAILED


upload = collect


def bodies(report: BodiesReport) -> TextResult:
    """Counts by outcome, and what is left in the queues."""
    parts = [*article_counts(dict(sorted(report.outcomes.items())))]
    reasons = ", ".join(f"{code} {count}" for code, count in sorted(report.reasons.items()))
    parts += [f"{tr('failed for now')} {report.waiting} ({reasons})"] if report.waiting else []
    parts += [f"{tr('taken by others')} {report.skipped}"] if report.skipped else []
    lines = [" · ".join([f"{tr('articles')} {report.tried}", *parts])]
    if report.stopped:
        lines.append(tr("Stopped early: {why}", why=report.stopped))
    if report.queued or report.dead:
        text = "Queue: {waiting} waiting, {dead} given up (gotgan news queue)"
        lines.append(tr(text, waiting=report.queued, dead=report.dead))
    if report.has_more:
        lines.append(tr("There are more: run it again, or raise --limit."))
    return safe_lines(lines), ExitCode.RETRY if report.waiting or report.stopped else ExitCode.OK


retry = bodies


def poll(report: PollReport) -> TextResult:
    """A line for each source."""
    if not report.sources:
        return tr("No source is due."), ExitCode.OK
    lines = []
    for each in report.sources:
        what = tr("unchanged")
        if each.error is not None:
            what = f"{tr('failed')}  [{each.error.code}] {rendered(each.error.message)}"
        elif each.listed is not None:
            counts = {"received": each.listed, "new": each.new, "duplicate": each.duplicates}
            what = " · ".join(f"{tr(word)} {count}" for word, count in counts.items())
        lines.append(f"{each.name}  {what}")
    failed = [each.error for each in report.sources if each.error is not None]
    if not failed:
        return safe_lines(lines), ExitCode.OK
    may_pass = all(each.retry for each in failed)
    return safe_lines(lines), ExitCode.RETRY if may_pass else ExitCode.FAILED


def sources_add(added: AddedSource) -> str:
    """The source, or that it was there already."""
    source = added.source
    text = "Added {name} ({format}): {url}" if added.is_new else "{name} is already a source: {url}"
    return safe_lines([tr(text, name=source.name, format=source.format, url=source.url)])


def sources_remove(source: NewsSource) -> str:
    """What was removed."""
    return safe_lines([tr("Removed {name}. Its items stay.", name=source.name)])


def sources_list(page: Page[NewsSource]) -> str:
    """A line for each source."""
    empty = tr("No sources. Add one: {command}", command="gotgan news sources add URL")
    rows = [
        {
            "name": each.name,
            "format": each.format,
            "health": tr(each.health),
            "last success": _moment(each.succeeded_at),
            "failures": each.failures,
            "next": _moment(each.due_at),
            "stored": each.stored,
            "url": each.url,
        }
        for each in page
    ]
    return page_table(rows, _SOURCE_COLUMNS, empty, page.cursor)


def sources_get(source: NewsSource) -> str:
    """The source, and the result of its last poll."""
    values = {
        later("name"): source.name,
        later("URL"): source.url,
        later("format"): source.format,
        later("title"): source.title or "–",
        later("interval"): tr("{count} minutes", count=source.every_minutes),
        later("health"): tr(source.health),
        later("last success"): _moment(source.succeeded_at),
        later("next"): _moment(source.due_at),
        later("failures"): source.failures,
        later("received"): source.listed,
        later("stored"): source.stored,
    }
    lines = [f"{padded(tr(name), 12)}  {value}" for name, value in values.items()]
    if source.reason is not None:
        lines.append(f"[{source.error}] {rendered(source.reason)}")
    return safe_lines(lines)


def list(page: NewsItemList, zone: Zone | None) -> str:  # noqa: A001 - the verb's name
    """A line for each item, with the sources that have the same story."""
    nothing = tr("None among those read so far.")
    if page.cursor is None:
        nothing = tr("No items. Collect the latest: {command}", command="gotgan news collect")
    rows = [
        {
            "time": _time(item, zone),
            "key": item.pk,
            "tickers": " ".join(item.tickers),
            "title": item.title + _also_at(page.also_at.get(item.pk, ())),
        }
        for item in page
    ]
    return page_table(rows, _LISTED, nothing, page.cursor)


def get(found: NewsDetails) -> str:
    """The item, its clocks, why it has its key, and its article."""
    item = found.item
    values = {
        later("key"): item.pk,
        later("source"): item.source,
        later("tickers"): " ".join(item.tickers) or tr("none"),
        "UTC": utc_iso(item.uploaded_at),
        later("New York"): f"{item.uploaded_at_est_iso}  {item.tz_est_abbr}",
        later("Seoul"): f"{item.uploaded_at_kst_iso}  KST",
    }
    lines = [
        item.title,
        item.url,
        "",
        *(f"{padded(tr(name), 8)}  {value}" for name, value in values.items()),
        "",
        *_key_lines(found.why, found.look_alikes),
        *([tr("Also at:")] if found.also_at else []),
        *(f"  {each.source}  {each.pk}  {each.url}" for each in found.also_at),
        "",
        *_article_lines(found.body),
    ]
    return safe_lines(lines)


def queue(page: Page[NewsBody]) -> str:
    """A line for each article."""
    lines = map(_queue_line, page) if page.items else [tr("The queue is empty.")]
    return with_cursor(safe_lines(lines), page.cursor)


def _moment(moment: datetime | None) -> str:
    return "–" if moment is None else time_text(moment)


def _also_at(others: Sequence[AlsoAt]) -> str:
    if not others:
        return ""
    sources = ", ".join(dict.fromkeys(each.source for each in others))
    return f"  ({tr('also at: {sources}', sources=sources)})"


def _time(item: NewsItem, zone: Zone | None) -> str:
    if zone is None:
        return time_text(item.uploaded_at, seconds=True)
    return f"{item.uploaded_at.astimezone(ZoneInfo(ZONES[zone])):%Y-%m-%d %H:%M:%S %Z}"


def _headline(item: NewsItem) -> str:
    tickers = f"  [{' '.join(item.tickers)}]" if item.tickers else ""
    return f"{item.pk}  {item.title}{tickers}"


def _key_lines(why: KeyReason, alike: Sequence[NewsItem]) -> Sequence[str]:
    tag = tr("h# because the path does not end in an article ID")
    if why.article_id:
        tag = tr("id# because the path ends in the article ID {id}", id=why.article_id)
    text = "then the first 16 digits of the SHA-256 of the URL, {digest}."
    lines = [tr("Why this key: {tag};", tag=tag), tr(text, digest=why.sha256)]
    if alike:
        lines.append(tr("Items of the same day whose URLs differ only in the query or fragment:"))
        lines += [f"  {each.pk}  {each.url}" for each in alike]
    return lines


def _article_lines(body: NewsBody | None) -> Sequence[str]:
    if body is None:
        empty = "Article: not fetched yet. Fetch missing articles: {command}"
        return [tr(empty, command="gotgan news bodies")]
    known = {name: value for name, value in encode(body).items() if value is not None}
    for name in ("pk", "url"):  # those of the item
        del known[name]
    text: str | None = known.pop("text", None)
    lines = [
        f"  {padded(tr(name.replace('_', ' ')), 13)} {localized(each)}"
        for name, each in known.items()
    ]
    return [tr("Article:"), *lines, *([] if text is None else ["", text])]


def _queue_line(body: NewsBody) -> str:
    due = "" if body.due_at is None else time_text(body.due_at)
    state = tr("given up") if body.outcome == "dead" else tr(body.state.lower())
    why = f"  [{body.error}] {rendered(body.reason or '')}" if body.error else ""
    return f"{due}  {padded(state, 8)}  {body.attempts}/5  {body.pk}  {body.url}{why}"
