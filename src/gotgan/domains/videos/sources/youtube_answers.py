"""What YouTube's API answers, as our values; what is hidden or has another shape is left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson

from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Channel, Comment, Video
from gotgan.domains.videos.sources.fields import (
    MOST_LIKES,
    count_of,
    description_of,
    items_of,
    moment_of,
    object_of,
    seconds_of,
    short_of,
    text_of,
    title_of,
    unmarked,
)
from gotgan.errors import UpstreamUnavailable
from gotgan.settings import Secret

__all__ = [
    "LONGEST_CHANNEL_ID",
    "LONGEST_COMMENT_ID",
    "LONGEST_LANGUAGE",
    "CommentReader",
    "channel_of",
    "document_of",
    "next_page_of",
    "video_of",
]

LONGEST_COMMENT_ID: Final = 200
LONGEST_CHANNEL_ID: Final = 64
LONGEST_LANGUAGE: Final = 20
_LONGEST_TOKEN: Final = 4_000


def document_of(body: bytes) -> Mapping[str, Any]:
    """The object that an answer is."""
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError as error:
        raise UpstreamUnavailable(
            "YouTube answered something that is no JSON; see that GOTGAN_YOUTUBE names the API, "
            "and try again later"
        ) from error
    if not isinstance(document, dict):
        raise UpstreamUnavailable("YouTube answered no object; its API has changed")
    return document


def video_of(item: Mapping[str, Any]) -> Video | None:
    """A video of ``videos.list``; None where it has no id."""
    snippet, counts = object_of(item, "snippet"), object_of(item, "statistics")
    video_id = text_of(item.get("id"))
    if not video_id:
        return None
    spoken = snippet.get("defaultAudioLanguage") or snippet.get("defaultLanguage")
    return Video(
        video_id=video_id,
        title=title_of(snippet.get("title")),
        description=description_of(snippet.get("description")),
        published_at=moment_of(snippet.get("publishedAt")),
        duration_sec=seconds_of(object_of(item, "contentDetails").get("duration")),
        channel_id=short_of(snippet.get("channelId"), LONGEST_CHANNEL_ID),
        view_count=count_of(counts.get("viewCount")),
        like_count=count_of(counts.get("likeCount")),
        comment_count=count_of(counts.get("commentCount")),
        language=short_of(spoken, LONGEST_LANGUAGE),
    )


def channel_of(item: Mapping[str, Any]) -> Channel | None:
    """A channel of ``channels.list``; None where it has no id."""
    counts = object_of(item, "statistics")
    channel_id = short_of(item.get("id"), LONGEST_CHANNEL_ID)
    if channel_id is None:
        return None
    is_hidden = counts.get("hiddenSubscriberCount") is True
    return Channel(
        channel_id=channel_id,
        title=text_of(object_of(item, "snippet").get("title")),
        subscriber_count=None if is_hidden else count_of(counts.get("subscriberCount")),
        video_count=count_of(counts.get("videoCount")),
        view_count=count_of(counts.get("viewCount")),
    )


def next_page_of(answer: Mapping[str, Any]) -> str | None:
    """By what the next page is asked for; None after the last one."""
    return short_of(answer.get("nextPageToken"), _LONGEST_TOKEN)


@dataclass(frozen=True)
class CommentReader:
    """Reads comments, and makes a keyed hash of whoever wrote them."""

    secret: Secret
    is_html: bool = False
    """Whether what is to be shown is HTML, as it is unless plain text was asked for."""

    def of_threads(self, items: Iterable[Mapping[str, Any]]) -> Iterator[Comment]:
        """The comments of ``commentThreads.list``, each with the answers that come with it."""
        for item in items:
            yield from self.of_thread(item)

    def of_thread(self, item: Mapping[str, Any]) -> Iterator[Comment]:
        """A comment that stands alone, and the answers to it."""
        first = self.comment(object_of(item, "snippet", "topLevelComment"))
        if first is not None:
            yield first
        parent = first.comment_id if first else short_of(item.get("id"), LONGEST_COMMENT_ID)
        for reply in items_of(object_of(item, "replies").get("comments")):
            answer = self.comment(reply, parent)
            if answer is not None:
                yield answer

    def comment(self, item: Mapping[str, Any], parent: str | None = None) -> Comment | None:
        """One comment; None where it has no id, or says nothing."""
        snippet = object_of(item, "snippet")
        comment_id, text = short_of(item.get("id"), LONGEST_COMMENT_ID), self._text(snippet)
        if comment_id is None or not text.strip():
            return None
        return Comment(
            comment_id=comment_id,
            text=text,
            likes=count_of(snippet.get("likeCount"), MOST_LIKES) or 0,
            published_at=moment_of(snippet.get("publishedAt")),
            updated_at=moment_of(snippet.get("updatedAt")),
            author=self._author(snippet),
            parent_id=short_of(snippet.get("parentId"), LONGEST_COMMENT_ID) or parent,
        )

    def _text(self, snippet: Mapping[str, Any]) -> str:
        """What was written, or else what is to be shown."""
        shown = text_of(snippet.get("textDisplay"))
        return text_of(snippet.get("textOriginal")) or (unmarked(shown) if self.is_html else shown)

    def _author(self, snippet: Mapping[str, Any]) -> str | None:
        channel_id = text_of(object_of(snippet, "authorChannelId").get("value"))
        return author_hash(self.secret, channel_id) if channel_id else None
