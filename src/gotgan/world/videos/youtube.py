"""The YouTube Data API: videos, channels and comment threads in YouTube's shapes, page by page."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from html import escape
from math import sqrt
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs

import orjson

from gotgan.world.scene import NOT_FOUND, Scene, SceneRequest, SceneResponse
from gotgan.world.videos import google
from gotgan.world.videos.clips import CHANNELS, CLIPS, PRIVATE, Clip, WorldChannel
from gotgan.world.videos.comments import WorldComment, hash_letters, video_comments
from gotgan.world.videos.google import INVALID_KEY, api_key

YOUTUBE: Final = "www.googleapis.com"
API: Final = "/youtube/v3/"
THREADS: Final = f"{API}commentThreads"
_MAX_IDS: Final = 50
_MAX_THREADS: Final = 100
_DEFAULT_THREADS: Final = 20
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
_Fields = Mapping[str, str]


def youtube(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of the API."""
    route = _ROUTES.get(request.path) if request.method == "GET" else None
    if route is None:
        return NOT_FOUND
    key = api_key(request)
    if key is None:
        return google.UNREGISTERED
    if key == INVALID_KEY:
        return google.UNKNOWN_KEY
    if scene.spent >= scene.quota:
        return google.QUOTA_EXCEEDED
    fields = {name: ",".join(values) for name, values in parse_qs(request.query).items()}
    return google.missing_parameter("part") if "part" not in fields else route(scene, fields)


def _videos(scene: Scene, fields: _Fields) -> SceneResponse:
    clips = (_public_clip(scene, each) for each in _ids(fields))
    return _by_id("video", fields, [_video(scene, clip, fields) for clip in clips if clip])


def _channels(_scene: Scene, fields: _Fields) -> SceneResponse:
    found = [CHANNELS[each] for each in _ids(fields) if each in CHANNELS]
    return _by_id("channel", fields, [_channel(each, fields) for each in found])


def _by_id(kind: str, fields: _Fields, items: list[_Item]) -> SceneResponse:
    if "id" not in fields:
        return google.missing_parameter("id")
    if len(_ids(fields)) > _MAX_IDS:
        return google.invalid_parameter("id", f"At most {_MAX_IDS} ids can be asked for.")
    return _list_response(kind, items, len(items))


def _list_response(kind: str, items: list[_Item], count: int, **token: str) -> SceneResponse:
    kind = f"youtube#{kind}ListResponse"
    etag = _etag(kind, [each["etag"] for each in items])
    counts = {"totalResults": len(items), "resultsPerPage": count}
    body = {"kind": kind, "etag": etag, **token, "pageInfo": counts, "items": items}
    return SceneResponse(orjson.dumps(body), kind=google.JSON_TYPE)


def _ids(fields: _Fields) -> list[str]:
    return [each for each in fields.get("id", "").split(",") if each]


def _public_clip(scene: Scene, video_id: str) -> Clip | None:
    clip = CLIPS.get(video_id)
    return clip if clip is not None and clip.published <= scene.now else None


class _PageStart(NamedTuple):
    """Where a page of threads begins; later pages keep the moment of the first one."""

    video: str
    order: str
    offset: int
    moment: int

    def token(self, seed: int) -> str:
        """The page token, signed."""
        text = "|".join(map(str, self))
        return urlsafe_b64encode(f"{text}|{hash_letters(seed, text, length=12)}".encode()).decode()


def _threads(scene: Scene, fields: _Fields) -> SceneResponse:
    refusal = _threads_refusal(scene, fields)
    if refusal is not None:
        return refusal
    start = _page_start(scene, fields)
    if start is None:
        return google.PAGE_TOKEN_INVALID
    clip, moment = CLIPS[start.video], datetime.fromtimestamp(start.moment, UTC)
    comments = video_comments(scene.seed, clip, moment)[::-1]
    if start.order == "relevance":
        comments.sort(key=lambda each: each.likes(moment) + len(each.answers), reverse=True)
    count = int(fields.get("maxResults", _DEFAULT_THREADS))
    end = start.offset + count
    items = [_thread(scene, each, clip, fields) for each in comments[start.offset : end]]
    following = start._replace(offset=end).token(scene.seed)
    token = {"nextPageToken": following} if end < len(comments) else {}
    return _list_response("commentThread", items, count, **token)


