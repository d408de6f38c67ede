"""Results of the news verbs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from zoneinfo import ZoneInfo

from gotgan.cli.format import cost_text, local_time, time_text
from gotgan.cli.output import ExitCode, TextResult
from gotgan.cli.table import safe_lines
from gotgan.clock import ZONES, Zone, utc_iso
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.domains.news.reports import BodiesReport, KeyReason, NewsDetails, Uploaded
from gotgan.encoding import encode
from gotgan.store import Page

_MAX_SHOWN: Final = 50


def collect(report: Uploaded) -> TextResult:
    """Counts, the first new items, and each story that failed."""
    counts = {
        "in": report.given,
        "new": len(report.new),
        "duplicate": report.duplicates,
        "failed": len(report.failed),
    }
    parts = [f"{word} {count}" for word, count in counts.items()]
    lines = [
        " · ".join([*parts, cost_text(report.cost)]),
        *(f"  new     {_headline(item)}" for item in report.new[:_MAX_SHOWN]),
        *([f"  and {len(report.new) - _MAX_SHOWN:,} more"] if report.new[_MAX_SHOWN:] else []),
        *(f"  failed  {each.item.url}: {each.error.message}" for each in report.failed),
    ]
    if not report.failed:
        return safe_lines(lines), ExitCode.OK
    may_pass = all(each.error.retry for each in report.failed)
    return safe_lines(lines), ExitCode.RETRY if may_pass else ExitCode.FAILED


upload = collect


def bodies(report: BodiesReport) -> TextResult:
    """Counts by outcome, and what is left in the queues."""
    parts = [f"{outcome} {count}" for outcome, count in sorted(report.outcomes.items()) if count]
    reasons = ", ".join(f"{code} {count}" for code, count in sorted(report.reasons.items()))
    parts += [f"failed for now {report.waiting} ({reasons})"] if report.waiting else []
    parts += [f"taken by others {report.skipped}"] if report.skipped else []
    lines = [" · ".join([f"articles {report.tried}", *parts, cost_text(report.cost)])]
    if report.stopped:
        lines.append(f"Stopped early: {report.stopped}")
    if report.queued or report.dead:
        lines.append(f"Queue: {report.queued} waiting, {report.dead} given up (gotgan news queue)")
    if report.has_more:
        lines.append("There are more: run it again, or raise --limit.")
    return safe_lines(lines), ExitCode.RETRY if report.waiting or report.stopped else ExitCode.OK


retry = bodies


def list(page: Page[NewsItem], zone: Zone | None) -> str:  # noqa: A001 - the verb's name
    """A line for each item."""
    nothing = "None among those read so far."
    if page.cursor is None:
        nothing = "No items. Collect the latest: gotgan news collect"
    lines = [f"{_time(item, zone)}  {_headline(item)}" for item in page] or [nothing]
    count = f"{len(page)} shown, {page.read} read"
    return safe_lines([*lines, *_cursor_lines(page), f"\n{count}: {cost_text(page.cost)}."])


def get(found: NewsDetails) -> str:
    """The item, its clocks, why it has its key, and its article."""
    item = found.item
    lines = [
        item.title,
        item.url,
        "",
        f"key       {item.pk}",
        f"source    {item.source}",
        f"tickers   {' '.join(item.tickers) or 'none'}",
        f"UTC       {utc_iso(item.uploaded_at)}",
        f"New York  {item.uploaded_at_est_iso}  {item.tz_est_abbr}",
        f"Seoul     {item.uploaded_at_kst_iso}  KST",
        "",
        *_key_lines(found.why, found.look_alikes),
        "",
        *_article_lines(found.body),
    ]
    return safe_lines(lines)


def queue(page: Page[NewsBody]) -> str:
    """A line for each article."""
    return safe_lines(
        [*(map(_queue_line, page) if page.items else ["The queue is empty."]), *_cursor_lines(page)]
    )


def _time(item: NewsItem, zone: Zone | None) -> str:
    if zone is None:
        return time_text(item.uploaded_at, seconds=True)
    return f"{item.uploaded_at.astimezone(ZoneInfo(ZONES[zone])):%Y-%m-%d %H:%M:%S %Z}"


def _headline(item: NewsItem) -> str:
    tickers = f"  [{' '.join(item.tickers)}]" if item.tickers else ""
    return f"{item.pk}  {item.title}{tickers}"


def _key_lines(why: KeyReason, alike: Sequence[NewsItem]) -> Sequence[str]:
    tag = (
        f"id# because the path ends in the article ID {why.article_id}"
        if why.article_id
        else "h# because the path does not end in an article ID"
    )
    lines = [
        f"Why this key: {tag};",
        f"then the first 16 digits of the SHA-256 of the URL, {why.sha256}.",
    ]
    if alike:
        lines.append("Items of the same day whose URLs differ only in the query or fragment:")
        lines += [f"  {each.pk}  {each.url}" for each in alike]
    return lines


def _article_lines(body: NewsBody | None) -> Sequence[str]:
    if body is None:
        return ["Article: not fetched yet. Fetch missing articles: gotgan news bodies"]
    known = {name: value for name, value in encode(body).items() if value is not None}
    for name in ("pk", "url"):  # those of the item
        del known[name]
    text: str | None = known.pop("text", None)
    lines = [f"  {name.replace('_', ' '):<13} {local_time(each)}" for name, each in known.items()]
    return ["Article:", *lines, *([] if text is None else ["", text])]


def _queue_line(body: NewsBody) -> str:
    due = "" if body.due_at is None else time_text(body.due_at)
    state = "given up" if body.outcome == "dead" else body.state.lower()
    why = f"  [{body.error}] {body.reason}" if body.error else ""
    return f"{due}  {state:<8}  {body.attempts}/5  {body.pk}  {body.url}{why}"


def _cursor_lines(page: Page[Any]) -> Sequence[str]:
    return [] if page.cursor is None else [f"\nThere are more: --cursor {page.cursor}"]
