"""What several comments are about."""

from __future__ import annotations

from gotgan.domains.videos.metrics.keywords import locate_keywords
from gotgan.domains.videos.metrics.measurements import Sentiment, TopicCluster
from gotgan.domains.videos.metrics.topics import find_topics
from tests.unit.domains.videos.metrics.comments import said

_BATTERY = (
    "배터리가 빨리 닳고 충전이 느려요",
    "충전을 해도 배터리는 금방 없어져요",
    "배터리를 바꾸니 충전도 빨라요",
    "배터리 때문에 못 쓰겠어요",
)
_CAMERA = (
    "카메라가 예뻐요",
    "카메라로 찍으면 화질이 좋네요",
    "카메라는 화질을 보고 골랐어요",
    "화질은 카메라",
)
_NONE = ("안녕", "ㅋㅋㅋㅋ", "와", "1등", "오늘도 봤다", "졸리다", "배고파", "굿")


def _topics(*texts: str) -> tuple[TopicCluster, ...]:
    remarks = said(*texts)
    return find_topics(remarks, locate_keywords(remarks))


def test_words_that_are_met_together_are_one_topic() -> None:
    topics = _topics(*_BATTERY, *_CAMERA, *_NONE)
    assert {frozenset(topic.words) for topic in topics} == {
        frozenset({"배터리", "충전"}),
        frozenset({"카메라", "화질"}),
    }


def test_a_topic_is_called_by_a_phrase() -> None:
    topics = _topics(*_BATTERY, *_CAMERA, *_NONE)
    assert {topic.label for topic in topics} == {"배터리와 충전", "카메라와 화질"}


def test_the_phrase_is_one_that_people_write() -> None:
    written = (
        "느린 충전이 싫다",
        "느린 충전 때문에",
        "충전을 보고",
        "빨라진 충전을",
        "느린 충전은",
    )
    assert [topic.label for topic in _topics(*written, *_NONE)] == ["느린 충전"]
    english = ("the final boss is hard", "that final boss!", "boss", "beat the boss", "final boss")
    assert [topic.label for topic in _topics(*english, *_NONE)] == ["final boss"]


def test_a_noun_with_its_particle_describes_no_other() -> None:
    texts = ("가격은 충전이 문제", "가격은 충전이 문제다", "충전을", "충전이")
    assert "가격은 충전" not in [topic.label for topic in _topics(*texts, *_NONE)]


def test_a_word_alone_is_a_topic_if_one_remark_in_ten_has_it() -> None:
    drones = [f"드론{particle} {number}" for number, particle in enumerate("이을은도만의")]
    others = [f"완전히 다른 댓글 {chr(0x4E00 + number)}" for number in range(60)]
    assert [topic.label for topic in _topics(*drones, *others[:40])] == ["드론"]
    assert _topics(*drones, *others) == ()


def test_one_word_is_a_topic_under_a_phrase_that_a_few_of_its_remarks_have() -> None:
    drones = [f"드론{particle} {number}" for number, particle in enumerate("이은도만" * 5)]
    flights = ("느린 드론이 지나갔다", "느린 드론은 처음")
    assert [topic.label for topic in _topics(*drones, *flights, *_NONE)] == ["느린 드론"]


def test_words_that_fit_any_video_are_no_topic() -> None:
    songs = [f"노래{particle} {number}" for number, particle in enumerate("가를는도와의만")]
    assert _topics(*songs, *_NONE) == ()


def test_most_comments_may_be_about_no_topic() -> None:
    topics = _topics(*_BATTERY, *_NONE)
    assert [(topic.count, topic.evidence) for topic in topics] == [(4, ("c0", "c1", "c2", "c3"))]


def test_what_two_comments_say_is_no_topic() -> None:
    assert _topics("드론이 떴다", "드론을 샀다", *_NONE) == ()


def test_a_topic_counts_how_its_comments_sound() -> None:
    remarks = said(*_BATTERY, label="negative") + said(*_NONE)
    topic, *_ = find_topics(remarks, locate_keywords(remarks))
    assert topic.sentiment == Sentiment(negative=4)


def test_the_topic_with_most_comments_comes_first() -> None:
    topics = _topics(*_CAMERA, *_BATTERY, "배터리도", "배터리만 좋으면", *_NONE)
    assert [topic.label for topic in topics] == [
        "배터리와 충전",
        "카메라와 화질",
    ]


def test_the_topic_with_most_comments_beats_the_one_with_the_rarest_word() -> None:
    films = [f"카메라 각도{particle} {number}" for number, particle in enumerate("가를는도와의")]
    drones = [f"드론 조종{particle} {number}" for number, particle in enumerate("이을은도과")]
    topics = _topics(*drones, *films, *_NONE)
    assert [topic.label for topic in topics] == ["카메라 각도", "드론 조종"]


def test_two_of_the_other_words_are_enough_to_belong_to_a_topic() -> None:
    texts = ("드론이 날개를 배터리가", "드론을 배터리와 날개도", "날개는 드론과 배터리도")
    alone = ("드론은", "드론도", "드론만", "배터리를 보면 날개가", "그저 날개만")
    topic, *_ = _topics(*texts, *alone, *_NONE, *(chr(0x4E00 + at) for at in range(30)))
    assert topic.words[0] == "드론"
    assert topic.evidence == ("c0", "c1", "c2", "c3", "c4", "c5", "c6")


def test_words_that_nearly_every_comment_has_do_not_belong_together() -> None:
    both = [
        f"드론{particle} 배터리{other}"
        for particle, other in zip("이을은도과만", "가를는도와만", strict=True)
    ]
    topics = _topics(*both, "드론의", "드론보다", "배터리의", "배터리보다")
    assert [len(topic.words) for topic in topics] == [1]
