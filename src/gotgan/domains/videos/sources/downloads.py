"""JSON of two download tools: the ``.info.json`` of yt-dlp, and youtube-comment-downloader.

The first describes a video, with comments on request. The second has comments and no video,
as JSON lines, as one object with a list (``--pretty``), or as a plain list.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, Final

from gotgan.domains.videos import messages
from gotgan.domains.videos.models import Channel, Comment, Material, Video
from gotgan.domains.videos.sources import fields
from gotgan.domains.videos.sources.upload import ImportFile

_INFO_FIELDS: Final = frozenset(
    {"comments", "extractor", "extractor_key", "formats", "webpage_url"}
)
_LIST_TYPES: Final = frozenset({"multi_video", "playlist"})
_DOWNLOAD_FIELDS: Final = frozenset({"cid", "text"})
_VOTES: Final = re.compile(r"([0-9]{1,12})(?:[.,]([0-9]{1,3}))?\s*([KMB천만억]?)", re.IGNORECASE)
_VOTE_EXPONENTS: Final = {"": 0, "K": 3, "M": 6, "B": 9, "천": 3, "만": 4, "억": 8}
_DIGITS_PER_GROUP: Final = 3


def is_info(document: Any) -> bool:
    """Whether a document is one of yt-dlp."""
    is_one = isinstance(document, Mapping) and isinstance(document.get("id"), str)
    return is_one and "kind" not in document and not _INFO_FIELDS.isdisjoint(document)


def read_info(upload: ImportFile, info: Mapping[str, Any]) -> Material:
    """The video of a document of yt-dlp, with its channel and its comments."""
    _expect_video(upload, info)
    video = _video(upload, info)
    listed = info.get("comments")
    comments = [_info_comment(upload, video.video_id, each) for each in fields.object_list(listed)]
    upload.expect_few(len(comments))
    missing = messages.FILE_WITHOUT_COMMENTS(file=upload.name)
    warnings = () if isinstance(listed, list) else (missing,)
    return upload.material(video, comments, _channel(info, video.channel_id), warnings)


def _expect_video(upload: ImportFile, info: Mapping[str, Any]) -> None:
    site = fields.clean_text(info.get("extractor_key") or info.get("extractor")).lower()
    if site and not site.startswith("youtube"):
        raise upload.fault("extractor", messages.OTHER_SITE())
    if "entries" in info or fields.clean_text(info.get("_type")) in _LIST_TYPES:
        raise upload.fault("_type", messages.PLAYLIST())


def _video(upload: ImportFile, info: Mapping[str, Any]) -> Video:
    return Video(
        video_id=upload.expect_video_id(fields.clean_text(info.get("id")), "id"),
        title=fields.clean_title(info.get("title")),
        description=fields.clean_description(info.get("description")),
        published_at=fields.parse_moment(info.get("timestamp"))
        or _parse_day(info.get("upload_date")),
        duration_sec=_parse_seconds(info.get("duration")),
        channel_id=fields.bounded_text(info.get("channel_id"), fields.MAX_CHANNEL_ID_CHARS),
        view_count=fields.parse_count(info.get("view_count")),
        like_count=fields.parse_count(info.get("like_count")),
        comment_count=fields.parse_count(info.get("comment_count")),
        language=fields.bounded_text(info.get("language"), fields.MAX_LANGUAGE_CHARS),
    )


def _channel(info: Mapping[str, Any], channel_id: str | None) -> Channel | None:
    title = fields.clean_text(info.get("channel") or info.get("uploader"))
    if channel_id is None or not title:
        return None
    return Channel(channel_id, title, fields.parse_count(info.get("channel_follower_count")))


def _info_comment(upload: ImportFile, video_id: str, entry: Mapping[str, Any]) -> Comment | None:
    text, parent = fields.clean_text(entry.get("text")), fields.clean_text(entry.get("parent"))
    if not text.strip():
        return None
    name = fields.bounded_text(entry.get("id"), fields.MAX_COMMENT_ID_CHARS) or ""
    return upload.comment(
        video_id,
        text,
        messages.COMMENT(comment=name) if name else "",
        comment_id=name,
        author=fields.clean_text(entry.get("author_id")),
        likes=fields.parse_count(entry.get("like_count"), fields.MAX_LIKES) or 0,
        published_at=fields.parse_moment(entry.get("timestamp")),
        parent_id=None
        if parent == "root"
        else fields.bounded_text(parent, fields.MAX_COMMENT_ID_CHARS),
    )


def _parse_day(value: Any) -> datetime | None:
    """A date such as ``20250131``."""
    try:
        return datetime.strptime(fields.clean_text(value), "%Y%m%d").replace(tzinfo=UTC)
    except ValueError:
        return None


def _parse_seconds(value: Any) -> int | None:
    """A duration, which may have a fraction."""
    if isinstance(value, float) and 0 <= value <= fields.MAX_VIDEO_S:
        value = int(value)
    return fields.parse_count(value, fields.MAX_VIDEO_S) or None


def is_download(document: Any) -> bool:
    """Whether a document is one of youtube-comment-downloader."""
    records = _records(document)
    return bool(records) and records[0].keys() >= _DOWNLOAD_FIELDS


def read_download(upload: ImportFile, document: Any) -> Material:
    """The comments of youtube-comment-downloader, of the video that was given with the file."""
    video_id = upload.expect_video_id("", "")
    records = _records(document)
    upload.expect_few(len(records))
    comments = [
        _download_comment(upload, video_id, each, messages.COMMENT(comment=str(number)))
        for number, each in enumerate(records, start=1)
    ]
    return upload.material(Video(video_id, title=""), comments)


def parse_votes(value: Any) -> int:
    """The number of likes as YouTube shows it: ``1,234``, ``1.2K`` or ``3만``."""
    found = _VOTES.fullmatch(str(value).strip())
    if found is None:
        return 0
    whole, part, unit = found[1], found[2] or "", found[3].upper()
    if not unit and len(part) == _DIGITS_PER_GROUP:  # the sign separates thousands
        whole, part = whole + part, ""
    return min(int(Decimal(f"{whole}.{part or 0}") * 10 ** _VOTE_EXPONENTS[unit]), fields.MAX_LIKES)


def _records(document: Any) -> list[Mapping[str, Any]]:
    if isinstance(document, Mapping):
        return (
            fields.object_list(document.get("comments")) if "comments" in document else [document]
        )
    return fields.object_list(document)


def _download_comment(
    upload: ImportFile, video_id: str, record: Mapping[str, Any], place: str
) -> Comment | None:
    text = fields.clean_text(record.get("text"))
    if not text.strip():
        return None
    comment_id = fields.bounded_text(record.get("cid"), fields.MAX_COMMENT_ID_CHARS)
    parent, dot, _ = (comment_id or "").partition(".")  # a reply is named <parent>.<own>
    return upload.comment(
        video_id,
        text,
        place,
        comment_id=comment_id,
        author=fields.clean_text(record.get("channel")) or fields.clean_text(record.get("author")),
        likes=parse_votes(record.get("votes")),
        published_at=fields.parse_moment(record.get("time_parsed")),
        parent_id=parent if dot else None,
    )
