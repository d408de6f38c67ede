"""The ``.info.json`` that yt-dlp writes beside a video, with comments where it was told to."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Channel, Comment, Material, Video
from gotgan.domains.videos.sources.fields import (
    MOST_LIKES,
    count_of,
    description_of,
    items_of,
    moment_of,
    short_of,
    text_of,
    title_of,
)
from gotgan.domains.videos.sources.imported import SAMPLING, ImportFile
from gotgan.domains.videos.sources.sampling import each_once
from gotgan.domains.videos.sources.youtube_answers import (
    LONGEST_CHANNEL_ID,
    LONGEST_COMMENT_ID,
    LONGEST_LANGUAGE,
)

__all__ = ["is_info", "material_of_info"]

_TELLING: Final = frozenset({"comments", "extractor", "extractor_key", "formats", "webpage_url"})
_SITE: Final = "youtube"
_TOP: Final = "root"
_LISTS: Final = frozenset({"multi_video", "playlist"})
_LONGEST_VIDEO: Final = 2**31 - 1
_LONGEST_WARNING: Final = 300


def is_info(document: Any) -> bool:
    """Whether a document is one of yt-dlp's."""
    is_one = isinstance(document, Mapping) and isinstance(document.get("id"), str)
    return is_one and "kind" not in document and not _TELLING.isdisjoint(document)


def material_of_info(upload: ImportFile, info: Mapping[str, Any]) -> Material:
    """The video that it describes, with its channel and its comments."""
    _expect_video(upload, info)
    video = _video(upload, info)
    given = info.get("comments")
    comments = [_comment(upload, video.video_id, each) for each in items_of(given)]
    upload.expect_few(len(comments))
    missing = f"{upload.name} has no comments; yt-dlp writes them with --write-comments"
    return Material(
        video=video,
        channel=_channel(info, video.channel_id),
        comments=each_once(comment for comment in comments if comment is not None),
        source="import",
        sampling=SAMPLING,
        warnings=() if isinstance(given, list) else (missing[:_LONGEST_WARNING],),
    )


def _expect_video(upload: ImportFile, info: Mapping[str, Any]) -> None:
    site = text_of(info.get("extractor_key") or info.get("extractor")).lower()
    if site and not site.startswith(_SITE):
        raise upload.fault("extractor", "it is about another site; only YouTube's are taken")
    if "entries" in info or text_of(info.get("_type")) in _LISTS:
        raise upload.fault(
            "_type", "it is a list of videos; hand over the .info.json of each of them"
        )


def _video(upload: ImportFile, info: Mapping[str, Any]) -> Video:
    return Video(
        video_id=upload.video_of(text_of(info.get("id")), "id"),
        title=title_of(info.get("title")),
        description=description_of(info.get("description")),
        published_at=moment_of(info.get("timestamp")) or _day(info.get("upload_date")),
        duration_sec=_seconds(info.get("duration")),
        channel_id=short_of(info.get("channel_id"), LONGEST_CHANNEL_ID),
        view_count=count_of(info.get("view_count")),
        like_count=count_of(info.get("like_count")),
        comment_count=count_of(info.get("comment_count")),
        language=short_of(info.get("language"), LONGEST_LANGUAGE),
    )


def _channel(info: Mapping[str, Any], channel_id: str | None) -> Channel | None:
    title = text_of(info.get("channel") or info.get("uploader"))
    if channel_id is None or not title:
        return None
    return Channel(channel_id, title, count_of(info.get("channel_follower_count")))


def _comment(upload: ImportFile, video_id: str, entry: Mapping[str, Any]) -> Comment | None:
    """A comment; None where it says nothing."""
    text = text_of(entry.get("text"))
    if not text.strip():
        return None
    published = moment_of(entry.get("timestamp"))
    given = short_of(entry.get("id"), LONGEST_COMMENT_ID)
    author, parent = text_of(entry.get("author_id")), text_of(entry.get("parent"))
    return Comment(
        comment_id=given or upload.made_up_id(video_id, text, published),
        text=upload.expect_text(text, f"comment {given or ''}".strip()),
        likes=count_of(entry.get("like_count"), MOST_LIKES) or 0,
        published_at=published,
        updated_at=published,
        author=author_hash(upload.secret, author) if author else None,
        parent_id=None if parent == _TOP else short_of(parent, LONGEST_COMMENT_ID),
    )


def _day(value: Any) -> datetime | None:
    """A date such as ``20250131``."""
    try:
        return datetime.strptime(text_of(value), "%Y%m%d").replace(tzinfo=UTC)
    except ValueError:
        return None


def _seconds(value: Any) -> int | None:
    """A duration, which may have a fraction."""
    if isinstance(value, float) and 0 <= value <= _LONGEST_VIDEO:
        value = int(value)
    return count_of(value, _LONGEST_VIDEO) or None
