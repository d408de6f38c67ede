"""The analyser that is always there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.videos.analysers.builtin import Builtin
from gotgan.domains.videos.analysers.protocol import Analyser, AnalyserResponse
from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.metrics.measurements import (
    Keyword,
    Measurements,
    NotableComment,
    Sentiment,
    TopicCluster,
    VideoTimestamp,
)
from gotgan.domains.videos.metrics.questions import MAX_FOUND
from gotgan.domains.videos.models import Comment, Material, Usage, Video
from gotgan.domains.videos.schemas import Insights

_KOREAN = (
    "카메라가 정말 좋아요 최고예요",
    "카메라 화질을 보고 샀는데 너무 좋아요",
    "배터리는 완전 최악이고 실망했어요",
    "배터리가 하루도 못 가서 짜증나요 최악",
    "배터리 때문에 후회해요 별로예요",
    "2:14 카메라 보세요",
    "다음엔 배터리를 비교하는 영상도 올려주세요",
    "이 카메라는 어디서 사나요?",
)
_ENGLISH = (
    "the camera is great, I love it",
    "what a wonderful camera",
    "battery is terrible and I hate it",
    "camera at 2:14 looks amazing",
    "can you review the battery please",
)


def _material(*texts: str, **of_video: Any) -> Material:
    video = Video("abcdefghijk", **{"title": "갤럭시 한 달 사용기", **of_video})
    comments = tuple(Comment(f"c{at}", text, len(texts) - at) for at, text in enumerate(texts))
    return Material(video, comments=comments)


def _insights(material: Material, measured: Measurements | None = None) -> Insights:
    said = Builtin().say(material, measure(material) if measured is None else measured)
    return Insights.model_validate_json(said.text)


def test_it_is_an_analyser_that_costs_nothing() -> None:
    analyser: Analyser = Builtin()
    said = analyser.say(_material(), Measurements())
    assert (analyser.name, analyser.model, analyser.prompt_version) == (
        "builtin",
        "gotgan-builtin",
        "t2",
    )
    assert said == AnalyserResponse(said.text, Usage(), is_cut=False)


def test_it_says_how_many_comments_its_shares_rest_on() -> None:
    measured = Measurements(Sentiment(60, 25, 15), languages={"ko": 100})
    summary = _insights(_material(), measured).summary
    assert "댓글 100개" in summary.majorReactions
    assert "긍정 60%, 중립 25%, 부정 15%" in summary.majorReactions
    assert "댓글 60개(60%)" in summary.positivePoints
    assert "댓글 15개(15%)" in summary.weakPoints


def test_shares_add_up_to_a_hundred() -> None:
    measured = Measurements(Sentiment(6, 6, 7), languages={"en": 19})
    reactions = _insights(_material(), measured).summary.majorReactions
    assert "32% are positive, 31% neutral and 37% negative" in reactions


def test_it_names_topics_words_moments_and_what_was_asked() -> None:
    material = _material(*_KOREAN, "2:14 ㅋㅋ", "2:13 와")
    reactions = _insights(material).summary.majorReactions
    assert "카메라 (댓글 4개)" in reactions
    assert "2:14 (댓글 3개)" in reactions
    assert "부탁하는 글: 댓글 1개, 묻는 글: 댓글 1개." in reactions


def test_an_idea_does_not_claim_that_a_list_that_is_full_has_everything() -> None:
    found = tuple(NotableComment(f"c{number}", 1, "neutral") for number in range(MAX_FOUND))
    measured = Measurements(
        Sentiment(9, 9, 9), languages={"en": 27}, requests=found, questions=found[:3]
    )
    titles = [idea.title for idea in _insights(_material(), measured).contentIdeas]
    assert "Requests in 20 comments or more: do what viewers ask for" in titles
    assert "Questions in 3 comments: a video of answers" in titles


def test_a_topic_is_a_strong_or_a_weak_point_by_how_it_sounds() -> None:
    liked = TopicCluster("카메라", ("카메라",), 10, Sentiment(9, 1, 0), ("c0",))
    disliked = TopicCluster("배터리", ("배터리",), 8, Sentiment(0, 2, 6), ("c1",))
    measured = Measurements(Sentiment(20, 20, 10), languages={"ko": 50}, topics=(liked, disliked))
    summary = _insights(_material(), measured).summary
    assert "'카메라' 주제는 댓글 10개 중 90%" in summary.positivePoints
    assert "배터리" not in summary.positivePoints
    assert "'배터리' 주제는 댓글 8개 중 75%" in summary.weakPoints
    assert "카메라" not in summary.weakPoints


def test_nothing_bad_is_said_so() -> None:
    measured = Measurements(Sentiment(positive=3), languages={"en": 3})
    summary = _insights(_material(), measured).summary
    assert summary.weakPoints == "Of 3 comments, none sounded negative."


@pytest.mark.parametrize(
    ("material", "word"),
    [
        (_material(*_KOREAN, title="A title"), "긍정"),
        (_material(*_ENGLISH), "positive"),
        (_material(title="갤럭시 사용기"), "댓글이 없어"),
        (_material(title="A month with it"), "no comments"),
        (_material("とても良い", "最高です"), "positive"),
    ],
)
def test_it_speaks_the_language_of_most_comments_or_of_the_title(
    material: Material, word: str
) -> None:
    assert word in _insights(material).summary.majorReactions


def test_without_comments_it_goes_by_the_title_and_the_description_and_says_so() -> None:
    bare = _insights(_material())
    assert "제목만 보았습니다" in bare.summary.majorReactions
    both = _insights(_material(description="배터리와 카메라 이야기"))
    assert "제목과 설명만 보았습니다" in both.summary.majorReactions
    assert both.recommendedKeywords == ["갤럭시", "사용기"]
    assert both.languageSummary is None


def test_without_comments_there_are_no_ideas() -> None:
    assert _insights(_material(description="배터리와 카메라 이야기")).contentIdeas == []


def test_where_all_comments_are_spam_it_says_that_too() -> None:
    insights = _insights(_material("맞구독 하실 분", "sub4sub"))
    assert "광고로 보이는 댓글 2개" in insights.summary.majorReactions
    assert "댓글이 없어" in insights.summary.majorReactions


def test_every_idea_begins_with_what_it_rests_on_and_calls_itself_a_template() -> None:
    material = _material(*_KOREAN)
    ideas = _insights(material).contentIdeas
    known = {comment.comment_id for comment in material.comments}
    assert len(ideas) >= 2
    for idea in ideas:
        count = int(idea.title.split("댓글 ")[1].split("개")[0])
        assert "틀로 만든 제안" in idea.description
        assert f"근거: 댓글 {count}개" in idea.description
        assert 1 <= len(idea.evidence) <= count
        assert set(idea.evidence) <= known


def test_an_idea_from_requests_names_the_words_in_them() -> None:
    ideas = _insights(_material(*_KOREAN)).contentIdeas
    assert ideas[0].evidence == ["c6"]
    assert "배터리" in ideas[0].description


def _about_battery(*words: str, label: str = "배터리", sentiment: Sentiment) -> Insights:
    topic = TopicCluster(label, words, sentiment.n, sentiment, ("c1", "c2"))
    measured = Measurements(
        Sentiment(20, 20, 10),
        labels={"c1": "neutral", "c2": "negative"},
        languages={"ko": 50},
        topics=(topic,),
    )
    return _insights(_material(), measured)


def test_a_topic_that_sounds_bad_asks_for_an_answer() -> None:
    [answer] = _about_battery("배터리", sentiment=Sentiment(0, 2, 6)).contentIdeas
    assert answer.title == "부정적인 댓글 6개의 주제 '배터리': 아쉬운 점에 답하기"
    assert "75%, 나머지는 10%가 부정적입니다" in answer.description
    assert answer.evidence == ["c2"]


@pytest.mark.parametrize(
    "sentiment",
    [Sentiment(3, 3, 2), Sentiment(0, 1, 4), Sentiment(8, 8, 8)],
    ids=["hardly more", "few", "no more"],
)
def test_what_chance_explains_is_no_weak_point(sentiment: Sentiment) -> None:
    insights = _about_battery("배터리", sentiment=sentiment)
    assert insights.contentIdeas == []
    assert "배터리" not in insights.summary.weakPoints


def test_an_idea_or_a_title_says_more_than_a_keyword() -> None:
    usual = Sentiment(4, 3, 1)
    assert _about_battery("배터리", sentiment=usual).contentIdeas == []
    assert _about_battery("배터리", sentiment=usual).titleSuggestions == []
    insights = _about_battery("배터리", "수명", label="배터리 수명", sentiment=usual)
    [idea], [title] = insights.contentIdeas, insights.titleSuggestions
    assert "'배터리 수명'" in idea.title
    assert title.title == "갤럭시 한 달 사용기 | '배터리 수명' 이야기"


def test_titles_keep_the_title_and_name_comments() -> None:
    material = _material(*_KOREAN, "2:14 ㅋㅋ", "2:13 와")
    titles = _insights(material).titleSuggestions
    assert 1 <= len(titles) <= 5
    for title in titles:
        assert "갤럭시 한 달 사용기" in title.title
        assert title.evidence


def test_a_video_without_a_title_gets_no_titles() -> None:
    assert _insights(_material(*_KOREAN, title=" ")).titleSuggestions == []


def test_few_comments_are_warned_of() -> None:
    assert _insights(_material(*_ENGLISH)).warnings == [
        "The shares rest on no more than 5 comments and may well change."
    ]
    many = Measurements(Sentiment(30), languages={"en": 30})
    assert _insights(_material(), many).warnings == []


def test_languages_are_counted() -> None:
    measured = Measurements(Sentiment(50), languages={"ko": 40, "en": 8, "other": 2})
    assert _insights(_material(), measured).languageSummary == (
        "한국어 40개, 영어 8개, 그 밖의 언어 2개"
    )


def test_no_comment_is_repeated() -> None:
    material = _material(*_KOREAN, *_ENGLISH)
    text = Builtin().say(material, measure(material)).text
    assert not [comment for comment in material.comments if comment.text in text]


def test_figures_of_any_size_stay_within_the_limits() -> None:
    word = "가" * 50
    evidence = tuple(f"c{at}" for at in range(10))
    measured = Measurements(
        Sentiment(10**9, 10**9, 10**9),
        languages={"ko": 3 * 10**9},
        spam=10**9,
        keywords=tuple(Keyword(word + str(at), 10**9, evidence) for at in range(50)),
        topics=tuple(
            TopicCluster(word, (word,) * 5, 10**9, Sentiment(10**8, 10**8, 10**9), evidence)
            for _ in range(12)
        ),
        moments=tuple(VideoTimestamp(10**6 + at * 60, 10**9, evidence) for at in range(20)),
    )
    insights = _insights(_material(title="제" * 500), measured)
    assert len(insights.recommendedKeywords) == 1
    assert len(insights.summary.majorReactions) <= 1_000


_TEXTS = st.text(st.characters(codec=None), max_size=60) | st.sampled_from(
    [
        "",
        "😂😂😂",
        "\x00\x00",
        "\ud800",
        "مرحبا بالعالم",
        "\u202eabc",
        "Z͑ͫ̓ͪ̂ͫ̽",
        "드론이",
        "드론을",
        "2:14",
        "a" * 3_000,
    ]
)


@settings(max_examples=80, deadline=None)
@given(st.lists(_TEXTS, max_size=12), _TEXTS, _TEXTS)
def test_it_never_fails(texts: list[str], title: str, description: str) -> None:
    material = _material(*texts, title=title, description=description)
    insights = _insights(material)
    known = {comment.comment_id for comment in material.comments}
    assert all(idea.evidence for idea in insights.contentIdeas)
    assert all(set(idea.evidence) <= known for idea in insights.contentIdeas)


def test_the_shape_of_its_comments_does_not_matter() -> None:
    material = replace(_material(), comments=(Comment("c", "가" * 50_000),))
    assert _insights(material).summary.majorReactions
