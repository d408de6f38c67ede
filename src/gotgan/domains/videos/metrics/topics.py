"""What several remarks are about: groups of terms that occur together, under a phrase.

A topic is more than a keyword. Its words are in the same remarks more often than by chance, or
people write its word in a phrase (간장 비율, final boss), or one remark in ten has it. Words that
fit any video (노래, people) make no topic. Many remarks are about none.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import Final

from gotgan.domains.videos.metrics.keywords import (
    MAX_KEYWORDS,
    KeywordPlaces,
    count_labels,
    min_count,
)
from gotgan.domains.videos.metrics.measurements import TopicCluster
from gotgan.domains.videos.metrics.nouns import is_korean, stem_among, with_and
from gotgan.domains.videos.metrics.words import (
    Remark,
    known_nouns,
    stopwords,
    tokenize,
    top_comment_ids,
)

_MAX_TOPICS: Final = 10
_MAX_WORDS: Final = 5
_MIN_COUNT: Final = 3
_MIN_SHARED: Final = 0.3
"""Words are related if this part of the rarer one's remarks has both."""
_MIN_DEVIATIONS: Final = 2.33
"""And if that is so many standard deviations above chance: one time in a hundred."""
_SAME_SHARE: Final = 0.6
"""A topic that shares this part of its remarks with a better one is the same."""
_MIN_PHRASE_SHARE: Final = 0.2
"""A phrase is the label of several words if this part of the topic's remarks has it."""
_MIN_LONE_PHRASE_SHARE: Final = 0.05
"""And of one word."""
_MIN_LONE_SHARE: Final = 0.1
"""A word without related ones and without a phrase is a topic if this part of remarks has it."""
_MIN_PHRASE_COUNT: Final = 2
_MAX_READ: Final = 60
"""In how many of a topic's most liked remarks phrases are looked for."""
_GENERIC_TEXT: Final = """
    노래 음악 영상 영화 드라마 게임 방송 프로그램 프로 콘텐츠 컨텐츠 동영상 여자 남자 아이 애들 인간
    세상 인생 나라 나이 시간 장면 부분 편 화 회 번 평점 시리즈 작품 친구 형 누나 언니 오빠 형님 이름
    말 일 때 눈 손 집 돈 댓글 감동 소름 힐링 역대급 정성 행복 눈물 웃음 재미 실망 최악
    짜증 성의 수준 엉망 취향 기분 마음 존경 위로 작년 올해 고생 불편 답답 비추 만족 대만족
    song songs music video movie film game show series episode part scene life world person man
    woman girl boy kid kids child children friend fan fans name version family day moment chance
    result effect share compare link description
"""
_GENERIC: Final = frozenset(_GENERIC_TEXT.split())
"""Words that fit any video, or say how it is taken: no topic, but perhaps a part of a phrase."""
_ADNOMINALS: Final = frozenset("는은한의던된인운른린")


@dataclass(frozen=True, slots=True)
class _Topic:
    label: str
    words: tuple[str, ...]
    members: AbstractSet[int]

    def is_same(self, members: AbstractSet[int]) -> bool:
        """Whether most of the smaller one's remarks are in both."""
        return len(members & self.members) >= _SAME_SHARE * min(len(members), len(self.members))


def find_topics(remarks: Sequence[Remark], places: KeywordPlaces) -> tuple[TopicCluster, ...]:
    """The topics of remarks, the largest first."""
    topics = _Finder(remarks, places).topics()
    return tuple(
        TopicCluster(
            topic.label,
            topic.words,
            len(topic.members),
            count_labels([remarks[at].label for at in topic.members]),
            top_comment_ids(remarks, topic.members),
        )
        for topic in sorted(topics, key=lambda topic: -len(topic.members))
    )


