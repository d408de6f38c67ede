"""Places in a video that comments name."""

from __future__ import annotations

import pytest

from gotgan.domains.videos.metrics.measure import find_moments, parse_timestamps
from gotgan.domains.videos.metrics.measurements import VideoTimestamp
from gotgan.domains.videos.models import Comment
from tests.unit.domains.videos.metrics.comments import comments_of


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("2:14 여기", [134]),
        ("여기(2:14)", [134]),
        ("1:02:03 best part", [3_723]),
        ("02:05", [125]),
        ("95:30", [5_730]),
        ("0:05,1:10", [5, 70]),
        ("2:14~2:30", [134, 150]),
        ("2:14-2:30", [134, 150]),
        ("2\uff1a14", [134]),
        ("2:14시작", [134]),
        ("2:14 am i the only one", [134]),
    ],
)
def test_a_time_in_a_comment_is_a_place(text: str, seconds: list[int]) -> None:
    assert list(parse_timestamps(text)) == seconds


@pytest.mark.parametrize(
    "text",
    [
        "3:1로 이겼다",
        "2:0",
        "16:9",
        "오후 2:14에 봄",
        "새벽 3:30",
        "2:14 pm",
        "2:14 a.m.",
        "14:30 KST",
        "2013.04.10 01:55 신고",
        "2025-11-06 12:30",
        "21:15로 이겼네",
        "비율 10:10",
        "John 3:16",
        "요한복음 3:16",
        "2:75",
        "1:2:3",
        "10:20:30:40",
        "2024:10:113",
        "::",
        "12:345",
    ],
)
def test_the_time_of_day_a_result_or_a_ratio_is_none(text: str) -> None:
    assert list(parse_timestamps(text)) == []


def _named(duration: int | None, *texts: str) -> list[tuple[int, int]]:
    return [(each.seconds, each.count) for each in find_moments(comments_of(*texts), duration)]


def test_the_most_named_moment_comes_first() -> None:
    some = ("1:00", "1:00", "1:00", "2:14 ㅋㅋ", "또 2:14", "2:14", "2:14!", "1:40", "1:41", "1:40")
    assert _named(None, *some) == [(134, 4), (60, 3), (100, 3)]


def test_what_two_comments_name_is_no_moment() -> None:
    assert _named(None, "2:14", "2:14 와", "1:00") == []
    assert _named(None, "2:14", "2:14 와", "2:14 2:15 여기") == [(134, 3)]


def test_what_lies_behind_the_end_is_left_out() -> None:
    some = [time for time in ("2:14", "20:00", "5:00") for _ in range(3)]
    assert _named(300, *some) == [(134, 3), (300, 3)]


def test_seconds_close_to_each_other_are_one_moment() -> None:
    assert _named(None, "2:12", "2:14", "2:14 와", "2:18", "2:30") == [(134, 4)]


def test_a_comment_names_a_moment_once() -> None:
    assert _named(None, "2:14 2:15 2:14", "2:14 2:16", "2:14") == [(134, 3)]


def test_the_same_words_by_several_people_count_each() -> None:
    assert find_moments(comments_of("2:14", "2:14", "2:14"), None) == (
        VideoTimestamp(134, 3, ("c0", "c1", "c2")),
    )


def test_the_most_liked_comments_are_the_evidence() -> None:
    comments = [Comment(f"c{number}", "2:14", likes=number) for number in range(12)]
    evidence = find_moments(comments, None)[0].evidence
    assert evidence == tuple(f"c{number}" for number in range(11, 1, -1))


def test_a_broadcast_of_unknown_length_has_moments() -> None:
    assert find_moments(comments_of("2:14", "2:14", "2:14"), 0)
