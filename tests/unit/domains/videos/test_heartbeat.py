from __future__ import annotations

import threading

import pytest

from gotgan.domains.videos.attempts import heartbeat
from gotgan.errors import LostRace, UpstreamUnavailable

QUICKLY = 0.01
SOON = 10.0


def test_signs_of_life_are_given_while_a_block_runs_and_not_after_it() -> None:
    three = threading.Semaphore(0)
    with heartbeat(three.release, seconds=1000, every=QUICKLY):
        assert all(three.acquire(timeout=SOON) for _ in range(3))
    names = [thread.name for thread in threading.enumerate()]
    assert "gotgan-videos-beat" not in names


def test_they_end_when_the_block_has_taken_too_long() -> None:
    given: list[int] = []
    with heartbeat(lambda: given.append(1), seconds=3 * QUICKLY, every=QUICKLY):
        for thread in threading.enumerate():
            if thread.name == "gotgan-videos-beat":
                thread.join(SOON)
    assert len(given) <= 3


def test_a_job_that_is_lost_is_left_alone() -> None:
    given = threading.Semaphore(0)

    def lost() -> None:
        given.release()
        raise LostRace("gone")

    with heartbeat(lost, seconds=1000, every=QUICKLY):
        assert given.acquire(timeout=SOON)
        for thread in threading.enumerate():
            if thread.name == "gotgan-videos-beat":
                thread.join(SOON)
    assert not given.acquire(blocking=False)


def test_a_database_that_is_away_for_a_moment_ends_nothing() -> None:
    given = threading.Semaphore(0)

    def away() -> None:
        given.release()
        raise UpstreamUnavailable("away")

    with heartbeat(away, seconds=1000, every=QUICKLY):
        assert all(given.acquire(timeout=SOON) for _ in range(3))


def test_what_a_block_raises_gets_out() -> None:
    with pytest.raises(KeyError), heartbeat(lambda: None, seconds=1000, every=QUICKLY):
        raise KeyError
