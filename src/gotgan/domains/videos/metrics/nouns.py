"""Nouns among the words of comments, and their stems, without a dictionary.

A Korean particle agrees with the syllable before it (이 after a consonant, 가 after a vowel), and
that tells most verbs from nouns: in 있는 the last syllable is no topic marker, since after 있 that
would be 은. What is still ambiguous is decided by how often a stem occurs, and with what particles.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from gotgan.domains.videos.metrics.words import stopwords

_MAX_WORD_CHARS: Final = 30
_MIN_PLURAL_CHARS: Final = 4
_HONORIFIC: Final = "님"
_MIN_STRONG_SHARE: Final = 0.05
"""At least this part of a noun's uses has a strong particle; a typing error proves nothing."""
_MIN_MANNER_CHARS: Final = 3
_MANNERS: Final = ("적", "하")
"""Suffixes that make an adjective or a verb of a noun: 개인적, 구매하; but not in 목적 and 지하."""
_MIN_PAST_CHARS: Final = 6


def noun_stems(
    counts: Mapping[str, int], often: int, known: Container[str] = frozenset()
) -> dict[str, str]:
    """The stem of each word that is a noun; a word that occurs ``often`` needs no particles.

    ``known`` are nouns of other comments: they tell 차이인 from 디자인.
    """
    words = [word for word in counts if len(word) <= _MAX_WORD_CHARS]
    korean = [word for word in words if is_korean(word)]
    foreign = {
        word: _english_singular(word.removesuffix("'s"), counts)
        for word in words
        if not is_korean(word)
    }
    return _korean_stems(korean, counts, often, known) | {
        word: stem for word, stem in foreign.items() if _is_word(stem)
    }


def contained_stems(
    words: Iterable[str], stems: Mapping[str, str], known: Container[str] = frozenset()
) -> dict[str, tuple[str, ...]]:
    """The stems that stand in each word: its own, and those that it is a form or compound of.

    So 촬영하신, 촬영이었지만 and 야외촬영 count for 촬영, if that is a stem of other words.
    """
    nouns = frozenset(stem for stem in stems.values() if len(stem) > 1 and is_korean(stem))
    found: dict[str, tuple[str, ...]] = {}
    for word in words:
        own = stems.get(word)
        length = len(own or word)
        inner: list[str] = []
        if is_korean(word) and (_MIN_INNER_CHARS if own is None else _MIN_PAIR_CHARS) <= length:
            inner = list(_inner_stems(own or word, nouns, known, own))
        if own is not None or inner:
            found[word] = tuple(inner) if own is None else (own, *inner)
    return found


def stem_among(word: str, terms: Container[str]) -> str | None:
    """The term that a word is a form of, if it is one."""
    if word in terms:
        return word
    if not is_korean(word):
        return word[:-1] if word.endswith("s") and word[:-1] in terms else None
    return next((stem for stem, _ in _stem_candidates(word) if stem in terms), None)


def with_and(first: str, second: str) -> str:
    """Two nouns as one phrase: 배터리와 충전, battery and charging."""
    if not is_korean(first):
        return f"{first} and {second}"
    return f"{first}{'과' if _agrees(first[-1], '과') else '와'} {second}"


def _inner_stems(
    word: str, nouns: AbstractSet[str], known: Container[str], own: str | None
) -> Iterator[str]:
    """The stem that a word begins with, and the one that it ends with."""
    for end in range(min(len(word) - (word == own), _MAX_STEM_CHARS), 1, -1):
        if word[:end] in nouns and _follows(word[end:], word[end - 1], known):
            yield word[:end]
            break
    for start in range(1, len(word) - 1):
        if not _precedes(word[:start], known):
            continue
        for end in range(min(len(word), start + _MAX_STEM_CHARS), start + 1, -1):
            if word[start:end] in nouns and _follows(word[end:], word[end - 1], known):
                yield word[start:end]
                return


def _follows(rest: str, before: str, known: Container[str]) -> bool:
    """Whether a noun may go on so: with particles, 하다, 이다, a noun or a new word."""
    if not rest or rest.startswith(_VERBALIZERS) or rest in _SUFFIXES:
        return True
    if rest.startswith(_COPULAS) or (rest.startswith(_CLOSED_COPULAS) and _agrees(before, "이")):
        return True
    if any(rest[:end] in known or rest[:end] in stopwords() for end in (2, 3, 4)):
        return True
    if rest[0] in _SUFFIXES:
        return _follows(rest[1:], rest[0], known)
    return any(
        (rest == suffix or _is_particle(rest[len(suffix) :]))
        for suffix in _STARTS.get(rest[0], ())
        if rest.startswith(suffix) and _agrees(before, suffix)
    )


