"""The shares that are listed, and random numbers and walks that any day can be computed from.

A market has the same number of places every day, which one company has after another; the first
hundred are never replaced. A walk is a sum of waves, each slower and higher than the one before, so
prices change by a few per cent from day to day, and by more over the years.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]

_WAVES: Final = 11
_APART: Final = 40
_WORKDAYS: Final = 5
_GOLDEN: Final = 0x9E3779B97F4A7C15
_FIRST: Final = 0xBF58476D1CE4E5B9
_SECOND: Final = 0x94D049BB133111EB
_MASK: Final = (1 << 64) - 1
_EXACT: Final = 11
"""The bits of a hash that do not fit into a float."""


def uniform(seed: int, what: str, *about: Integers | int) -> Floats:
    """A number from 0 to 1 for each, the same for the same seed and thing."""
    mixed = np.full(1, (seed * _GOLDEN + int.from_bytes(what.encode())) & _MASK, dtype=np.uint64)
    for part in about:
        mixed = _mix(mixed ^ np.atleast_1d(np.asarray(part, dtype=np.int64)).view(np.uint64))
    return (mixed >> np.uint64(_EXACT)).astype(np.float64) * 2.0 ** (_EXACT - 64)


def random_walk(seed: int, who: Integers | int, step: Integers | int) -> Floats:
    """The place of each at a step: about 0.6 from the step before, and within 30 of 0."""
    steps = np.asarray(step, dtype=np.int64)
    height = np.zeros(1)
    for wave in range(_WAVES):
        place = steps >> wave
        between = (steps & ((1 << wave) - 1)) / (1 << wave)
        here = uniform(seed, "wave", who, (wave << _APART) + place)
        there = uniform(seed, "wave", who, (wave << _APART) + place + 1)
        height = height + 2 ** (wave / 2) * (here + (there - here) * between - 0.5)
    return height


def workday_numbers(ordinals: Integers) -> Integers:
    """The numbers of days, counting only workdays."""
    weeks, weekdays = np.divmod(ordinals - 1, 7)
    return weeks * _WORKDAYS + np.minimum(weekdays, _WORKDAYS - 1)


def _mix(number: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The finaliser of SplitMix64."""
    mixed = number + np.uint64(_GOLDEN)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(_FIRST)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(_SECOND)
    return mixed ^ (mixed >> np.uint64(31))


@dataclass(frozen=True)
class WorldMarket:
    """A market, as the exchange calls it."""

    name: str
    code: str
    korean: str
    first: int
    """The number of its first place."""
    first_name: int


MARKETS: Final = (
    WorldMarket("KOSPI", "STK", "유가증권", 0, 0),
    WorldMarket("KOSDAQ", "KSQ", "코스닥", 3_000, 1_000),
    WorldMarket("KONEX", "KNX", "코넥스", 8_000, 2_950),
)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_OLD: Final = 100
_SINCE: Final = date(1990, 1, 1).toordinal()
_SHORTEST, _LONGER = 3_000, 6_000
"""Days that a company stays: at least, and how many more at most."""
_LETTERS: Final = "ABCDEFGHKL"
_LETTERED: Final = 0.1
_PREFERRED: Final = 40
"""Every so many places there is a preferred share, whose ticker ends in a letter."""
_FIRST_WORDS: Final = _words(
    "가람 가온 나래 나린 누리 늘봄 다온 다솜 도담 동녘 두레 라온 로운 마루 미르 바름 벼리 보담 "
    "빛가람 사라 산들 새론 새벽 소담 슬기 아라 아람 아리 여울 온새 윤슬 은가비 이든 잔디 조은 "
    "찬솔 참빛 청아 초롱 큰솔 터전 파랑 포근 푸른 하늘 하람 한결 한별 해든 해솔 혜윰 흐노니"
)
_SECOND_WORDS: Final = _words(
    "전자 화학 건설 제약 증권 은행 보험 통신 반도체 에너지 바이오 식품 해운 항공 철강 기계 "
    "조선 자동차 물산 산업 상사 소재 전기 정밀 제지 지주 테크 소프트 게임 엔터 미디어 로봇 "
    "유통 백화점 호텔 시멘트 섬유 의료 디스플레이 배터리 모빌리티 인더스트리 솔루션 네트웍스 "
    "시스템 홀딩스 캐피탈 리츠 농업 수산 교육 환경 물류 가구 유리 고무 방산 우주 광학 센서"
)


@dataclass(frozen=True)
class WorldShare:
    """A share."""

    ticker: str
    name: str
    market: WorldMarket

    @property
    def isin(self) -> str:
        """Its ISIN, more or less."""
        return f"KR7{self.ticker}003"


def places(market: WorldMarket, count: int) -> Integers:
    """The numbers of a market's places."""
    return np.arange(market.first, market.first + count, dtype=np.int64)


def listings(seed: int, market: WorldMarket, count: int, day: date) -> tuple[WorldShare, ...]:
    """The shares of a market on a day, one for each place."""
    taken = places(market, count)
    return tuple(_share_listings(seed, market, taken, _lives(seed, taken, day)))


def delisted(seed: int, market: WorldMarket, count: int, day: date) -> tuple[WorldShare, ...]:
    """The shares that were replaced before a day."""
    taken = places(market, count)
    lives = _lives(seed, taken, day)
    return tuple(_share_listings(seed, market, taken[lives > 0], lives[lives > 0] - 1))


def _share_listings(
    seed: int, market: WorldMarket, taken: Integers, lives: Integers
) -> Iterator[WorldShare]:
    """The shares of places; some later ones have a letter in their ticker."""
    lettered = (uniform(seed, "letter", taken, lives) < _LETTERED) & (lives > 0)
    for place, life, letter in zip(
        *(each.tolist() for each in (taken, lives, lettered)), strict=True
    ):
        yield _listing(market, place, life, letter=letter)


def _lives(seed: int, taken: Integers, day: date) -> Integers:
    """How many companies had each place before; the old ones stay."""
    length = _SHORTEST + (uniform(seed, "life", taken) * _LONGER).astype(np.int64)
    phase = (uniform(seed, "phase", taken) * length).astype(np.int64)
    lives: Integers = (day.toordinal() - _SINCE + phase) // length
    lives[taken % 1_000 < _OLD] = 0
    return lives


@lru_cache(maxsize=20_000)
def _listing(market: WorldMarket, place: int, life: int, *, letter: bool) -> WorldShare:
    turn = (place * 7 + life) % 10
    is_preferred = place % _PREFERRED == _PREFERRED - 1
    middle = _LETTERS[turn] if letter else str(turn)
    ticker = f"{place:04}{middle}{'K' if is_preferred else '0'}"
    return WorldShare(ticker, _name(market, place, life) + "우" * is_preferred, market)


def _name(market: WorldMarket, place: int, life: int) -> str:
    """An invented name for each place."""
    number = place - market.first + market.first_name
    second, first = divmod(number % (len(_FIRST_WORDS) * len(_SECOND_WORDS)), len(_FIRST_WORDS))
    return f"{_FIRST_WORDS[first]}{_SECOND_WORDS[second]}{life + 1 if life else ''}"
