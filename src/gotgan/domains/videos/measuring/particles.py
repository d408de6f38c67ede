"""Korean words without a dictionary: the stems a word may have, and what follows each of them.

A particle agrees with the syllable before it (이 after a consonant, 가 after a vowel), and that
tells most verbs from nouns: in 있는 the last syllable is no topic marker, because after 있 that
would be 은. What is still open is decided by how often a stem is met, and with which particles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["ALONE", "STRONG", "STRONGEST", "is_korean", "is_verbal", "splits_of", "stands_alone"]

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
"""What follows verbs, adjectives and adverbs as well, and so proves no noun."""
_AUXILIARY: Final = "가 와 로 랑 이 으로 보다 같은 같이"
"""What may be a verb of its own after a verb: 들어가 and 들어와 make no noun of 들어."""

_NEEDS: Final = {
    suffix: needed
    for needed, listed in ((None, _AFTER_BOTH), (True, _AFTER_CONSONANT), (False, _AFTER_VOWEL))
    for suffix in listed.split()
}
"""Whether a particle wants a consonant before it (True), a vowel (False), or takes both (None)."""
_BITS: Final = {suffix: 1 << at for at, suffix in enumerate(_NEEDS, start=1)}
_ENDINGS: Final = {
    last: tuple(sorted((suffix for suffix in _NEEDS if suffix[-1] == last), key=len))
    for last in {suffix[-1] for suffix in _NEEDS}
}
"""Those that end in the same syllable, the shortest first: one look-up spares most of them."""
_CASES: Final = frozenset("이가은는을를의에도만로과와")
"""Particles of one syllable that a noun seldom ends in."""
_ALSO_NOUNS: Final = frozenset({"인가"})
"""Longer ones that nouns end in as well, such as 할인가."""
STRONG: Final = sum(bit for suffix, bit in _BITS.items() if suffix not in _WEAK.split())
"""The bits of what mostly follows nouns."""
STRONGEST: Final = STRONG & ~sum(_BITS[suffix] for suffix in _AUXILIARY.split())
"""And of what hardly follows anything else."""
_PLURAL: Final = "들"

ALONE: Final = 1
"""The bit of a word that nothing follows."""

_VERBAL: Final = frozenset(
    "다요죠네지음슴임함됨냐까니서며면게든던는은을한할된될운런워어아해돼려져쳐봐줘둬겨켜여듯본볼"
    "갈온올준줄난날낸쓴큰긴히로도만고데나걸건죵넹었았했됐왔갔봤줬쁜픈른진친린뜬튼럼듬냥쯤씩째혀"
)
"""Last syllables that words other than nouns mostly have."""
_VERBAL_PAIRS: Final = frozenset(
    {"니당", "어용", "아용", "해용", "세용", "네용", "하기", "되기", "하길", "되길", "하자"}
)
"""Endings of verbs as people write them for fun, and of verbs that are made nouns for once."""
_BOUND: Final = re.compile("(?:[는을할될볼갈올][거것때줄수]|[은한된본온][거것때])$")
"""A verb with 것 or the like stuck to it: 하는거, 먹을때, 할수."""
_STANDING: Final = frozenset("맛곡춤옷빵술집밥책돈팀폰앱닭꽃불칼총랩떡차뼈털뇌귀코팬")
"""Nouns of one syllable that are nothing else even without a particle: 옷 정보, 불 조절."""
_NOUNS_OF_ONE: Final = frozenset(
    "맛곡춤옷빵술집밥책돈팀폰앱닭꽃산섬강땅별달불약칼총공골랩국떡죽차길문벽방밤낮봄몸눈손발턱뼈피"
    "살털뿔뇌귀코입팬"
)
"""Nouns of one syllable that are hardly anything else; all other syllables are ambiguous."""

_FIRST: Final = ord("가")
_FINALS: Final = 28
_RIEUL: Final = 8


def is_korean(word: str) -> bool:
    """Whether a word ends as Korean ones do."""
    return "가" <= word[-1] <= "힣"


def is_verbal(word: str) -> bool:
    """Whether a word that stands alone is rather a verb, an adjective or an adverb."""
    if word[-1] in _VERBAL or word[-2:] in _VERBAL_PAIRS:
        return True
    return _BOUND.search(word) is not None


def stands_alone(word: str) -> bool:
    """Whether a word may be a noun though no particle was ever seen after it."""
    if len(word) == 1:
        return word in _STANDING
    return not is_verbal(word) and not _looks_inflected(word)


def _looks_inflected(word: str) -> bool:
    """Whether a word seems to end in a particle, whatever stands before it: 말이, 이상이라."""
    return any(
        suffix in _CASES or (len(suffix) > 1 and suffix not in _ALSO_NOUNS)
        for suffix in _endings(word)
    )


def splits_of(word: str) -> list[tuple[str, int]]:
    """Each stem that a word may have, the longest first, with the bit of what follows it."""
    stem = _singular(word)
    found = [(stem, ALONE)] if _is_stem(stem) else []
    for suffix in _endings(word):
        stem = _singular(word[: -len(suffix)])
        if _is_stem(stem):
            found.append((stem, _BITS[suffix]))
    return found


def _endings(word: str) -> Iterator[str]:
    """The particles that a word may end in, the shortest first."""
    for suffix in _ENDINGS.get(word[-1], ()):
        if word.endswith(suffix) and word != suffix and _agrees(word[-len(suffix) - 1], suffix):
            yield suffix


def _agrees(before: str, suffix: str) -> bool:
    """Whether a particle may stand after that syllable; after foreign letters all of them may."""
    needed = _NEEDS[suffix]
    if needed is None or not is_korean(before):
        return True
    final = (ord(before) - _FIRST) % _FINALS
    if final == _RIEUL and suffix.startswith("로"):
        return True
    return needed is (final > 0)


def _singular(stem: str) -> str:
    """A stem without the mark of the plural; 아들 keeps what only looks like it."""
    return stem[:-1] if len(stem) > 2 and stem[-1] == _PLURAL else stem  # noqa: PLR2004


def _is_stem(stem: str) -> bool:
    if len(stem) == 1:
        return stem in _NOUNS_OF_ONE
    return stem[-1] != "으" and not stem[0].isdigit()
