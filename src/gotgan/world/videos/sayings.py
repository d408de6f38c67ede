"""Comments: fragments put together by chance, and what was meant by it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from gotgan.world.videos import english, korean
from gotgan.world.videos.clips import Clip, Tongue
from gotgan.world.videos.moods import MOODS, Language, Mood, Phrases, Sense
from gotgan.world.videos.subjects import SUBJECTS, WorldTopic
from gotgan.world.videos.tricks import TRICKS

__all__ = ["Said", "reply", "said"]

Said = tuple[str, Sense]

_LANGUAGES: Final[dict[Tongue, tuple[float, float, float]]] = {
    "ko": (0.95, 0.98, 0.98),
    "en": (0.04, 0.96, 0.96),
    "mixed": (0.46, 0.84, 0.97),
}
"""Up to where a chance means Korean, English, and both at once; the rest is something else."""
_TRICKED: Final = 0.3
_KINDS: Final = (0.03, 0.11, 0.19)
"""Up to where a chance means spam, a question and a request; the rest are opinions."""
_ANOTHER: Final = 0.35
_WHOLE: Final = 0.3
_OPENED: Final = 0.35
_SLIPPED: Final = 0.12
_TIMED: Final = 0.12
_POPULAR: Final = (0.07, 0.24, 0.24, 0.55, 0.71, 0.9)
"""Which parts of a video people name; some of them more often than others."""
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


def said(dice: Random, clip: Clip) -> Said:
    """A comment below a video."""
    if clip.is_tricked and dice.random() < _TRICKED:
        text, language = dice.choice(TRICKS)
        return text, Sense("neutral", language, is_trick=True)
    in_korean, in_english, in_both = _LANGUAGES[clip.tongue]
    roll = dice.random()
    if roll < in_korean:
        return _spoken(dice, clip, "ko")
    if roll < in_english:
        return _spoken(dice, clip, "en")
    return _between(dice, clip) if roll < in_both else _other(dice)


def reply(dice: Random, clip: Clip) -> Said:
    """A short answer to a comment."""
    language: Language = "en" if clip.tongue == "en" else "ko"
    mood = dice.choices(MOODS, clip.moods)[0]
    topic = dice.choice(SUBJECTS[clip.kind])
    phrases = korean.KOREAN if language == "ko" else english.ENGLISH
    text = _about(dice, topic, language, phrases.about[mood])
    return text + dice.choice(phrases.closers[mood]), Sense(mood, language, (topic.name,))


def _spoken(dice: Random, clip: Clip, language: Language) -> Said:
    spam, question, request = _KINDS
    roll = dice.random()
    phrases = korean.KOREAN if language == "ko" else english.ENGLISH
    if roll < spam:
        text = dice.choice(phrases.spam).format(number=dice.randrange(10, 100))
        return text, Sense("neutral", language, is_spam=True)
    if roll < question:
        return _asking(dice, clip, language, phrases.questions)
    if roll < request:
        return _wishing(dice, clip, language, phrases)
    return _opinion(dice, clip, language, phrases)


def _asking(dice: Random, clip: Clip, language: Language, sentences: tuple[str, ...]) -> Said:
    topic = dice.choice(SUBJECTS[clip.kind])
    text = _about(dice, topic, language, sentences)
    return text, Sense("neutral", language, (topic.name,), is_question=True)


def _wishing(dice: Random, clip: Clip, language: Language, phrases: Phrases) -> Said:
    """A request; one in two comes with praise, and is positive."""
    topic = dice.choice(SUBJECTS[clip.kind])
    text = _about(dice, topic, language, phrases.requests)
    mood: Mood = dice.choice(("positive", "neutral"))
    if mood == "positive":
        praise = dice.choice(phrases.whole[clip.kind]["positive"])
        text = praise + dice.choice(phrases.joints[1:2]) + text
    return text, Sense(mood, language, (topic.name,), is_request=True)


def _opinion(dice: Random, clip: Clip, language: Language, phrases: Phrases) -> Said:
    mood = dice.choices(MOODS, clip.moods)[0]
    opener = dice.choice(phrases.openers[mood]) if dice.random() < _OPENED else ""
    text, topics = _sentence(dice, clip, language, phrases, mood)
    if dice.random() < _ANOTHER:
        more, also = _sentence(dice, clip, language, phrases, mood)
        text, topics = text + dice.choice(phrases.joints) + more, topics + also
    text, moments = _timed(dice, clip, phrases, opener + text)
    text = _slipped(dice, phrases, text + dice.choice(phrases.closers[mood]))
    return text, Sense(mood, language, tuple(dict.fromkeys(topics)), moments=moments)


def _sentence(
    dice: Random, clip: Clip, language: Language, phrases: Phrases, mood: Mood
) -> tuple[str, tuple[str, ...]]:
    if dice.random() < _WHOLE:
        return dice.choice(phrases.whole[clip.kind][mood]), ()
    topics = SUBJECTS[clip.kind]
    topic = topics[min(int(dice.expovariate(0.5)), len(topics) - 1)]  # the first ones more often
    return _about(dice, topic, language, phrases.about[mood]), (topic.name,)


def _about(dice: Random, topic: WorldTopic, language: Language, sentences: tuple[str, ...]) -> str:
    nouns = topic.korean if language == "ko" else topic.english
    noun = nouns[0] if dice.random() < 0.6 else dice.choice(nouns)  # noqa: PLR2004 - mostly
    fill = korean.filled if language == "ko" else english.filled
    return fill(dice.choice(sentences), noun)


def _timed(dice: Random, clip: Clip, phrases: Phrases, text: str) -> tuple[str, tuple[int, ...]]:
    """Some comments begin with a place in the video, as 2:14."""
    if clip.seconds is None or dice.random() >= _TIMED:
        return text, ()
    second = int(clip.seconds * dice.choice(_POPULAR))
    minutes, seconds = divmod(second, 60)
    hours, minutes = divmod(minutes, 60)
    time = f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
    return dice.choice(phrases.at_moment).format(time=time) + text, (second,)


def _slipped(dice: Random, phrases: Phrases, text: str) -> str:
    if dice.random() >= _SLIPPED:
        return text
    for right, wrong in dice.sample(phrases.slips, len(phrases.slips)):
        if right in text:
            return text.replace(right, wrong, 1)
    return text.replace(" ", "", 1)


def _between(dice: Random, clip: Clip) -> Said:
    topic = dice.choice(SUBJECTS[clip.kind])
    text, mood = dice.choice(_BETWEEN)
    noun = dice.choice((topic.korean[0], topic.english[0]))
    return english.filled(text, noun), Sense(mood, "mixed", (topic.name,))


def _other(dice: Random) -> Said:
    text, mood = dice.choice(_OTHERS)
    return text, Sense(mood, "other")
