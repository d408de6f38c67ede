"""Results of the videos' verbs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from gotgan.cli.format import adopted_table_lines, time_text
from gotgan.cli.table import grid, safe_text
from gotgan.cli.terminal.video_sheet import (
    ago,
    bar_text,
    job_line,
    one_line,
    sentiment_lines,
    sheet_text,
)
from gotgan.clock import SystemClock
from gotgan.domains.videos import reports
from gotgan.domains.videos.models import VideoJob
from gotgan.texts import count_text

_WORDS_SHOWN: Final = 20
_TEXT_WIDTH: Final = 80
_VIDEO_COLUMNS: Final = ("video", "title", "analysed", "state", "version", "comments", "last job")
_JOB_COLUMNS: Final = ("job", "video", "status", "done", "step", "version", "attempts", "created")
_VERSION_COLUMNS: Final = ("version", "analyser", "model", "prompt", "score", "since")
_COST_COLUMNS: Final = ("day", "analyses", "failed", "units", "tokens", "cost")
_SAVED_COLUMNS: Final = ("reused", "units saved", "saved")
_NO_VIDEOS: Final = (
    "No videos yet. Analyse one with gotgan videos analyse URL, or import some without a key: "
    "gotgan videos import FILE."
)


def analyse(submitted: reports.Submitted) -> str:
    """The job, and what to do next."""
    job, result = submitted.job, submitted.result
    if result is not None:
        made = f"{ago(result.created_at, _now())} in version {result.analysis_version}"
        return _text(
            [
                f"{job.video_id} was analysed {made}; reused until {time_text(result.expires_at)}.",
                f"  gotgan videos get {job.video_id}",
                f"  gotgan videos analyse {job.video_id} --force   # analyses it again",
            ]
        )
    if submitted.is_new:
        head = f"Job {job.job_id} is queued for a worker: gotgan up, or gotgan videos work."
    else:
        head = f"Job {job.job_id} is already running: {job_line(job)}"
    wait = f"  gotgan videos job {job.job_id} --wait   # runs it here, unless a worker has it"
    return _text([head, wait])


def adopt(adopted: reports.AdoptedVideos) -> str:
    """What was added to each table, and the open jobs."""
    lines = [*adopted_table_lines(adopted.tables)] or ["All tables are empty."]
    if adopted.queued:
        lines.append(f"queued {count_text(adopted.queued, 'open job')}")
    if adopted.left:
        lines.append(
            f"left {count_text(adopted.left, 'open job')} alone: the video cannot be fetched, or "
            "another job is open for it"
        )
    return _text(lines)


def purge(purged: reports.VideosPurged) -> str:
    """How many collections were deleted."""
    return f"deleted {count_text(purged.snapshots, 'collection')}"


def delete(gone: reports.VideoDeleted) -> str:
    """What was deleted."""
    counts = {"collection": gone.snapshots, "result": gone.results, "job": gone.jobs}
    parts = ", ".join(count_text(count, noun) for noun, count in counts.items())
    return f"deleted {gone.video_id}: {parts}"


def get(sheet: reports.VideoSheet) -> str:
    """Everything stored about a video."""
    return sheet_text(sheet, _now())


def result(analysis: reports.VideoAnalysis) -> str:
    """An analysis, without what else is stored about its video."""
    row, is_fresh = analysis.row, not analysis.is_stale
    sheet = reports.VideoSheet(
        row.video_id, None, None, row, is_fresh, analysis.evidence, (row,), None
    )
    return sheet_text(sheet, _now())


def job(found: VideoJob) -> str:
    """A line for each value."""
    values = {
        "job": found.job_id,
        "video": found.video_id,
        "status": job_line(found),
        "made by": _maker(found),
        "reason": found.refresh_reason or "",
        "attempts": f"{found.attempts}, {count_text(found.units, 'unit')} of YouTube's",
        "created": time_text(found.created_at),
        "ended": "" if found.completed_at is None else time_text(found.completed_at),
        "try again": "" if found.retry_after is None else f"from {time_text(found.retry_after)} on",
        "result": f"gotgan videos get {found.video_id}" if found.analysis_result_id else "",
    }
    return _text([f"{name:<9}  {value}" for name, value in values.items() if value])


def jobs(page: reports.JobList) -> str:
    """A table of jobs."""
    rows = [_job_row(each) for each in page.items]
    return _page_text(grid(rows, (*_JOB_COLUMNS, "error")) if rows else "No jobs.", page.cursor)


def list(page: reports.VideoList) -> str:  # noqa: A001 - the verb's name
    """A table of videos."""
    now = _now()
    rows = [_video_row(each, now) for each in page.items]
    return _page_text(grid(rows, _VIDEO_COLUMNS) if rows else _NO_VIDEOS, page.cursor)


def comments(found: reports.VideoComments) -> str:
    """A line for each comment."""
    lines = [_comment_line(each) for each in found.items]
    return _text([*lines, f"{len(lines):,} of {count_text(found.total, 'comment')}."])


def compare(comparison: reports.VideoComparison) -> str:
    """Both videos, and their keywords and topics."""
    first, second = (sheet.video_id for sheet in comparison.videos)
    now = _now()
    return _text(
        [
            *(line for sheet in comparison.videos for line in _compared_lines(sheet, now)),
            *_word_lines("Keywords of both", comparison.shared_keywords),
            *_word_lines(f"Only of {first}", comparison.only_first),
            *_word_lines(f"Only of {second}", comparison.only_second),
            *_word_lines("Topics of both", comparison.shared_topics),
        ]
    )


def versions(found: reports.VideoVersions) -> str:
    """A table of versions."""
    rows = [_version_row(each) for each in found.items]
    return grid(rows, _VERSION_COLUMNS) if rows else "No versions yet. The first analysis is v1."


def schema(found: Mapping[str, Any]) -> str:
    """The schema as JSON."""
    return json.dumps(found, indent=2, ensure_ascii=False)


def quota(day: reports.QuotaDay) -> str:
    """How much is used, and when it resets."""
    share = day.units / day.limit if day.limit else 1.0
    state = "open: no requests until the quota resets" if day.is_blocked else "closed"
    lines = [
        f"{day.day}  {bar_text(min(share, 1.0))}  {day.units:,} of {day.limit:,} units",
        f"calls     {day.calls:,}",
        f"resets    {time_text(day.resets_at)}",
        f"breaker   {state}",
    ]
    return _text(lines)


def costs(found: reports.VideoCosts) -> str:
    """A table of the days on which something happened."""
    rows = [_cost_row(each) for each in found.items if each.analyses or each.failed or each.hits]
    if not rows:
        return f"No analyses in {count_text(len(found.items), 'day')}."
    unpriced = sum(each.unpriced for each in found.items)
    note = f"\n\n{unpriced:,} by models whose price is unknown." if unpriced else ""
    return grid(rows, (*_COST_COLUMNS, *_SAVED_COLUMNS)) + note


def _now() -> datetime:
    return SystemClock().now()


def _maker(found: VideoJob) -> str:
    if found.analyser is None:
        return "another program"
    return f"{found.analyser}, version {found.analysis_version}"


def _job_row(each: VideoJob) -> dict[str, Any]:
    return {
        "job": each.job_id,
        "video": each.video_id,
        "status": each.status,
        "done": f"{each.progress or 0} %",
        "step": (each.step or "").replace("_", " "),
        "version": each.analysis_version,
        "attempts": str(each.attempts),
        "created": time_text(each.created_at),
        "error": each.error_code or "",
    }


def _video_row(line: reports.VideoLine, now: datetime) -> dict[str, Any]:
    row = {
        "video": line.video_id,
        "title": line.title or "",
        "last job": line.error_code or line.status or "",
    }
    if line.analysed_at is None:
        return row | {"analysed": "never"}
    return row | {
        "analysed": ago(line.analysed_at, now),
        "state": "fresh" if line.is_fresh else "stale",
        "version": line.analysis_version or "",
        "comments": f"{line.comment_sample_count or 0:,}",
    }


def _comment_line(each: reports.LabelledComment) -> str:
    return f"{each.label or 'spam':<8}  {each.likes:>6,}  {one_line(each.text, _TEXT_WIDTH)}"


def _compared_lines(sheet: reports.VideoSheet, now: datetime) -> Iterator[str]:
    if sheet.result is None:
        return
    title = f"  {sheet.snapshot.video.title}" if sheet.snapshot else ""
    state = "fresh" if sheet.is_fresh else "stale"
    yield f"{sheet.video_id}{title}"
    yield f"analysed {ago(sheet.result.created_at, now)}, {state}, {sheet.result.analysis_version}"
    yield from sentiment_lines(sheet.result.document["sentiment"])
    yield ""


def _word_lines(title: str, words: Sequence[str]) -> Iterator[str]:
    more = f" (the first {_WORDS_SHOWN} of {len(words)})" if len(words) > _WORDS_SHOWN else ""
    yield f"{title}{more}"
    yield f"  {' · '.join(words[:_WORDS_SHOWN]) or 'none'}"


def _version_row(version: reports.VideoVersion) -> dict[str, Any]:
    return {
        "version": version.name,
        "analyser": version.recipe.analyser,
        "model": version.recipe.model,
        "prompt": version.recipe.prompt_version or "",
        "score": version.recipe.score_version,
        "since": time_text(version.created_at),
    }


def _cost_row(cost: reports.DayCost) -> dict[str, Any]:
    return {
        "day": cost.day.isoformat(),
        "analyses": f"{cost.analyses:,}",
        "failed": f"{cost.failed:,}",
        "units": f"{cost.units:,}",
        "tokens": f"{cost.input_tokens + cost.output_tokens:,}",
        "cost": f"${cost.cost_usd:.6f}",
        "reused": f"{cost.hits:,}",
        "units saved": f"{cost.saved_units:,}",
        "saved": f"${cost.saved_usd:.6f}",
    }


def _page_text(text: str, cursor: str | None) -> str:
    return text if cursor is None else f"{text}\n\nThere are more: --cursor {cursor}"


def _text(lines: Iterable[str]) -> str:
    return "\n".join(map(safe_text, lines))
