"""The collection of a day: gate, then fetch, save and verify, for prices and for indices.

The three steps may be three processes, as Airflow's tasks are: what they hand on is in the
database, under the lease that the gate took. A step that fails is noted before it raises; a process
that dies leaves a lease behind, and whoever comes after its end takes over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from gotgan.clock import Clock
from gotgan.domains.market import fetches, logs, overrides, saving, verifying
from gotgan.domains.market.decisions import Decision, GiveUp, Run, Skip, Wait
from gotgan.domains.market.finality import is_final
from gotgan.domains.market.gate import Rules, decide_collection
from gotgan.domains.market.models import SIDES, CollectionLog, Fetch, Side
from gotgan.domains.market.reports import CollectReport, OnStep, SideReport, Step, silently
from gotgan.errors import GotganError, LostRace, MarketClosed
from gotgan.events import emit
from gotgan.settings import Settings
from gotgan.sql import Database, Lease

__all__ = ["LEASE", "Collecting", "Source", "Work"]

LEASE: Final = timedelta(minutes=15)
"""How long one step may take; each step begins with a fresh lease."""


class Source(Protocol):
    """Whoever has prices and indices."""

    def fetch(self, day: date, side: Side, markets: Sequence[str]) -> Fetch:
        """All of one side of a day; a ProviderError, or MarketClosed where nothing was traded."""


@dataclass(frozen=True)
class Work:
    """A day that was taken in hand."""

    day: date
    sides: tuple[Side, ...]
    lease: Lease
    decision: Run
    is_final_pass: bool = False
    """Whether the day is there already, and only its last numbers are wanted."""


class _NotNow(Exception):
    """Rolls back a transaction that turned out to have nothing to do."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.reason)
        self.decision = decision


