"""What will happen next by itself."""

from __future__ import annotations

from gotgan.day import reader
from gotgan.day.page import UpcomingEvent
from gotgan.domains.market.decisions import RunNow, Wait
from tests.unit.day.made import NOW, a_job, market


def test_a_session_that_is_not_done_tells_what_is_decided_about_it() -> None:
    wait = Wait("before_retry_time", "prices failed; tried again from 19:00 KST on", NOW)
    assert list(reader.market_coming(market(wait))) == [
        UpcomingEvent("market", "2025-11-06", NOW, wait.words),
    ]
    run = RunNow("first_run", "2025-11-06 was never collected.")
    [told] = reader.market_coming(market(run))
    assert (told.at, told.words) == (
        None,
        "2025-11-06 was never collected. Runs at the next scheduled time.",
    )


def test_a_session_that_is_done_has_nothing_to_come() -> None:
    assert list(reader.market_coming(market())) == []


def test_a_job_tells_when_it_comes_round_again() -> None:
    [told] = reader.job_coming([a_job(next_at=NOW)])
    assert told == UpcomingEvent("news", "news.collect", NOW, "Collects.")


def test_what_is_next_comes_first() -> None:
    later, soon, at_once = (
        UpcomingEvent("news", "a", NOW.replace(hour=12), ""),
        UpcomingEvent("news", "b", NOW, ""),
        UpcomingEvent("market", "c", None, ""),
    )
    assert reader.sort_coming([later, soon, at_once]) == (at_once, soon, later)
