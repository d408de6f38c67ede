"""The videos as documents: each with its channel, and the comments of its latest collection.

They end with the collection, because what YouTube says may be kept for thirty days only.
"""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Row, and_, or_, select

from gotgan.documents import DocumentBatch, SearchDocument
from gotgan.domains.videos import tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gotgan.sql import Database

_MAX_VIDEOS: Final = 20
_SETTLED: Final = timedelta(minutes=1)
"""How long a transaction may take: what was touched later is read again the next time."""


def video_documents(database: Database, mark: str | None, now: datetime) -> DocumentBatch:
    """The videos that were touched since a mark, each with all of its comments."""
    with database.read() as connection:
        rows = _touched(connection, mark)
        documents = [each for row in rows for each in _documents(connection, row, now)]
    if not rows:
        return DocumentBatch(mark=mark)
    last, is_last = rows[-1], len(rows) < _MAX_VIDEOS
    reached, name = last.touched_at, last.video_id
    if is_last and now - reached < _SETTLED:
        reached, name = now - _SETTLED, ""
    following = json.dumps([reached.isoformat(), name])
    return DocumentBatch(documents, [row.video_id for row in rows], following, is_last)


def _touched(connection: Connection, mark: str | None) -> list[Row[Any]]:
    """The next videos after a mark, with their latest collections."""
    videos, shots, channels = tables.VIDEOS, tables.VIDEO_SNAPSHOTS, tables.CHANNEL_SNAPSHOTS
    joined = videos.outerjoin(shots, shots.c.snapshot_id == videos.c.snapshot_id)
    query = (
        select(
            videos.c.video_id,
            videos.c.touched_at,
            shots.c.snapshot_id,
            shots.c.title,
            shots.c.description,
            shots.c.published_at,
            shots.c.expires_at,
            channels.c.title.label("channel"),
        )
        .select_from(joined.outerjoin(channels, channels.c.snapshot_id == shots.c.snapshot_id))
        .order_by(videos.c.touched_at, videos.c.video_id)
        .limit(_MAX_VIDEOS)
    )
    if mark is not None:
        at, name = json.loads(mark)
        moment, column = datetime.fromisoformat(at), videos.c.touched_at
        is_later = and_(column == moment, videos.c.video_id > name)
        query = query.where(or_(column > moment, is_later))
    return list(connection.execute(query))


def _documents(connection: Connection, row: Row[Any], now: datetime) -> Iterator[SearchDocument]:
    """A video and its comments; of one whose collection has ended the id alone."""
    name = row.video_id
    if row.snapshot_id is None or (row.expires_at is not None and row.expires_at <= now):
        yield SearchDocument("video", name, name, group=name, at=row.touched_at)
        return
    channel = row.channel or ""
    yield SearchDocument(
        kind="video",
        id=name,
        title=row.title or name,
        text="\n".join(filter(None, (channel, row.description))),
        names=(name,),
        at=row.published_at or row.touched_at,
        group=name,
        until=row.expires_at,
    )
    table = tables.COMMENT_SNAPSHOTS.c
    query = select(table.comment_id, table.text, table.published_at)
    for each in connection.execute(query.where(table.snapshot_id == row.snapshot_id)):
        yield SearchDocument(
            kind="comment",
            id=f"{name}/{each.comment_id}",
            title="",
            text=each.text,
            at=each.published_at or row.touched_at,
            group=name,
            until=row.expires_at,
        )
