"""The gates, branch by branch, in the document's words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from gotgan.domains.market.calendar import Calendar, Override
from gotgan.domains.market.decisions import Decision, GiveUp, RunNow, Skip, Wait
from gotgan.domains.market.gate import DecisionRules, decide_collection, decide_indicators
from gotgan.domains.market.models import SIDES, CollectionLog, IndicatorLog, SideLog
from gotgan.messages import TEXT
from gotgan.sql import Lease
from tests.unit.domains.market.gate_cases import (
    MONDAY,
    RULES,
    at,
    calculated,
    collected,
    in_hand,
    indices_alone,
    side,
)

NOW_PLEASE = replace(RULES, ignores_time=True)
GIVEN_UP = ("failed", "max_retry_exceeded")
WAITING = ("waiting", "before_retry_time")
DONE = collected(side("success", 1, "17:00"))


def _decided(
    when: str,
    log: CollectionLog | None = None,
    lease: Lease | None = None,
    rules: DecisionRules = RULES,
    day: date = MONDAY,
) -> Decision:
    return decide_collection(at(when, rules), day, log, lease, rules)


def _indicators(
    when: str,
    log: IndicatorLog | None = None,
    lease: Lease | None = None,
    rules: DecisionRules = RULES,
    collection: CollectionLog | None = DONE,
) -> Decision:
    return decide_indicators(at(when, rules), MONDAY, collection, log, lease, rules)


def _told(decision: Decision) -> tuple[str, str]:
    return decision.status, decision.reason


@pytest.mark.parametrize(
    ("when", "log", "lease", "expected", "sides"),
    [
        ("16:00", None, None, ("skipped", "before_collection_time"), ()),
        ("16:59:59", collected(side()), None, ("skipped", "before_collection_time"), ()),
        ("17:00", None, None, ("run", "first_run"), SIDES),
        ("17:00", collected(side()), None, ("run", "first_run"), SIDES),
        (
            "17:05",
            collected(side("pending", 1, "17:00")),
            in_hand(),
            ("waiting", "in_progress"),
            (),
        ),
        ("17:15", collected(side("pending", 1, "17:00")), None, ("run", "take_over"), SIDES),
        ("18:30", collected(side("retrying", 2, "18:00")), None, ("run", "take_over"), SIDES),
        ("18:00", DONE, None, ("skipped", "already_success"), ()),
        ("18:00", DONE, in_hand("18:15"), ("skipped", "already_success"), ()),
        (
            "17:59",
            collected(side("failed", 1, "17:00")),
            None,
            WAITING,
            (),
        ),
        ("18:00", collected(side("failed", 1, "17:00")), None, ("run", "retry"), SIDES),
        ("18:00", collected(side("failed", 1, "17:59:59")), None, ("run", "retry"), SIDES),
        ("20:00", collected(side("failed", 3, "19:00")), None, ("run", "retry"), SIDES),
        (
            "21:00",
            collected(side("failed", 4, "20:00")),
            None,
            GIVEN_UP,
            (),
        ),
        (
            "21:00",
            collected(side("pending", 4, "20:00")),
            None,
            GIVEN_UP,
            (),
        ),
        (
            "23:00",
            collected(side("failed", 5, "20:00")),
            None,
            GIVEN_UP,
            (),
        ),
        ("2025-10-20 23:59", collected(side("failed", 4, "20:00")), None, GIVEN_UP, ()),
        ("2025-10-21 00:00", collected(side("failed", 4, "20:00")), None, ("run", "reopen"), SIDES),
        ("2025-10-21 16:00", collected(side("failed", 2, "23:00")), None, ("run", "retry"), SIDES),
    ],
)
def test_a_day_is_collected_as_its_log_says(
    when: str,
    log: CollectionLog | None,
    lease: Lease | None,
    expected: tuple[str, str],
    sides: tuple[str, ...],
) -> None:
    decision = _decided(when, log, lease)
    assert _told(decision) == expected
    assert (decision.sides if isinstance(decision, RunNow) else ()) == sides


@pytest.mark.parametrize(
    ("when", "log", "expected", "sides"),
    [
        ("18:00", indices_alone("failed", 1, "17:00"), ("run", "retry"), ("indices",)),
        ("18:00", indices_alone("pending", 0), ("run", "first_run"), ("indices",)),
        ("18:00", indices_alone("retrying", 2, "17:30"), ("run", "take_over"), ("indices",)),
        ("17:30", indices_alone("failed", 1, "17:00"), WAITING, ()),
        ("21:00", indices_alone("failed", 4, "20:00"), GIVEN_UP, ()),
        ("2025-10-21 17:00", indices_alone("failed", 4, "20:00"), ("run", "reopen"), ("indices",)),
    ],
)
def test_a_partial_day_runs_the_side_that_is_missing(
    when: str, log: CollectionLog, expected: tuple[str, str], sides: tuple[str, ...]
) -> None:
    decision = _decided(when, log)
    assert _told(decision) == expected
    assert (decision.sides if isinstance(decision, RunNow) else ()) == sides


def test_each_side_has_its_own_attempts_and_its_own_hour() -> None:
    spent, fresh = side("failed", 4, "20:00"), side("failed", 1, "20:30")
    both = collected(spent, fresh)
    assert _decided("20:59", both) == Wait(
        "before_retry_time",
        "Failed: indices of 2025-10-20. Next attempt at 21:00 KST.",
        at("21:00"),
    )
    assert _decided("21:00", both) == RunNow(
        "retry", "Failed: indices of 2025-10-20. Retry 1 of 3.", sides=("indices",)
    )
    taken_over = collected(side("failed", 1, "20:30"), side("retrying", 2, "20:10"))
    assert _decided("20:40", taken_over) == RunNow(
        "take_over", "The previous run of 2025-10-20 did not finish.", sides=("indices",)
    )


def test_sides_that_stand_differently_run_together_where_both_are_due() -> None:
    uneven = collected(side("failed", 2, "18:00"), side("failed", 1, "18:00"))
    assert _decided("19:00", uneven) == RunNow(
        "retry", "Failed: prices and indices of 2025-10-20. Retry 2 of 3.", sides=SIDES
    )
    for other in (side("retrying", 1, "17:00"), side("pending", 0)):
        mixed = collected(side("failed", 1, "17:00"), other)
        assert _told(_decided("18:00", mixed)) == ("run", "retry")
        assert _told(_decided("17:10", mixed, rules=NOW_PLEASE)) == ("run", "retry")


def test_a_side_that_gave_up_is_reopened_though_the_other_one_was_tried_later() -> None:
    """The date of the last run is that of both sides: it does not say when one gave up."""
    log = collected(side("failed", 4, "20:00"), side("failed", 2, "2025-10-21 16:00"))
    log = replace(log, collection_date=date(2025, 10, 21))
    assert _decided("2025-10-21 16:30", log) == RunNow(
        "reopen",
        "Failed: prices of 2025-10-20. Retries were used up and start again today.",
        sides=("prices",),
    )


def test_sides_that_gave_up_on_different_days_are_reopened_one_by_one() -> None:
    log = collected(side("failed", 4, "20:00"), side("failed", 4, "2025-10-21 20:00"))
    decision = _decided("2025-10-21 21:00", log)
    assert isinstance(decision, RunNow)
    assert decision.sides == ("prices",)
    both = _decided("2025-10-22 16:00", log)
    assert isinstance(both, RunNow)
    assert both.sides == SIDES


def test_a_day_that_gave_up_says_when_it_is_tried_anew() -> None:
    friday = collected(side("failed", 4, "2025-10-02 20:00"), day=date(2025, 10, 2))
    words = (
        "Failed: prices and indices of 2025-10-02. No retries left today. Next attempt 2025-10-10, "
        "or run it now."
    )
    given_up = GiveUp("max_retry_exceeded", words)
    for when in ("2025-10-02 21:00", "2025-10-06 17:00", "2025-10-09 23:00"):
        assert _decided(when, friday, day=date(2025, 10, 2)) == given_up
    assert isinstance(_decided("2025-10-10 00:00", friday, day=date(2025, 10, 2)), RunNow)


def test_the_words_say_what_happens_and_why() -> None:
    assert _decided("16:00") == Skip(
        "before_collection_time", "Collection of 2025-10-20 starts at 17:00 KST.", at("17:00")
    )
    assert _decided("17:00") == RunNow("first_run", "2025-10-20 was never collected.", sides=SIDES)
    assert _decided("17:00", None, in_hand()) == Wait(
        "in_progress", "somebody is collecting 2025-10-20.", at("17:15")
    )
    assert _decided("18:00", DONE) == Skip(
        "already_success", "Already stored: prices and indices of 2025-10-20."
    )
    assert _decided("19:00", collected(side("failed", 2, "18:00"))) == RunNow(
        "retry", "Failed: prices and indices of 2025-10-20. Retry 2 of 3.", sides=SIDES
    )


@pytest.mark.parametrize(
    ("day", "why"),
    [
        (date(2025, 10, 18), "a weekend"),
        (date(2026, 1, 1), "New Year's Day"),
        (date(2025, 10, 6), "Chuseok"),
    ],
)
def test_a_closed_day_is_never_collected_nor_calculated(day: date, why: str) -> None:
    closed = Skip("market_closed", f"{day} is not a trading day: {why}.")
    when = f"{day} 23:00"
    for rules in (RULES, NOW_PLEASE):
        assert _decided(when, rules=rules, day=day) == closed
        log = collected(side("success", 1), day=day)
        assert decide_indicators(at(when), day, log, None, None, rules) == closed


def test_what_was_learned_of_a_day_decides() -> None:
    closed = Calendar({MONDAY: Override(is_open=False, reason="the exchange had a fault")})
    decision = _decided("17:00", rules=replace(RULES, calendar=closed))
    assert decision.words == "2025-10-20 is not a trading day: the exchange had a fault."
    saturday = date(2025, 10, 18)
    opened = Calendar({saturday: Override(is_open=True, reason="a trading Saturday")})
    rules = replace(RULES, calendar=opened)
    assert isinstance(_decided(f"{saturday} 17:00", rules=rules, day=saturday), RunNow)


def test_who_asks_for_it_now_need_not_wait_for_the_hour_nor_for_attempts() -> None:
    asked = "Requested manually: prices and indices of 2025-10-20."
    assert _told(_decided("16:00", rules=NOW_PLEASE)) == ("run", "first_run")
    assert _decided("16:01", collected(side()), rules=NOW_PLEASE) == RunNow(
        "first_run", asked, sides=SIDES
    )
    failed = collected(side("failed", 4, "20:00"))
    assert _decided("20:01", failed, rules=NOW_PLEASE) == RunNow("retry", asked, sides=SIDES)
    partial = indices_alone("failed", 4, "20:00")
    assert _decided("20:01", partial, rules=NOW_PLEASE) == RunNow(
        "retry", "Requested manually: indices of 2025-10-20.", sides=("indices",)
    )


def test_who_asks_for_it_now_still_waits_for_the_day_and_for_others() -> None:
    for early in ("2025-10-19 23:59", "10:30", "15:59"):
        assert _told(_decided(early, rules=NOW_PLEASE)) == ("skipped", "before_collection_time")
    assert _told(_decided("17:00", None, in_hand(), NOW_PLEASE)) == ("waiting", "in_progress")
    assert _told(_decided("17:00", DONE, rules=NOW_PLEASE)) == ("skipped", "already_success")


def test_while_nobody_may_be_asked_it_waits() -> None:
    until = at("19:30")
    blocked = replace(RULES, blocked_until=until)
    told = (
        "All price providers are blocking requests. Next attempt for 2025-10-20: 10-20 19:30 KST."
    )
    assert _decided("17:00", rules=blocked) == Wait("provider_blocked", told, until)
    assert _told(_decided("17:00", DONE, rules=blocked)) == ("skipped", "already_success")
    assert _told(_decided("19:30", rules=blocked)) == ("run", "first_run")


def test_without_a_provider_nothing_is_attempted() -> None:
    unset = replace(RULES, unset=TEXT(text="set KRX_ID"))
    for when in ("10:00", "17:00", "2025-10-21 17:00"):
        for log in (None, collected(side()), collected(side("failed", 4, "17:00"))):
            for rules in (unset, replace(unset, ignores_time=True)):
                assert _decided(when, log, rules=rules) == Skip("no_provider", "set KRX_ID")
    assert _told(_decided("17:00", DONE, rules=unset)) == ("skipped", "already_success")
    assert _told(_decided("17:00", None, in_hand(), unset)) == ("waiting", "in_progress")
    early = _decided("2025-10-19 17:00", rules=unset)
    assert _told(early) == ("skipped", "before_collection_time")


@pytest.mark.parametrize(
    ("when", "log", "lease", "expected"),
    [
        ("17:59:59", None, None, ("skipped", "before_calculation_time")),
        ("18:00", None, None, ("run", "first_run")),
        ("18:00", calculated("pending", 0), None, ("run", "first_run")),
        ("18:00", calculated("pending", 1, "18:00"), in_hand("18:15"), ("waiting", "in_progress")),
        ("18:15", calculated("pending", 1, "18:00"), None, ("run", "take_over")),
        ("19:15", calculated("retrying", 2, "19:00"), None, ("run", "take_over")),
        ("18:59", calculated("failed", 1, "18:00"), None, WAITING),
        ("19:00", calculated("failed", 1, "18:00"), None, ("run", "retry")),
        ("21:00", calculated("failed", 3, "20:00"), None, ("run", "retry")),
        ("22:00", calculated("failed", 4, "21:00"), None, GIVEN_UP),
        ("22:00", calculated("retrying", 4, "21:00"), None, GIVEN_UP),
        ("2025-10-21 00:00", calculated("failed", 4, "21:00"), None, ("run", "reopen")),
        ("19:00", calculated("success", 1, "18:00"), None, ("skipped", "already_success")),
        ("19:00", calculated("success", 1), in_hand("19:15"), ("skipped", "already_success")),
    ],
)
def test_indicators_are_calculated_as_their_log_says(
    when: str, log: IndicatorLog | None, lease: Lease | None, expected: tuple[str, str]
) -> None:
    assert _told(_indicators(when, log, lease)) == expected


@pytest.mark.parametrize(
    ("collection", "words"),
    [
        (None, "2025-10-20 was never collected. Prices and indices come first."),
        (collected(side()), "Collection of 2025-10-20: pending. Prices and indices come first."),
        (
            indices_alone("failed", 1),
            "Collection of 2025-10-20: partial. Prices and indices come first.",
        ),
        (
            collected(side("failed", 4)),
            "Collection of 2025-10-20: failed. Prices and indices come first.",
        ),
    ],
)
def test_indicators_wait_for_both_sides(collection: CollectionLog | None, words: str) -> None:
    waiting = Wait("collection_not_success", words)
    assert _indicators("18:00", collection=collection) == waiting
    assert _indicators("18:00", rules=NOW_PLEASE, collection=collection) == waiting
    done = calculated("success", 1, "18:00")
    assert _indicators("18:00", done, collection=collection) == waiting


def test_the_words_about_indicators_say_what_happens_and_why() -> None:
    assert _indicators("17:00") == Skip(
        "before_calculation_time",
        "Calculation of indicators for 2025-10-20 starts at 18:00 KST.",
        at("18:00"),
    )
    assert _indicators("18:30", calculated("failed", 1, "18:00")) == Wait(
        "before_retry_time",
        "Failed: indicators of 2025-10-20. Next attempt at 19:00 KST.",
        at("19:00"),
    )
    assert _indicators("22:00", calculated("failed", 4, "21:00")) == GiveUp(
        "max_retry_exceeded",
        "Failed: indicators of 2025-10-20. No retries left today. Next attempt 2025-10-21, or run "
        "it now.",
    )


def test_indicators_that_are_asked_for_now_need_not_wait() -> None:
    for log, action in (
        (None, "first_run"),
        (calculated("pending", 0), "first_run"),
        (calculated("failed", 1, "16:00"), "retry"),
        (calculated("failed", 4, "16:00"), "retry"),
    ):
        assert _told(_indicators("16:01", log, rules=NOW_PLEASE)) == ("run", action)
    assert _told(_indicators("16:01", None, in_hand(), NOW_PLEASE)) == ("waiting", "in_progress")


def test_the_next_full_hour_is_that_of_the_zone() -> None:
    """In Kathmandu it begins 45 minutes after that of UTC; when clocks change it is still one."""
    for zone, failed_at, full_hour in (
        ("Asia/Kathmandu", "2025-10-21T11:35:00+00:00", "2025-10-21T12:15:00+00:00"),
        ("America/New_York", "2025-11-02T05:40:00+00:00", "2025-11-02T06:00:00+00:00"),
    ):
        moment = datetime.fromisoformat(failed_at)
        log = collected(SideLog("failed", attempts=1, attempted_at=moment))
        rules = DecisionRules(ZoneInfo(zone), Calendar())
        waiting = decide_collection(moment, MONDAY, log, None, rules)
        assert isinstance(waiting, Wait)
        assert waiting.until is not None
        assert waiting.until.astimezone(UTC) == datetime.fromisoformat(full_hour)
