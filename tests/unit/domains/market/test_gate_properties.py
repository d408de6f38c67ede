"""What the gates hold to whatever they are asked: an answer, and an end of attempts."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.market.calendar import Calendar, Override
from gotgan.domains.market.decisions import Decision, GiveUp, RunNow, Skip, Wait
from gotgan.domains.market.gate import (
    MAX_ATTEMPTS,
    DecisionRules,
    decide_collection,
    decide_indicators,
)
from gotgan.domains.market.models import SIDES, CollectionLog, IndicatorLog, SideLog, Status
from gotgan.sql import Lease
from tests.unit.domains.market.gate_cases import with_side

DAYS = st.dates(date(2025, 1, 1), date(2026, 12, 31))
MOMENTS = st.datetimes(datetime(2025, 1, 1), datetime(2026, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
ZONES = st.sampled_from(["Asia/Seoul", "UTC", "America/New_York", "Asia/Kathmandu"])
STATUSES = st.sampled_from(["pending", "success", "failed", "retrying"])
OVERRIDES = st.dictionaries(
    DAYS, st.builds(Override, st.booleans(), st.just("learned")), max_size=3
)
SIDE_LOGS = st.builds(
    SideLog,
    status=STATUSES,
    attempts=st.integers(0, 6),
    attempted_at=st.none() | MOMENTS,
)
RULES = st.builds(
    DecisionRules,
    st.builds(ZoneInfo, ZONES),
    st.builds(Calendar, OVERRIDES),
    ignores_time=st.booleans(),
)
LOGS = st.none() | st.builds(
    CollectionLog, DAYS, DAYS, SIDE_LOGS, SIDE_LOGS, MOMENTS, finalised_at=st.none()
)
INDICATOR_LOGS = st.none() | st.builds(
    IndicatorLog,
    day=DAYS,
    indicator_date=DAYS,
    status=STATUSES,
    indicators_count=st.none(),
    error_message=st.none(),
    retry_count=st.just(0),
    attempts=st.integers(0, 6),
    attempted_at=st.none() | MOMENTS,
    completed_at=st.none(),
    created_at=MOMENTS,
)
LEASES = st.none() | st.builds(Lease, st.just("key"), st.just("somebody"), MOMENTS, st.integers(1))


def _expect_sound(decision: Decision) -> None:
    kinds = {RunNow: "run", Skip: "skipped", Wait: "waiting", GiveUp: "failed"}
    assert kinds[type(decision)] == decision.status
    assert decision.reason
    assert len(decision.words) > 10


@given(now=MOMENTS, day=DAYS, log=LOGS, lease=LEASES, rules=RULES)
def test_every_question_about_a_collection_has_an_answer(
    now: datetime, day: date, log: CollectionLog | None, lease: Lease | None, rules: DecisionRules
) -> None:
    log = None if log is None else replace(log, day=day)
    decision = decide_collection(now, day, log, lease, rules)
    _expect_sound(decision)
    if not isinstance(decision, RunNow):
        return
    assert lease is None, "what somebody has in hand is left to them"
    assert rules.calendar.is_session(day)
    assert rules.today(now) >= day
    known = {side: "missing" if log is None else log.side(side).status for side in SIDES}
    assert decision.sides, "there is something to do"
    assert all(known[side] != "success" for side in decision.sides), "a success never runs again"
    if not rules.ignores_time and log is not None and decision.reason != "reopen":
        assert all(log.side(side).attempts < MAX_ATTEMPTS for side in decision.sides)


@given(now=MOMENTS, day=DAYS, collected=LOGS, log=INDICATOR_LOGS, lease=LEASES, rules=RULES)
def test_every_question_about_indicators_has_an_answer(
    now: datetime,
    day: date,
    collected: CollectionLog | None,
    log: IndicatorLog | None,
    lease: Lease | None,
    rules: DecisionRules,
) -> None:
    decision = decide_indicators(now, day, collected, log, lease, rules)
    _expect_sound(decision)
    if isinstance(decision, RunNow):
        assert lease is None
        assert collected is not None
        assert collected.overall_status == "success"
        assert log is None or log.status != "success"


@given(now=MOMENTS, day=DAYS, log=LOGS, lease=LEASES, rules=RULES)
def test_a_decision_depends_on_nothing_else(
    now: datetime, day: date, log: CollectionLog | None, lease: Lease | None, rules: DecisionRules
) -> None:
    first = decide_collection(now, day, log, lease, rules)
    assert decide_collection(now, day, log, lease, rules) == first


@given(
    day=st.sampled_from([date(2025, 10, 2), date(2025, 10, 20), date(2025, 12, 30)]),
    begins=st.integers(0, 30),
    steps=st.lists(st.integers(1, 200), min_size=1, max_size=150),
    dies=st.sets(st.integers(0, 60)),
    only_prices=st.booleans(),
)
@settings(deadline=None)
def test_a_day_that_never_works_is_tried_four_times_a_session_and_no_more(
    *, day: date, begins: int, steps: list[int], dies: set[int], only_prices: bool
) -> None:
    """Asked at any times, failing or dying: no session sees more than four attempts of a side."""
    rules = DecisionRules(ZoneInfo("Asia/Seoul"), Calendar())
    now = datetime(day.year, day.month, day.day, tzinfo=rules.zone) + timedelta(hours=begins)
    indices = SideLog("success" if only_prices else "pending")
    log = CollectionLog(day, day, SideLog(), indices, now)
    tried, reopened = Counter[tuple[date, str]](), Counter[tuple[date, str]]()
    for number, minutes in enumerate(steps):
        now = now + timedelta(minutes=minutes)
        decision = decide_collection(now, day, log, None, rules)
        if not isinstance(decision, RunNow):
            continue
        for side in decision.sides:
            known = log.side(side)
            fresh = known.attempts if decision.reason != "reopen" else 0
            status: Status = "retrying" if number in dies else "failed"
            tried_now = SideLog(status, attempts=fresh + 1, attempted_at=now)
            log = replace(with_side(log, side, tried_now), collection_date=rules.today(now))
            tried[rules.today(now), side] += 1
            reopened[rules.today(now), side] += decision.reason == "reopen"
    assert all(count <= MAX_ATTEMPTS for count in tried.values())
    assert all(count <= 1 for count in reopened.values())
    assert not (only_prices and any(side == "indices" for _, side in tried))
