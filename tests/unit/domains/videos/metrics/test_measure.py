"""All figures of a video together."""

from __future__ import annotations

from dataclasses import replace

from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.metrics.measurements import Measurements, Sentiment
from gotgan.domains.videos.models import Comment
from tests.unit.domains.videos.metrics.comments import material_of

_TEXTS = (
    "카메라가 정말 좋아요 최고예요",
    "배터리는 완전 최악이고 실망했어요",
    "2:14 작은 카메라 보세요",
    "카메라를 비교하는 영상도 올려주세요",
    "작은 카메라는 어디서 사나요?",
    "제 채널에도 놀러 오세요 카메라 리뷰 있어요",
    "what a great camera",
)


def test_a_video_without_comments_has_no_figures() -> None:
    assert measure(material_of()) == Measurements()


def test_spam_is_counted_and_left_out_of_everything() -> None:
    measured = measure(material_of(*_TEXTS))
    assert measured.spam == 1
    assert "c5" not in measured.labels
    assert measured.sentiment.n == sum(measured.languages.values()) == len(measured.labels) == 6
    assert all("c5" not in keyword.evidence for keyword in measured.keywords)
    assert "c5" not in {found.comment_id for found in measured.highlights}


def test_every_figure_comes_from_one_reading() -> None:
    measured = measure(material_of(*_TEXTS, "2:14 ㅋㅋㅋ", "2:13 와", duration=300))
    assert measured.keywords[0].word == "카메라"
    assert measured.keywords[0].evidence == ("c0", "c2", "c3", "c4")
    assert [topic.label for topic in measured.topics] == ["작은 카메라"]
    assert [found.comment_id for found in measured.requests] == ["c3"]
    assert [found.comment_id for found in measured.questions] == ["c4"]
    assert [moment.seconds for moment in measured.moments] == [134]
    assert measured.languages == {"ko": 7, "en": 1}


def test_praise_and_blame_are_told_apart() -> None:
    measured = measure(material_of(*_TEXTS))
    assert measured.labels["c0"] == "positive"
    assert measured.labels["c1"] == "negative"


def test_a_topic_sounds_as_its_comments_do() -> None:
    measured = measure(material_of(*_TEXTS))
    topic = measured.topics[0]
    labels = [measured.labels[each] for each in topic.evidence]
    assert topic.sentiment == Sentiment(
        labels.count("positive"), labels.count("neutral"), labels.count("negative")
    )


def test_a_comment_that_was_collected_twice_counts_once() -> None:
    material = material_of("노래가 좋다")
    twice = replace(material, comments=material.comments * 2)
    assert measure(twice) == measure(material)


def test_copies_are_one_word_but_as_many_voices() -> None:
    material = material_of("드론이 최고다", "드론이 최고다", "드론이 최고다")
    measured = measure(material)
    assert measured.sentiment.n == 3
    assert measured.keywords == ()


def test_the_order_of_comments_changes_no_figure() -> None:
    material = material_of(*_TEXTS, "2:14 여기", "2:13 카메라")
    alike = tuple(replace(comment, likes=1) for comment in material.comments)
    turned = replace(material, comments=alike[::-1])
    assert measure(turned) == measure(replace(material, comments=alike))


def test_likes_below_nothing_are_none() -> None:
    material = replace(material_of(), comments=(Comment("a", "2편 올려주세요", likes=-3),))
    assert measure(material).requests[0].likes == 0
