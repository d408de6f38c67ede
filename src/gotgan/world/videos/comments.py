"""The comments of a video as they are at a moment: they come one after another, and are liked.

When each comes is decided by its number, so that any moment can be told without those before it.
"""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import takewhile
from math import sqrt
from random import Random
from typing import Final

from gotgan.world.scene import chance
from gotgan.world.videos.clips import Clip
from gotgan.world.videos.moods import Sense
from gotgan.world.videos.sayings import reply, said

__all__ = ["WorldComment", "comments_of", "letters"]

_MOST: Final = 6_000
_AT_ONCE: Final = 200
_DAY: Final = timedelta(days=1)
_RIPENS: Final = 3
"""After how many days a comment has half of its likes."""
_EDITED: Final = 0.04
_ANSWERED: Final = 0.18
_MOST_ANSWERS: Final = 9
_REGULARS: Final = 0.8
_WORDS: Final = (
    *("달빛", "고양이", "보리차", "새벽", "솜사탕", "구름", "느티나무", "조약돌", "감자", "오솔길"),
    *(
        "quiet",
        "river",
        "paper",
        "lantern",
        "maple",
        "otter",
        "biscuit",
        "comet",
        "pebble",
        "kettle",
    ),
)


@dataclass(frozen=True, slots=True)
class WorldComment:
    """A comment, or an answer to one."""

    id: str
    text: str
    sense: Sense
    at: datetime
    edited: datetime
    """When it was last changed; when it came, if never."""
    author: str
    author_channel: str
    popularity: int
    """How often it will have been liked in the end."""
    parent: str | None = None
    answers: tuple[WorldComment, ...] = ()

    def likes(self, now: datetime) -> int:
        """How often it has been liked."""
        days = (now - self.at) / _DAY
        return int(self.popularity * days / (days + _RIPENS))

    def updated(self, now: datetime) -> datetime:
        """When it was last changed, as far as that has happened."""
        return self.edited if self.edited <= now else self.at

    def answered(self, now: datetime) -> tuple[WorldComment, ...]:
        """The answers that it has so far, the oldest first."""
        return tuple(each for each in self.answers if each.at <= now)


def comments_of(seed: int, clip: Clip, now: datetime) -> list[WorldComment]:
    """Those that stand on their own, the oldest first."""
    days = (now - clip.published) / _DAY
    if days < 0 or not clip.has_comments:
        return []
    count = min(int(clip.pace * sqrt(days)) + 1 if clip.pace else 0, _MOST)
    parts = range(-(-count // _AT_ONCE))
    found = (each for part in parts for each in _part(seed, clip, part))
    return list(takewhile(lambda each: each.at <= now, found))[:_MOST]


def letters(*about: object, length: int) -> str:
    """Letters and digits that follow from something, as ids have them."""
    digest = hashlib.sha256("/".join(map(str, about)).encode()).digest()
    return urlsafe_b64encode(digest).decode()[:length]


@lru_cache(maxsize=256)
def _part(seed: int, clip: Clip, part: int) -> tuple[WorldComment, ...]:
    first = part * _AT_ONCE
    return tuple(_remark(seed, clip, number) for number in range(first, first + _AT_ONCE))


def _remark(seed: int, clip: Clip, number: int) -> WorldComment:
    dice = chance(seed, clip.id, number)
    text, sense = said(dice, clip)
    own = f"Ug{letters(seed, clip.id, number, length=17)}4AaABAg"
    at = clip.published + _DAY * ((number + dice.random()) / clip.pace) ** 2
    at = at.replace(microsecond=0)
    author, channel = _author(seed, clip, number)
    return WorldComment(
        id=own,
        text=text,
        sense=sense,
        at=at,
        edited=_edited(dice, at),
        author=author,
        author_channel=channel,
        popularity=0 if sense.is_spam else int(dice.paretovariate(0.9)) - 1,
        answers=_answers(dice, seed, clip, own, at) if dice.random() < _ANSWERED else (),
    )


def _answers(
    dice: Random, seed: int, clip: Clip, parent: str, at: datetime
) -> tuple[WorldComment, ...]:
    found = []
    for number in range(dice.randint(1, _MOST_ANSWERS)):
        at += timedelta(minutes=dice.randint(2, 2_000))
        text, sense = reply(dice, clip)
        author, channel = _author(seed, clip, dice.randrange(_MOST))
        own = f"{parent}.{letters(seed, parent, number, length=22)}"
        likes = dice.randrange(8)
        found.append(WorldComment(own, text, sense, at, at, author, channel, likes, parent))
    return tuple(found)


def _edited(dice: Random, at: datetime) -> datetime:
    later = timedelta(seconds=dice.randint(30, 200_000))
    return at + later if dice.random() < _EDITED else at


def _author(seed: int, clip: Clip, number: int) -> tuple[str, str]:
    """Who says it: some people come back."""
    who = chance(seed, clip.channel, int(number * _REGULARS))
    name = f"@{who.choice(_WORDS)}{who.choice(_WORDS)}{who.randrange(10_000):04}"
    return name, f"UC{letters(seed, name, length=22)}"
