"""JSON of YouTube's API: in answers, and in saved files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import orjson

from gotgan.domains.videos import messages
from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Channel, Comment, Material, Video
from gotgan.domains.videos.sources import fields
from gotgan.domains.videos.sources.upload import ImportFile
from gotgan.errors import UpstreamUnavailable
from gotgan.settings import Secret

_MAX_TOKEN_CHARS: Final = 4_000


def parse_document(body: bytes) -> Mapping[str, Any]:
    """An answer, which must be an object."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise UpstreamUnavailable(messages.YOUTUBE_NOT_JSON()) from error
    if not isinstance(document, dict):
        raise UpstreamUnavailable(messages.YOUTUBE_NOT_JSON())
    return document


def parse_video(item: Mapping[str, Any]) -> Video | None:
    """A video of ``videos.list``; None if it has no id."""
    snippet, counts = (
        fields.nested_object(item, "snippet"),
        fields.nested_object(item, "statistics"),
    )
    video_id = fields.clean_text(item.get("id"))
    if not video_id:
        return None
    spoken = snippet.get("defaultAudioLanguage") or snippet.get("defaultLanguage")
    return Video(
        video_id=video_id,
        title=fields.clean_title(snippet.get("title")),
        description=fields.clean_description(snippet.get("description")),
        published_at=fields.parse_moment(snippet.get("publishedAt")),
        duration_sec=fields.parse_duration(
            fields.nested_object(item, "contentDetails").get("duration")
        ),
        channel_id=fields.bounded_text(snippet.get("channelId"), fields.MAX_CHANNEL_ID_CHARS),
        view_count=fields.parse_count(counts.get("viewCount")),
        like_count=fields.parse_count(counts.get("likeCount")),
        comment_count=fields.parse_count(counts.get("commentCount")),
        language=fields.bounded_text(spoken, fields.MAX_LANGUAGE_CHARS),
    )


def parse_channel(item: Mapping[str, Any]) -> Channel | None:
    """A channel of ``channels.list``; None if it has no id."""
    counts = fields.nested_object(item, "statistics")
    channel_id = fields.bounded_text(item.get("id"), fields.MAX_CHANNEL_ID_CHARS)
    if channel_id is None:
        return None
    is_hidden = counts.get("hiddenSubscriberCount") is True
    return Channel(
        channel_id=channel_id,
        title=fields.clean_text(fields.nested_object(item, "snippet").get("title")),
        subscriber_count=None if is_hidden else fields.parse_count(counts.get("subscriberCount")),
        video_count=fields.parse_count(counts.get("videoCount")),
        view_count=fields.parse_count(counts.get("viewCount")),
    )


def next_page_token(answer: Mapping[str, Any]) -> str | None:
    """The token of the next page; None after the last one."""
    return fields.bounded_text(answer.get("nextPageToken"), _MAX_TOKEN_CHARS)


@dataclass(frozen=True)
class CommentReader:
    """Reads comments, and replaces their authors by keyed hashes."""

    secret: Secret
    is_html: bool = False
    """Whether displayed texts are HTML, which is the default of the API."""

    def of_thread(self, item: Mapping[str, Any]) -> Iterator[Comment]:
        """A top-level comment of ``commentThreads.list``, and the replies that come with it."""
        first = self.comment(fields.nested_object(item, "snippet", "topLevelComment"))
        parent = (
            first.comment_id
            if first
            else fields.bounded_text(item.get("id"), fields.MAX_COMMENT_ID_CHARS)
        )
        replies = fields.object_list(fields.nested_object(item, "replies").get("comments"))
        comments = [first, *(self.comment(reply, parent) for reply in replies)]
        return (each for each in comments if each is not None)

    def comment(self, item: Mapping[str, Any], parent: str | None = None) -> Comment | None:
        """One comment; None if it has no id or no text."""
        snippet = fields.nested_object(item, "snippet")
        comment_id = fields.bounded_text(item.get("id"), fields.MAX_COMMENT_ID_CHARS)
        shown = fields.clean_text(snippet.get("textDisplay"))
        original = fields.clean_text(snippet.get("textOriginal"))
        text = original or (fields.html_to_text(shown) if self.is_html else shown)
        author = fields.clean_text(fields.nested_object(snippet, "authorChannelId").get("value"))
        if comment_id is None or not text.strip():
            return None
        return Comment(
            comment_id=comment_id,
            text=text,
            likes=fields.parse_count(snippet.get("likeCount"), fields.MAX_LIKES) or 0,
            published_at=fields.parse_moment(snippet.get("publishedAt")),
            updated_at=fields.parse_moment(snippet.get("updatedAt")),
            author=author_hash(self.secret, author) if author else None,
            parent_id=fields.bounded_text(snippet.get("parentId"), fields.MAX_COMMENT_ID_CHARS)
            or parent,
        )


