"""Comments that many people like."""

from __future__ import annotations

from gotgan.domains.videos.metrics.measure import find_highlights
from gotgan.domains.videos.metrics.measurements import NotableComment
from gotgan.domains.videos.metrics.words import unique_remarks
from gotgan.domains.videos.models import Comment
from tests.unit.domains.videos.metrics.comments import said


def _ids(*comments: Comment) -> list[str]:
    remarks = unique_remarks(comments, ["neutral"] * len(comments))
    return [found.comment_id for found in find_highlights(remarks)]


def test_the_most_liked_comes_first() -> None:
    assert _ids(Comment("a", "좋다", 1), Comment("b", "멋지다", 9)) == ["b", "a"]


def test_nobody_s_favourite_is_no_highlight() -> None:
    assert _ids(Comment("a", "좋다", 0)) == []


def test_what_says_the_same_is_shown_once() -> None:
    same = Comment("b", "이 노래 정말 최고다!!", 8)
    assert _ids(Comment("a", "이 노래 정말 최고다", 9), same, Comment("c", "춤도 좋다", 7)) == [
        "a",
        "c",
    ]


def test_an_author_is_shown_once() -> None:
    first = Comment("a", "노래가 좋다", 9, author="x")
    assert _ids(first, Comment("b", "춤이 멋지다", 8, author="x")) == ["a"]


def test_comments_without_words_differ_by_their_signs() -> None:
    assert _ids(Comment("a", "😂😂", 2), Comment("b", "❤", 1)) == ["a", "b"]


def test_there_are_no_more_than_ten() -> None:
    assert len(find_highlights(said(*(f"댓글{number}" for number in range(30))))) == 10


def test_a_highlight_knows_its_likes_and_its_label() -> None:
    remarks = said("좋다", label="positive")
    assert find_highlights(remarks) == (NotableComment("c0", 1, "positive"),)
