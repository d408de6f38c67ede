"""Which words are nouns, told without a dictionary."""

from __future__ import annotations

from collections import Counter

import pytest

from gotgan.domains.videos.measuring.nouns import stems_of
from gotgan.domains.videos.measuring.words import plain, tokens_of


def _stems(text: str, often: int = 3) -> dict[str, str]:
    return stems_of(Counter(tokens_of(plain(text))), often)


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("카메라가 카메라를", "카메라"),
        ("배터리는 배터리에서", "배터리"),
        ("고양이가 고양이를 고양이", "고양이"),
        ("사람보다 선생님이 선생님은", "선생님"),
        ("가수들이 가수를", "가수"),
        ("춤이 춤을", "춤"),
        ("iPhone이 iPhone을", "iphone"),
        ("서울로 서울에서", "서울"),
    ],
)
def test_a_stem_with_two_particles_is_a_noun(text: str, stem: str) -> None:
    assert stem in _stems(text).values()


def test_every_form_of_a_noun_has_the_same_stem() -> None:
    words = ["노래가", "노래를", "노래", "노래도", "노래에서는", "노래들이"]
    assert _stems(" ".join(words)) == dict.fromkeys(words, "노래")


@pytest.mark.parametrize(
    "text",
    [
        "먹는 먹을 먹은",
        "재밌는 재밌을",
        "들어가 들어와 들어",
        "좋아하는 좋아하도",
        "귀여운 귀여운 귀여운",
        "감사합니다 감사합니다 감사합니다",
        "말이 말이 말이 물이 물이 물이",
    ],
)
def test_verbs_and_the_like_are_no_nouns(text: str) -> None:
    assert _stems(text) == {}


def test_a_polite_form_counts_with_the_familiar_one() -> None:
    stems = _stems("대통령이 대통령은 대통령을 대통령 대통령님이 대통령님은")
    assert set(stems.values()) == {"대통령"}


def test_what_stands_alone_is_a_noun_when_it_does_so_often() -> None:
    assert _stems("드론 드론", often=3) == {}
    assert _stems("드론 드론 드론", often=3) == {"드론": "드론"}


@pytest.mark.parametrize("text", ["진짜 진짜 진짜", "영상이 영상을", "the the the", "videos video"])
def test_words_below_any_video_are_left_out(text: str) -> None:
    assert _stems(text) == {}


def test_an_english_plural_counts_with_its_singular() -> None:
    assert _stems("cameras camera camera's") == dict.fromkeys(
        ["cameras", "camera", "camera's"], "camera"
    )


def test_an_s_without_a_singular_stays() -> None:
    assert _stems("paris glass") == {"paris": "paris", "glass": "glass"}


def test_numbers_are_no_words() -> None:
    assert _stems("2024 100 3번이 3번을") == {}
