"""What is true of a comment, and the fragments that a language makes comments of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["MOODS", "Language", "Mood", "Phrases", "Sense"]

Mood = Literal["positive", "neutral", "negative"]
MOODS: Final[tuple[Mood, ...]] = ("positive", "neutral", "negative")
Language = Literal["ko", "en", "mixed", "other"]


@dataclass(frozen=True)
class Sense:
    """What its writer meant, which nobody has to guess here."""

    mood: Mood
    language: Language
    topics: tuple[str, ...] = ()
    is_request: bool = False
    is_question: bool = False
    is_spam: bool = False
    is_trick: bool = False
    """Whether it speaks to a machine that reads it."""
    moments: tuple[int, ...] = ()
    """The places in the video that it names, in seconds."""


@dataclass(frozen=True, eq=False)
class Phrases:
    """What the comments of a language are made of."""

    openers: Mapping[Mood, tuple[str, ...]]
    closers: Mapping[Mood, tuple[str, ...]]
    about: Mapping[Mood, tuple[str, ...]]
    """Sentences that take a noun."""
    whole: Mapping[str, Mapping[Mood, tuple[str, ...]]]
    """Sentences that fit one kind of video only."""
    questions: tuple[str, ...]
    requests: tuple[str, ...]
    spam: tuple[str, ...]
    at_moment: tuple[str, ...]
    joints: tuple[str, ...]
    """What stands between two sentences."""
    slips: tuple[tuple[str, str], ...]
    """What is written wrong, and how."""
