"""What a model is shown of a video: what was counted, and a few comments under short names.

Its size is bounded, so that a video with a million comments costs no more than one with a thousand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from gotgan.domains.videos.analysers.coverage import representative
from gotgan.domains.videos.analysers.defusing import defused, document_of
from gotgan.domains.videos.measuring.measured import Measurements, TopicCluster, VideoTimestamp
from gotgan.domains.videos.models import Comment, Material

__all__ = ["MOST_COMMENTS", "EvidencePack", "pack_of"]

MOST_COMMENTS: Final = 150
_ROOM: Final = 20_000
"""How many characters all comments may take together, as they are written."""
_COMMENT, _TITLE, _DESCRIPTION, _WORD = 240, 200, 1_000, 50
_KEYWORDS, _TOPICS, _WORDS, _MOMENTS = 30, 12, 6, 10
_HANGUL: Final = re.compile("[가-힣]")
_LANGUAGES: Final = {"ko": "Korean", "en": "English", "other": "the language of most comments"}


@dataclass(frozen=True)
class EvidencePack:
    """One JSON document for a model, and what the names in it stand for."""

    text: str
    names: Mapping[str, str]
    """The id of each comment that is shown, by its short name: ``c1``, ``c2`` and so on."""


def pack_of(material: Material, measured: Measurements) -> EvidencePack:
    """What a model is shown; the same for the same comments."""
    comments, names = _comments(material, measured)
    document = {
        "answerIn": _language(material, measured),
        "video": _video(material),
        "counted": _counted(measured),
        "comments": comments,
    }
    return EvidencePack(document_of(document), names)


def _comments(
    material: Material, measured: Measurements
) -> tuple[list[dict[str, Any]], dict[str, str]]:
    shown: list[dict[str, Any]] = []
    names: dict[str, str] = {}
    room = _ROOM
    for comment in representative(material, measured):
        entry = _comment(f"c{len(shown) + 1}", comment, measured)
        room -= len(document_of(entry))
        if len(shown) == MOST_COMMENTS or room < 0:
            break
        if entry["text"]:
            shown.append(entry)
            names[entry["id"]] = comment.comment_id
    return shown, names


def _comment(name: str, comment: Comment, measured: Measurements) -> dict[str, Any]:
    return {
        "id": name,
        "likes": comment.likes,
        "sounds": measured.labels[comment.comment_id],
        "text": defused(comment.text, _COMMENT),
    }


def _video(material: Material) -> dict[str, Any]:
    video, channel = material.video, material.channel
    known = {
        "title": defused(video.title, _TITLE),
        "description": defused(video.description, _DESCRIPTION) or None,
        "channel": defused(channel.title, _TITLE) if channel else None,
        "subscribers": channel.subscriber_count if channel else None,
        "seconds": video.duration_sec,
        "views": video.view_count,
        "likes": video.like_count,
        "comments": video.comment_count,
    }
    return {name: value for name, value in known.items() if value is not None}


def _counted(measured: Measurements) -> dict[str, Any]:
    sentiment = measured.sentiment
    return {
        "comments": sentiment.n,
        "positive": sentiment.positive,
        "neutral": sentiment.neutral,
        "negative": sentiment.negative,
        "languages": dict(measured.languages),
        "keywords": [
            {"word": defused(each.word, _WORD), "comments": each.count}
            for each in measured.keywords[:_KEYWORDS]
        ],
        "topics": [_topic(each) for each in measured.topics[:_TOPICS]],
        "moments": [_moment(each) for each in measured.moments[:_MOMENTS]],
    }


def _topic(topic: TopicCluster) -> dict[str, Any]:
    return {
        "topic": defused(topic.label, _WORD),
        "words": [defused(word, _WORD) for word in topic.words[:_WORDS]],
        "comments": topic.count,
        "positive": topic.sentiment.positive,
        "negative": topic.sentiment.negative,
    }


def _moment(moment: VideoTimestamp) -> dict[str, Any]:
    minutes, seconds = divmod(moment.seconds, 60)
    return {"at": f"{minutes}:{seconds:02}", "comments": moment.count}


def _language(material: Material, measured: Measurements) -> str:
    """What most comments are written in; where there are none, what the title is written in."""
    if any(measured.languages.values()):
        most = max(measured.languages, key=lambda each: measured.languages[each])
        return _LANGUAGES.get(most, _LANGUAGES["other"])
    return _LANGUAGES["ko" if _HANGUL.search(material.video.title) else "en"]
