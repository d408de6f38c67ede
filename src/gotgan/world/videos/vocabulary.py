"""What the comments of the world are made of: phrases, topics and prompt injections.

The texts are in TOML files beside this module, and read on first use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from gotgan.world.scene import read_data

Mood = Literal["positive", "neutral", "negative"]
MOODS: Final[tuple[Mood, ...]] = ("positive", "neutral", "negative")
Language = Literal["ko", "en", "mixed", "other"]


@dataclass(frozen=True)
class Sense:
    """What the author of a comment meant."""

    mood: Mood
    language: Language
    topics: tuple[str, ...] = ()
    is_request: bool = False
    is_question: bool = False
    is_spam: bool = False
    is_trick: bool = False
    """Whether it is a prompt injection."""
    moments: tuple[int, ...] = ()
    """The places in the video that it names, in seconds."""


@dataclass(frozen=True, eq=False)
class Phrases:
    """What the comments of a language are made of."""

    language: Literal["ko", "en"]
    openers: Mapping[Mood, Sequence[str]]
    closers: Mapping[Mood, Sequence[str]]
    about: Mapping[Mood, Sequence[str]]
    """Sentences that take a noun."""
    whole: Mapping[str, Mapping[Mood, Sequence[str]]]
    """Sentences for one kind of video."""
    questions: Sequence[str]
    requests: Sequence[str]
    spam: Sequence[str]
    at_moment: Sequence[str]
    joints: Sequence[str]
    """What is between two sentences."""
    slips: Sequence[tuple[str, str]]
    """Spelling mistakes."""
    plurals: Sequence[tuple[str, str]] = ()
    """What changes in a sentence about several."""

    def fill(self, sentence: str, noun: str) -> str:
        """A sentence with a noun: in English in its plural, in Korean with its particle."""
        if noun.endswith("s"):
            for one, several in self.plurals:
                sentence = sentence.replace(one, several)
        last = ord(noun[-1]) - _FIRST_SYLLABLE
        is_closed = 0 <= last < _SYLLABLES and last % _SYLLABLE_ENDINGS != 0
        pairs = ("이가", "은는", "을를")
        return sentence.format(n=noun, **{pair[0]: noun + pair[not is_closed] for pair in pairs})


_FIRST_SYLLABLE, _SYLLABLES, _SYLLABLE_ENDINGS = 0xAC00, 11_172, 28


@cache
def read_phrases(language: Literal["ko", "en"]) -> Phrases:
    """The phrases of a language."""
    return Phrases(language=language, **read_data(__package__, f"phrases_{language}.toml"))


@dataclass(frozen=True)
class WorldTopic:
    """Something that people talk about, and what they call it."""

    name: str
    korean: Sequence[str]
    english: Sequence[str]


@cache
def read_topics(kind: str) -> Sequence[WorldTopic]:
    """The topics of a kind of video."""
    topics = read_data(__package__, "topics.toml")["topics"][kind]
    return [WorldTopic(name, nouns["ko"], nouns["en"]) for name, nouns in topics.items()]


@cache
def read_injections() -> Sequence[tuple[str, Language]]:
    """Comments that try to instruct a model, with their languages."""
    injections: Sequence[tuple[str, Language]] = read_data(__package__, "topics.toml")["injections"]
    return injections
