"""How comments are found to sound, one by one and in batches."""

from __future__ import annotations

import pytest

from gotgan.domains.videos.metrics import sentiment
from gotgan.domains.videos.metrics.measurements import Label
from gotgan.domains.videos.metrics.sentiment import classify, score


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("진짜 최고의 영상이네요 감사합니다", "positive"),
        ("ㅠㅠㅠㅠ 너무 감동이에요", "positive"),
        ("ㅋㅋㅋㅋㅋㅋ 아 너무 웃겨", "positive"),
        ("노래 제목이 뭔가요?", "neutral"),
        ("3:21 에 나오는 가방 어디서 사셨나요", "neutral"),
        ("정말 실망이네요 시간 낭비했어요", "negative"),
        ("이런 쓰레기 같은 영상 좀 그만 올려라", "negative"),
        ("This is amazing, thank you so much!", "positive"),
        ("❤️❤️❤️", "positive"),
        ("what camera do you use?", "neutral"),
        ("2:14", "neutral"),
        ("the worst video I have ever seen, absolute garbage", "negative"),
        ("🤮🤮", "negative"),
    ],
)
def test_a_comment_sounds_as_people_say_it_does(text: str, label: Label) -> None:
    assert classify([text]) == [label]


def test_a_comment_that_is_empty_is_neutral() -> None:
    assert classify(["", "  \n "]) == ["neutral", "neutral"]
    assert score(["", "  \n "]) == [0.0, 0.0]


def test_no_comments_have_no_labels() -> None:
    assert classify([]) == []
    assert score([]) == []


def test_a_comment_sounds_the_same_whatever_stands_beside_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sentiment, "_BATCH_SIZE", 3)
    texts = [
        "최고예요",
        "boring",
        "몇 시에 하나요?\n궁금합니다",
        "",
        "쓰레기\n같은 영상",
        "love it ❤️",
    ]
    assert classify(texts * 3) == [classify([text])[0] for text in texts] * 3


def test_half_of_a_character_breaks_nothing() -> None:
    assert len(classify(["\ud83d", "최고예요 \udc4d", "great \x00\u2028 stuff"])) == 3


def test_a_score_leans_the_way_that_its_label_says() -> None:
    texts = ["정말 감사합니다 최고예요", "최악이다 진짜 짜증나", "I love this", "I hate this"]
    signs = [score > 0 for score in score(texts)]
    assert signs == [label == "positive" for label in classify(texts)] == [True, False, True, False]


def test_a_score_is_never_more_than_one() -> None:
    texts = ["최고 " * 500, "최악 " * 500, "love " * 500, "hate " * 500]
    assert all(-1 <= score <= 1 for score in score(texts))