_KINDS: Final = frozenset(
    {"youtube#video", "youtube#channel", "youtube#commentThread", "youtube#comment"}
)
_LIST_SUFFIX: Final = "ListResponse"


@dataclass
class _ApiJsonReader:
    """Collects items, which name their videos in different ways, by video."""

    upload: ImportFile
    videos: dict[str, Video] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    comments: dict[str, list[Comment]] = field(default_factory=dict)
    replies: list[tuple[Comment, str]] = field(default_factory=list)
    """Replies that name their parent and no video, with their place."""
    number: int = 0

    def take(self, item: Mapping[str, Any], place: str) -> None:
        """Add one item."""
        kind = _item_kind(item)
        if kind == "youtube#video":
            video = parse_video(item)
            if video is not None:
                video_id = self.upload.expect_video_id(video.video_id, place)
                self.videos[video_id] = replace(video, video_id=video_id)
        elif kind == "youtube#channel":
            channel = parse_channel(item)
            if channel is not None:
                self.channels[channel.channel_id] = channel
        else:
            self._take_comments(item, kind, place)

    def materials(self) -> list[Material]:
        """The collected items by video."""
        homes = {
            comment.comment_id: video_id
            for video_id, comments in self.comments.items()
            for comment in comments
        }
        for reply, place in self.replies:
            home = homes.get(reply.parent_id or "") or self._only_video(place)
            self.comments.setdefault(home, []).append(reply)
        videos = [
            self.videos.get(video_id) or Video(video_id, title="")
            for video_id in dict.fromkeys([*self.videos, *self.comments])
        ]
        return [
            self.upload.material(
                video,
                self.comments.get(video.video_id, []),
                self.channels.get(video.channel_id or ""),
            )
            for video in videos
        ]

    def _take_comments(self, item: Mapping[str, Any], kind: str, place: str) -> None:
        reader = CommentReader(self.upload.secret, is_html=True)
        if kind == "youtube#commentThread":
            found = list(reader.of_thread(item))
        else:
            found = [each for each in [reader.comment(item)] if each is not None]
        self.number += len(found)
        self.upload.expect_few(self.number)
        for comment in found:
            self.upload.expect_text(comment.text, place)
        named = _named_video(item)
        if found and not named and found[0].parent_id is not None:
            self.replies.extend((comment, place) for comment in found)
        elif found:
            self.comments.setdefault(self.upload.expect_video_id(named, place), []).extend(found)

    def _only_video(self, place: str) -> str:
        """The only video of the file, or the one that was given with it."""
        known = {*self.videos, *self.comments}
        return self.upload.expect_video_id(known.pop() if len(known) == 1 else "", place)


def read_api_json(upload: ImportFile, document: Any) -> list[Material]:
    """The videos and comments in saved answers of the API."""
    reader = _ApiJsonReader(upload)
    for number, item in enumerate(_all_items(document), start=1):
        reader.take(item, messages.ITEM(item=str(number)))
    return reader.materials()


def _all_items(document: Any) -> Iterator[Mapping[str, Any]]:
    """The items of all answers in their order, however they are nested."""
    waiting = [document]
    while waiting:
        each = waiting.pop()
        if isinstance(each, list):
            waiting.extend(reversed(each))
        elif isinstance(each, Mapping):
            if _item_kind(each):
                yield each
            else:
                waiting.extend(reversed(list(_inner_values(each))))


def _inner_values(holder: Mapping[str, Any]) -> Iterator[Any]:
    """The values of an object; items of an answer get the kind that it lists."""
    kind = fields.clean_text(holder.get("kind")).removesuffix(_LIST_SUFFIX)
    for name, value in holder.items():
        if name == "items" and kind in _KINDS:
            yield [{"kind": kind, **item} for item in fields.object_list(value)]
        else:
            yield value


def _item_kind(item: Mapping[str, Any]) -> str:
    """The kind of an item; by its fields if it does not name it."""
    kind, snippet = fields.clean_text(item.get("kind")), fields.nested_object(item, "snippet")
    if kind:
        return kind if kind in _KINDS else ""
    if "topLevelComment" in snippet:
        return "youtube#commentThread"
    return "youtube#comment" if {"textDisplay", "textOriginal"} & snippet.keys() else ""


def _named_video(item: Mapping[str, Any]) -> str:
    places = [item, fields.nested_object(item, "snippet", "topLevelComment")]
    places += fields.object_list(fields.nested_object(item, "replies").get("comments"))
    named = (
        fields.clean_text(fields.nested_object(each, "snippet").get("videoId")) for each in places
    )
    return next((video_id for video_id in named if video_id), "")
