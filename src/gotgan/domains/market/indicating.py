"""The indicators of a day: gate, then calculate, save and verify.

What one day leaves behind is where the next one begins, so all days share one lease.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, func, select

from gotgan.clock import Clock
from gotgan.domains.market import indicator_logs, indicators, logs, overrides
from gotgan.domains.market.decisions import Decision, GiveUp, RunNow, Wait
from gotgan.domains.market.gate import DecisionRules, decide_indicators
from gotgan.domains.market.indicators import Calculated
from gotgan.domains.market.indicators.periods import SHORTEST
from gotgan.domains.market.keys import INDICATORS_KEY
from gotgan.domains.market.reports import IndicatorReport
from gotgan.domains.market.steps import failure_of
from gotgan.domains.market.tables import COLLECTION_LOG
from gotgan.errors import GotganError, LostRace
from gotgan.events import emit
from gotgan.settings import Settings
from gotgan.sql import Database, Lease

__all__ = ["LEASE", "Indicating", "IndicatorWork", "not_enough_history"]

LEASE: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class IndicatorWork:
    """A day whose indicators were taken in hand."""

    day: date
    lease: Lease
    decision: RunNow


class _NotNow(Exception):
    """Rolls back a transaction that has nothing to do; without a decision somebody else has."""

    def __init__(self, decision: Decision | None = None) -> None:
        super().__init__("in_progress" if decision is None else decision.reason)
        self.decision = decision


class Indicating:
    """What can be done about the indicators of a day."""

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._zone = ZoneInfo(settings.zone)

    def decide(self, day: date, *, now: bool = False) -> Decision:
        """What would become of a day whose indicators were to be calculated now."""
        rules = self._rules(now=now)
        held = self._database.leases.held(INDICATORS_KEY)
        with self._database.read() as connection:
            return self._decided(connection, day, rules, held)

    # The steps

    def begin(self, day: date, *, now: bool = False) -> IndicatorWork | Decision:
        """Take a day in hand, and count the attempt; or say why not."""
        rules = self._rules(now=now)
        try:
            with self._database.begin() as connection:
                return self._begun(connection, day, rules)
        except _NotNow as not_now:
            return not_now.decision or self._in_hand()  # who, is another transaction

    def calculate(self, work: IndicatorWork) -> Calculated:
        """Calculate what is missing up to that day; nothing is written."""
        calendar = overrides.calendar_of(self._database)
        with self._database.read() as connection:
            last = _last_whole_day(connection) or work.day
        return indicators.calculate(
            self._database, work.day, calendar.previous_session(work.day), max(last, work.day)
        )

    def save(self, work: IndicatorWork, calculated: Calculated) -> None:
        """Write what was calculated; each transaction leaves whole shares behind, and none half."""
        for part in calculated.parts:
            self._database.leases.renew(work.lease, LEASE)
            with self._database.begin() as connection:
                self._database.leases.expect(connection, work.lease)
                indicators.save(connection, part)

    def verify(self, work: IndicatorWork, calculated: Calculated, *, samples: bool = False) -> int:
        """Read back what was written; only this makes it a success.

        A day without a single value is none: it waits for more history.
        """
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            count = indicators.verify(connection, calculated)
            if samples:
                indicators.verify_sample(connection, work.day)
            if count:
                now = self._clock.now()
                indicator_logs.succeed(connection, work.day, count=count, now=now)
            else:
                indicator_logs.wait(connection, work.day, not_enough_history(work.day))
        return count

    def verify_day(self, work: IndicatorWork) -> int:
        """The same where another process has written: as many must be there, a sample is checked.

        What is left to calculate by then is nothing, so that there are no values to compare with.
        """
        return self.verify(work, self.calculate(work), samples=True)

    def fail(self, work: IndicatorWork, error: GotganError) -> None:
        """Note why it failed; the gate decides when it is tried again."""
        emit("market.indicators.failed", level="warning", day=str(work.day), reason=error.message)
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            indicator_logs.fail(connection, work.day, error.message)

    def give_back(self, work: IndicatorWork) -> None:
        """Take the attempt back: the program is about to end."""
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            indicator_logs.give_back(connection, work.day)

    def end(self, work: IndicatorWork) -> None:
        """Let go of it."""
        self._database.leases.give_back(work.lease)

    # All of it

    def run(self, day: date, *, now: bool = False) -> IndicatorReport:
        """Calculate the indicators of a day if it is time to; the report says what became of it."""
        begun = self.begin(day, now=now)
        if not isinstance(begun, IndicatorWork):
            return _not_begun(day, begun)
        try:
            return self._calculated(begun)
        except GotganError:
            raise
        except BaseException:
            self.give_back(begun)
            raise
        finally:
            self.end(begun)

    def _calculated(self, work: IndicatorWork) -> IndicatorReport:
        began = self._clock.monotonic()
        try:
            calculated = self.calculate(work)
            self.save(work, calculated)
            count = self.verify(work, calculated)
        except LostRace:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the log must say so
            failure = failure_of(error)
            self.fail(work, failure)
            return IndicatorReport(work.day, work.decision, "failed", failure.message)
        emit("market.indicators", day=str(work.day), count=count)
        if not count:
            words = not_enough_history(work.day)
            waiting = Wait("not_enough_history", words)
            return IndicatorReport(work.day, waiting, "waiting", words)
        return IndicatorReport(
            work.day,
            work.decision,
            "success",
            f"indicators of {count:,} shares",
            count=count,
            advanced=calculated.advanced,
            recalculated=calculated.anew,
            seconds=round(self._clock.monotonic() - began, 3),
        )

    # Taking in hand

    def _begun(self, connection: Connection, day: date, rules: DecisionRules) -> IndicatorWork:
        taken = self._database.leases.take_within(connection, INDICATORS_KEY, LEASE)
        if taken is None:
            raise _NotNow
        decision = self._decided(connection, day, rules, None)
        if not isinstance(decision, RunNow):
            raise _NotNow(decision)
        now, is_reopened = self._clock.now(), decision.reason == "reopen"
        today = rules.today(now)
        indicator_logs.begin(connection, day, today=today, now=now, is_reopened=is_reopened)
        return IndicatorWork(day, taken, decision)

    def _in_hand(self) -> Wait:
        held = self._database.leases.held(INDICATORS_KEY)
        if held is None:
            return Wait("in_progress", "somebody else calculates indicators")
        return Wait("in_progress", f"{held.owner} calculates indicators", held.until)

    def _decided(
        self, connection: Connection, day: date, rules: DecisionRules, lease: Lease | None
    ) -> Decision:
        return decide_indicators(
            self._clock.now(),
            day,
            logs.of_day(connection, day),
            indicator_logs.of_day(connection, day),
            lease,
            rules,
        )

    def _rules(self, *, now: bool) -> DecisionRules:
        return DecisionRules(self._zone, overrides.calendar_of(self._database), ignores_time=now)


def not_enough_history(day: date) -> str:
    """Why a day has no indicators, and what would help."""
    return (
        f"not enough history for indicators of {day}: no share was traded in {SHORTEST} sessions "
        "up to then; recover or import earlier days"
    )


def _last_whole_day(connection: Connection) -> date | None:
    """The latest day of which both sides are there."""
    table = COLLECTION_LOG
    query = select(func.max(table.c.date)).where(table.c.overall_status == "success")
    return connection.execute(query).scalar()


def _not_begun(day: date, decision: Decision) -> IndicatorReport:
    if isinstance(decision, GiveUp):
        return IndicatorReport(day, decision, "failed", decision.words)
    if isinstance(decision, Wait):
        return IndicatorReport(day, decision, "waiting", decision.words)
    return IndicatorReport(day, decision, "skipped", decision.words)
