"""Our client of YouTube against the world's: what it brings, and what that costs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.sources.sampling import SAMPLING
from gotgan.errors import KeyRefused, QuotaExhausted, UpstreamUnavailable, VideoMissing
from gotgan.settings import Secret
from gotgan.world import FaultKind, ServedWorld
from gotgan.world.videos import CLIPS, MISSING_VIDEO, PRIVATE, YOUTUBE
from tests.unit.domains.videos.sources.studio import (
    BUSY,
    CHANNELS,
    EMPTY,
    KEY,
    QUIET,
    SMALL,
    THREADS,
    VIDEOS,
    broadcast,
    studio,
)


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWorld]:
    with broadcast() as served:
        yield served


def test_a_video_its_channel_and_ten_pages_of_comments_cost_twelve_units(
    served: ServedWorld,
) -> None:
    pages: list[tuple[int, int]] = []
    with studio(served) as at:
        collected = at.collect(BUSY, lambda *page: pages.append(page))
        assert collected.units == at.asked() == at.quota.today().units == 12
        assert at.asked(THREADS) == 10
    material, clip = collected.material, CLIPS[BUSY]
    assert (material.video.title, material.video.duration_sec) == (clip.title, clip.seconds)
    assert material.video.published_at == clip.published
    assert material.video.view_count
    assert material.channel is not None
    assert material.channel.channel_id == material.video.channel_id == clip.channel
    assert material.channel.subscriber_count == 412_000
    assert (material.source, material.sampling) == ("youtube", SAMPLING)
    assert (material.problem, material.warnings) == (None, ())
    assert pages == [(number, 10) for number in range(1, 11)]


def test_comments_of_both_orders_are_merged_by_their_ids_with_the_replies_that_come(
    served: ServedWorld,
) -> None:
    with studio(served) as at:
        material = at.collect(BUSY).material
        orders = [parse_qs(seen.query)["order"] for seen in at.seen(THREADS)]
    ids = [comment.comment_id for comment in material.comments]
    assert len(ids) == len(set(ids))
    alone = [each for each in material.comments if each.parent_id is None]
    replies = [each for each in material.comments if each.parent_id is not None]
    assert 500 < len(alone) < 1000
    assert replies
    assert {each.parent_id for each in replies} <= {each.comment_id for each in alone}
    assert orders == [["relevance"]] * 5 + [["time"]] * 5


def test_nobody_is_named_and_everybody_is_counted(served: ServedWorld) -> None:
    with studio(served) as at:
        material = at.collect(SMALL).material
    assert material.comments
    authors = [comment.author for comment in material.comments]
    assert all(author is not None and len(author) == 32 for author in authors)
    assert all(int(author or "", 16) for author in authors)
    assert "UC" not in repr(material.comments)
    assert author_hash(Secret("0" * 32), "UCsomebody") not in authors


def test_a_small_video_takes_a_page_of_each_order(served: ServedWorld) -> None:
    with studio(served) as at:
        assert at.collect(SMALL).units == 4
        [first, second] = (parse_qs(seen.query) for seen in at.seen(THREADS))
    assert first == {
        "part": ["snippet,replies"],
        "videoId": [SMALL],
        "order": ["relevance"],
        "maxResults": ["100"],
        "textFormat": ["plainText"],
    }
    assert second == {**first, "order": ["time"]}


def test_a_video_without_a_comment_is_no_problem(served: ServedWorld) -> None:
    with studio(served) as at:
        material = at.collect(EMPTY).material
    assert (material.comments, material.problem, material.warnings) == ((), None, ())


def test_counts_that_are_hidden_are_left_out(served: ServedWorld) -> None:
    with studio(served) as at:
        material = at.collect("gotganHides").material
    assert material.video.like_count is None
    assert material.video.comment_count is None
    assert material.channel is not None
    assert material.channel.subscriber_count is None


def test_a_stream_that_goes_on_has_no_duration(served: ServedWorld) -> None:
    with studio(served) as at:
        assert at.collect("gotganLive1").material.video.duration_sec is None


def test_the_key_is_in_a_header_and_nowhere_else(
    served: ServedWorld, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), studio(served) as at:
        at.world.fail(YOUTUBE, CHANNELS, FaultKind.KEY_INVALID)
        at.world.fail(YOUTUBE, THREADS, FaultKind.RATE_LIMITED)
        material = at.collect(SMALL).material
        seen = at.seen()
        assert {each.headers["x-goog-api-key"] for each in seen} == {KEY}
        assert not [each for each in seen if KEY in f"{each.path}{each.query}"]
    assert KEY not in repr(material)
    assert not [record for record in caplog.records if KEY in record.getMessage()]


@pytest.mark.parametrize(
    "fault", [FaultKind.REDIRECT_ELSEWHERE, FaultKind.REDIRECT_LOOP, FaultKind.REDIRECT_LOOPBACK]
)
def test_the_key_is_never_carried_to_where_a_redirect_leads(
    served: ServedWorld, fault: FaultKind
) -> None:
    with studio(served) as at:
        at.world.fail(YOUTUBE, VIDEOS, fault)
        with pytest.raises(UpstreamUnavailable, match="Request to YouTube failed"):
            at.collect(SMALL)
        assert at.asked() == 1


def test_without_a_key_nobody_is_asked(served: ServedWorld) -> None:
    with studio(served, youtube_key=None) as at:
        with pytest.raises(KeyRefused, match=r"Set YOUTUBE_API_KEY .* or import videos from files"):
            at.collect(SMALL)
        assert at.asked() == 0


def test_a_place_that_is_not_youtube_has_no_opinion_on_videos(served: ServedWorld) -> None:
    with studio(served, youtube=f"https://{YOUTUBE}/elsewhere") as at:
        for _ in range(2):
            with pytest.raises(UpstreamUnavailable, match="Check GOTGAN_YOUTUBE"):
                at.collect(SMALL)
        assert at.asked() == 2


def test_a_key_that_is_not_taken_is_told_and_not_shown(served: ServedWorld) -> None:
    with (
        studio(served, youtube_key=Secret("wrong")) as at,
        pytest.raises(KeyRefused, match="YOUTUBE_API_KEY") as refusal,
    ):
        at.collect(SMALL)
    assert "wrong" not in refusal.value.message


@pytest.mark.parametrize("video_id", [MISSING_VIDEO, PRIVATE])
def test_a_video_that_is_missing_is_not_asked_for_again_within_an_hour(
    served: ServedWorld, video_id: str
) -> None:
    with studio(served) as at:
        with pytest.raises(VideoMissing, match=f"YouTube has no video {video_id}"):
            at.collect(video_id)
        at.clock.advance(timedelta(minutes=59))
        with pytest.raises(VideoMissing, match="not requested again before 11-06 21:00 UTC"):
            at.collect(video_id)
        assert at.asked() == at.quota.today().units == 1
        at.clock.advance(timedelta(minutes=1))
        with pytest.raises(VideoMissing):
            at.collect(video_id)
        assert at.asked() == 2


def test_a_video_without_a_place_for_comments_is_asked_for_them_once_in_an_hour(
    served: ServedWorld,
) -> None:
    with studio(served) as at:
        first = at.collect(QUIET)
        assert (first.material.problem, first.units) == ("disabled", 3)
        again = at.collect(QUIET)
        assert again == replace(first, units=2)
        assert at.asked(THREADS) == 1
        assert at.collect(QUIET, use_absences=False).units == 3
        at.clock.advance(timedelta(hours=1))
        at.collect(QUIET)
        assert at.asked(THREADS) == 3


def test_once_the_ledger_is_full_nothing_is_asked(served: ServedWorld) -> None:
    with studio(served, youtube_quota=2) as at:
        material = at.collect(SMALL).material
        assert material.channel is not None
        assert (material.problem, material.comments) == ("quota", ())
        with pytest.raises(QuotaExhausted, match="2 units of GOTGAN_YOUTUBE_QUOTA"):
            at.collect(SMALL)
        assert at.asked() == 2
        at.clock.advance(timedelta(hours=12))
        assert at.collect(SMALL).material.problem == "quota"
        assert at.asked() == 4


def test_once_youtube_says_that_the_units_are_used_up_nobody_asks_before_midnight() -> None:
    with broadcast(quota=2) as served, studio(served) as at:
        partial = at.collect(SMALL)
        assert (partial.material.problem, partial.units) == ("quota", 3)
        with pytest.raises(QuotaExhausted, match="quota of this key is used up") as exhausted:
            at.collect(SMALL)
        assert exhausted.value.retry_after == timedelta(hours=12).total_seconds()
        assert at.asked() == 3
        for clock in (at.clock, at.world.clock):
            assert isinstance(clock, FixedClock)
            clock.advance(timedelta(hours=12))
        assert at.collect(SMALL).material.video.video_id == SMALL
