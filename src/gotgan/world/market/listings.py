"""Which shares are listed: places that one company has after another.

A market has the same number of places every day; where a company leaves, another one comes. The
first hundred of a market are old, and stay.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

import numpy as np

from gotgan.world.market.chances import Integers, fraction

__all__ = ["MARKETS", "WorldMarket", "WorldShare", "delisted", "listings", "places"]


@dataclass(frozen=True)
class WorldMarket:
    """A market, as the exchange calls it."""

    name: str
    code: str
    korean: str
    first: int
    """The number of its first place; the next market's begins where its room ends."""
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
"""How many days a company stays at least, and how many more at most."""
_LETTERS: Final = "ABCDEFGHKL"
_LETTERED: Final = 0.1
_PREFERRED: Final = 40
"""Every so many places there is a preferred share, with a letter at its end."""
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
        """Its international number, more or less."""
        return f"KR7{self.ticker}003"


def places(market: WorldMarket, count: int) -> Integers:
    """The numbers of a market's places."""
    return np.arange(market.first, market.first + count, dtype=np.int64)


def listings(seed: int, market: WorldMarket, count: int, day: date) -> tuple[WorldShare, ...]:
    """The shares of a market on a day, one for each place."""
    taken = places(market, count)
    return tuple(_named(seed, market, taken, _lives(seed, taken, day)))


def delisted(seed: int, market: WorldMarket, count: int, day: date) -> tuple[WorldShare, ...]:
    """Those whose places others have by a day."""
    taken = places(market, count)
    lives = _lives(seed, taken, day)
    return tuple(_named(seed, market, taken[lives > 0], lives[lives > 0] - 1))


def _named(
    seed: int, market: WorldMarket, taken: Integers, lives: Integers
) -> Iterator[WorldShare]:
    """Who has a place for the so-manieth time; some of those who came later have a letter."""
    lettered = (fraction(seed, "letter", taken, lives) < _LETTERED) & (lives > 0)
    for place, life, letter in zip(
        *(each.tolist() for each in (taken, lives, lettered)), strict=True
    ):
        yield _listing(market, place, life, letter=letter)


def _lives(seed: int, taken: Integers, day: date) -> Integers:
    """How many companies had each place before; the old ones have theirs for ever."""
    length = _SHORTEST + (fraction(seed, "life", taken) * _LONGER).astype(np.int64)
    phase = (fraction(seed, "phase", taken) * length).astype(np.int64)
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
    """Invented, and another one for each place."""
    number = place - market.first + market.first_name
    second, first = divmod(number % (len(_FIRST_WORDS) * len(_SECOND_WORDS)), len(_FIRST_WORDS))
    return f"{_FIRST_WORDS[first]}{_SECOND_WORDS[second]}{life + 1 if life else ''}"
