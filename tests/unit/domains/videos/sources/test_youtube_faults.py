"""Our client of YouTube against the world's, fault by fault."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qs

import pytest

from gotgan.domains.videos.models import Problem
from gotgan.errors import (
    AnalysisError,
    AnalysisTimeout,
    KeyRefused,
    QuotaExhausted,
    UpstreamBusy,
    UpstreamUnavailable,
)
from gotgan.world import FaultKind, ServedWorld
from gotgan.world.videos import YOUTUBE
from tests.unit.domains.videos.sources.studio import (
    BUSY,
    CHANNELS,
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


@pytest.mark.parametrize(
    ("fault", "kind", "asked"),
    [
        (FaultKind.QUOTA_EXCEEDED, QuotaExhausted, 1),
        (FaultKind.KEY_INVALID, KeyRefused, 1),
        (FaultKind.FORBIDDEN, KeyRefused, 1),
        (FaultKind.RATE_LIMITED, UpstreamBusy, 2),
        (FaultKind.THROTTLED, UpstreamBusy, 2),
        (FaultKind.PROCESSING_FAILURE, UpstreamUnavailable, 2),
        (FaultKind.BROKEN, UpstreamUnavailable, 2),
        (FaultKind.TRUNCATED, UpstreamUnavailable, 2),
        (FaultKind.CUT, UpstreamUnavailable, 1),
        (FaultKind.GARBAGE, UpstreamUnavailable, 1),
        (FaultKind.BLOCK, UpstreamUnavailable, 1),
        (FaultKind.WRONG_TYPE, UpstreamUnavailable, 1),
        (FaultKind.GZIP_BOMB, UpstreamUnavailable, 1),
    ],
)
def test_without_the_metadata_there_is_an_error_and_each_request_is_counted(
    served: ServedWorld, fault: FaultKind, kind: type[AnalysisError], asked: int
) -> None:
    with studio(served) as at:
        at.world.fail(YOUTUBE, VIDEOS, fault)
        with pytest.raises(AnalysisError) as failure:
            at.collect(SMALL)
        assert type(failure.value) is kind
        assert at.asked() == at.quota.today().calls == asked
        assert len(at.pauses) == asked - 1


def test_a_connection_that_breaks_off_is_made_again(served: ServedWorld) -> None:
    with studio(served) as at:
        at.world.fail(YOUTUBE, VIDEOS, FaultKind.RESET)
        with pytest.raises(UpstreamUnavailable, match="connection reset by peer"):
            at.collect(SMALL)
        assert at.quota.today().calls == 2


def test_an_answer_that_never_comes_is_not_waited_for_and_not_asked_again(
    served: ServedWorld,
) -> None:
    with studio(served, seconds=0.2) as at:
        at.world.fail(YOUTUBE, VIDEOS, FaultKind.HANG)
        with pytest.raises(AnalysisTimeout, match="did not answer in time"):
            at.collect(SMALL)
        assert at.asked() == 1


def test_whoever_is_told_to_come_again_much_later_is_not_made_to_wait() -> None:
    with broadcast(retry_after=3600) as served, studio(served) as at:
        at.world.fail(YOUTUBE, VIDEOS, FaultKind.THROTTLED)
        with pytest.raises(UpstreamBusy) as busy:
            at.collect(SMALL)
        assert busy.value.retry_after == 3600
        assert at.asked() == 1


@pytest.mark.parametrize(
    "fault",
    [FaultKind.RATE_LIMITED, FaultKind.PROCESSING_FAILURE, FaultKind.BROKEN, FaultKind.THROTTLED],
)
def test_what_passes_is_asked_again_and_paid_for_twice(
    served: ServedWorld, fault: FaultKind
) -> None:
    with studio(served) as at:
        at.world.fail(YOUTUBE, VIDEOS, fault, times=1)
        at.world.fail(YOUTUBE, THREADS, fault, times=1)
        collected = at.collect(SMALL)
        assert (collected.material.problem, collected.material.warnings) == (None, ())
        assert collected.units == at.asked() == at.quota.today().units == 6
        assert at.pauses == [1.0, 1.0]


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (FaultKind.BROKEN, "failed"),
        (FaultKind.RATE_LIMITED, "failed"),
        (FaultKind.GARBAGE, "failed"),
        (FaultKind.KEY_INVALID, "failed"),
        (FaultKind.QUOTA_EXCEEDED, "quota"),
        (FaultKind.HANG, "timeout"),
    ],
)
def test_comments_that_cannot_be_read_leave_the_metadata_and_why(
    served: ServedWorld, fault: FaultKind, problem: Problem
) -> None:
    with studio(served, seconds=0.5 if fault is FaultKind.HANG else 30.0) as at:
        at.world.fail(YOUTUBE, THREADS, fault)
        material = at.collect(SMALL).material
    assert material.video.title
    assert material.channel is not None
    assert (material.comments, material.problem) == ((), problem)


def test_a_page_that_fails_leaves_those_before_it_and_no_other_order_is_tried(
    served: ServedWorld,
) -> None:
    with studio(served) as at:

        def break_after(pages: int, _most: int) -> None:
            if pages == 3:
                at.world.fail(YOUTUBE, THREADS, FaultKind.BROKEN)

        material = at.collect(BUSY, break_after).material
        assert at.asked(THREADS) == 5
    assert material.problem == "failed"
    assert len(material.comments) > 250


def test_a_page_that_is_no_longer_known_ends_its_order_alone(served: ServedWorld) -> None:
    with studio(served) as at:
        at.world.fail(YOUTUBE, THREADS, FaultKind.PAGE_TOKEN_INVALID)
        material = at.collect(BUSY).material
        orders = [parse_qs(seen.query)["order"][0] for seen in at.seen(THREADS)]
    assert orders == ["relevance", "relevance", "time", "time"]
    assert len(material.comments) > 150
    assert (material.problem, material.warnings) == (None, ())


@pytest.mark.parametrize(
    "fault", [FaultKind.BROKEN, FaultKind.KEY_INVALID, FaultKind.HANG, FaultKind.GARBAGE]
)
def test_a_channel_that_cannot_be_read_is_done_without(
    served: ServedWorld, fault: FaultKind
) -> None:
    with studio(served, seconds=0.5 if fault is FaultKind.HANG else 30.0) as at:
        at.world.fail(YOUTUBE, CHANNELS, fault)
        material = at.collect(SMALL).material
    assert material.channel is None
    assert material.comments
    assert material.warnings == ("YouTube did not return the channel.",)


def test_comments_that_are_closed_later_are_no_failure(served: ServedWorld) -> None:
    with studio(served) as at:
        at.world.fail(YOUTUBE, THREADS, FaultKind.COMMENTS_DISABLED)
        material = at.collect(SMALL).material
    assert (material.problem, material.comments) == ("disabled", ())


def test_whoever_listens_may_end_it(served: ServedWorld) -> None:
    def stop(_pages: int, _most: int) -> None:
        raise AnalysisTimeout("it took too long")

    with studio(served) as at:
        with pytest.raises(AnalysisTimeout, match="it took too long"):
            at.collect(BUSY, stop)
        assert at.asked(THREADS) == 1
