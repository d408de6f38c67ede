"""The indicators of a day: gate, then calculate, save and verify.

What one day leaves behind is where the next one begins, so all days share one lease.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, func, select

from gotgan.clock import Clock
from gotgan.domains.market import indicator_logs, logs, messages
from gotgan.domains.market.calendar import load_calendar
from gotgan.domains.market.collector import as_gotgan_error
from gotgan.domains.market.decisions import Decision, Refusal, RunNow, Wait
from gotgan.domains.market.gate import DecisionRules, decide_indicators
from gotgan.domains.market.indicators import calculator
from gotgan.domains.market.indicators.formulas import MIN_PERIOD
from gotgan.domains.market.keys import COLLECTION_LOG, INDICATORS_KEY
from gotgan.domains.market.reports import IndicatorReport
from gotgan.errors import GotganError, LostRace
from gotgan.events import emit
from gotgan.messages import Message
from gotgan.settings import Settings
from gotgan.sql import Database, Lease

INDICATOR_LEASE: Final = timedelta(minutes=10)


@dataclass(frozen=True)
class IndicatorWork:
    """A day whose calculation has started."""

    day: date
    lease: Lease
    decision: RunNow


class _NotNow(Exception):
    """Rolls back a transaction that has nothing to do; no decision means that the lease is held."""

    def __init__(self, decision: Refusal | None = None) -> None:
        super().__init__(decision)
        self.decision = decision


class IndicatorRun:
    """Calculates the indicators of days, as a whole or step by step."""

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._zone = ZoneInfo(settings.zone)

    def decide(self, day: date, *, now: bool = False) -> Decision:
        """What the gate decides about the indicators of a day now."""
        rules = self._rules(now=now)
        held = self._database.leases.held(INDICATORS_KEY)
        with self._database.read() as connection:
            return self._decide(connection, day, rules, held)

    def begin(self, day: date, *, now: bool = False) -> IndicatorWork | Refusal:
        """Take the lease and count the attempt; or say why not."""
        rules = self._rules(now=now)
        try:
            with self._database.begin() as connection:
                return self._begin(connection, day, rules)
        except _NotNow as not_now:
            return not_now.decision or self._in_progress()  # the holder: another transaction

    def calculate(self, work: IndicatorWork) -> calculator.CalculatedDay:
        """Calculate what is missing up to that day; nothing is written."""
        previous = load_calendar(self._database).previous_session(work.day)
        log = COLLECTION_LOG.c
        complete = select(func.max(log.date)).where(log.overall_status == "success")
        with self._database.read() as connection:
            last = connection.execute(complete).scalar() or work.day
        return calculator.calculate(self._database, work.day, previous, max(last, work.day))

    def save(self, work: IndicatorWork, calculated: calculator.CalculatedDay) -> None:
        """Write what was calculated; each transaction writes whole shares."""
        for part in calculated.parts:
            self._database.leases.renew(work.lease, INDICATOR_LEASE)
            with self._transaction(work) as connection:
                calculator.save(connection, part)

    def verify(
        self, work: IndicatorWork, calculated: calculator.CalculatedDay, *, samples: bool = False
    ) -> int:
        """Read back what was written; only this makes it a success.

        A day without a single value waits for more history.
        """
        with self._transaction(work) as connection:
            count = calculator.verify(connection, calculated)
            if samples:
                calculator.verify_sample(connection, work.day)
            if count:
                now = self._clock.now()
                indicator_logs.succeed(connection, work.day, count=count, now=now)
            else:
                indicator_logs.wait(connection, work.day, not_enough_history(work.day))
        return count

    def verify_day(self, work: IndicatorWork) -> int:
        """The same where another process has written: the number of rows, and a sample.

        Nothing is left to calculate by then, so there are no values to compare with.
        """
        return self.verify(work, self.calculate(work), samples=True)

    def fail(self, work: IndicatorWork, error: GotganError) -> None:
        """Note why it failed; the gate decides when it is tried again."""
        emit("market.indicators.failed", level="warning", day=str(work.day), reason=error.message)
        with self._transaction(work) as connection:
            indicator_logs.fail(connection, work.day, error.message)

    def give_back(self, work: IndicatorWork) -> None:
        """Uncount the attempt: the program is about to end."""
        with self._transaction(work) as connection:
            indicator_logs.give_back(connection, work.day)

    def end(self, work: IndicatorWork) -> None:
        """Release the lease."""
        self._database.leases.give_back(work.lease)

    def run(self, day: date, *, now: bool = False) -> IndicatorReport:
        """Calculate the indicators of a day if they are due; the report says why not."""
        started = self.begin(day, now=now)
        if not isinstance(started, IndicatorWork):
            return IndicatorReport(day, started, started.status, started.words)
        try:
            return self._run_steps(started)
        except GotganError:
            raise
        except BaseException:
            self.give_back(started)
            raise
        finally:
            self.end(started)

    def _run_steps(self, work: IndicatorWork) -> IndicatorReport:
        started = self._clock.monotonic()
        try:
            calculated = self.calculate(work)
            self.save(work, calculated)
            count = self.verify(work, calculated)
        except LostRace:
            raise
        except Exception as error:  # noqa: BLE001 - whatever it is, the log must say so
            failure = as_gotgan_error(error)
            self.fail(work, failure)
            return IndicatorReport(work.day, work.decision, "failed", failure.message)
        emit("market.indicators", day=str(work.day), count=count)
        if not count:
            words = not_enough_history(work.day)
            return IndicatorReport(work.day, Wait("not_enough_history", words), "waiting", words)
        return IndicatorReport(
            work.day,
            work.decision,
            "success",
            messages.CALCULATED(count=count),
            count=count,
            advanced=calculated.advanced,
            recalculated=calculated.recalculated,
            seconds=round(self._clock.monotonic() - started, 3),
        )

    def _begin(self, connection: Connection, day: date, rules: DecisionRules) -> IndicatorWork:
        taken = self._database.leases.take_within(connection, INDICATORS_KEY, INDICATOR_LEASE)
        if taken is None:
            raise _NotNow
        decision = self._decide(connection, day, rules, None)
        if not isinstance(decision, RunNow):
            raise _NotNow(decision)
        now, is_reopened = self._clock.now(), decision.reason == "reopen"
        indicator_logs.begin(
            connection, day, today=rules.today(now), now=now, is_reopened=is_reopened
        )
        return IndicatorWork(day, taken, decision)

    def _in_progress(self) -> Wait:
        held = self._database.leases.held(INDICATORS_KEY)
        if held is None:
            return Wait("in_progress", messages.CALCULATING_ELSEWHERE())
        return Wait("in_progress", messages.CALCULATING(owner=held.owner), held.until)

    def _decide(
        self, connection: Connection, day: date, rules: DecisionRules, lease: Lease | None
    ) -> Decision:
        return decide_indicators(
            self._clock.now(),
            day,
            logs.get_log(connection, day),
            indicator_logs.get_log(connection, day),
            lease,
            rules,
        )

    @contextmanager
    def _transaction(self, work: IndicatorWork) -> Iterator[Connection]:
        """A transaction that is refused where the lease was lost."""
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            yield connection

    def _rules(self, *, now: bool) -> DecisionRules:
        return DecisionRules(self._zone, load_calendar(self._database), ignores_time=now)


def not_enough_history(day: date) -> Message:
    """Why a day has no indicators, and what would help."""
    return messages.NOT_ENOUGH_HISTORY(day=day, count=MIN_PERIOD)
