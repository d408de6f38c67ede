"""The comments of a video at a moment: made of phrases by chance, with what each of them means.

The number of a comment decides when it is written, so any moment can be computed directly.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import takewhile
from math import sqrt
from random import Random
from typing import Final

from gotgan.world.scene import Scene, seeded_random
from gotgan.world.videos.clips import CLIPS, Clip, ClipLanguage
from gotgan.world.videos.vocabulary import (
    MOODS,
    Mood,
    Phrases,
    Sense,
    WorldTopic,
    read_injections,
    read_phrases,
    read_topics,
)

_TextWithSense = tuple[str, Sense]

_LANGUAGES: Final[dict[ClipLanguage, tuple[float, float, float]]] = {
    "ko": (0.95, 0.98, 0.98),
    "en": (0.04, 0.96, 0.96),
    "mixed": (0.46, 0.84, 0.97),
}
"""Cumulative chances of Korean, English and both; the rest are other languages."""
_TRICKED: Final = 0.3
_KINDS: Final = (0.03, 0.11, 0.19)
"""Cumulative chances of spam, questions and requests; the rest are opinions."""
_ANOTHER: Final = 0.35
_WHOLE: Final = 0.3
_OPENED: Final = 0.35
_SLIPPED: Final = 0.12
_TIMED: Final = 0.12
_POPULAR: Final = (0.07, 0.24, 0.24, 0.55, 0.71, 0.9)
"""The parts of a video that comments name, some more often."""
_OTHERS: Final[Sequence[tuple[str, Mood]]] = (
    ("最高です", "positive"),
    ("Saludos desde México, me encanta ❤️", "positive"),
    ("muito bom, parabéns!!", "positive"),
    ("いつも見てます", "neutral"),
    ("первый", "neutral"),
    ("trop nul, déçu", "negative"),
)
_BETWEEN: Final[Sequence[tuple[str, Mood]]] = (
    ("{n} 진짜 goosebumps 😭", "positive"),
    ("this {n} is 레전드", "positive"),
    ("{n} so good ㅠㅠ 사랑해요", "positive"),
    ("omg {n} 미쳤다 love it", "positive"),
    ("I'm here for the {n} ㅋㅋㅋㅋ", "positive"),
    ("{n} part 2 어디에 있는지 아는 사람", "neutral"),
    ("first time 봤는데 {n}은 보통", "neutral"),
    ("{n} is so 별로 honestly", "negative"),
    ("too much {n}, 실망 ㅠ", "negative"),
)
_MAX_COMMENTS: Final = 6_000
_BLOCK_SIZE: Final = 200
_DAY: Final = timedelta(days=1)
_HALF_LIKES_DAYS: Final = 3
"""The time until a comment has half of its likes."""
_EDITED: Final = 0.04
_ANSWERED: Final = 0.18
_MAX_ANSWERS: Final = 9
_REGULARS: Final = 0.8
_AUTHOR_WORDS: Final = (
    *("달빛", "고양이", "보리차", "새벽", "솜사탕", "구름", "느티나무", "조약돌", "감자", "오솔길"),
    *("quiet", "river", "paper", "lantern", "maple", "otter", "biscuit", "comet"),
    *("pebble", "kettle"),
)


@dataclass(frozen=True, slots=True)
class WorldComment:
    """A comment, or an answer to one."""

    id: str
    text: str
    sense: Sense
    at: datetime
    edited: datetime
    """When it was last edited, or written."""
    author: str
    author_channel: str
    popularity: int
    """Its likes in the end."""
    parent: str | None = None
    answers: tuple[WorldComment, ...] = ()

    def likes(self, now: datetime) -> int:
        """Its likes at a moment."""
        days = (now - self.at) / _DAY
        return int(self.popularity * days / (days + _HALF_LIKES_DAYS))

    def updated(self, now: datetime) -> datetime:
        """When it was last edited before a moment, or written."""
        return self.edited if self.edited <= now else self.at

    def answers_until(self, now: datetime) -> tuple[WorldComment, ...]:
        """Its answers up to a moment, oldest first."""
        return tuple(each for each in self.answers if each.at <= now)


def video_comments(seed: int, clip: Clip, now: datetime) -> list[WorldComment]:
    """The top-level comments, oldest first."""
    days = (now - clip.published) / _DAY
    if days < 0 or not clip.has_comments:
        return []
    count = min(int(clip.pace * sqrt(days)) + 1 if clip.pace else 0, _MAX_COMMENTS)
    parts = range(-(-count // _BLOCK_SIZE))
    found = (each for part in parts for each in _block(seed, clip, part))
    return list(takewhile(lambda each: each.at <= now, found))[:_MAX_COMMENTS]


def hash_letters(*about: object, length: int) -> str:
    """Letters and digits of a hash, as ids have them."""
    digest = hashlib.sha256("/".join(map(str, about)).encode()).digest()
    return urlsafe_b64encode(digest).decode()[:length]


@lru_cache(maxsize=256)
def _block(seed: int, clip: Clip, part: int) -> tuple[WorldComment, ...]:
    first = part * _BLOCK_SIZE
    return tuple(_comment(seed, clip, number) for number in range(first, first + _BLOCK_SIZE))


def _comment(seed: int, clip: Clip, number: int) -> WorldComment:
    dice = seeded_random(seed, clip.id, number)
    text, sense = _text_with_sense(dice, clip)
    own = f"Ug{hash_letters(seed, clip.id, number, length=17)}4AaABAg"
    at = clip.published + _DAY * ((number + dice.random()) / clip.pace) ** 2
    at = at.replace(microsecond=0)
    author, channel = _author(seed, clip, number)
    return WorldComment(
        id=own,
        text=text,
        sense=sense,
        at=at,
        edited=_edited_at(dice, at),
        author=author,
        author_channel=channel,
        popularity=0 if sense.is_spam else int(dice.paretovariate(0.9)) - 1,
        answers=_answers(dice, seed, clip, own, at) if dice.random() < _ANSWERED else (),
    )


def _answers(
    dice: Random, seed: int, clip: Clip, parent: str, at: datetime
) -> tuple[WorldComment, ...]:
    found = []
    for number in range(dice.randint(1, _MAX_ANSWERS)):
        at += timedelta(minutes=dice.randint(2, 2_000))
        text, sense = _reply(dice, clip)
        author, channel = _author(seed, clip, dice.randrange(_MAX_COMMENTS))
        own = f"{parent}.{hash_letters(seed, parent, number, length=22)}"
        likes = dice.randrange(8)
        found.append(WorldComment(own, text, sense, at, at, author, channel, likes, parent))
    return tuple(found)


def _edited_at(dice: Random, at: datetime) -> datetime:
    later = timedelta(seconds=dice.randint(30, 200_000))
    return at + later if dice.random() < _EDITED else at


def _author(seed: int, clip: Clip, number: int) -> tuple[str, str]:
    """The name and the channel of an author; some write more than once."""
    who = seeded_random(seed, clip.channel, int(number * _REGULARS))
    name = f"@{who.choice(_AUTHOR_WORDS)}{who.choice(_AUTHOR_WORDS)}{who.randrange(10_000):04}"
    return name, f"UC{hash_letters(seed, name, length=22)}"


@dataclass(frozen=True)
class Truth:
    """All comments of a video up to a moment, with their answers, and what is true of them."""

    comments: tuple[WorldComment, ...]
    """By time; answers follow what they answer."""

    @property
    def senses(self) -> Mapping[str, Sense]:
        """What each comment means, by id."""
        return {each.id: each.sense for each in self.comments}

    @property
    def shares(self) -> Mapping[Mood, float]:
        """Which part is positive, neutral and negative; spam does not count."""
        moods = Counter(each.sense.mood for each in self.comments if not each.sense.is_spam)
        return {mood: moods[mood] / (moods.total() or 1) for mood in MOODS}

    @property
    def topics(self) -> Counter[str]:
        """How many comments are about each topic."""
        return Counter(topic for each in self.comments for topic in each.sense.topics)

    @property
    def moments(self) -> Counter[int]:
        """How many comments name each second."""
        return Counter(second for each in self.comments for second in each.sense.moments)

    @property
    def requests(self) -> frozenset[str]:
        """The ids of the comments that request something."""
        return frozenset(each.id for each in self.comments if each.sense.is_request)

    @property
    def questions(self) -> frozenset[str]:
        """The ids of the questions."""
        return frozenset(each.id for each in self.comments if each.sense.is_question)

    @property
    def spam(self) -> frozenset[str]:
        """The ids of spam."""
        return frozenset(each.id for each in self.comments if each.sense.is_spam)

    @property
    def tricks(self) -> frozenset[str]:
        """The ids of prompt injections."""
        return frozenset(each.id for each in self.comments if each.sense.is_trick)


def video_truth(scene: Scene, video_id: str) -> Truth:
    """What is true of a video's comments at the scene's moment."""
    comments = video_comments(scene.seed, CLIPS[video_id], scene.now)
    return Truth(tuple(each for top in comments for each in (top, *top.answers_until(scene.now))))


def _text_with_sense(dice: Random, clip: Clip) -> _TextWithSense:
    if clip.is_tricked and dice.random() < _TRICKED:
        text, language = dice.choice(read_injections())
        return text, Sense("neutral", language, is_trick=True)
    in_korean, in_english, in_both = _LANGUAGES[clip.language]
    roll = dice.random()
    if roll < in_english:
        return _plain_comment(dice, clip, read_phrases("ko" if roll < in_korean else "en"))
    if roll < in_both:
        topic = dice.choice(read_topics(clip.kind))
        text, mood = dice.choice(_BETWEEN)
        noun = dice.choice((topic.korean[0], topic.english[0]))
        return read_phrases("en").fill(text, noun), Sense(mood, "mixed", (topic.name,))
    text, mood = dice.choice(_OTHERS)
    return text, Sense(mood, "other")


def _reply(dice: Random, clip: Clip) -> _TextWithSense:
    phrases = read_phrases("en" if clip.language == "en" else "ko")
    mood = dice.choices(MOODS, clip.moods)[0]
    topic = dice.choice(read_topics(clip.kind))
    text = _about(dice, topic, phrases, phrases.about[mood])
    sense = Sense(mood, phrases.language, (topic.name,))
    return text + dice.choice(phrases.closers[mood]), sense


def _plain_comment(dice: Random, clip: Clip, phrases: Phrases) -> _TextWithSense:
    spam, question, request = _KINDS
    roll = dice.random()
    if roll < spam:
        text = dice.choice(phrases.spam).format(number=dice.randrange(10, 100))
        return text, Sense("neutral", phrases.language, is_spam=True)
    if roll < question:
        topic = dice.choice(read_topics(clip.kind))
        text = _about(dice, topic, phrases, phrases.questions)
        return text, Sense("neutral", phrases.language, (topic.name,), is_question=True)
    return (_request if roll < request else _opinion)(dice, clip, phrases)


def _request(dice: Random, clip: Clip, phrases: Phrases) -> _TextWithSense:
    """One in two comes with praise, and is positive."""
    topic = dice.choice(read_topics(clip.kind))
    text = _about(dice, topic, phrases, phrases.requests)
    mood: Mood = dice.choice(("positive", "neutral"))
    if mood == "positive":
        praise = dice.choice(phrases.whole[clip.kind]["positive"])
        text = praise + dice.choice(phrases.joints[1:2]) + text
    return text, Sense(mood, phrases.language, (topic.name,), is_request=True)


def _opinion(dice: Random, clip: Clip, phrases: Phrases) -> _TextWithSense:
    mood = dice.choices(MOODS, clip.moods)[0]
    opener = dice.choice(phrases.openers[mood]) if dice.random() < _OPENED else ""
    text, topics = _sentence(dice, clip, phrases, mood)
    if dice.random() < _ANOTHER:
        more, also = _sentence(dice, clip, phrases, mood)
        text, topics = text + dice.choice(phrases.joints) + more, topics + also
    text, moments = _with_moment(dice, clip, phrases, opener + text)
    text = _with_slip(dice, phrases, text + dice.choice(phrases.closers[mood]))
    return text, Sense(mood, phrases.language, tuple(dict.fromkeys(topics)), moments=moments)


def _sentence(
    dice: Random, clip: Clip, phrases: Phrases, mood: Mood
) -> tuple[str, tuple[str, ...]]:
    if dice.random() < _WHOLE:
        return dice.choice(phrases.whole[clip.kind][mood]), ()
    topics = read_topics(clip.kind)
    topic = topics[min(int(dice.expovariate(0.5)), len(topics) - 1)]  # the first ones more often
    return _about(dice, topic, phrases, phrases.about[mood]), (topic.name,)


def _about(dice: Random, topic: WorldTopic, phrases: Phrases, sentences: Sequence[str]) -> str:
    nouns = topic.korean if phrases.language == "ko" else topic.english
    noun = nouns[0] if dice.random() < 0.6 else dice.choice(nouns)  # noqa: PLR2004 - mostly
    return phrases.fill(dice.choice(sentences), noun)


def _with_moment(
    dice: Random, clip: Clip, phrases: Phrases, text: str
) -> tuple[str, tuple[int, ...]]:
    """Some comments begin with a time in the video, such as 2:14."""
    if clip.seconds is None or dice.random() >= _TIMED:
        return text, ()
    second = int(clip.seconds * dice.choice(_POPULAR))
    minutes, seconds = divmod(second, 60)
    hours, minutes = divmod(minutes, 60)
    time = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return dice.choice(phrases.at_moment).format(time=time) + text, (second,)


def _with_slip(dice: Random, phrases: Phrases, text: str) -> str:
    if dice.random() >= _SLIPPED:
        return text
    for right, wrong in dice.sample(phrases.slips, len(phrases.slips)):
        if right in text:
            return text.replace(right, wrong, 1)
    return text.replace(" ", "", 1)