def _is_particle(rest: str) -> bool:
    return rest in _NEEDS or rest in _LATER_PARTICLES


def _precedes(rest: str, known: Container[str]) -> bool:
    """Whether something may precede a noun in one word: a noun, 이, or an adjective."""
    if len(rest) == 1:
        return rest in _DETERMINERS
    return rest in known or rest[-1] in _ADNOMINALS or rest in stopwords()


def _korean_stems(
    words: Iterable[str], counts: Mapping[str, int], often: int, known: Container[str]
) -> dict[str, str]:
    splits = {word: _stem_candidates(word) for word in words}
    evidence = _evidence(splits, counts)
    found: dict[str, str] = {}
    for word, parts in splits.items():
        proven = [stem for stem, _ in parts if stem in evidence]
        if proven:
            stem = proven[0] if len(proven) == 1 else max(proven, key=evidence.__getitem__)
            bare = stem.removesuffix(_HONORIFIC)  # people mostly leave it out
            stem = bare if evidence.get(bare, 0) > evidence[stem] else stem
        else:
            stem = _lone_stem(word, parts, known) if counts[word] >= often else ""
        is_manner = len(stem) >= _MIN_MANNER_CHARS and stem.endswith(_MANNERS)
        if stem and stem not in stopwords() and not is_manner:
            found[word] = stem
    return found


def _evidence(
    splits: Mapping[str, list[tuple[str, int]]], counts: Mapping[str, int]
) -> dict[str, int]:
    """The number of different particles after each stem that is a noun."""
    seen: defaultdict[str, int] = defaultdict(int)
    total: defaultdict[str, int] = defaultdict(int)
    strong: defaultdict[str, int] = defaultdict(int)
    for word, parts in splits.items():
        count = counts[word]
        for stem, bit in parts:
            seen[stem] |= bit
            total[stem] += count
            if bit & (_STRONGEST if _is_verbal(stem) else _STRONG):
                strong[stem] += count
    return {
        stem: seen[stem].bit_count()
        for stem, count in strong.items()
        if seen[stem].bit_count() > 1 and count >= total[stem] * _MIN_STRONG_SHARE
    }


def _lone_stem(word: str, parts: Sequence[tuple[str, int]], known: Container[str]) -> str:
    """The stem of a word; empty if it is not a noun."""
    is_free = _stands_alone(word)
    if is_free and word in known:
        return word
    others = [(stem, bit) for stem, bit in parts if stem != word]
    if word.endswith(_HONORIFIC):
        others.append((word.removesuffix(_HONORIFIC), _ALONE))
    if any(stem in stopwords() for stem, _ in others):
        return ""
    stems = (stem for stem, bit in others if stem in known and (is_free or bit & _STRONG))
    return next(stems, word if is_free else "")


def _english_singular(word: str, counts: Mapping[str, int]) -> str:
    """A word without the s of its plural, if the singular occurs as well."""
    is_plural = len(word) >= _MIN_PLURAL_CHARS and word.endswith("s") and word[:-1] in counts
    return word[:-1] if is_plural else word


def _is_word(stem: str) -> bool:
    if len(stem) == 1 or stem in stopwords() or stem.isdecimal() or "'" in stem:
        return False
    is_past_tense = stem.endswith("ed") and not stem.endswith("eed")  # as laughed, but not speed
    return not is_past_tense or len(stem) < _MIN_PAST_CHARS


