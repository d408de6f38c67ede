"""Bars, ages and places: pure figures."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.console.videos.display import (
    Age,
    age_between,
    day_bars,
    draw_timeline,
    result_state,
    share_bar,
    timestamp,
    youtube_url,
)
from gotgan.domains.videos.documents import sentiment_counts

NOON = datetime(2100, 1, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("span", "age"),
    [
        (timedelta(seconds=59), Age("moments")),
        (timedelta(minutes=1), Age("minutes", 1)),
        (timedelta(minutes=119), Age("minutes", 119)),
        (timedelta(hours=2), Age("hours", 2)),
        (timedelta(hours=47, minutes=59), Age("hours", 47)),
        (timedelta(days=2, hours=23), Age("days", 2)),
    ],
)
def test_an_age_is_told_in_the_unit_that_people_use(span: timedelta, age: Age) -> None:
    assert age_between(NOON - span, NOON) == age == age_between(NOON, NOON - span)


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (134, "2:14"), (3723, "1:02:03"), (36000, "10:00:00")]
)
def test_a_place_in_a_video_is_written_as_its_player_does(seconds: int, shown: str) -> None:
    assert timestamp(seconds) == shown


def test_a_video_is_watched_from_its_beginning_or_from_a_place() -> None:
    assert youtube_url("aaaaaaaaaaa") == "https://www.youtube.com/watch?v=aaaaaaaaaaa"
    assert youtube_url("aaaaaaaaaaa", 0).endswith("&t=0s")


def test_the_parts_of_a_bar_are_as_long_as_their_shares() -> None:
    drawn = share_bar({"positive": 1, "neutral": 2, "negative": 1})
    parts = re.findall(r'class="(\w+)" x="([\d.]+)" width="([\d.]+)"', drawn)
    assert parts == [
        ("positive", "0.00", "25.00"),
        ("neutral", "25.00", "50.00"),
        ("negative", "75.00", "25.00"),
    ]
    assert share_bar({"positive": 0, "neutral": 0, "negative": 0}) == ""


def test_counts_are_what_the_shares_were_made_of() -> None:
    shares = {"positive": 1 / 3, "neutral": 2 / 3, "negative": 0.0}
    assert sentiment_counts({"shares": shares, "n": 3}) == {
        "positive": 1,
        "neutral": 2,
        "negative": 0,
    }


def test_days_are_as_high_as_their_figures() -> None:
    bars = re.findall(
        r'class="(\w+)" x="(\d+)" y="[\d.]+" width="6" height="([\d.]+)"', day_bars([0, 2, 4])
    )
    assert bars == [("none", "1", "1.0"), ("some", "9", "18.0"), ("some", "17", "36.0")]
    assert day_bars([]).count("<rect") == 0


def test_a_moment_stands_where_it_is_in_the_video() -> None:
    moments = [{"seconds": 50, "count": 4}, {"seconds": 100, "count": 2}]
    drawn = draw_timeline(moments, 200)
    assert re.findall(r'class="mark" d="M([\d.]+) 100V([\d.]+)"', drawn.svg) == [
        ("250.0", "0.0"),
        ("500.0", "50.0"),
    ]
    assert drawn.marks == ("0:00", "0:50", "1:40", "2:30", "3:20")


def test_a_video_of_unknown_length_ends_behind_its_last_moment() -> None:
    assert draw_timeline([{"seconds": 100, "count": 1}], None).marks[-1] == "1:45"
    assert draw_timeline([{"seconds": 100, "count": 1}], 60).marks[-1] == "1:40"
    assert draw_timeline([], None).marks[-1] == "0:01"


@pytest.mark.parametrize(
    ("count", "basis", "warnings", "problem", "outcome"),
    [
        (3, ["title", "comments"], [], None, "success"),
        (3, ["title", "comments"], ["spam"], None, "partial"),
        (3, ["title", "comments"], ["fewer"], "quota", "partial"),
        (0, ["title"], ["none"], None, "empty"),
        (0, ["title"], ["off"], "disabled", "empty"),
        (0, ["title"], ["failed"], "failed", "partial"),
        (0, ["title"], ["failed"], "timeout", "partial"),
    ],
)
def test_a_result_is_whole_or_lacks_something_or_had_nothing_to_count(
    count: int, basis: list[str], warnings: list[str], problem: str | None, outcome: str
) -> None:
    meta = {"commentSampleCount": count, "analysisBasis": basis, "warnings": warnings}
    assert result_state({"meta": meta}, problem) == outcome
