"""Results of the videos' verbs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from gotgan.cli.format import adopted_table_lines, time_text
from gotgan.cli.reader import later, tr
from gotgan.cli.table import padded, page_table, safe_text, text_table
from gotgan.cli.terminal.video_sheet import (
    ago,
    bar_text,
    job_line,
    one_line,
    sentiment_lines,
    sheet_text,
    title_text,
    wait_line,
)
from gotgan.clock import SystemClock
from gotgan.domains.videos import reports
from gotgan.domains.videos.models import VideoJob

_MAX_WORDS: Final = 20
_TEXT_WIDTH: Final = 80
_VIDEO_COLUMNS: Final = ("video", "title", "analysed", "state", "version", "comments", "last job")
_PAST_COLUMNS: Final = (
    "analysed",
    "version",
    "model",
    "comments",
    "positive",
    "neutral",
    "negative",
    "net",
    "cost",
)
_JOB_COLUMNS: Final = ("job", "video", "status", "done", "step", "version", "attempts", "created")
_VERSION_COLUMNS: Final = ("version", "analyser", "model", "prompt", "score", "since")
_COST_COLUMNS: Final = ("day", "analyses", "failed", "units", "tokens", "cost")
_SAVED_COLUMNS: Final = ("reused", "units saved", "saved")
_NO_VIDEOS: Final = later(
    "No videos yet. Analyse one with gotgan videos analyse URL, or import some without a key: "
    "gotgan videos import FILE."
)


def analyse(submitted: reports.Submitted) -> str:
    """The job, and what to do next."""
    job, result = submitted.job, submitted.result
    if result is not None:
        head = tr(
            "{video} was analysed {ago} in version {version}; reused until {time}.",
            video=job.video_id,
            ago=ago(result.created_at, _now()),
            version=result.analysis_version,
            time=time_text(result.expires_at),
        )
        again = f"gotgan videos analyse {job.video_id} --force   # {tr('analyses it again')}"
        return _text([head, f"  gotgan videos get {job.video_id}", f"  {again}"])
    if submitted.is_new:
        text = "Job {id} is queued for a worker: gotgan up, or gotgan videos work."
        head = tr(text, id=job.job_id)
    else:
        head = tr("Job {id} is already running: {state}", id=job.job_id, state=job_line(job))
    return _text([head, wait_line(job)])


def adopt(adopted: reports.AdoptedVideos) -> str:
    """What was added to each table, and the open jobs."""
    lines = [*adopted_table_lines(adopted.tables)] or [tr("All tables are empty.")]
    if adopted.queued:
        lines.append(tr("queued {count:open job|open jobs}", count=adopted.queued))
    if adopted.left:
        text = (
            "left {count:open job|open jobs} alone: the video cannot be fetched, or another job is "
            "open for it"
        )
        lines.append(tr(text, count=adopted.left))
    return _text(lines)


def purge(purged: reports.VideosPurged) -> str:
    """How many collections were deleted."""
    return tr("deleted {count:collection|collections}", count=purged.snapshots)


def delete(gone: reports.VideoDeleted) -> str:
    """What was deleted."""
    return tr(
        "deleted {video}: {snapshots:collection|collections}, {results:result|results}, "
        "{jobs:job|jobs}",
        video=gone.video_id,
        snapshots=gone.snapshots,
        results=gone.results,
        jobs=gone.jobs,
    )


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
    attempts, again = "{count}, {units:YouTube unit|YouTube units}", found.retry_after
    values = {
        later("job"): found.job_id,
        later("video"): found.video_id,
        later("status"): job_line(found),
        later("made by"): _maker(found),
        later("reason"): found.refresh_reason or "",
        later("attempts"): tr(attempts, count=found.attempts, units=found.units),
        later("created"): time_text(found.created_at),
        later("ended"): "" if found.completed_at is None else time_text(found.completed_at),
        later("try again"): "" if again is None else tr("from {time} on", time=time_text(again)),
        later("result"): f"gotgan videos get {found.video_id}" if found.analysis_result_id else "",
    }
    return _text([f"{padded(tr(name), 9)}  {value}" for name, value in values.items() if value])


def jobs(page: reports.JobList) -> str:
    """A table of jobs."""
    rows = [_job_row(each) for each in page.items]
    return page_table(rows, (*_JOB_COLUMNS, "error"), tr("No jobs."), page.cursor)


def list(page: reports.VideoList) -> str:  # noqa: A001 - the verb's name
    """A table of videos."""
    now = _now()
    rows = [_video_row(each, now) for each in page.items]
    return page_table(rows, _VIDEO_COLUMNS, tr(_NO_VIDEOS), page.cursor)


def comments(found: reports.VideoComments) -> str:
    """A line for each comment."""
    lines = [_comment_line(each) for each in found.items]
    count = tr("{shown} of {total:comment|comments}.", shown=len(lines), total=found.total)
    return _text([*lines, count])


def compare(comparison: reports.VideoComparison) -> str:
    """Both videos, and their keywords and topics."""
    first, second = (sheet.video_id for sheet in comparison.videos)
    now = _now()
    return _text(
        [
            *(line for sheet in comparison.videos for line in _compared_lines(sheet, now)),
            *_difference_lines(comparison.sentiment),
            *_word_lines(tr("Keywords in both"), comparison.shared_keywords),
            *_word_lines(tr("Only in {video}", video=first), comparison.only_first_keywords),
            *_word_lines(tr("Only in {video}", video=second), comparison.only_second_keywords),
            *_word_lines(tr("Topics in both"), comparison.shared_topics),
        ]
    )


def history(found: reports.VideoHistory) -> str:
    """A table of analyses."""
    rows = [_past_row(each) for each in found.items]
    return page_table(rows, _PAST_COLUMNS, tr("Not analysed yet."), found.cursor)


def versions(found: reports.VideoVersions) -> str:
    """A table of versions."""
    rows = [_version_row(each) for each in found.items]
    if not rows:
        return tr("No versions yet. The first analysis is v1.")
    return text_table(rows, _VERSION_COLUMNS)


def schema(found: Mapping[str, Any]) -> str:
    """The schema as JSON."""
    return json.dumps(found, indent=2, ensure_ascii=False)


def quota(day: reports.QuotaDay) -> str:
    """How much is used, and when it resets."""
    share = day.units / day.limit if day.limit else 1.0
    blocked = tr("stopped until the quota resets")
    used = tr("{units} of {limit} units", units=day.units, limit=day.limit)
    values = {
        later("calls"): f"{day.calls:,}",
        later("resets"): time_text(day.resets_at),
        later("requests"): blocked if day.is_blocked else tr("allowed"),
    }
    head = f"{day.day}  {bar_text(min(share, 1.0))}  {used}"
    return _text([head, *(f"{padded(tr(name), 8)}  {value}" for name, value in values.items())])


def costs(found: reports.VideoCosts) -> str:
    """A table of the days on which something happened."""
    rows = [_cost_row(each) for each in found.items if each.analyses or each.failed or each.hits]
    if not rows:
        return tr("No analyses in {count:day|days}.", count=len(found.items))
    text = text_table(rows, (*_COST_COLUMNS, *_SAVED_COLUMNS))
    unpriced = sum(each.unpriced for each in found.items)
    note = tr("{count} by models whose price is unknown.", count=unpriced)
    return f"{text}\n\n{note}" if unpriced else text


def _now() -> datetime:
    return SystemClock().now()


def _maker(found: VideoJob) -> str:
    if found.analyser is None:
        return tr("another program")
    text = "{analyser}, version {version}"
    return tr(text, analyser=found.analyser, version=found.analysis_version)


def _job_row(each: VideoJob) -> dict[str, Any]:
    return {
        "job": each.job_id,
        "video": each.video_id,
        "status": tr(each.status),
        "done": f"{each.progress or 0} %",
        "step": tr((each.step or "").replace("_", " ")),
        "version": each.analysis_version,
        "attempts": str(each.attempts),
        "created": time_text(each.created_at),
        "error": each.error_code or "",
    }


def _video_row(line: reports.VideoLine, now: datetime) -> dict[str, Any]:
    row = {
        "video": line.video_id,
        "title": line.title or "",
        "last job": line.error_code or tr(line.status or ""),
    }
    if line.analysed_at is None:
        return row | {"analysed": tr("never")}
    return row | {
        "analysed": ago(line.analysed_at, now),
        "state": tr("fresh") if line.is_fresh else tr("stale"),
        "version": line.analysis_version or "",
        "comments": f"{line.comment_sample_count or 0:,}",
    }


def _comment_line(each: reports.LabelledComment) -> str:
    label = padded(tr(each.label or "spam"), 8)
    return f"{label}  {each.likes:>6,}  {one_line(each.text, _TEXT_WIDTH)}"


def _compared_lines(sheet: reports.VideoSheet, now: datetime) -> Iterator[str]:
    if sheet.result is None:
        return
    title = f"  {sheet.snapshot.video.title}" if sheet.snapshot else ""
    state = tr("fresh") if sheet.is_fresh else tr("stale")
    yield f"{sheet.video_id}{title}"
    made = tr("analysed {ago}", ago=ago(sheet.result.created_at, now))
    yield f"{made}, {state}, {sheet.result.analysis_version}"
    yield from sentiment_lines(sheet.result.document["sentiment"])
    yield ""


def _difference_lines(differences: Sequence[reports.SentimentDifference]) -> Iterator[str]:
    """The differences that chance rarely makes; that there is none, if there are comments."""
    found = [each for each in differences if each.is_significant]
    for each in found:
        yield tr(
            "Significant difference: {share} {first} and {second}",
            share=tr(each.share),
            first=_share_text(each.share, each.first),
            second=_share_text(each.share, each.second),
        )
    if differences and not found:
        yield tr("No significant difference in sentiment.")
    yield ""


def _share_text(share: str, percent: int) -> str:
    return f"{percent / 100:+.2f}" if share == "net" else f"{percent} %"


def _past_row(each: reports.PastAnalysis) -> dict[str, Any]:
    row = {
        "analysed": time_text(each.created_at),
        "version": each.analysis_version,
        "model": each.model,
        "comments": f"{each.comment_sample_count:,}",
        "cost": "" if each.cost_usd is None else f"${each.cost_usd:.6f}",
    }
    if each.sentiment is None or each.net is None:
        return row
    shares = {name: f"{share} %" for name, share in each.sentiment.percents.items()}
    return {**row, **shares, "net": f"{each.net:+.2f}"}


def _word_lines(title: str, words: Sequence[str]) -> Iterator[str]:
    yield title_text(title, _MAX_WORDS, len(words))
    yield f"  {' · '.join(words[:_MAX_WORDS]) or tr('none')}"


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


def _text(lines: Iterable[str]) -> str:
    return "\n".join(map(safe_text, lines))
