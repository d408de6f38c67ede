"""Whatever comments hold, they can be measured, and the figures agree with each other."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.metrics.measurements import (
    Keyword,
    TopicCluster,
    VideoTimestamp,
    whole_percents,
)
from gotgan.domains.videos.models import Comment, Material, Video

_PIECES = st.one_of(
    st.sampled_from(
        ["카메라가", "카메라를", "배터리", "2:14", "1:02:03", "9:99", "ㅋㅋㅋ", "올려주세요"]
    ),
    st.sampled_from(
        ["can you make", "great", "bad", "http://a.example", "@you", "-", "'", "?", "!"]
    ),
    st.sampled_from(["😂", "👩‍👩‍👧", "מזל", "العربية", "日本語", "\x00", "\ud800", "\u202e", "Z͑ͫ̓ͪ"]),
)
_ANY = st.text(st.characters(codec=None), max_size=40)
_TEXTS = st.one_of(_ANY, st.lists(_PIECES, max_size=12).map(" ".join))
_COMMENTS = st.builds(
    Comment,
    comment_id=st.integers(0, 30).map("c{}".format),
    text=_TEXTS,
    likes=st.integers(-1, 10**9),
    author=st.sampled_from([None, "a", "b"]),
)
_MATERIALS = st.builds(
    Material,
    video=st.builds(
        Video,
        video_id=st.just("abcdefghijk"),
        title=_TEXTS,
        duration_sec=st.sampled_from([None, 0, 100, 10_000]),
    ),
    comments=st.lists(_COMMENTS, max_size=25).map(tuple),
)


@settings(max_examples=60, deadline=None)
@given(_MATERIALS)
def test_figures_of_any_comments_agree(material: Material) -> None:
    measured = measure(material)
    ids = {comment.comment_id for comment in material.comments}
    assert measured.sentiment.n == len(measured.labels) == len(ids) - measured.spam
    assert sum(measured.languages.values()) == measured.sentiment.n
    figures: list[Keyword | TopicCluster | VideoTimestamp] = [*measured.keywords, *measured.topics]
    for figure in [*figures, *measured.moments]:
        assert 1 <= len(figure.evidence) == min(figure.count, 10)
        assert set(figure.evidence) <= measured.labels.keys()
    for topic in measured.topics:
        assert topic.sentiment.n == topic.count
    for found in (*measured.requests, *measured.questions, *measured.highlights):
        assert found.label == measured.labels[found.comment_id]
    assert not {f.comment_id for f in measured.requests} & {
        f.comment_id for f in measured.questions
    }


@settings(max_examples=60, deadline=None)
@given(_MATERIALS)
def test_moments_lie_within_the_video(material: Material) -> None:
    duration = material.video.duration_sec
    for moment in measure(material).moments:
        assert not duration or moment.seconds <= duration


@pytest.mark.parametrize(
    "piece",
    [
        "가",
        "a? ",
        "?",
        "2:14 ",
        "ㅋ",
        "\u0301",
        "check out my ",
        "다음에 ",
        "is it ",
        "1:",
        "😂",
        "$1 ",
    ],
)
def test_a_comment_of_fifty_kilobytes_is_measured(piece: str) -> None:
    text = "a" + piece * (50_000 // len(piece))
    assert measure(Material(Video("v", "t"), comments=(Comment("c", text),))).sentiment.n <= 1


@given(st.dictionaries(st.sampled_from("abcd"), st.integers(0, 10**6), min_size=1))
def test_whole_percents_make_a_hundred_and_none_is_off_by_one(counts: dict[str, int]) -> None:
    total, percents = sum(counts.values()), whole_percents(counts)
    assert list(percents) == list(counts)
    assert sum(percents.values()) == (100 if total else 0)
    assert all(abs(percents[name] * total - 100 * counts[name]) < max(total, 1) for name in counts)


def test_the_largest_remainder_is_rounded_up_and_the_first_of_equal_ones() -> None:
    assert whole_percents({"a": 1, "b": 1, "c": 1}) == {"a": 34, "b": 33, "c": 33}
    assert whole_percents({"a": 2, "b": 15, "c": 183}) == {"a": 1, "b": 8, "c": 91}
