"""Results: added once, never changed, and given again for as long as they are fresh."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

import orjson
from sqlalchemy import Connection, Row, Select, bindparam, select

from gotgan.domains.videos.models import FETCH_FAILURES, Material, Usage
from gotgan.domains.videos.reports import VideoResult
from gotgan.domains.videos.tables import ANALYSIS_RESULTS
from gotgan.domains.videos.wording import PROBLEMS
from gotgan.settings import Ttl

if TYPE_CHECKING:
    from gotgan.domains.videos.models import VideoJob

__all__ = [
    "FOREIGN_TTL",
    "LATEST",
    "PARTIAL_TTL",
    "add",
    "fresh_id",
    "freshness_of",
    "get",
    "latest",
    "linked",
    "of_video",
]

PARTIAL_TTL: Final = timedelta(minutes=10)
"""How long a result is fresh whose comments are incomplete because fetching them failed."""
FOREIGN_TTL: Final = timedelta(hours=24)
"""How long a result of another program is shown as fresh; it is never given as one of ours."""
_SAVED_WITHIN: Final = timedelta(minutes=1)
_UNSCORED: Final = "none"
_TABLE: Final = ANALYSIS_RESULTS.c


def freshness_of(material: Material, usual: Ttl) -> tuple[timedelta, str | None]:
    """How long a result of the material is fresh, and why, if that is less than a day."""
    if material.problem in FETCH_FAILURES:
        return min(PARTIAL_TTL, usual.span), PROBLEMS[material.problem]
    return usual.span, usual.reason


def add(connection: Connection, result: VideoResult) -> None:
    """Keep a result."""
    row = {
        "id": result.id,
        "job_id": result.job_id,
        "video_id": result.video_id,
        "analysis_version": result.analysis_version,
        "schema_version": result.schema_version,
        "prompt_version": result.prompt_version,
        "score_version": result.score_version,
        "comment_snapshot_hash": result.comment_snapshot_hash,
        "snapshot_id": result.snapshot_id,
        "result_json": result.result_json,
        "model_name": result.model_name,
        "comment_sample_count": result.comment_sample_count,
        "analysis_basis": orjson.dumps(result.analysis_basis).decode(),
        "cache_key": result.cache_key,
        "units": result.usage.units,
        "input_tokens": result.usage.input_tokens,
        "output_tokens": result.usage.output_tokens,
        "cost_usd": result.usage.cost_usd,
        "ttl_reason": result.ttl_reason,
        "created_at": result.created_at,
        "expires_at": result.expires_at,
    }
    connection.execute(ANALYSIS_RESULTS.insert().values(row))


def fresh_id(connection: Connection, cache_key: str, now: datetime) -> str | None:
    """The id of the latest result of a cache key, if it may be given again."""
    found = connection.execute(LATEST, {"cache_key": cache_key}).one_or_none()
    if found is None or found.expires_at is None or found.expires_at <= now:
        return None
    result_id: str = found.id
    return result_id


def get(connection: Connection, result_id: str) -> VideoResult | None:
    """A result by its id."""
    return _first(connection, select(ANALYSIS_RESULTS).where(_TABLE.id == result_id))


def linked(connection: Connection, job: VideoJob) -> VideoJob:
    """A job with its result; one of another program has what was the latest of its video then."""
    if job.analysis_result_id is not None or job.status != "completed":
        return job
    ended = (job.completed_at or job.updated_at) + _SAVED_WITHIN
    query = select(_TABLE.id).where(_TABLE.video_id == job.video_id, _TABLE.created_at <= ended)
    result_id = connection.execute(_newest(query).limit(1)).scalar_one_or_none()
    return replace(job, analysis_result_id=result_id)


def latest(connection: Connection, video_id: str, version: str | None = None) -> VideoResult | None:
    """The latest result of a video, or the latest of a version."""
    query = select(ANALYSIS_RESULTS).where(_TABLE.video_id == video_id)
    if version is not None:
        query = query.where(_TABLE.analysis_version == version)
    return _first(connection, query)


def of_video(connection: Connection, video_id: str, most: int) -> list[VideoResult]:
    """The latest results of a video, the last one first."""
    query = select(ANALYSIS_RESULTS).where(_TABLE.video_id == video_id)
    return [_result(row) for row in connection.execute(_newest(query).limit(most))]


def _newest(query: Select[Any]) -> Select[Any]:
    return query.order_by(_TABLE.created_at.desc(), _TABLE.id.desc())


LATEST: Final = _newest(
    select(_TABLE.id, _TABLE.expires_at).where(_TABLE.cache_key == bindparam("cache_key"))
).limit(1)
"""The latest result of a cache key; made once, for it is asked each time."""


def _first(connection: Connection, query: Select[Any]) -> VideoResult | None:
    row = connection.execute(_newest(query).limit(1)).one_or_none()
    return None if row is None else _result(row)


def _result(row: Row[Any]) -> VideoResult:
    return VideoResult(
        id=row.id,
        job_id=row.job_id or "",
        video_id=row.video_id,
        analysis_version=row.analysis_version,
        schema_version=row.schema_version,
        prompt_version=row.prompt_version,
        score_version=row.score_version or _UNSCORED,
        comment_snapshot_hash=row.comment_snapshot_hash,
        snapshot_id=row.snapshot_id or "",
        result_json=row.result_json,
        model_name=row.model_name or "",
        comment_sample_count=row.comment_sample_count or 0,
        analysis_basis=tuple(orjson.loads(row.analysis_basis or "[]")),
        cache_key=row.cache_key,
        usage=Usage(row.units, row.input_tokens, row.output_tokens, row.cost_usd),
        ttl_reason=row.ttl_reason,
        created_at=row.created_at,
        expires_at=row.expires_at or row.created_at + FOREIGN_TTL,
    )