class _Finder:
    """Finds topics around the best terms, one after the other."""

    def __init__(self, remarks: Sequence[Remark], places: KeywordPlaces) -> None:
        self._remarks = remarks
        self._places = places
        self._free = {word: found for word, found in places.items() if _is_subject(word)}
        self._terms: defaultdict[int, list[str]] = defaultdict(list)
        """The terms of each remark."""
        for word, found in self._free.items():
            for at in found:
                self._terms[at].append(word)
        self._stems: dict[str, str | None] = {}

    def topics(self) -> list[_Topic]:
        """The topics, the one with the best term first."""
        topics: list[_Topic] = []
        for seed in list(islice(self._free, MAX_KEYWORDS)):
            topic = self._topic(seed) if seed in self._free else None
            if topic is not None and not any(each.is_same(topic.members) for each in topics):
                topics.append(topic)
                for word in topic.words:
                    self._free.pop(word, None)
            if len(topics) == _MAX_TOPICS:
                break
        return topics

    def _topic(self, seed: str) -> _Topic | None:
        """The topic around a word; None if it is only a word."""
        words = (seed, *self._related(seed))
        members = _members(words, self._free)
        if len(members) < max(_MIN_COUNT, min_count(len(self._remarks))):
            return None
        label = self._common_phrase(words, members) or _topic_phrase(words)
        is_topic = " " in label or self._is_large(members)
        return _Topic(label, words, members) if is_topic else None

    def _is_large(self, members: AbstractSet[int]) -> bool:
        """Whether a word alone is a topic."""
        count = len(self._remarks)
        return len(members) >= max(_MIN_COUNT, 2 * min_count(count), _MIN_LONE_SHARE * count)

    def _related(self, seed: str) -> list[str]:
        """The words that occur together with another one, the closest first."""
        mine, remarks = self._free[seed], len(self._remarks)
        beside = Counter(chain.from_iterable(self._terms[at] for at in mine))
        shares = {
            word: _shared_part(both, len(mine), len(self._free[word]), remarks)
            for word, both in beside.items()
            if word != seed and word in self._free and both >= min_count(remarks)
        }
        close = [word for word in shares if shares[word] >= _MIN_SHARED]
        return sorted(close, key=lambda word: (-shares[word], word))[: _MAX_WORDS - 1]

    def _common_phrase(self, words: tuple[str, ...], members: AbstractSet[int]) -> str | None:
        """The phrase that many of a topic's remarks have, as people write it."""
        counts: Counter[str] = Counter()
        some = sorted(members)[:_MAX_READ]
        for at in some:
            counts.update(set(self._phrases(tokenize(self._remarks[at].text), words)))
        share = _MIN_PHRASE_SHARE if len(words) > 1 else _MIN_LONE_PHRASE_SHARE
        least = max(_MIN_PHRASE_COUNT, share * len(some))
        best = max(counts, key=lambda phrase: (counts[phrase], phrase), default=None)
        return best if best is not None and counts[best] >= least else None

    def _phrases(self, tokens: Sequence[str], words: tuple[str, ...]) -> Iterator[str]:
        """A word of the topic with what stands before it, or before another noun."""
        for first, after in pairwise(tokens):
            if first in words:
                second = self._stem(after)
                is_phrase = second is not None and first not in stopwords()
            elif after.startswith(words):
                second = self._stem(after)
                is_phrase = second in words and self._may_describe(first)
            else:
                continue
            if is_phrase and second != first:
                yield f"{first} {second}"

    def _may_describe(self, word: str) -> bool:
        """Whether a word may stand before a noun as a part of its name, or describe it."""
        if word in stopwords():
            return False
        return word in self._places or (self._stem(word) is None and _is_modifier(word))

    def _stem(self, word: str) -> str | None:
        """The term that a word is a form of, if it is one."""
        if word not in self._stems:
            self._stems[word] = stem_among(word, self._places)
        return self._stems[word]


def _is_subject(word: str) -> bool:
    """Whether a word says what a remark is about."""
    return word not in _GENERIC and not word[0].isdecimal()


def _shared_part(both: int, mine: int, other: int, remarks: int) -> float:
    """The part of the rarer word's remarks that has both; 0 if chance may explain it."""
    share = mine / remarks  # as if the other word's remarks were drawn by lot
    expected = other * share
    variance = expected * (1 - share) * (remarks - other) / max(remarks - 1, 1)
    is_chance = both <= expected or both - expected < _MIN_DEVIATIONS * math.sqrt(variance)
    return 0.0 if is_chance else both / min(mine, other)


def _members(words: Sequence[str], places: KeywordPlaces) -> frozenset[int]:
    """The remarks with the first word, or with two of the others."""
    others = Counter(at for word in words[1:] for at in places[word])
    return places[words[0]] | {at for at, count in others.items() if count > 1}


def _topic_phrase(words: Sequence[str]) -> str:
    """The first two words of a topic as one phrase; a compound is one already."""
    first = words[0]
    others = (word for word in words[1:] if word not in first and first not in word)
    second = next((word for word in others if is_korean(word) == is_korean(first)), None)
    return first if " " in first or second is None else with_and(first, second)


def _is_modifier(word: str) -> bool:
    """Whether a word may describe the noun that follows it."""
    if not is_korean(word):
        return word.isascii() and word.isalpha()
    return len(word) > 1 and word[-1] in _ADNOMINALS and stem_among(word, known_nouns()) is None