def _threads_refusal(scene: Scene, fields: _Fields) -> SceneResponse | None:
    if "videoId" not in fields:
        return google.missing_parameter("videoId")
    if fields["videoId"] == PRIVATE:
        return google.PRIVATE_VIDEO
    clip = _public_clip(scene, fields["videoId"])
    if clip is None:
        return google.VIDEO_NOT_FOUND
    return _parameter_refusal(fields) if clip.has_comments else google.COMMENTS_DISABLED


def _parameter_refusal(fields: _Fields) -> SceneResponse | None:
    order, count = fields.get("order", "time"), fields.get("maxResults", str(_DEFAULT_THREADS))
    if order not in {"time", "relevance"}:
        return google.invalid_parameter("order", f"Invalid value '{order}'.")
    if not count.isdecimal() or not 1 <= int(count) <= _MAX_THREADS:
        text = f"Invalid value '{count}'. Values must be within the range: [1, {_MAX_THREADS}]"
        return google.invalid_parameter("maxResults", text)
    return None


def _page_start(scene: Scene, fields: _Fields) -> _PageStart | None:
    """The start of the requested page; None for a token that no page gave."""
    video, order = fields["videoId"], fields.get("order", "time")
    token = fields.get("pageToken")
    if token is None:
        return _PageStart(video, order, 0, int(scene.now.timestamp()))
    try:
        parts = urlsafe_b64decode(token).decode().split("|")
        start = _PageStart(parts[0], parts[1], int(parts[2]), int(parts[3]))
    except (ValueError, IndexError):
        return None
    is_ours = start.token(scene.seed) == token
    return start if is_ours and (start.video, start.order) == (video, order) else None


def _video(scene: Scene, clip: Clip, fields: _Fields) -> _Item:
    parts = {
        "snippet": {
            "publishedAt": _time(clip.published),
            "channelId": clip.channel,
            "title": clip.title,
            "description": clip.description,
            "thumbnails": _thumbnails(f"https://i.ytimg.com/vi/{clip.id}"),
            "channelTitle": CHANNELS[clip.channel].title,
            "categoryId": _CATEGORIES[clip.kind],
            "liveBroadcastContent": "live" if clip.seconds is None else "none",
            "localized": {"title": clip.title, "description": clip.description},
            "defaultAudioLanguage": "en" if clip.language == "en" else "ko",
        },
        "contentDetails": {
            "duration": _iso_duration(clip.seconds),
            "dimension": "2d",
            "definition": "hd",
            "caption": "false",
            "licensedContent": True,
            "projection": "rectangular",
        },
        "statistics": _video_statistics(scene, clip),
        "status": {"privacyStatus": "public", "embeddable": True, "madeForKids": False},
    }
    return _item("video", clip.id, parts, fields["part"])


