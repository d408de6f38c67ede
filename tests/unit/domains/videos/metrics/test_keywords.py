"""Words that stand out."""

from __future__ import annotations

from gotgan.domains.videos.metrics.keywords import MAX_KEYWORDS, build_keywords, locate_keywords
from gotgan.domains.videos.metrics.measurements import Keyword
from gotgan.domains.videos.metrics.words import background_share
from tests.unit.domains.videos.metrics.comments import said


def _keywords(*texts: str) -> tuple[Keyword, ...]:
    remarks = said(*texts)
    return build_keywords(remarks, locate_keywords(remarks))


def _words(*texts: str) -> list[str]:
    return [keyword.word for keyword in _keywords(*texts)]


def test_a_keyword_counts_the_comments_that_have_it_and_names_them() -> None:
    found = _keywords("드론이 떴다", "드론을 샀다, 드론!", "다른 말이다", "드론은 비싸다")
    assert found == (Keyword("드론", 3, ("c0", "c1", "c3")),)


def test_copies_count_once() -> None:
    assert _words("드론이 좋다 드론을 샀다", "드론이 좋다  드론을 샀다") == []
    assert _words("드론이 좋다", "드론을 샀다") == ["드론"]


def test_a_rare_word_beats_a_common_one_that_is_met_as_often() -> None:
    assert background_share("영화") > background_share("드론")
    texts = ("영화와 드론이", "영화를 드론이", "영화가 드론을", "드론은", "영화는")
    assert _words(*texts)[0] == "드론"


def test_a_word_that_is_as_common_everywhere_is_no_keyword() -> None:
    others = [f"완전히 다른 {number}번 댓글" for number in range(90)]
    assert "영화" not in _words("영화가", "영화를", "영화는", "영화도", *others)
    assert "드론" in _words("드론이", "드론을", "드론은", "드론도", *others)


def test_words_side_by_side_are_one_keyword() -> None:
    texts = ("야간 모드가 짱", "야간 모드를 켰다", "야간 모드는 별로")
    assert _words(*texts) == ["야간 모드"]
    assert _words("night mode rocks", "night mode sucks", "my night mode") == ["night mode"]


def test_a_noun_of_one_syllable_begins_a_compound() -> None:
    texts = ("불 조절이 어렵다", "불 조절을 보세요", "불 조절은 약하게")
    assert _words(*texts) == ["불 조절"]


def test_nouns_of_other_comments_are_known() -> None:
    assert _words("취향 차이인 듯", "취향 차이인 걸", "취향 차이인 것") == ["취향 차이"]


def test_a_word_with_a_particle_begins_no_compound() -> None:
    texts = ("드론이 배터리를 먹는다", "드론이 배터리도 먹는다", "드론을 배터리가 먹는다")
    assert set(_words(*texts)) == {"드론", "배터리"}


def test_a_word_of_a_compound_stays_where_it_stands_alone_as_well() -> None:
    texts = ("야간 모드가 짱", "야간 모드를 켰다", "모드가", "모드를", "모드는", "모드도")
    assert set(_words(*texts)) == {"야간 모드", "모드"}


def test_one_comment_makes_no_keyword() -> None:
    assert _words("드론 드론 드론이 드론을 드론은") == []


def test_no_more_keywords_are_given_than_shown() -> None:
    text = " the ".join(f"word{chr(97 + a)}{chr(97 + b)}" for a in range(10) for b in range(10))
    assert len(_words(text, f"{text}!")) == MAX_KEYWORDS


def test_evidence_is_the_most_liked_and_not_too_much() -> None:
    found = _keywords(*(f"드론이 {number}번" for number in range(15)), "드론을")
    assert found[0].count == 16
    assert found[0].evidence == tuple(f"c{number}" for number in range(10))
