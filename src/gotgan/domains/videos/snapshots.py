"""Collections, stored for thirty days: a video, its channel and its comments at one moment."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Row, Select, delete, exists, select

from gotgan.domains.videos import tables
from gotgan.domains.videos.keys import new_id, snapshot_hash
from gotgan.domains.videos.models import Channel, Comment, Material, Origin, Video, VideoSnapshot
from gotgan.messages import dump
from gotgan.messages import load as load_message
from gotgan.sql import upsert

RETENTION: Final = timedelta(days=30)
"""How long YouTube permits to keep data of its API."""
_IDS_PER_QUERY: Final = 500
_Row = TypeVar("_Row", Video, Channel)
_SNAPSHOT_TABLES: Final = (
    tables.COMMENT_SNAPSHOTS,
    tables.CHANNEL_SNAPSHOTS,
    tables.VIDEO_SNAPSHOTS,
)


def save(connection: Connection, material: Material, now: datetime) -> str:
    """Store what was collected; return the snapshot's id."""
    snapshot_id, video, channel = new_id(now), material.video, material.channel
    row = {
        "snapshot_id": snapshot_id,
        **asdict(video),
        "title": _storable_text(video.title),
        "description": _storable_text(video.description),
        "source": material.source,
        "sampling": material.sampling,
        "problem": material.problem,
        "warnings": [dump(each) for each in material.warnings],
        "comment_sample_count": len(material.comments),
        "comment_snapshot_hash": material_hash(material),
        "snapshot_at": now,
        "expires_at": now + RETENTION,
    }
    connection.execute(tables.VIDEO_SNAPSHOTS.insert().values(row))
    if channel is not None:
        row = {**asdict(channel), "title": _storable_text(channel.title), "snapshot_at": now}
        connection.execute(
            tables.CHANNEL_SNAPSHOTS.insert().values(row | {"snapshot_id": snapshot_id})
        )
    rows = [_comment_row(snapshot_id, *each) for each in enumerate(material.comments)]
    upsert(connection, tables.COMMENT_SNAPSHOTS, rows)
    tables.touch_video(connection, video.video_id, now, snapshot_id=snapshot_id)
    return snapshot_id


def load(connection: Connection, snapshot_id: str, now: datetime) -> Material | None:
    """All that was collected; None after its retention."""
    found = head(connection, snapshot_id, now)
    if found is None:
        return None
    query = select(tables.COMMENT_SNAPSHOTS).where(
        tables.COMMENT_SNAPSHOTS.c.snapshot_id == snapshot_id
    )
    rows = connection.execute(query.order_by(tables.COMMENT_SNAPSHOTS.c.place)).all()
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
    """A collection without its comments; None after its retention."""
    return _head(
        connection, _unexpired_query(now).where(tables.VIDEO_SNAPSHOTS.c.snapshot_id == snapshot_id)
    )


def latest(
    connection: Connection, video_id: str, now: datetime, *, source: Origin | None = None
) -> VideoSnapshot | None:
    """The latest collection of a video within its retention."""
    table = tables.VIDEO_SNAPSHOTS.c
    query = _unexpired_query(now).where(table.video_id == video_id)
    if source is not None:
        query = query.where(table.source == source)
    newest = query.order_by(table.snapshot_at.desc(), table.snapshot_id.desc()).limit(1)
    return _head(connection, newest)


def comments_by_id(
    connection: Connection, snapshot_id: str, ids: Collection[str]
) -> dict[str, Comment]:
    """Comments by their ids, as far as they are stored."""
    table, found = tables.COMMENT_SNAPSHOTS, {}
    wanted = iter(dict.fromkeys(ids))
    while some := list(islice(wanted, _IDS_PER_QUERY)):
        query = select(table).where(table.c.snapshot_id == snapshot_id)
        for row in connection.execute(query.where(table.c.comment_id.in_(some))):
            found[row.comment_id] = _comment(row)
    return found


def purge(connection: Connection, now: datetime, most: int) -> int:
    """Delete some collections after their retention; return how many."""
    table = tables.VIDEO_SNAPSHOTS.c
    query = select(table.snapshot_id).where(table.expires_at <= now)
    ids = connection.execute(query.order_by(table.expires_at).limit(most)).scalars().all()
    for each in _SNAPSHOT_TABLES:
        connection.execute(delete(each).where(each.c.snapshot_id.in_(ids)))
    return len(ids)


def has_expired(connection: Connection, now: datetime) -> bool:
    """Whether there is a collection to purge."""
    query = select(exists().where(tables.VIDEO_SNAPSHOTS.c.expires_at <= now))
    return bool(connection.execute(query).scalar_one())


def delete_video(connection: Connection, video_id: str) -> int:
    """Delete all collections of a video; return how many."""
    table = tables.VIDEO_SNAPSHOTS.c
    for each in (tables.COMMENT_SNAPSHOTS, tables.CHANNEL_SNAPSHOTS):
        theirs = exists().where(table.snapshot_id == each.c.snapshot_id, table.video_id == video_id)
        connection.execute(delete(each).where(theirs))
    return connection.execute(
        delete(tables.VIDEO_SNAPSHOTS).where(table.video_id == video_id)
    ).rowcount


def material_hash(material: Material) -> str | None:
    """The hash of a collection's comments; None without comments."""
    return snapshot_hash(material.comments, material.sampling) if material.comments else None


def _comment_row(snapshot_id: str, place: int, comment: Comment) -> dict[str, Any]:
    return {
        "snapshot_id": snapshot_id,
        "comment_id": comment.comment_id,
        "place": place,
        "text": _storable_text(comment.text),
        "like_count": comment.likes,
        "published_at": comment.published_at,
        "updated_at": comment.updated_at,
        "author_hash": comment.author,
        "parent_id": comment.parent_id,
    }


def _storable_text(text: str) -> str:
    """A text that both databases accept: PostgreSQL takes no NUL, UTF-8 no lone surrogate."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def _unexpired_query(now: datetime) -> Select[Any]:
    """Collections within their retention; others are treated as purged."""
    return select(tables.VIDEO_SNAPSHOTS).where(tables.VIDEO_SNAPSHOTS.c.expires_at > now)


def _head(connection: Connection, query: Select[Any]) -> VideoSnapshot | None:
    row = connection.execute(query).one_or_none()
    if row is None:
        return None
    return VideoSnapshot(
        row.snapshot_id,
        _read(Video, row),
        row.source,
        row.sampling,
        row.problem,
        tuple(load_message(each) for each in row.warnings),
        row.comment_sample_count,
        row.comment_snapshot_hash,
        row.snapshot_at,
        row.expires_at,
    )


def _read(kind: type[_Row], row: Row[Any]) -> _Row:
    """A dataclass whose fields are columns of a row."""
    return kind(**{each.name: getattr(row, each.name) for each in fields(kind)})


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
    """The channel of a collection."""
    query = select(tables.CHANNEL_SNAPSHOTS).where(
        tables.CHANNEL_SNAPSHOTS.c.snapshot_id == snapshot_id
    )
    row = connection.execute(query).one_or_none()
    return None if row is None else _read(Channel, row)