class Collecting:
    """What can be done about the collection of a day."""

    def __init__(
        self, database: Database, source: Source, settings: Settings, clock: Clock
    ) -> None:
        self._database = database
        self._source = source
        self._clock = clock
        self._markets = settings.markets
        self._zone = ZoneInfo(settings.zone)

    def rules(self, *, now: bool = False) -> Rules:
        """What decisions go by; with ``now`` somebody wants it whatever the hour is."""
        return Rules(self._zone, overrides.calendar_of(self._database), ignores_time=now)

    def decide(self, day: date, *, now: bool = False) -> Decision:
        """What would become of a day that were to be collected now."""
        with self._database.read() as connection:
            log = logs.of_day(connection, day)
        held = self._database.leases.held(_key(day))
        return decide_collection(self._clock.now(), day, log, held, self.rules(now=now))

    # The steps

    def begin(
        self, day: date, *, now: bool = False, only: Side | None = None, lease: timedelta = LEASE
    ) -> Work | Decision:
        """Take a day in hand, and count the attempt; or say why not."""
        rules = self.rules(now=now)
        try:
            with self._database.begin() as connection:
                return self._begun(connection, day, rules, only, lease)
        except _NotNow as not_now:
            return not_now.decision

    def fetch(self, work: Work, side: Side) -> Fetch:
        """Ask for one side, and keep what came for the next step."""
        self._hold(work)
        fetched = self._source.fetch(work.day, side, self._markets)
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            verifying.expect_whole(connection, fetched, self._markets)
            fetches.keep(connection, fetched, fence=work.lease.fence)
        return fetched

    def save(self, work: Work, side: Side) -> saving.Saved:
        """Write what was fetched, in one transaction."""
        self._hold(work)
        calendar = overrides.calendar_of(self._database)
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            fetched = fetches.kept(connection, work.day, side, fence=work.lease.fence)
            return saving.save(connection, fetched, calendar, self._clock.now())

    def verify(self, work: Work, side: Side) -> int:
        """Read back what was written; only this makes a side a success."""
        self._hold(work)
        now = self._clock.now()
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            fetched = fetches.kept(connection, work.day, side, fence=work.lease.fence)
            count = verifying.verify(connection, fetched, self._markets)
            logs.succeed(
                connection, work.day, side, count=count, provider=fetched.provider, now=now
            )
            fetches.forget(connection, work.day, side)
            if _is_whole(connection, work.day) and saving.is_final(connection, work.day):
                logs.finalise(connection, work.day, now)
        return count

    def fail(self, work: Work, side: Side, error: GotganError) -> None:
        """Note why a side failed; the gate decides when it is tried again."""
        emit("market.failed", level="warning", day=str(work.day), side=side, reason=error.message)
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            if logs.of_day(connection, work.day) is not None:  # the other side may have closed it
                logs.fail(connection, work.day, side, error.message, is_hopeless=not error.retry)
            fetches.forget(connection, work.day, side)

    def closes(self, work: Work, error: GotganError) -> bool:
        """Whether an error says that there was no trade; not of a day that is there in part."""
        return isinstance(error, MarketClosed) and not self._has_begun(work.day)

    def close(self, work: Work, reason: str) -> None:
        """Take a day back that turned out to be none: closed and missed never look alike."""
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            logs.drop(connection, work.day)
            overrides.note_closed(connection, work.day, reason, self._clock.now())
        emit("market.closed", level="warning", day=str(work.day), reason=reason)

    def end(self, work: Work) -> None:
        """Let go of a day."""
        self._database.leases.give_back(work.lease)

    # All of it

    def collect(
        self,
        day: date,
        *,
        now: bool = False,
        only: Side | None = None,
        on_step: OnStep = silently,
    ) -> CollectReport:
        """Collect a day if it is time to; whatever becomes of it is in the report."""
        begun = self.begin(day, now=now, only=only)
        if not isinstance(begun, Work):
            self._note_abandoned(day, begun)
            return _not_begun(day, begun)
        try:
            return self._collected(begun, on_step)
        finally:
            self.end(begun)

    def finalise(self, day: date, *, on_step: OnStep = silently) -> CollectReport:
        """Ask once more for a day that was collected before its numbers were final."""
        decision = Run("retry", f"the numbers of {day} are final by now", SIDES)
        lease = self._database.leases.take(_key(day), LEASE)
        if lease is None:
            return _not_begun(day, _in_hand(day))
        work = Work(day, SIDES, lease, decision, is_final_pass=True)
        try:
            return self._collected(work, on_step)
        finally:
            self.end(work)

    def unfinalised(self, days: Sequence[date]) -> list[date]:
        """The days that are there, and whose last numbers are still to be asked for."""
        with self._database.read() as connection:
            known = [logs.of_day(connection, day) for day in days]
        return [log.day for log in known if log is not None and self._wants_final_pass(log)]

    def _wants_final_pass(self, log: CollectionLog) -> bool:
        is_there = log.overall_status == "success" and log.finalised_at is None
        return is_there and is_final(log.day, self._clock.now())

    def _has_begun(self, day: date) -> bool:
        """Whether something of a day is stored, so that it cannot have been closed."""
        with self._database.read() as connection:
            log = logs.of_day(connection, day)
        return log is not None and any(log.side(side).status == "success" for side in SIDES)

    def _collected(self, work: Work, on_step: OnStep) -> CollectReport:
        reports = list[SideReport]()
        for number, side in enumerate(work.sides):
            on_step(Step(number, len(work.sides), f"{work.day} {side}"))
            try:
                reports.append(self._side(work, side))
            except MarketClosed as closed:
                self.close(work, closed.message)
                return CollectReport(work.day, work.decision, "closed", closed.message)
        on_step(Step(len(work.sides), len(work.sides), f"{work.day}"))
        return self._report(work, reports)

    def _side(self, work: Work, side: Side) -> SideReport:
        began = self._clock.monotonic()
        try:
            fetched = self.fetch(work, side)
            saved = self.save(work, side)
            count = self.verify(work, side)
        except LostRace:
            raise
        except GotganError as error:
            if self.closes(work, error):
                raise
            if not work.is_final_pass:
                self.fail(work, side, error)
            took = self._clock.monotonic() - began
            return SideReport(side, "failed", error=error.message, code=error.code, seconds=took)
        return SideReport(
            side,
            "success",
            count=count,
            changed=saved.changed,
            factors=saved.factors,
            provider=fetched.provider,
            seconds=self._clock.monotonic() - began,
        )

    def _report(self, work: Work, sides: Sequence[SideReport]) -> CollectReport:
        with self._database.read() as connection:
            log = logs.of_day(connection, work.day)
        status = log.overall_status if log is not None else "pending"
        emit("market.collected", day=str(work.day), status=status)
        words = "; ".join(map(_told, sides))
        return CollectReport(work.day, work.decision, status, words, tuple(sides))

    # Taking in hand

    def _begun(
        self,
        connection: Connection,
        day: date,
        rules: Rules,
        only: Side | None,
        lease: timedelta,
    ) -> Work:
        """The lease first: from here on nobody else decides about this day."""
        taken = self._database.leases.take_within(connection, _key(day), lease)
        if taken is None:
            raise _NotNow(_in_hand(day))
        now, today = self._clock.now(), rules.today(self._clock.now())
        log = logs.of_day(connection, day)
        decision = _narrowed(decide_collection(now, day, log, None, rules), log, only)
        if not isinstance(decision, Run):
            raise _NotNow(decision)
        logs.open_day(connection, day, today=today, now=now)
        if decision.action == "reopen":
            logs.reopen(connection, day, decision.sides)
        logs.begin(connection, day, decision.sides, today=today, now=now)
        return Work(day, decision.sides, taken, decision)

    def _note_abandoned(self, day: date, decision: Decision) -> None:
        """Call failed what somebody died over in the last attempt."""
        if not isinstance(decision, GiveUp):
            return
        with self._database.begin() as connection:
            log = logs.of_day(connection, day)
            for side in SIDES:
                if log is not None and log.side(side).status in {"pending", "retrying"}:
                    logs.fail(connection, day, side, "whoever worked on it did not come to an end")

    def _hold(self, work: Work) -> None:
        self._database.leases.renew(work.lease, LEASE)


def _key(day: date) -> str:
    return f"market:{day}"


def _is_whole(connection: Connection, day: date) -> bool:
    log = logs.of_day(connection, day)
    return log is not None and log.overall_status == "success"


def _in_hand(day: date) -> Wait:
    return Wait("in_progress", f"somebody else works on {day}")


def _narrowed(decision: Decision, log: CollectionLog | None, only: Side | None) -> Decision:
    """What is decided about one side alone, where only that is wanted."""
    if only is None or not isinstance(decision, Run):
        return decision
    if log is not None and log.side(only).status == "success":
        return Skip("already_success", f"{only} of {log.day} are there")
    return replace(decision, sides=(only,))


def _told(side: SideReport) -> str:
    if side.error is not None:
        return f"{side.side}: {side.error}"
    return f"{side.side}: {side.count:,} from {side.provider}"


def _not_begun(day: date, decision: Decision) -> CollectReport:
    if isinstance(decision, GiveUp):
        return CollectReport(day, decision, "failed", decision.words)
    if isinstance(decision, Wait):
        return CollectReport(day, decision, "waiting", decision.words)
    return CollectReport(day, decision, "skipped", decision.words)