def _video_statistics(scene: Scene, clip: Clip) -> _Item:
    """Every count is a text; hidden ones are missing."""
    days = max((scene.now - clip.published) / _DAY, 0)
    views = int(sqrt(days) * (clip.pace * 190 + 40))
    counts: _Item = {"viewCount": str(views)}
    if clip.shows_counts:
        counts["likeCount"] = str(views // 31)
    counts["favoriteCount"] = "0"
    if clip.has_comments and clip.shows_counts:
        comments = video_comments(scene.seed, clip, scene.now)
        total = sum(1 + len(each.answers_until(scene.now)) for each in comments)
        counts["commentCount"] = str(total)
    return counts


def _channel(channel: WorldChannel, fields: _Fields) -> _Item:
    counts: _Item = {"viewCount": str(channel.videos * 61_337)}
    if channel.subscribers is not None:
        counts["subscriberCount"] = str(channel.subscribers)
    counts["hiddenSubscriberCount"] = channel.subscribers is None
    counts["videoCount"] = str(channel.videos)
    uploads = f"UU{channel.id[2:]}"
    parts = {
        "snippet": {
            "title": channel.title,
            "description": "",
            "customUrl": channel.handle,
            "publishedAt": "2019-04-01T03:00:00Z",
            "thumbnails": _thumbnails(f"https://yt3.ggpht.com/{channel.id}"),
            "localized": {"title": channel.title, "description": ""},
            "country": channel.country,
        },
        "contentDetails": {"relatedPlaylists": {"likes": "", "uploads": uploads}},
        "statistics": counts,
    }
    return _item("channel", channel.id, parts, fields["part"])


def _thread(scene: Scene, comment: WorldComment, clip: Clip, fields: _Fields) -> _Item:
    """A comment and the latest of its answers, with their authors."""
    now, is_plain = scene.now, fields.get("textFormat") == "plainText"
    answers = comment.answers_until(now)
    parts: _Item = {
        "snippet": {
            "channelId": clip.channel,
            "videoId": clip.id,
            "topLevelComment": _comment(comment, clip, now, is_plain=is_plain),
            "canReply": True,
            "totalReplyCount": len(answers),
            "isPublic": True,
        },
    }
    if answers:
        latest = answers[-_SHOWN_ANSWERS:]
        shown = [_comment(each, clip, now, is_plain=is_plain) for each in latest]
        parts["replies"] = {"comments": shown}
    return _item("commentThread", comment.id, parts, fields["part"])


def _comment(comment: WorldComment, clip: Clip, now: datetime, *, is_plain: bool) -> _Item:
    shown = comment.text if is_plain else escape(comment.text).replace("\n", "<br>")
    snippet: _Item = {
        "channelId": clip.channel,
        "videoId": clip.id,
        "textDisplay": shown,
        "textOriginal": comment.text,
        "authorDisplayName": comment.author,
        "authorProfileImageUrl": f"https://yt3.ggpht.com/ytc/{comment.author_channel}=s48-c",
        "authorChannelUrl": f"http://www.youtube.com/{comment.author}",
        "authorChannelId": {"value": comment.author_channel},
        "canRate": True,
        "viewerRating": "none",
        "likeCount": comment.likes(now),
        "publishedAt": _time(comment.at),
        "updatedAt": _time(comment.updated(now)),
    }
    if comment.parent is not None:
        snippet["parentId"] = comment.parent
    return _item("comment", comment.id, {"snippet": snippet}, "snippet")


def _item(kind: str, own_id: str, parts: _Item, wanted: str) -> _Item:
    names = wanted.split(",")
    shown = {name: value for name, value in parts.items() if name in names}
    kind = f"youtube#{kind}"
    return {"kind": kind, "etag": _etag(kind, own_id, shown), "id": own_id, **shown}


def _etag(*about: object) -> str:
    return hash_letters("etag", *about, length=27)


def _thumbnails(place: str) -> _Item:
    return {
        name: {"url": f"{place}/{name}.jpg", "width": width, "height": height}
        for name, width, height in _THUMBNAILS
    }


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def _iso_duration(seconds: int | None) -> str:
    """A duration in ISO 8601; ``P0D`` for a live video."""
    if seconds is None:
        return "P0D"
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    parts = ((hours, "H"), (minutes, "M"), (rest, "S"))
    return "PT" + "".join(f"{count}{unit}" for count, unit in parts if count)


_ROUTES: Final[Mapping[str, Callable[[Scene, _Fields], SceneResponse]]] = {
    f"{API}videos": _videos,
    f"{API}channels": _channels,
    THREADS: _threads,
}
