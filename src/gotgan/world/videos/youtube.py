"""The YouTube Data API: videos, channels, and the threads of comments, page by page."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import parse_qs

import orjson

from gotgan.world.scene import MISSING, Scene, SceneRequest, SceneResponse
from gotgan.world.videos import answers, refusals
from gotgan.world.videos.clips import CHANNELS, CLIPS, PRIVATE, Clip
from gotgan.world.videos.comments import WorldComment, comments_of, letters
from gotgan.world.videos.keys import WRONG, key_of

__all__ = ["API", "THREADS", "YOUTUBE", "youtube"]

YOUTUBE: Final = "www.googleapis.com"
API: Final = "/youtube/v3/"
THREADS: Final = f"{API}commentThreads"

_MOST_IDS: Final = 50
_MOST_THREADS: Final = 100
_USUAL: Final = 20
_ORDERS: Final = ("time", "relevance")

_Fields = Mapping[str, str]


def youtube(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What the API answers."""
    way = _WAYS.get(asked.path) if asked.method == "GET" else None
    if way is None:
        return MISSING
    key = key_of(asked)
    if key is None:
        return refusals.unregistered()
    if key == WRONG:
        return refusals.key_unknown()
    if scene.spent >= scene.quota:
        return refusals.quota_exceeded()
    fields = {name: ",".join(values) for name, values in parse_qs(asked.query).items()}
    return refusals.missing_parameter("part") if "part" not in fields else way(scene, fields)


def _videos(scene: Scene, fields: _Fields) -> SceneResponse:
    found = [clip for each in _ids(fields) if (clip := _public(scene, each)) is not None]
    parts = fields["part"].split(",")
    return _listed("video", fields, [answers.video_item(scene, each, parts) for each in found])


def _channels(_scene: Scene, fields: _Fields) -> SceneResponse:
    found = [CHANNELS[each] for each in _ids(fields) if each in CHANNELS]
    parts = fields["part"].split(",")
    return _listed("channel", fields, [answers.channel_item(each, parts) for each in found])


def _listed(kind: str, fields: _Fields, items: Sequence[Mapping[str, Any]]) -> SceneResponse:
    if "id" not in fields:
        return refusals.missing_parameter("id")
    if len(_ids(fields)) > _MOST_IDS:
        return refusals.parameter_invalid("id", f"At most {_MOST_IDS} ids can be asked for.")
    counts = {"totalResults": len(items), "resultsPerPage": len(items)}
    return _said(f"youtube#{kind}ListResponse", counts, items)


def _ids(fields: _Fields) -> list[str]:
    return [each for each in fields.get("id", "").split(",") if each]


def _public(scene: Scene, video_id: str) -> Clip | None:
    clip = CLIPS.get(video_id)
    return clip if clip is not None and clip.published <= scene.now else None


@dataclass(frozen=True)
class _Place:
    """Where a page of threads begins; later pages keep the moment of the first one."""

    video: str
    order: str
    offset: int
    moment: int

    def token(self, seed: int) -> str:
        """The place as others see it, signed so that nobody makes one up."""
        text = f"{self.video}|{self.order}|{self.offset}|{self.moment}"
        return urlsafe_b64encode(f"{text}|{letters(seed, text, length=12)}".encode()).decode()


def _threads(scene: Scene, fields: _Fields) -> SceneResponse:
    refusal = _refused(scene, fields)
    if refusal is not None:
        return refusal
    place = _place_of(scene, fields)
    if place is None:
        return refusals.page_token_invalid()
    return _page_of_threads(scene, fields, place)


def _refused(scene: Scene, fields: _Fields) -> SceneResponse | None:
    """Why there are no threads to be had, if so."""
    if "videoId" not in fields:
        return refusals.missing_parameter("videoId")
    if fields["videoId"] == PRIVATE:
        return refusals.private_video()
    clip = _public(scene, fields["videoId"])
    if clip is None:
        return refusals.video_not_found()
    if not clip.has_comments:
        return refusals.comments_disabled()
    return _misasked(fields)


def _misasked(fields: _Fields) -> SceneResponse | None:
    order, wanted = fields.get("order", "time"), fields.get("maxResults", str(_USUAL))
    if order not in _ORDERS:
        return refusals.parameter_invalid("order", f"Invalid value '{order}'.")
    if not wanted.isdecimal() or not 1 <= int(wanted) <= _MOST_THREADS:
        text = f"Invalid value '{wanted}'. Values must be within the range: [1, {_MOST_THREADS}]"
        return refusals.parameter_invalid("maxResults", text)
    return None


def _place_of(scene: Scene, fields: _Fields) -> _Place | None:
    """Where the page begins that is asked for; None where no page says so."""
    video, order = fields["videoId"], fields.get("order", "time")
    token = fields.get("pageToken")
    if token is None:
        return _Place(video, order, 0, int(scene.now.timestamp()))
    try:
        parts = urlsafe_b64decode(token).decode().split("|")
        place = _Place(parts[0], parts[1], int(parts[2]), int(parts[3]))
    except (ValueError, IndexError):
        return None
    is_ours = place.token(scene.seed) == token
    return place if is_ours and (place.video, place.order) == (video, order) else None


def _page_of_threads(scene: Scene, fields: _Fields, place: _Place) -> SceneResponse:
    clip, moment = CLIPS[place.video], datetime.fromtimestamp(place.moment, UTC)
    remarks = _ordered(comments_of(scene.seed, clip, moment), place.order, moment)
    count = int(fields.get("maxResults", _USUAL))
    shown = remarks[place.offset : place.offset + count]
    parts, is_plain = fields["part"].split(","), fields.get("textFormat") == "plainText"
    items = [answers.thread_item(each, clip, scene.now, parts, is_plain=is_plain) for each in shown]
    counts = {"totalResults": len(items), "resultsPerPage": count}
    end = place.offset + count
    after = _Place(place.video, place.order, end, place.moment) if end < len(remarks) else None
    token = {} if after is None else {"nextPageToken": after.token(scene.seed)}
    return _said("youtube#commentThreadListResponse", counts, items, token)


def _ordered(remarks: list[WorldComment], order: str, moment: datetime) -> list[WorldComment]:
    """The newest first, or those that are liked and answered most."""
    newest = remarks[::-1]
    if order == "time":
        return newest
    return sorted(newest, key=lambda each: each.likes(moment) + len(each.answers), reverse=True)


def _said(
    kind: str,
    counts: Mapping[str, int],
    items: Sequence[Mapping[str, Any]],
    more: Mapping[str, str] | None = None,
) -> SceneResponse:
    tag = answers.etag(kind, [each["etag"] for each in items])
    body = {"kind": kind, "etag": tag, **(more or {}), "pageInfo": counts, "items": items}
    return SceneResponse(orjson.dumps(body), kind=refusals.JSON)


_WAYS: Final[Mapping[str, Callable[[Scene, _Fields], SceneResponse]]] = {
    f"{API}videos": _videos,
    f"{API}channels": _channels,
    THREADS: _threads,
}
