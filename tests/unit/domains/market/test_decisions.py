"""What will happen next with a day, in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from gotgan.domains.market.decisions import (
    Decision,
    DecisionWording,
    GiveUp,
    RunNow,
    Skip,
    Wait,
)
from gotgan.domains.market.models import CollectionLog, SideLog
from gotgan.domains.market.reports import DayStatus

DAY = date(2025, 10, 20)
EVENING = datetime(2025, 10, 20, 9, tzinfo=UTC)
WORDING = DecisionWording(ZoneInfo("Asia/Seoul"), DAY)
THERE = Skip("already_success", "it is there")
SIDE = SideLog("success", provider="krx")
LOG = CollectionLog(DAY, DAY, SIDE, SIDE, EVENING)


def _status(
    collection: Decision, calculation: Decision = THERE, log: CollectionLog | None = LOG
) -> DayStatus:
    return DayStatus(DAY, None, log, None, collection, calculation, WORDING)


def test_the_collection_comes_first_and_then_the_indicators() -> None:
    run, wait = RunNow("retry", "prices failed"), Wait("collection_not_success", "it is partial")
    assert _status(run, wait).next_decision is run
    assert _status(THERE, run).next_decision is run
    assert _status(THERE).next_decision is THERE


def test_what_may_run_runs_with_the_next_tick() -> None:
    words = WORDING.next(_status(RunNow("retry", "Prices failed.")))
    assert words == "Prices failed. Runs at the next scheduled time."


def test_what_waits_or_was_given_up_has_its_own_words() -> None:
    wait = Wait("before_retry_time", "prices failed; tried again from 19:00 KST on", EVENING)
    assert WORDING.next(_status(wait)) == wait.words
    gave_up = GiveUp("max_retry_exceeded", "prices failed 4 times; 2025-10-21 tries it anew")
    assert WORDING.next(_status(gave_up)) == gave_up.words


def test_what_somebody_works_on_says_for_how_long_at_most() -> None:
    wait = Wait("in_progress", "host:1 is collecting it.", EVENING)
    assert WORDING.next(_status(wait)) == "host:1 is collecting it. Its lease ends at 18:00 KST."


def test_a_day_is_done_when_its_last_numbers_are_there() -> None:
    assert WORDING.next(_status(THERE)) == "Done; final volumes are fetched at night."
    final = replace(LOG, finalised_at=EVENING)
    assert WORDING.next(_status(THERE, log=final)) == "Done."


def test_a_day_without_trade_says_why() -> None:
    closed = replace(_status(Skip("market_closed", "no trading day")), closed="a weekend")
    assert WORDING.next(closed) == "Closed: a weekend."


def test_what_the_timetable_no_longer_looks_at_is_for_somebody_to_recover() -> None:
    later = replace(WORDING, since=date(2025, 11, 3))
    remedy = " Too old for the schedule; recover the day."
    run = RunNow("first_run", "it was never collected")
    assert later.next(_status(run, log=None)) == f"Never collected.{remedy}"
    half = replace(LOG, indices=SideLog("failed"))
    assert later.next(_status(run, log=half)) == f"Collection: partial.{remedy}"
    assert later.next(_status(THERE, run)) == f"Indicators are missing.{remedy}"
    assert later.next(_status(THERE, log=replace(LOG, finalised_at=EVENING))) == "Done."
    assert later.next(_status(THERE)) == "Done; too old to fetch its final volumes."
