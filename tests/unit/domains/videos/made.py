"""Jobs, results and collections as tests need them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from gotgan.domains.videos.keys import new_id
from gotgan.domains.videos.models import Channel, Comment, Material, Usage, Video, VideoJob
from gotgan.domains.videos.reports import VideoResult

__all__ = ["NOW", "VIDEO", "a_job", "a_material", "a_result"]

NOW = datetime(2025, 10, 20, 8, tzinfo=UTC)
VIDEO = "abcdefghijk"


def a_job(now: datetime = NOW, **changes: Any) -> VideoJob:
    """A job that waits for somebody."""
    job = VideoJob(
        job_id=new_id(now),
        video_id=VIDEO,
        status="queued",
        cache_key=f"analysis:{VIDEO}:v1",
        analyser="builtin",
        analysis_version="v1",
        force_refresh=False,
        created_at=now,
        updated_at=now,
        due_at=now,
    )
    return replace(job, **changes)


def a_result(job: VideoJob, now: datetime = NOW, **changes: Any) -> VideoResult:
    """What became of a job."""
    result = VideoResult(
        id=new_id(now),
        job_id=job.job_id,
        video_id=job.video_id,
        analysis_version=job.analysis_version,
        schema_version=2,
        prompt_version=None,
        score_version="s1",
        comment_snapshot_hash=None,
        snapshot_id=new_id(now),
        result_json="{}",
        model_name="gotgan-builtin",
        comment_sample_count=0,
        analysis_basis=("title",),
        cache_key=job.cache_key,
        usage=Usage(units=12, input_tokens=100, output_tokens=10, cost_usd=0.5),
        ttl_reason=None,
        created_at=now,
        expires_at=now + timedelta(hours=24),
    )
    return replace(result, **changes)


def a_material(video_id: str = VIDEO, **changes: Any) -> Material:
    """A video with three comments."""
    said = ("정말 재밌어요 ㅋㅋ", "별로예요", "2:14 이 노래 뭐예요?")
    comments = tuple(
        Comment(f"c{number}", text, likes=number, published_at=NOW, updated_at=NOW, author="f" * 32)
        for number, text in enumerate(said)
    )
    video = Video(video_id, "제목", "설명", NOW, 300, "UC1", 1000, 100, 3, "ko")
    material = Material(video, Channel("UC1", "채널", 10, 5, 100), comments, sampling="all")
    return replace(material, **changes)
