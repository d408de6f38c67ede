"""Videos as they are shown: jobs, results and lists as JSON, in the names of their contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from gotgan.clock import utc_iso
from gotgan.domains.videos.assembling import shape_1, with_cache_hit

if TYPE_CHECKING:
    from gotgan.domains.videos.comparing import Comparison
    from gotgan.domains.videos.costs import DayCost
    from gotgan.domains.videos.jobs import Job
    from gotgan.domains.videos.listing import Line
    from gotgan.domains.videos.measuring.measured import Label
    from gotgan.domains.videos.models import Channel, Comment
    from gotgan.domains.videos.results import Result
    from gotgan.domains.videos.sheets import Sheet
    from gotgan.domains.videos.snapshots import Snapshot
    from gotgan.domains.videos.sources.quota import QuotaDay
    from gotgan.domains.videos.versions import Version

__all__ = [
    "comment_record",
    "comparison_record",
    "contract_job",
    "cost_record",
    "exported_comment",
    "job_record",
    "line_record",
    "quota_record",
    "result_1",
    "result_2",
    "result_line",
    "sheet_record",
    "version_record",
]


def contract_job(job: Job, result: Result | None, *, cache_hit: bool = False) -> dict[str, Any]:
    """A job as its contract has it, with its result in shape 1."""
    record: dict[str, Any] = {"jobId": job.job_id, "status": job.status}
    said = {"progress": job.progress, "step": job.step, "message": job.message}
    record |= {name: value for name, value in said.items() if value is not None}
    if result is not None:
        record["result"] = result_1(result, cache_hit=cache_hit)
    if job.error_code is not None:
        record["error"] = {"code": job.error_code, "message": job.error_message}
    return record


def result_1(result: Result, *, cache_hit: bool) -> dict[str, Any]:
    """A result in the contract's shape."""
    return shape_1(with_cache_hit(result.document, hit=cache_hit))


def result_2(
    result: Result, evidence: Mapping[str, Comment], *, is_fresh: bool, cache_hit: bool = False
) -> dict[str, Any]:
    """A result in shape 2, with the words of the comments that it names, while they are kept."""
    return {
        "id": result.id,
        "jobId": result.job_id or None,
        "videoId": result.video_id,
        "createdAt": _at(result.created_at),
        "expiresAt": _at(result.expires_at),
        "isStale": not is_fresh,
        "ttlReason": result.ttl_reason,
        "result": with_cache_hit(result.document, hit=cache_hit),
        "evidence": {name: comment_record(each) for name, each in evidence.items()},
    }


def result_line(result: Result) -> dict[str, Any]:
    """A result in a list, without what it says."""
    return {
        "id": result.id,
        "jobId": result.job_id or None,
        "analysisVersion": result.analysis_version,
        "schemaVersion": result.schema_version,
        "model": result.model_name,
        "commentSampleCount": result.comment_sample_count,
        "analysisBasis": list(result.analysis_basis),
        "units": result.usage.units,
        "inputTokens": result.usage.input_tokens,
        "outputTokens": result.usage.output_tokens,
        "costUsd": result.usage.cost_usd,
        "createdAt": _at(result.created_at),
        "expiresAt": _at(result.expires_at),
    }


def comment_record(comment: Comment) -> dict[str, Any]:
    """A comment, without whoever wrote it."""
    return {
        "commentId": comment.comment_id,
        "text": comment.text,
        "likes": comment.likes,
        "publishedAt": _at(comment.published_at),
    }


def exported_comment(video_id: str, comment: Comment, label: Label | None) -> dict[str, Any]:
    """A comment in an export; its label is null if it looks like spam."""
    record = {"videoId": video_id, **comment_record(comment), "parentId": comment.parent_id}
    return {**record, "label": label}


