"""The document's days, hour by hour: a clock, two gates, and a log as the collection keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.decisions import Decision, RunNow
from gotgan.domains.market.gate import DecisionRules, decide_collection, decide_indicators
from gotgan.domains.market.models import CollectionLog, IndicatorLog, Side, SideLog, Status
from tests.unit.domains.market.gate_cases import MONDAY, RULES, with_side

Succeeds = Callable[[str, datetime], bool]
UTC_RULES = DecisionRules(ZoneInfo("UTC"), Calendar())


def _always(_what: str, _now: datetime) -> bool:
    return True


def _never(_what: str, _now: datetime) -> bool:
    return False


@dataclass
class Office:
    """Whoever asks the gates at every full hour, and does as they say."""

    day: date = MONDAY
    rules: DecisionRules = RULES
    succeeds: Succeeds = _always
    log: CollectionLog | None = None
    indicators: IndicatorLog | None = None

    def ask(self, hours: Iterable[int], on: date | None = None) -> list[str]:
        """What was decided at each hour of a day: of the collection, then of the indicators."""
        return [self._tick(self._at(on or self.day, hour)) for hour in hours]

    def _at(self, day: date, hour: int) -> datetime:
        local = datetime(day.year, day.month, day.day, hour, tzinfo=self.rules.zone)
        return FixedClock(local).now()

    def _tick(self, now: datetime) -> str:
        collection = decide_collection(now, self.day, self.log, None, self.rules)
        if isinstance(collection, RunNow):
            self._collect(collection, now)
        calculation = decide_indicators(now, self.day, self.log, self.indicators, None, self.rules)
        if isinstance(calculation, RunNow):
            self._calculate(now)
        return f"{_short(collection)}, {_short(calculation)}"

    def _collect(self, run: RunNow, now: datetime) -> None:
        today = self.rules.today(now)
        log = self.log or CollectionLog(self.day, today, SideLog(), SideLog(), now)
        for side in run.sides:
            log = with_side(log, side, self._tried(log.side(side), side, now))
        self.log = replace(log, collection_date=today)

    def _tried(self, side: SideLog, name: Side, now: datetime) -> SideLog:
        """An attempt that begins at the hour and is over before the next."""
        status: Status = "success" if self.succeeds(name, now) else "failed"
        attempts = side.attempts % 4 + 1
        return SideLog(
            status, attempts=attempts, attempted_at=now + timedelta(minutes=1), provider="krx"
        )

    def _calculate(self, now: datetime) -> None:
        before = 0 if self.indicators is None else self.indicators.attempts
        status: Status = "success" if self.succeeds("indicators", now) else "failed"
        self.indicators = IndicatorLog(
            day=self.day,
            indicator_date=self.rules.today(now),
            status=status,
            indicators_count=None,
            error_message=None,
            retry_count=0,
            attempts=before % 4 + 1,
            attempted_at=now,
            completed_at=None,
            created_at=now,
        )


def _short(decision: Decision) -> str:
    if isinstance(decision, RunNow) and decision.sides and len(decision.sides) == 1:
        return f"{decision.reason} of {decision.sides[0]}"
    return decision.reason


EARLY = "before_collection_time, before_calculation_time"
DONE = "already_success, already_success"
CLOSED = "market_closed, market_closed"
GIVEN_UP = "max_retry_exceeded, collection_not_success"


def test_the_documents_monday() -> None:
    assert Office().ask(range(16, 24)) == [
        EARLY,
        "first_run, before_calculation_time",
        "already_success, first_run",
        *[DONE] * 5,
    ]


def test_the_documents_failure_prices_fail_at_17_and_succeed_at_18() -> None:
    def from_18_on(what: str, now: datetime) -> bool:
        return what != "prices" or now.astimezone(RULES.zone).hour >= 18

    office = Office(succeeds=from_18_on)
    assert office.ask(range(16, 24)) == [
        EARLY,
        "first_run, before_calculation_time",
        "retry of prices, first_run",
        *[DONE] * 5,
    ]
    assert office.log is not None
    assert (office.log.prices.attempts, office.log.indices.attempts) == (2, 1)


def test_a_day_that_never_works_is_tried_four_times_and_anew_the_next_session() -> None:
    office = Office(succeeds=_never)
    waiting = "collection_not_success"
    assert office.ask(range(16, 24)) == [
        EARLY,
        "first_run, before_calculation_time",
        *[f"retry, {waiting}"] * 3,
        *[GIVEN_UP] * 3,
    ]
    assert office.ask(range(16, 24), on=date(2025, 10, 21)) == [
        f"reopen, {waiting}",
        *[f"retry, {waiting}"] * 3,
        *[GIVEN_UP] * 4,
    ]


def test_indicators_that_never_work_are_tried_four_times_too() -> None:
    office = Office(succeeds=lambda what, _now: what != "indicators")
    assert office.ask(range(18, 24)) == [
        "first_run, first_run",
        *["already_success, retry"] * 3,
        *["already_success, max_retry_exceeded"] * 2,
    ]
    assert office.ask([16], on=date(2025, 10, 21)) == ["already_success, reopen"]


@pytest.mark.parametrize(
    "day",
    [date(2025, 10, 18), date(2025, 10, 19), date(2026, 1, 1)]
    + [date(2025, 10, number) for number in range(3, 10)],
    ids=str,
)
def test_nothing_happens_on_a_day_without_trading(day: date) -> None:
    assert Office(day=day).ask(range(16, 24)) == [CLOSED] * 8


def test_a_friday_that_gave_up_is_tried_anew_on_monday_and_not_on_saturday() -> None:
    friday = date(2025, 10, 17)
    office = Office(day=friday, succeeds=_never)
    office.ask(range(16, 24))
    office.succeeds = _always
    assert office.ask([17], on=date(2025, 10, 18)) == [GIVEN_UP]
    assert office.ask([17], on=date(2025, 10, 19)) == [GIVEN_UP]
    assert office.ask([16, 17], on=MONDAY) == ["reopen, first_run", DONE]


def test_the_last_day_of_a_year_is_tried_anew_in_the_next() -> None:
    office = Office(day=date(2025, 12, 30), succeeds=_never)
    office.ask(range(16, 24))
    assert office.ask([23], on=date(2025, 12, 31)) == [GIVEN_UP]
    assert office.ask([23], on=date(2026, 1, 1)) == [GIVEN_UP]
    office.succeeds = _always
    assert office.ask([16], on=date(2026, 1, 2)) == ["reopen, first_run"]


def test_a_start_at_half_past_eleven_after_a_day_off_collects_both_days() -> None:
    late = datetime(2025, 10, 21, 14, 30, tzinfo=UTC)  # 23:30 in Seoul
    for day in (MONDAY, date(2025, 10, 21)):
        decision = decide_collection(late, day, None, None, RULES)
        assert _short(decision) == "first_run"
    tomorrow = decide_collection(late, date(2025, 10, 22), None, None, RULES)
    assert _short(tomorrow) == "before_collection_time"


def test_the_hours_are_those_of_the_zone() -> None:
    assert Office(rules=UTC_RULES).ask(range(16, 20)) == [
        EARLY,
        "first_run, before_calculation_time",
        "already_success, first_run",
        DONE,
    ]
    seventeen_in_seoul = datetime(2025, 10, 20, 8, tzinfo=UTC)
    assert _short(decide_collection(seventeen_in_seoul, MONDAY, None, None, RULES)) == "first_run"
    in_utc = decide_collection(seventeen_in_seoul, MONDAY, None, None, UTC_RULES)
    assert _short(in_utc) == "before_collection_time"
    assert in_utc.words == "Collection of 2025-10-20 starts at 17:00 UTC."


def test_a_crash_counts_as_an_attempt_and_is_taken_over_before_the_next_hour() -> None:
    begun = datetime(2025, 10, 20, 8, tzinfo=UTC)
    seen = list[str]()
    for minutes in range(0, 120, 20):  # each dies at once, and its lease lasts for a while
        attempts = min(len(seen), 4)
        side = SideLog("retrying", attempts=attempts, attempted_at=begun)
        log = CollectionLog(MONDAY, MONDAY, side, side, begun)
        now = begun + timedelta(minutes=minutes)
        seen.append(_short(decide_collection(now, MONDAY, log, None, RULES)))
    assert seen == ["first_run", *["take_over"] * 3, *["max_retry_exceeded"] * 2]
