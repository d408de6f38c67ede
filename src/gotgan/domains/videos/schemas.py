"""The two shapes of a result in JSON; nothing else is saved or served.

Shape 1 is the contract. Shape 2 has all of it, with the figures beside the suggestions. No shape
has a word of a comment: it has ids, and the texts are looked up as long as they are stored.
"""
# ruff: noqa: N815 - these are the names of the JSON

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from gotgan.domains.videos.models import Basis

NOT_BLANK: Final = r"[^\s\x1c-\x1f\x85\ufeff]"
"""Something to see; languages differ in what they count as a space, and none counts more."""
STAMP_PATTERN: Final = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$"
MAX_EVIDENCE: Final = 20
MAX_WARNINGS: Final = 20
MAX_WARNING_CHARS: Final = 300

Text1000 = Annotated[str, StringConstraints(min_length=1, max_length=1000, pattern=NOT_BLANK)]
Text300 = Annotated[str, StringConstraints(min_length=1, max_length=MAX_WARNING_CHARS)]
Text200 = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=NOT_BLANK)]
Text50 = Annotated[str, StringConstraints(min_length=1, max_length=50, pattern=NOT_BLANK)]
Stamp = Annotated[str, StringConstraints(pattern=STAMP_PATTERN)]
Evidence = Annotated[list[str], Field(max_length=MAX_EVIDENCE)]
"""Ids of comments."""
Warnings = Annotated[list[Text300], Field(max_length=MAX_WARNINGS)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Version = Annotated[str, StringConstraints(pattern=r"^v[0-9]+$")]


def _reject_null(text: object) -> object:
    if text is None:
        raise ValueError("it must be left out, and not be null")
    return text


OptionalText300 = Annotated[
    Text300 | None,
    BeforeValidator(_reject_null),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": MAX_WARNING_CHARS}),
    Field(json_schema_extra=lambda schema: schema.pop("default", None)),
]
"""A text that is left out where there is none, as the contract says."""


class _Shape(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Summary(_Shape):
    """What viewers make of a video."""

    majorReactions: Text1000
    positivePoints: Text1000
    weakPoints: Text1000


class PlainIdea(_Shape):
    """A suggestion for another video."""

    title: Text200
    description: Text1000


class Idea(PlainIdea):
    """A suggestion, and the comments that it rests on."""

    evidence: Evidence = []


class TitleSuggestion(_Shape):
    """Another title for the same video, and the comments that it rests on."""

    title: Text200
    evidence: Evidence = []


class Insights(_Shape):
    """What an analyser says: opinions, all of them labelled so wherever they are shown."""

    summary: Summary
    contentIdeas: Annotated[list[Idea], Field(max_length=10)]
    recommendedKeywords: Annotated[list[Text50], Field(max_length=12)]
    titleSuggestions: Annotated[list[TitleSuggestion], Field(max_length=5)]
    languageSummary: Text300 | None = None
    warnings: Warnings


class Meta1(_Shape):
    """What a result rests on, and what made it."""

    model: Text200
    analyzedAt: Stamp
    commentSampleCount: Count
    analysisBasis: list[Basis]
    languageSummary: OptionalText300 = None
    cacheHit: bool
    analysisVersion: Version
    schemaVersion: Literal[1]
    warnings: Warnings


class Result1(_Shape):
    """The contract's result."""

    summary: Summary
    contentIdeas: Annotated[list[PlainIdea], Field(max_length=10)]
    recommendedKeywords: Annotated[list[Text50], Field(max_length=12)]
    meta: Meta1


class Shares(_Shape):
    """Which part of the comments is positive, neutral and negative; they add up to 1."""

    positive: Share
    neutral: Share
    negative: Share


class SentimentShares(_Shape):
    """How comments sound, counted and not guessed by a model."""

    shares: Shares
    net: Annotated[float, Field(ge=-1, le=1)]
    """Positive less negative."""
    n: Count
    method: Text200


class Counts(_Shape):
    """How many comments are positive, neutral and negative."""

    positive: Count
    neutral: Count
    negative: Count


class Topic(_Shape):
    """What several comments are about."""

    label: Text200
    words: list[Text50]
    count: Count
    sentiment: Counts
    evidence: Evidence


class FoundComment(_Shape):
    """A comment that asks for something, asks something, or is much liked."""

    commentId: str
    likes: Count
    label: Literal["positive", "neutral", "negative"]


class Moment(_Shape):
    """A place in the video that comments name."""

    seconds: Count
    count: Count
    evidence: Evidence


class KeywordCount(_Shape):
    """A word that stands out in the comments."""

    word: Text50
    count: Count
    evidence: Evidence


class UsageRecord(_Shape):
    """What the analysis cost."""

    units: Count
    inputTokens: Count
    outputTokens: Count
    costUsd: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None


class Meta(_Shape):
    """What a result of shape 2 rests on, and what made it."""

    model: Text200
    analyser: Literal["builtin", "gemini", "openai"]
    analyzedAt: Stamp
    commentSampleCount: Count
    analysisBasis: list[Basis]
    languageSummary: Text300 | None = None
    cacheHit: bool
    analysisVersion: Version
    promptVersion: Text50 | None
    scoreVersion: Text50
    schemaVersion: Literal[2]
    commentSnapshotHash: str | None
    source: Literal["youtube", "import"]
    warnings: Warnings


class Result2(_Shape):
    """All of it: what was counted (facts) and what was suggested (opinions)."""

    summary: Summary
    contentIdeas: Annotated[list[Idea], Field(max_length=10)]
    recommendedKeywords: Annotated[list[Text50], Field(max_length=12)]
    titleSuggestions: Annotated[list[TitleSuggestion], Field(max_length=5)]
    sentiment: SentimentShares | None
    spam: Count
    keywords: Annotated[list[KeywordCount], Field(max_length=50)]
    topics: Annotated[list[Topic], Field(max_length=12)]
    requests: Annotated[list[FoundComment], Field(max_length=20)]
    questions: Annotated[list[FoundComment], Field(max_length=20)]
    highlights: Annotated[list[FoundComment], Field(max_length=20)]
    moments: Annotated[list[Moment], Field(max_length=20)]
    usage: UsageRecord
    meta: Meta


_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_SHAPES: Final[Mapping[int, type[BaseModel]]] = {1: Result1, 2: Result2}


def schema_of(shape: Literal[1, 2]) -> dict[str, Any]:
    """What a result of that ``schemaVersion`` has to be."""
    return {"$schema": _DRAFT, **_SHAPES[shape].model_json_schema()}
