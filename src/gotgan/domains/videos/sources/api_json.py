"""Answers of YouTube's API that somebody saved: one of them, or many in one document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from gotgan.domains.videos.models import Channel, Comment, Material, Video
from gotgan.domains.videos.sources.fields import items_of, object_of, text_of
from gotgan.domains.videos.sources.imported import SAMPLING, ImportFile
from gotgan.domains.videos.sources.sampling import each_once
from gotgan.domains.videos.sources.youtube_answers import CommentReader, channel_of, video_of

__all__ = ["materials_in_answers"]

_KINDS: Final = frozenset(
    {"youtube#video", "youtube#channel", "youtube#commentThread", "youtube#comment"}
)
_LIST: Final = "ListResponse"


@dataclass
class _Found:
    """What was found up to now."""

    upload: ImportFile
    reader: CommentReader
    videos: dict[str, Video] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    comments: dict[str, list[Comment]] = field(default_factory=dict)
    replies: list[tuple[Comment, str]] = field(default_factory=list)
    """Answers that were asked for by their parent, with their place: they name no video."""
    number: int = 0

    def take(self, item: Mapping[str, Any], place: str) -> None:
        """Add one item of an answer."""
        kind = _kind_of(item)
        if kind == "youtube#video":
            self._take_video(item, place)
        elif kind == "youtube#channel":
            channel = channel_of(item)
            if channel is not None:
                self.channels[channel.channel_id] = channel
        else:
            self._take_comments(item, kind, place)

    def materials(self) -> list[Material]:
        """All of it by the video."""
        homes = {
            comment.comment_id: video_id
            for video_id, comments in self.comments.items()
            for comment in comments
        }
        for reply, place in self.replies:
            home = homes.get(reply.parent_id or "") or self._only_video(place)
            self.comments.setdefault(home, []).append(reply)
        ids = dict.fromkeys([*self.videos, *self.comments])
        return [self._material(video_id) for video_id in ids]

    def _take_video(self, item: Mapping[str, Any], place: str) -> None:
        video = video_of(item)
        if video is not None:
            known = self.upload.video_of(video.video_id, place)
            self.videos[known] = replace(video, video_id=known)

    def _take_comments(self, item: Mapping[str, Any], kind: str, place: str) -> None:
        if kind == "youtube#commentThread":
            found = list(self.reader.of_thread(item))
        else:
            found = [each for each in [self.reader.comment(item)] if each is not None]
        self.number += len(found)
        self.upload.expect_few(self.number)
        for comment in found:
            self.upload.expect_text(comment.text, place)
        named = _video_named(item)
        if found and not named and found[0].parent_id is not None:
            self.replies.extend((comment, place) for comment in found)
        elif found:
            self.comments.setdefault(self.upload.video_of(named, place), []).extend(found)

    def _only_video(self, place: str) -> str:
        """The only video that there is, or the one that the file is about."""
        known = {*self.videos, *self.comments}
        return self.upload.video_of(known.pop() if len(known) == 1 else "", place)

    def _material(self, video_id: str) -> Material:
        video = self.videos.get(video_id) or Video(video_id, title="")
        return Material(
            video=video,
            channel=self.channels.get(video.channel_id or ""),
            comments=each_once(self.comments.get(video_id, [])),
            source="import",
            sampling=SAMPLING,
        )


def materials_in_answers(upload: ImportFile, document: Any) -> list[Material]:
    """What saved answers hold; nothing where the document is none."""
    found = _Found(upload, CommentReader(upload.secret, is_html=True))
    for number, item in enumerate(_items(document), start=1):
        found.take(item, f"item {number}")
    return found.materials()


def _items(document: Any) -> Iterator[Mapping[str, Any]]:
    """The items of all answers, however they are put together, in their order."""
    waiting = [document]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting.extend(reversed(each))
        elif isinstance(each, Mapping):
            if _kind_of(each):
                yield each
            else:
                waiting.extend(reversed(list(_held(each))))


def _held(holder: Mapping[str, Any]) -> Iterator[Any]:
    """What a document holds; items of an answer are what it lists where they do not say it."""
    kind = text_of(holder.get("kind")).removesuffix(_LIST)
    for name, value in holder.items():
        if name == "items" and kind in _KINDS:
            yield [{"kind": kind, **item} for item in items_of(value)]
        else:
            yield value


def _kind_of(item: Mapping[str, Any]) -> str:
    """What an item is; by its shape where somebody left out what it calls itself."""
    kind, snippet = text_of(item.get("kind")), object_of(item, "snippet")
    if kind:
        return kind if kind in _KINDS else ""
    if "topLevelComment" in snippet:
        return "youtube#commentThread"
    return "youtube#comment" if {"textDisplay", "textOriginal"} & snippet.keys() else ""


def _video_named(item: Mapping[str, Any]) -> str:
    places = [item, object_of(item, "snippet", "topLevelComment")]
    places += items_of(object_of(item, "replies").get("comments"))
    named = (text_of(object_of(each, "snippet").get("videoId")) for each in places)
    return next((video_id for video_id in named if video_id), "")