_AFTER_CONSONANT: Final = """
    이 은 을 과 으로 으로는 으로도 으로서 이랑 이나 이야 이여 이에요 이네요 이네 이죠 이지 이라
    이라고 이라는 이라서 이라도 이라면 이라니 이란 이고 이면 이든 이며 이다 이었다 이었어요 이었는데
    이구나 이군요 이잖아 이잖아요
"""
_AFTER_VOWEL: Final = """
    가 는 를 와 로 로는 로도 로서 랑 나 야 여 예요 네요 네 죠 지 라 라고 라는 라서 라도 라면 라니 란
    고 면 든 며 다 였다 였어요 였는데 구나 군요 잖아 잖아요 요
"""
_AFTER_BOTH: Final = """
    의 에 에는 에도 에만 엔 에서 에서는 에서도 에서만 에서의 에선 에게 에게는 에게도 에겐 한테
    한테는 한테도 한텐 께 께서 께서는 도 만 만은 만이 만을 보다 보다는 보다도 처럼 같이 같은 같아요
    까지 까지도 까지는 부터 부터는 마다 조차 마저 밖에 뿐 대로 만큼 하고 입니다 인데 인데요 인가
    인가요 인지 인
"""
_WEAK: Final = """
    은 는 도 만 나 야 여 이여 이야 네 네요 죠 지 라 라고 라는 라서 라도 라면 라니 란 고 면 든 며 다
    요 구나 군요 잖아 잖아요 였다 같아요 까지 부터 뿐 이지 이네 하고 인 인데 인지 대로 처럼 이다
    만큼
"""
"""Particles that follow verbs, adjectives and adverbs as well, and so prove no noun."""
_AUXILIARY: Final = "가 와 로 랑 이 으로 보다 같은 같이"
"""Particles that may be a verb after a verb: 들어가 and 들어와 make no noun of 들어."""

_NEEDS: Final = {
    suffix: needed
    for needed, listed in ((None, _AFTER_BOTH), (True, _AFTER_CONSONANT), (False, _AFTER_VOWEL))
    for suffix in listed.split()
}
"""Whether a particle needs a consonant before it (True), a vowel (False), or neither (None)."""
_BITS: Final = {suffix: 1 << at for at, suffix in enumerate(_NEEDS, start=1)}
_ENDINGS: Final = {
    last: tuple(
        (suffix, len(suffix), _BITS[suffix])
        for suffix in sorted((each for each in _NEEDS if each[-1] == last), key=len)
    )
    for last in {suffix[-1] for suffix in _NEEDS}
}
"""The particles by their last syllable, with their lengths and bits, the shortest first."""
_STARTS: Final = {
    first: tuple(suffix for suffix in _NEEDS if suffix[0] == first)
    for first in {suffix[0] for suffix in _NEEDS}
}
"""The particles by their first syllable."""
_CASES: Final = frozenset("이가은는을를의에도만로과와")
"""Particles of one syllable that a noun seldom ends in."""
_ALSO_NOUNS: Final = frozenset({"인가"})
"""Longer particles that nouns end in as well, such as 할인가."""
_STRONG: Final = sum(bit for suffix, bit in _BITS.items() if suffix not in _WEAK.split())
"""The bits of particles that mostly follow nouns."""
_STRONGEST: Final = _STRONG & ~sum(_BITS[suffix] for suffix in _AUXILIARY.split())
"""The bits of particles that hardly follow anything else."""
_PLURAL: Final = "들"

_ALONE: Final = 1
"""The bit of a word without a particle."""

_VERBAL: Final = frozenset(
    "다요죠네지음슴임함됨냐까니서며면게든던는은을한할된될운런워어아해돼려져쳐봐줘둬겨켜여듯본볼"
    "갈온올준줄난날낸쓴큰긴히로도만고데나걸건죵넹었았했됐왔갔봤줬쁜픈른진친린뜬튼럼듬냥쯤씩째혀"
)
"""Last syllables that words other than nouns mostly have."""
_VERBAL_PAIRS: Final = frozenset(
    {"니당", "어용", "아용", "해용", "세용", "네용", "하기", "되기", "하길", "되길", "하자"}
)
"""Playful endings of verbs, and endings that make a noun of a verb."""
_BOUND: Final = re.compile("(?:[는을할될볼갈올][거것때줄수]|[은한된본온][거것때])$")
"""A verb with 것 or the like stuck to it: 하는거, 먹을때, 할수."""
_STANDING: Final = frozenset("맛곡춤옷빵술집밥책돈팀폰앱닭꽃불칼총랩떡차뼈털뇌귀코팬")
"""Nouns of one syllable that are nothing else even without a particle: 옷 정보, 불 조절."""
NOUNS_OF_ONE: Final = frozenset(
    "맛곡춤옷빵술집밥책돈팀폰앱닭꽃산섬강땅별달불약칼총공골랩국떡죽차길문벽방밤낮봄몸눈손발턱뼈피"
    "살털뿔뇌귀코입팬"
)
"""Nouns of one syllable that are hardly anything else; all other syllables are ambiguous."""

