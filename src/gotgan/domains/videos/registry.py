"""The list of videos that there is anything of, with the latest of each kind."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from gotgan.domains.videos.tables import VIDEOS
from gotgan.sql import insert_into

__all__ = ["touch"]


def touch(connection: Connection, video_id: str, now: datetime, **latest: str) -> None:
    """Note what is the latest of a video: its ``snapshot_id``, ``job_id`` or ``result_id``.

    Its line is locked until the transaction ends, also where there was none. Whoever writes of a
    video that may be deleted meanwhile does this first of all; so they wait for each other.
    """
    row = {"video_id": video_id, "touched_at": now, **latest}
    adding = insert_into(connection, VIDEOS).values(row)
    changes = {"touched_at": now, **latest}
    connection.execute(
        adding.on_conflict_do_update(index_elements=[VIDEOS.c.video_id], set_=changes)
    )
