"""Counting what comments say: how many a second on one core, and how much memory it takes.

``python -m bench.videos.measuring [--rounds N]``

Comments are made up, four in five Korean and one English, forty to sixty characters long, from
words that are as unevenly common as words are; those of the last row are English, and a hundred
and twenty characters long: sentiment, keywords, topics, requests, questions,
moments and highlights are counted in all of them. The best round counts, in seconds of one core's
own work. Memory is what Python had allocated at most beside the comments, in a round of its own.
"""

from __future__ import annotations

import argparse
import random
import time
import tracemalloc
from itertools import accumulate
from typing import Final

from bench.store.boards import table
from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.models import Comment, Material, Video

__all__ = ["main"]

_SIZES: Final = (1_000, 20_000)
_REQUIRED: Final = 5_000
"""Comments a second."""
_AIM: Final = 8_000
_REQUIRED_ENGLISH: Final = 6_000
_ENGLISH_SHARE: Final = 0.2
_MOST_MEMORY: Final = 100
"""Megabytes, for the larger of the sizes."""
_NOUNS: Final = 4_000
_PARTICLES: Final = ("", "은", "이", "을", "도", "에서", "만", "까지", "이랑", "으로")
_VERBS: Final = """
    좋네요 좋아요 재밌어요 최고예요 별로네요 아쉽다 웃기다 감동이에요 봤습니다 기다렸어요 궁금해요
    샀어요 배웠습니다 들었어요 올려주세요 뭐예요? 어디인가요? 실망했어요 감사합니다 추천해요
"""
_MORE: Final = "진짜 너무 정말 오늘 다시 그냥 역시 ㅋㅋㅋㅋ ㅠㅠ ㅎㅎ 2:14 😂 👍 완전 이번 항상"
_ENGLISH: Final = """
    this song is great love the camera battery life really bad can you review it please what is
    that tool called amazing work best video today thanks for the editing music background part
"""


def _nouns(dice: random.Random) -> list[str]:
    """Words of two or three syllables that end in a consonant, as the particles above want it."""
    syllables = [chr(0xAC00 + 28 * at) for at in range(0, 399, 3)]
    closed = [chr(ord(syllable) + 4) for syllable in syllables]
    length = (1, 1, 2)
    return [
        "".join(dice.choices(syllables, k=dice.choice(length))) + dice.choice(closed)
        for _ in range(_NOUNS)
    ]


def _comments(count: int, english: float = _ENGLISH_SHARE) -> tuple[Comment, ...]:
    dice = random.Random(7)
    nouns = _nouns(dice)
    common = list(accumulate(1 / rank for rank in range(1, _NOUNS + 1)))
    return tuple(
        Comment(f"c{number}", _text(dice, nouns, common, english), int(dice.paretovariate(0.8)) - 1)
        for number in range(count)
    )


def _text(dice: random.Random, nouns: list[str], common: list[float], english: float) -> str:
    if dice.random() < english:
        longest = 12 if english < 1 else 38
        return " ".join(dice.choices(_ENGLISH.split(), k=dice.randint(8, longest)))
    words = [
        noun + dice.choice(_PARTICLES)
        for noun in dice.choices(nouns, cum_weights=common, k=dice.randint(5, 8))
    ]
    words[2:2] = dice.choices(_MORE.split(), k=3)
    return " ".join([*words, *dice.choices(_VERBS.split(), k=2)])


def _seconds(material: Material, rounds: int) -> float:
    """The best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        began = time.process_time()
        measure(material)
        best = min(best, time.process_time() - began)
    return best


def _megabytes(material: Material) -> float:
    """What Python had allocated at most, beside what was there before."""
    tracemalloc.start()
    measure(material)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak / 1e6


def _verdict(goal: str, reached: str, is_reached: bool) -> None:  # noqa: FBT001
    print(f"{goal}; {'reached' if is_reached else 'MISSED'} with {reached}")


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(prog="python -m bench.videos.measuring", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    rows, rate, memory, reached = [], 0.0, 0.0, 0.0
    for size, english in (*((size, _ENGLISH_SHARE) for size in _SIZES), (_SIZES[0] * 5, 1.0)):
        material = Material(Video("bench", "A video"), comments=_comments(size, english))
        length = sum(len(comment.text) for comment in material.comments) / size
        reached, most = size / _seconds(material, rounds), _megabytes(material)
        if english < 1:
            rate, memory = reached, most
        kind = f"{size:,}" if english < 1 else f"{size:,}, English"
        rows.append([kind, f"{length:.0f}", f"{reached:,.0f}", f"{most:.1f}"])
    print(table(["comments", "characters each", "a second", "MB at most"], rows), "\n")
    _verdict(f"required: {_REQUIRED:,} a second", f"{rate:,.0f}", rate >= _REQUIRED)
    _verdict(f"aim: {_AIM:,} a second", f"{rate:,.0f}", rate >= _AIM)
    english_goal = f"required of English: {_REQUIRED_ENGLISH:,} a second"
    _verdict(english_goal, f"{reached:,.0f}", reached >= _REQUIRED_ENGLISH)
    _verdict(f"required: below {_MOST_MEMORY} MB", f"{memory:.1f} MB", memory < _MOST_MEMORY)


if __name__ == "__main__":
    main()