_MIN_INNER_CHARS: Final = 3
"""A noun of two syllables, and something else."""
_MIN_PAIR_CHARS: Final = 3
"""A noun that is made of another one."""
_MAX_STEM_CHARS: Final = 6
_VERBALIZERS_TEXT: Final = """
    하 한 할 함 합 해 했 되 된 될 돼 됐 됨 됩 시키 시켜 시킨 시킬 당하 당한 당했 스러 스런
    스럽 로운 로워 롭
"""
_VERBALIZERS: Final = tuple(_VERBALIZERS_TEXT.split())
"""What makes a verb or an adjective of a noun."""
_COPULAS_TEXT: Final = """
    입니 인데 인지 인가 인걸 인듯 인줄 일까 일듯 일수 일줄 임 여서 였
"""
_COPULAS: Final = tuple(_COPULAS_TEXT.split())
_CLOSED_COPULAS_TEXT: Final = """
    이었 이에 이예 이네 이니 이라 이란 이며 이면 이죠 이지 이잖 이군 이구 이던 이여
"""
_CLOSED_COPULAS: Final = tuple(_CLOSED_COPULAS_TEXT.split())
"""Forms of 이다, and those that only follow a consonant."""
_SUFFIXES: Final = frozenset("들님씨적중전후내외별상급용비쪽측형성화권좀꺼거것씬신물판사값앞안밖")
"""What is stuck to a noun without making another one of it."""
_LATER_PARTICLES_TEXT: Final = """
    좀 요 은 는 도 만 의 뿐 인 이 가 를 을 여 용 욬 데 지 요 야
"""
_LATER_PARTICLES: Final = frozenset(_LATER_PARTICLES_TEXT.split())
"""What may follow another particle."""
_DETERMINERS: Final = frozenset("이그저내제네본첫두세각새옛울우큰참막전한재")
_ADNOMINALS: Final = frozenset("는은한의던된인운른쁜픈")
"""Last syllables of what stands before a noun, in one word with it where no space is written."""

_FIRST: Final = ord("가")
_FINALS: Final = 28
_RIEUL: Final = 8


def is_korean(word: str) -> bool:
    """Whether a word ends in a Korean syllable."""
    return "가" <= word[-1] <= "힣"


def _is_verbal(word: str) -> bool:
    """Whether a word without a particle is rather a verb, an adjective or an adverb."""
    is_ending = word[-1] in _VERBAL or word[-2:] in _VERBAL_PAIRS
    return is_ending or _BOUND.search(word) is not None


def _stands_alone(word: str) -> bool:
    """Whether a word may be a noun though it never has a particle."""
    if len(word) == 1:
        return word in _STANDING
    is_inflected = any(  # it seems to end in a particle: 말이, 이상이라
        suffix in _CASES or (len(suffix) > 1 and suffix not in _ALSO_NOUNS)
        for suffix in _endings(word)
    )
    return not is_inflected and not _is_verbal(word)


def _stem_candidates(word: str) -> list[tuple[str, int]]:
    """The possible stems of a word, the longest first, with the bits of their particles."""
    stem = _korean_singular(word)
    found = [(stem, _ALONE)] if _is_stem(stem) else []
    size = len(word)
    for suffix, length, bit in _ENDINGS.get(word[-1], ()):
        if length < size and (length == 1 or word.endswith(suffix)):
            stem = word[:-length]
            if _agrees(stem[-1], suffix) and _is_stem(stem := _korean_singular(stem)):
                found.append((stem, bit))
    return found


def _endings(word: str) -> Iterator[str]:
    """The particles that a word may end in, shortest first."""
    for suffix, length, _ in _ENDINGS.get(word[-1], ()):
        if length < len(word) and word.endswith(suffix) and _agrees(word[-length - 1], suffix):
            yield suffix


def _agrees(before: str, suffix: str) -> bool:
    """Whether a particle may follow a syllable; any may follow foreign letters."""
    needed = _NEEDS[suffix]
    if needed is None or not "가" <= before <= "힣":
        return True
    final = (ord(before) - _FIRST) % _FINALS
    return needed is (final > 0) or (final == _RIEUL and suffix.startswith("로"))


def _korean_singular(stem: str) -> str:
    """A stem without the mark of the plural, except in short words such as 아들."""
    return stem[:-1] if len(stem) > 2 and stem[-1] == _PLURAL else stem  # noqa: PLR2004


def _is_stem(stem: str) -> bool:
    if len(stem) == 1:
        return stem in NOUNS_OF_ONE
    return stem[-1] != "으" and not stem[0].isdigit()
