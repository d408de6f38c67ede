"""All that there is of one video: what was collected, what was made of it, what is under way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, select

from gotgan.domains.videos import results, snapshots
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.measuring.measure import measure
from gotgan.domains.videos.models import Comment, VideoSnapshot
from gotgan.domains.videos.reports import LabelledComment, VideoResult, VideoSheet
from gotgan.domains.videos.tables import VIDEOS
from gotgan.errors import NotFound

__all__ = ["evidence_ids", "has_sheet", "quoted", "read_comments", "read_sheet"]

_HISTORY: Final = 20


def has_sheet(connection: Connection, video_id: str) -> bool:
    """Whether there is anything of a video."""
    query = select(VIDEOS.c.video_id).where(VIDEOS.c.video_id == video_id)
    return connection.execute(query).one_or_none() is not None


def read_sheet(
    connection: Connection, jobs: Jobs, video_id: str, now: datetime, version: str | None = None
) -> VideoSheet:
    """All that there is of a video; of a version, or of the latest result."""
    row = connection.execute(select(VIDEOS).where(VIDEOS.c.video_id == video_id)).one_or_none()
    if row is None:
        raise NotFound(
            f"nothing is known of {video_id}; have it analysed with "
            f"gotgan videos analyse {video_id}"
        )
    result = results.latest(connection, video_id, version)
    if result is None and version is not None:
        raise NotFound(f"{video_id} was not analysed in version {version}")
    shot = _kept(connection, row.snapshot_id, now)
    return VideoSheet(
        video_id,
        shot,
        None if shot is None else snapshots.channel(connection, shot.snapshot_id),
        result,
        result is not None and result.is_fresh(now),
        {} if result is None else quoted(connection, result, now),
        tuple(results.of_video(connection, video_id, _HISTORY)),
        None if row.job_id is None else jobs.get(connection, row.job_id),
    )


def read_comments(
    connection: Connection, video_id: str, now: datetime
) -> Iterator[LabelledComment]:
    """The stored comments of a video with their sentiment."""
    head = snapshots.latest(connection, video_id, now)
    material = None if head is None else snapshots.load(connection, head.snapshot_id, now)
    if material is None:
        raise NotFound(f"no comments are kept of {video_id}; have it analysed, or import them")
    labels = measure(material).labels
    return (
        LabelledComment(
            video_id,
            each.comment_id,
            each.text,
            each.likes,
            each.published_at,
            each.parent_id,
            labels.get(each.comment_id),
        )
        for each in material.comments
    )


def _kept(connection: Connection, snapshot_id: str | None, now: datetime) -> VideoSnapshot | None:
    return None if snapshot_id is None else snapshots.head(connection, snapshot_id, now)


def quoted(connection: Connection, result: VideoResult, now: datetime) -> dict[str, Comment]:
    """The comments that a result names, as far as they are kept."""
    if snapshots.head(connection, result.snapshot_id, now) is None:
        return {}
    return snapshots.quotes(connection, result.snapshot_id, list(evidence_ids(result.document)))


def evidence_ids(document: Any) -> Iterator[str]:
    """Every comment that a result names, wherever it does."""
    if isinstance(document, Mapping):
        for name, value in document.items():
            if name == "evidence":
                yield from value
            elif name == "commentId":
                yield value
            else:
                yield from evidence_ids(value)
    elif isinstance(document, list):
        for value in document:
            yield from evidence_ids(value)