def job_record(job: Job) -> dict[str, Any]:
    """A job, with all that is known of it."""
    return {
        "jobId": job.job_id,
        "videoId": job.video_id,
        "status": job.status,
        "progress": job.progress,
        "step": job.step,
        "message": job.message,
        "errorCode": job.error_code,
        "errorMessage": job.error_message,
        "retryAfter": _at(job.retry_after),
        "nextAttemptAt": _at(job.due_at) if job.status == "queued" else None,
        "analyser": job.analyser,
        "analysisVersion": job.analysis_version or None,
        "forceRefresh": job.force_refresh,
        "refreshReason": job.refresh_reason,
        "analysisResultId": job.analysis_result_id,
        "units": job.units,
        "inputTokens": job.input_tokens,
        "outputTokens": job.output_tokens,
        "costUsd": job.cost_usd,
        "attempts": job.attempts,
        "createdAt": _at(job.created_at),
        "updatedAt": _at(job.updated_at),
        "startedAt": _at(job.started_at),
        "completedAt": _at(job.completed_at),
    }


def line_record(line: Line, now: datetime) -> dict[str, Any]:
    """A video in the list."""
    fresh = line.expires_at is not None and now < line.expires_at
    return {
        "videoId": line.video_id,
        "title": line.title,
        "analysisVersion": line.analysis_version,
        "model": line.model_name,
        "commentSampleCount": line.comment_sample_count,
        "analysedAt": _at(line.analysed_at),
        "expiresAt": _at(line.expires_at),
        "isFresh": fresh,
        "jobId": line.job_id,
        "jobStatus": line.status,
        "errorCode": line.error_code,
        "touchedAt": _at(line.touched_at),
    }


def sheet_record(sheet: Sheet) -> dict[str, Any]:
    """All that there is of a video."""
    result = sheet.result
    return {
        "videoId": sheet.video_id,
        "video": None if sheet.snapshot is None else _snapshot(sheet.snapshot),
        "channel": None if sheet.channel is None else _channel(sheet.channel),
        "analysis": None
        if result is None
        else result_2(result, sheet.evidence, is_fresh=sheet.is_fresh, cache_hit=sheet.is_fresh),
        "history": [result_line(each) for each in sheet.history],
        "lastJob": None if sheet.last_job is None else job_record(sheet.last_job),
    }


def comparison_record(sheets: tuple[Sheet, Sheet], comparison: Comparison) -> dict[str, Any]:
    """Two videos side by side."""
    return {
        "videos": [sheet_record(sheet) for sheet in sheets],
        "net": list(comparison.net),
        "sharedKeywords": list(comparison.shared_keywords),
        "onlyFirst": list(comparison.only[0]),
        "onlySecond": list(comparison.only[1]),
        "sharedTopics": list(comparison.shared_topics),
    }


def version_record(version: Version) -> dict[str, Any]:
    """What a version stands for."""
    recipe = version.recipe
    return {
        "version": version.name,
        "analyser": recipe.analyser,
        "model": recipe.model,
        "promptVersion": recipe.prompt_version,
        "scoreVersion": recipe.score_version,
        "schemaVersion": recipe.schema_version,
        "inputs": recipe.inputs,
        "createdAt": _at(version.created_at),
    }


def cost_record(cost: DayCost) -> dict[str, Any]:
    """What a day cost."""
    return {_camel(name): _plain(value) for name, value in asdict(cost).items()}


def quota_record(day: QuotaDay) -> dict[str, Any]:
    """How much of a day's units is used."""
    return {_camel(name): _plain(value) for name, value in asdict(day).items()}


def _snapshot(snapshot: Snapshot) -> dict[str, Any]:
    video = snapshot.video
    return {
        "title": video.title,
        "description": video.description,
        "publishedAt": _at(video.published_at),
        "durationSec": video.duration_sec,
        "viewCount": video.view_count,
        "likeCount": video.like_count,
        "commentCount": video.comment_count,
        "source": snapshot.source,
        "commentSampleCount": snapshot.comment_sample_count,
        "problem": snapshot.problem,
        "snapshotAt": _at(snapshot.snapshot_at),
        "keptUntil": _at(snapshot.expires_at),
    }


def _channel(channel: Channel) -> dict[str, Any]:
    return {
        "channelId": channel.channel_id,
        "title": channel.title,
        "subscriberCount": channel.subscriber_count,
        "videoCount": channel.video_count,
    }


def _at(moment: datetime | None) -> str | None:
    return None if moment is None else utc_iso(moment)


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return _at(value)
    return value.isoformat() if isinstance(value, date) else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
