"""All that there is of one video: what was collected, what was made of it, what is under way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, select

from gotgan.domains.videos import results, snapshots
from gotgan.domains.videos.jobs import Job, Jobs
from gotgan.domains.videos.models import Channel, Comment
from gotgan.domains.videos.results import Result
from gotgan.domains.videos.snapshots import Snapshot
from gotgan.domains.videos.tables import VIDEOS
from gotgan.errors import Conflict, NotFound

__all__ = ["Sheet", "evidence_ids", "has_sheet", "quoted", "read_sheet"]

_HISTORY: Final = 20


@dataclass(frozen=True)
class Sheet:
    """A video, as far as it is known."""

    video_id: str
    snapshot: Snapshot | None
    """What was collected last; None where it is not kept any more."""
    channel: Channel | None
    result: Result | None
    is_fresh: bool
    """Whether the result may be given again; one that is not is shown as stale."""
    evidence: Mapping[str, Comment]
    """The comments that the result names, as far as they are kept."""
    history: tuple[Result, ...]
    last_job: Job | None

    def expect_result(self) -> Result:
        """The result; Conflict says why there is none."""
        if self.result is not None:
            return self.result
        why, job = f"{self.video_id} was not analysed yet", self.last_job
        if job is not None and job.is_open:
            raise Conflict(f"{why}: job {job.job_id} is {job.status}; try again when it has ended")
        if job is not None and job.status == "failed":
            raise Conflict(f"{why}: job {job.job_id} failed, {job.error_message}; analyse it again")
        raise Conflict(f"{why}; have it analysed first")


def has_sheet(connection: Connection, video_id: str) -> bool:
    """Whether there is anything of a video."""
    query = select(VIDEOS.c.video_id).where(VIDEOS.c.video_id == video_id)
    return connection.execute(query).one_or_none() is not None


def read_sheet(
    connection: Connection, jobs: Jobs, video_id: str, now: datetime, version: str | None = None
) -> Sheet:
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
    return Sheet(
        video_id,
        shot,
        None if shot is None else snapshots.channel(connection, shot.snapshot_id),
        result,
        result is not None and result.is_fresh(now),
        {} if result is None else quoted(connection, result, now),
        tuple(results.of_video(connection, video_id, _HISTORY)),
        None if row.job_id is None else jobs.get(connection, row.job_id),
    )


def _kept(connection: Connection, snapshot_id: str | None, now: datetime) -> Snapshot | None:
    return None if snapshot_id is None else snapshots.head(connection, snapshot_id, now)


def quoted(connection: Connection, result: Result, now: datetime) -> dict[str, Comment]:
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
