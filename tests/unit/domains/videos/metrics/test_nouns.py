"""Which words are nouns, told without a dictionary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container

import pytest

from gotgan.domains.videos.metrics.nouns import noun_stems
from gotgan.domains.videos.metrics.words import plain_text, tokenize


def _stems(text: str, often: int = 3, known: Container[str] = ()) -> dict[str, str]:
    return noun_stems(Counter(tokenize(plain_text(text))), often, known)


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
        "이상이라 이상이라 이상이라",
        "적혀 적혀 적혀",
        "하는거 하는거 하는거 먹을때 먹을때 먹을때",
        "구매하기 구매하기 구매하기",
        "개인적으로 개인적인 개인적",
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


def test_a_noun_that_other_comments_have_tells_where_it_ends() -> None:
    assert _stems("차이인 차이인 차이인") == {"차이인": "차이인"}
    assert _stems("차이인 차이인 차이인", known={"차이"}) == {"차이인": "차이"}
    assert _stems("시민들 시민들 시민들", known={"시민"}) == {"시민들": "시민"}
    assert _stems("기자님 기자님 기자님", known={"기자"}) == {"기자님": "기자"}
    assert _stems("고양이랑 고양이랑 고양이랑", known={"고양이", "고양"}) == {"고양이랑": "고양이"}
    assert _stems("배우고 배우고 배우고", known={"배우"}) == {}
    assert _stems("디자인 디자인 디자인", known={"디자인", "디자"}) == {"디자인": "디자인"}


def test_a_particle_after_a_word_below_any_video_makes_no_noun_of_it() -> None:
    assert _stems("사람인 사람인 사람인") == {}


def test_a_noun_of_one_syllable_stands_alone_where_it_is_nothing_else() -> None:
    assert _stems("옷 옷 옷") == {"옷": "옷"}
    assert _stems("별 별 별") == {}


@pytest.mark.parametrize("text", ["laughed", "disgusting", "halfway", "ten", "teh", "finally"])
def test_english_opinions_numbers_and_deeds_are_no_keywords(text: str) -> None:
    assert _stems(text) == {}


def test_english_words_that_only_look_like_deeds_stay() -> None:
    assert set(_stems("speed lightspeed seaweed shed editing")) == {
        "speed", "lightspeed", "seaweed", "shed", "editing",
    }  # fmt: skip
