"""What was collected, kept for thirty days: a video, its channel, and comments, at one moment."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final

from sqlalchemy import Connection, Row, Select, delete, exists, select

from gotgan.domains.videos.ids import new_id
from gotgan.domains.videos.keys import snapshot_hash
from gotgan.domains.videos.models import Channel, Comment, Material, Origin, Video, VideoSnapshot
from gotgan.domains.videos.registry import touch
from gotgan.domains.videos.tables import (
    CHANNEL_SNAPSHOTS,
    COMMENT_SNAPSHOTS,
    VIDEO_SNAPSHOTS,
)
from gotgan.sql import upsert

__all__ = [
    "KEPT",
    "channel",
    "drop_of",
    "has_expired",
    "hash_of",
    "head",
    "latest",
    "load",
    "purge",
    "quotes",
    "save",
]

KEPT: Final = timedelta(days=30)
"""How long YouTube lets anybody keep what its API gave."""
_AT_ONCE: Final = 500
_OF_SNAPSHOTS: Final = (COMMENT_SNAPSHOTS, CHANNEL_SNAPSHOTS, VIDEO_SNAPSHOTS)


def save(connection: Connection, material: Material, now: datetime) -> str:
    """Keep what was collected; give the snapshot's id."""
    snapshot_id, video = new_id(now), material.video
    row = {
        "snapshot_id": snapshot_id,
        "video_id": video.video_id,
        "title": _plain(video.title),
        "description": _plain(video.description),
        "view_count": video.view_count,
        "like_count": video.like_count,
        "comment_count": video.comment_count,
        "published_at": video.published_at,
        "duration_sec": video.duration_sec,
        "channel_id": video.channel_id,
        "language": video.language,
        "source": material.source,
        "sampling": material.sampling,
        "problem": material.problem,
        "warnings": list(material.warnings),
        "comment_sample_count": len(material.comments),
        "comment_snapshot_hash": hash_of(material),
        "snapshot_at": now,
        "expires_at": now + KEPT,
    }
    connection.execute(VIDEO_SNAPSHOTS.insert().values(row))
    _save_channel(connection, snapshot_id, material.channel, now)
    upsert(connection, COMMENT_SNAPSHOTS, list(_comment_rows(snapshot_id, material.comments)))
    touch(connection, video.video_id, now, snapshot_id=snapshot_id)
    return snapshot_id


def load(connection: Connection, snapshot_id: str, now: datetime) -> Material | None:
    """All that was collected; None where it is not kept any more."""
    found = head(connection, snapshot_id, now)
    if found is None:
        return None
    query = select(COMMENT_SNAPSHOTS).where(COMMENT_SNAPSHOTS.c.snapshot_id == snapshot_id)
    rows = connection.execute(query.order_by(COMMENT_SNAPSHOTS.c.place)).all()
    return Material(
        found.video,
        channel(connection, snapshot_id),
        tuple(map(_comment, rows)),
        found.problem,
        found.source,
        found.sampling,
        found.warnings,
    )


def head(connection: Connection, snapshot_id: str, now: datetime) -> VideoSnapshot | None:
    """A collection without its comments; None where it is not kept any more."""
    return _head(connection, _kept(now).where(VIDEO_SNAPSHOTS.c.snapshot_id == snapshot_id))


def latest(
    connection: Connection, video_id: str, now: datetime, *, source: Origin | None = None
) -> VideoSnapshot | None:
    """The latest collection of a video that is still kept."""
    table = VIDEO_SNAPSHOTS.c
    query = _kept(now).where(table.video_id == video_id)
    if source is not None:
        query = query.where(table.source == source)
    newest = query.order_by(table.snapshot_at.desc(), table.snapshot_id.desc()).limit(1)
    return _head(connection, newest)


def quotes(connection: Connection, snapshot_id: str, ids: Collection[str]) -> dict[str, Comment]:
    """Comments by their ids, as far as they are kept."""
    table, found = COMMENT_SNAPSHOTS, {}
    wanted = iter(dict.fromkeys(ids))
    while some := list(islice(wanted, _AT_ONCE)):
        query = select(table).where(table.c.snapshot_id == snapshot_id)
        for row in connection.execute(query.where(table.c.comment_id.in_(some))):
            found[row.comment_id] = _comment(row)
    return found


