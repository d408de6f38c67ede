"""A video with a few comments, what was counted, and what a good analyser says about it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from gotgan.domains.videos.documents import Provenance
from gotgan.domains.videos.metrics.measurements import (
    Keyword,
    Label,
    Measurements,
    NotableComment,
    Sentiment,
    TopicCluster,
    VideoTimestamp,
)
from gotgan.domains.videos.models import Channel, Comment, Material, Usage, Video

__all__ = ["MAKING", "MATERIAL", "MEASURED", "commented", "counted", "good", "many"]

AT = datetime(2025, 11, 6, 3, 4, 5, tzinfo=UTC)
TEXTS = (
    "다음에는 라면 말고 김밥도 해 주세요",
    "2:14 여기서 웃겨 죽는 줄 알았어요",
    "소리가 너무 작아서 안 들려요",
    "어디서 사셨어요?",
)
LABELS: tuple[Label, ...] = ("neutral", "positive", "negative", "neutral")


def commented(*texts: str, **changes: Any) -> Material:
    """A video below which that was said, the latest comment first."""
    comments = tuple(
        Comment(f"id-{number}", text, number, AT - timedelta(hours=number))
        for number, text in enumerate(texts)
    )
    video = Video("dQw4w9WgXcQ", "라면 끓이기", "맛있는 라면", AT, 300, "UC1", 1_000, 50, 4)
    usual: dict[str, Any] = {"channel": Channel("UC1", "요리 채널", 12), "comments": comments}
    return Material(video, **usual | changes)


def counted(material: Material, **changes: Any) -> Measurements:
    """All comments counted as neutral, in Korean."""
    labels: dict[str, Label] = {each.comment_id: "neutral" for each in material.comments}
    sentiment = Sentiment(neutral=len(labels))
    usual: dict[str, Any] = {
        "sentiment": sentiment,
        "labels": labels,
        "languages": {"ko": len(labels)},
    }
    return Measurements(**usual | changes)


def many(number: int, text: str = "댓글 {}") -> Material:
    """A video with that many different comments."""
    return commented(*(text.format(each) for each in range(number)))


MATERIAL = commented(*TEXTS)
MEASURED = counted(
    MATERIAL,
    sentiment=Sentiment(1, 2, 1),
    labels={f"id-{number}": label for number, label in enumerate(LABELS)},
    keywords=(Keyword("라면", 2, ("id-0",)),),
    topics=(TopicCluster("소리", ("소리", "작다"), 1, Sentiment(negative=1), ("id-2",)),),
    requests=(NotableComment("id-0", 0, "neutral"),),
    questions=(NotableComment("id-3", 3, "neutral"),),
    highlights=(NotableComment("id-3", 3, "neutral"),),
    moments=(VideoTimestamp(134, 1, ("id-1",)),),
)
MAKING = Provenance(
    "gemini", "gemini-2.5-flash", "v3", "p1", "s1", "a model of ours", AT, Usage(12)
)


def good(**changes: Any) -> dict[str, Any]:
    """What an analyser says that does everything right, in the names of comments as models do."""
    usual = {
        "summary": {
            "majorReactions": "라면에 대한 반응이 많습니다.",
            "positivePoints": "재미있다고 합니다.",
            "weakPoints": "소리가 작다고 합니다.",
        },
        "contentIdeas": [
            {"title": "김밥 만들기", "description": "시청자가 바랍니다.", "evidence": ["c1"]},
            {"title": "장보기", "description": "어디서 사는지 보여 줍니다.", "evidence": ["c3"]},
        ],
        "recommendedKeywords": ["라면", "김밥"],
        "titleSuggestions": [{"title": "라면의 모든 것", "evidence": ["c2"]}],
        "languageSummary": "대부분 한국어입니다.",
        "warnings": [],
    }
    return usual | changes
