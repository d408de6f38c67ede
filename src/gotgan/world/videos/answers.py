"""What YouTube says of videos, channels and comments, in its own shapes: every count is a text."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from html import escape
from math import sqrt
from typing import Any, Final

from gotgan.world.scene import Scene
from gotgan.world.videos.clips import CHANNELS, Clip, WorldChannel
from gotgan.world.videos.comments import WorldComment, comments_of, letters

__all__ = ["channel_item", "duration", "etag", "thread_item", "video_item", "written"]

_SHOWN_ANSWERS: Final = 5
_DAY: Final = timedelta(days=1)
_THUMBNAILS: Final = (("default", 120, 90), ("medium", 320, 180), ("high", 480, 360))
_CATEGORIES: Final = {
    "cooking": "26",
    "game": "20",
    "music": "10",
    "news": "25",
    "tech": "28",
    "vlog": "22",
    "lecture": "27",
    "travel": "19",
}

_Item = dict[str, Any]


def written(moment: datetime) -> str:
    """A moment as YouTube writes it."""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def duration(seconds: int | None) -> str:
    """A duration in ISO 8601; whatever is live has none yet, and says P0D."""
    if seconds is None:
        return "P0D"
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "H"), (minutes, "M"), (rest, "S"))
    return "PT" + "".join(f"{count}{unit}" for count, unit in parts if count)


def etag(*about: object) -> str:
    """By what versions are told apart."""
    return letters("etag", *about, length=27)


def video_item(scene: Scene, clip: Clip, parts: Collection[str]) -> _Item:
    """A video, with those parts that were asked for."""
    every = {
        "snippet": _video_snippet(clip),
        "contentDetails": _content(clip),
        "statistics": _video_statistics(scene, clip),
        "status": {"privacyStatus": "public", "embeddable": True, "madeForKids": False},
    }
    return _item("youtube#video", clip.id, every, parts)


def _video_snippet(clip: Clip) -> _Item:
    language = "en" if clip.tongue == "en" else "ko"
    return {
        "publishedAt": written(clip.published),
        "channelId": clip.channel,
        "title": clip.title,
        "description": clip.description,
        "thumbnails": _thumbnails(f"https://i.ytimg.com/vi/{clip.id}"),
        "channelTitle": CHANNELS[clip.channel].title,
        "categoryId": _CATEGORIES[clip.kind],
        "liveBroadcastContent": "live" if clip.seconds is None else "none",
        "localized": {"title": clip.title, "description": clip.description},
        "defaultAudioLanguage": language,
    }


def _content(clip: Clip) -> _Item:
    return {
        "duration": duration(clip.seconds),
        "dimension": "2d",
        "definition": "hd",
        "caption": "false",
        "licensedContent": True,
        "projection": "rectangular",
    }


def _video_statistics(scene: Scene, clip: Clip) -> _Item:
    """What is counted; where likes or comments are hidden, their counts are not there."""
    days = max((scene.now - clip.published) / _DAY, 0)
    views = int(sqrt(days) * (clip.pace * 190 + 40))
    counts: _Item = {"viewCount": str(views)}
    if clip.shows_counts:
        counts["likeCount"] = str(views // 31)
    counts["favoriteCount"] = "0"
    if clip.has_comments and clip.shows_counts:
        counts["commentCount"] = str(_comment_count(scene, clip))
    return counts


def _comment_count(scene: Scene, clip: Clip) -> int:
    remarks = comments_of(scene.seed, clip, scene.now)
    return sum(1 + len(each.answered(scene.now)) for each in remarks)


def channel_item(channel: WorldChannel, parts: Collection[str]) -> _Item:
    """A channel, with those parts that were asked for."""
    uploads = f"UU{channel.id[2:]}"
    every = {
        "snippet": _channel_snippet(channel),
        "contentDetails": {"relatedPlaylists": {"likes": "", "uploads": uploads}},
        "statistics": _channel_statistics(channel),
    }
    return _item("youtube#channel", channel.id, every, parts)


def _channel_snippet(channel: WorldChannel) -> _Item:
    return {
        "title": channel.title,
        "description": "",
        "customUrl": channel.handle,
        "publishedAt": "2019-04-01T03:00:00Z",
        "thumbnails": _thumbnails(f"https://yt3.ggpht.com/{channel.id}"),
        "localized": {"title": channel.title, "description": ""},
        "country": channel.country,
    }


def _channel_statistics(channel: WorldChannel) -> _Item:
    counts: _Item = {"viewCount": str(channel.videos * 61_337)}
    if channel.subscribers is not None:
        counts["subscriberCount"] = str(channel.subscribers)
    is_hidden = channel.subscribers is None
    return {**counts, "hiddenSubscriberCount": is_hidden, "videoCount": str(channel.videos)}


def thread_item(
    remark: WorldComment, clip: Clip, now: datetime, parts: Collection[str], *, is_plain: bool
) -> _Item:
    """A comment and some of its answers; who wrote them stands there, as it does in truth."""
    answers = remark.answered(now)
    first = _comment(remark, clip, now, is_plain=is_plain)
    every: _Item = {
        "snippet": {
            "channelId": clip.channel,
            "videoId": clip.id,
            "topLevelComment": first,
            "canReply": True,
            "totalReplyCount": len(answers),
            "isPublic": True,
        },
    }
    if answers:
        shown = answers[-_SHOWN_ANSWERS:]
        comments = [_comment(each, clip, now, is_plain=is_plain) for each in shown]
        every["replies"] = {"comments": comments}
    return _item("youtube#commentThread", remark.id, every, parts)


def _comment(remark: WorldComment, clip: Clip, now: datetime, *, is_plain: bool) -> _Item:
    shown = remark.text if is_plain else escape(remark.text).replace("\n", "<br>")
    snippet: _Item = {
        "channelId": clip.channel,
        "videoId": clip.id,
        "textDisplay": shown,
        "textOriginal": remark.text,
        "authorDisplayName": remark.author,
        "authorProfileImageUrl": f"https://yt3.ggpht.com/ytc/{remark.author_channel}=s48-c",
        "authorChannelUrl": f"http://www.youtube.com/{remark.author}",
        "authorChannelId": {"value": remark.author_channel},
        "canRate": True,
        "viewerRating": "none",
        "likeCount": remark.likes(now),
        "publishedAt": written(remark.at),
        "updatedAt": written(remark.updated(now)),
    }
    if remark.parent is not None:
        snippet["parentId"] = remark.parent
    return _item("youtube#comment", remark.id, {"snippet": snippet}, ("snippet",))


def _item(kind: str, own: str, every: _Item, parts: Collection[str]) -> _Item:
    shown = {name: value for name, value in every.items() if name in parts}
    return {"kind": kind, "etag": etag(kind, own, shown), "id": own, **shown}


def _thumbnails(place: str) -> _Item:
    return {
        name: {"url": f"{place}/{name}.jpg", "width": width, "height": height}
        for name, width, height in _THUMBNAILS
    }