def purge(connection: Connection, now: datetime, most: int) -> int:
    """Forget some of what may not be kept any longer; give how many collections."""
    table = VIDEO_SNAPSHOTS.c
    query = select(table.snapshot_id).where(table.expires_at <= now)
    ids = connection.execute(query.order_by(table.expires_at).limit(most)).scalars().all()
    for each in _OF_SNAPSHOTS:
        connection.execute(delete(each).where(each.c.snapshot_id.in_(ids)))
    return len(ids)


def has_expired(connection: Connection, now: datetime) -> bool:
    """Whether there is anything that may not be kept any longer."""
    query = select(exists().where(VIDEO_SNAPSHOTS.c.expires_at <= now))
    return bool(connection.execute(query).scalar_one())


def drop_of(connection: Connection, video_id: str) -> int:
    """Forget all that was collected of a video; give how many collections."""
    table = VIDEO_SNAPSHOTS.c
    for each in (COMMENT_SNAPSHOTS, CHANNEL_SNAPSHOTS):
        theirs = exists().where(table.snapshot_id == each.c.snapshot_id, table.video_id == video_id)
        connection.execute(delete(each).where(theirs))
    return connection.execute(delete(VIDEO_SNAPSHOTS).where(table.video_id == video_id)).rowcount


def hash_of(material: Material) -> str | None:
    """By what the comments of a collection are known; None where there are none."""
    if not material.comments:
        return None
    return snapshot_hash(material.comments, material.sampling)


def _save_channel(
    connection: Connection, snapshot_id: str, channel: Channel | None, now: datetime
) -> None:
    if channel is None:
        return
    row = {
        "snapshot_id": snapshot_id,
        "channel_id": channel.channel_id,
        "title": _plain(channel.title),
        "subscriber_count": channel.subscriber_count,
        "video_count": channel.video_count,
        "view_count": channel.view_count,
        "snapshot_at": now,
    }
    connection.execute(CHANNEL_SNAPSHOTS.insert().values(row))


def _comment_rows(snapshot_id: str, comments: Collection[Comment]) -> Iterator[dict[str, Any]]:
    for place, comment in enumerate(comments):
        yield {
            "snapshot_id": snapshot_id,
            "comment_id": comment.comment_id,
            "place": place,
            "text": _plain(comment.text),
            "like_count": comment.likes,
            "published_at": comment.published_at,
            "updated_at": comment.updated_at,
            "author_hash": comment.author,
            "parent_id": comment.parent_id,
        }


def _plain(text: str) -> str:
    """What both databases can hold: PostgreSQL takes no NUL, and UTF-8 no half a character."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _kept(now: datetime) -> Select[Any]:
    """Those that may still be kept; others are as good as gone, purged or not."""
    return select(VIDEO_SNAPSHOTS).where(VIDEO_SNAPSHOTS.c.expires_at > now)


def _head(connection: Connection, query: Select[Any]) -> VideoSnapshot | None:
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return VideoSnapshot(
        row.snapshot_id,
        _video(row),
        row.source,
        row.sampling,
        row.problem,
        tuple(row.warnings),
        row.comment_sample_count,
        row.comment_snapshot_hash,
        row.snapshot_at,
        row.expires_at,
    )


def _video(row: Row[Any]) -> Video:
    return Video(
        row.video_id,
        row.title,
        row.description,
        row.published_at,
        row.duration_sec,
        row.channel_id,
        row.view_count,
        row.like_count,
        row.comment_count,
        row.language,
    )


def _comment(row: Row[Any]) -> Comment:
    return Comment(
        row.comment_id,
        row.text,
        row.like_count,
        row.published_at,
        row.updated_at,
        row.author_hash,
        row.parent_id,
    )


def channel(connection: Connection, snapshot_id: str) -> Channel | None:
    """Whose video it was, as far as that is kept."""
    query = select(CHANNEL_SNAPSHOTS).where(CHANNEL_SNAPSHOTS.c.snapshot_id == snapshot_id)
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return Channel(row.channel_id, row.title, row.subscriber_count, row.video_count, row.view_count)
