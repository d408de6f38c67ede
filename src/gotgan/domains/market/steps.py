"""The steps of a collection: take a day in hand, fetch, save, verify, let go.

They may be processes of their own, as Airflow's tasks are: what they hand on is in the database,
under the lease that the first one took. A step that fails is noted before it raises; a process that
dies leaves a lease behind, and whoever comes after its end takes over.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final, Protocol
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from gotgan.clock import Clock
from gotgan.domains.market import fetches, logs, overrides, saving, verifying
from gotgan.domains.market.decisions import Decision, GiveUp, RunNow, Skip, Wait
from gotgan.domains.market.gate import DecisionRules, decide_collection
from gotgan.domains.market.keys import day_key
from gotgan.domains.market.models import HOPELESS, SIDES, CollectionLog, Fetch, Side, Wanted
from gotgan.errors import GotganError, MarketClosed
from gotgan.events import emit
from gotgan.settings import Settings
from gotgan.sql import Database, Lease

__all__ = ["LEASE", "CollectionWork", "PriceSource", "Steps", "failure_of"]

LEASE: Final = timedelta(minutes=15)
"""How long one step may take; each step begins with a fresh lease."""
_LONGEST: Final = 500


class PriceSource(Protocol):
    """Whoever has prices and indices."""

    def fetch(
        self,
        day: date,
        side: Side,
        wanted: Wanted,
        *,
        check: Callable[[Fetch], None] | None = None,
    ) -> Fetch:
        """All of one side of a day; a ProviderError, or MarketClosed where nothing was traded.

        An answer that ``check`` refuses with VerifyFailed is none.
        """

    def blocked_until(self) -> datetime | None:
        """When somebody may be asked again; None where that is now."""

    def unset(self) -> str | None:
        """What to set, where no provider is configured; None where one is."""


@dataclass(frozen=True)
class CollectionWork:
    """A day that was taken in hand."""

    day: date
    sides: tuple[Side, ...]
    lease: Lease
    decision: RunNow
    by_hand: bool = False
    """Whether somebody asked for it now: the timetable's attempts are not touched by that."""
    is_final_pass: bool = False
    """Whether the day is there already, and only its last numbers are wanted."""


class _NotNow(Exception):
    """Rolls back a transaction that has nothing to do; without a decision somebody else has."""

    def __init__(self, decision: Decision | None = None) -> None:
        super().__init__("in_progress" if decision is None else decision.reason)
        self.decision = decision


class Steps:
    """What can be done about the collection of a day, one after the other."""

    def __init__(
        self, database: Database, source: PriceSource, settings: Settings, clock: Clock
    ) -> None:
        self._database = database
        self._source = source
        self._clock = clock
        self._wanted: Wanted = {"prices": settings.markets, "indices": settings.indices}
        self._zone = ZoneInfo(settings.zone)

    def rules(self, *, now: bool = False) -> DecisionRules:
        """What decisions go by; with ``now`` somebody wants it whatever the hour is."""
        calendar = overrides.calendar_of(self._database)
        return DecisionRules(
            self._zone,
            overrides.doubted(calendar) if now else calendar,
            ignores_time=now,
            blocked_until=self._source.blocked_until(),
            unset=self._source.unset(),
        )

    def decide(self, day: date, *, now: bool = False) -> Decision:
        """What would become of a day that were to be collected now."""
        with self._database.read() as connection:
            log = logs.of_day(connection, day)
        held = self._database.leases.held(day_key(day))
        return decide_collection(self._clock.now(), day, log, held, self.rules(now=now))

    def begin(
        self, day: date, *, now: bool = False, only: Side | None = None, lease: timedelta = LEASE
    ) -> CollectionWork | Decision:
        """Take a day in hand, and count the attempt; or say why not."""
        rules = self.rules(now=now)
        try:
            with self._database.begin() as connection:
                taken = self._taken(connection, day, lease)
                begun = self._begun(connection, taken, day, rules, only)
        except _NotNow as not_now:
            return not_now.decision or self._in_hand(day)  # who, is another transaction
        if not isinstance(begun, CollectionWork):
            self._database.leases.give_back(taken)
        return begun

    def fetch(self, work: CollectionWork, side: Side) -> Fetch:
        """Ask for one side, and keep what came for the next step."""
        self._hold(work)
        fetched = self._source.fetch(work.day, side, self._wanted, check=self._expect_whole)
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            fetches.keep(connection, fetched, fence=work.lease.fence)
        return fetched

    def save(self, work: CollectionWork, side: Side) -> saving.Saved:
        """Write what was fetched, in one transaction."""
        self._hold(work)
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            calendar = overrides.calendar_in(connection)
            fetched = fetches.kept(connection, work.day, side, fence=work.lease.fence)
            return saving.save(connection, fetched, calendar, self._clock.now())

    def verify(self, work: CollectionWork, side: Side) -> int:
        """Read back what was written; only this makes a side a success."""
        self._hold(work)
        now = self._clock.now()
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            fetched = fetches.kept(connection, work.day, side, fence=work.lease.fence)
            count = verifying.verify(connection, fetched, self._wanted)
            logs.succeed(
                connection, work.day, side, count=count, provider=fetched.provider, now=now
            )
            overrides.note_open(connection, work.day)
            fetches.forget(connection, work.day, side)
            if _is_whole(connection, work.day) and saving.is_stored_final(connection, work.day):
                logs.finalise(connection, work.day, now)
        return count

    def fail(self, work: CollectionWork, side: Side, error: GotganError) -> None:
        """Note why a side failed; the gate decides when it is tried again.

        A day that is there already stays so, whatever its late pass came to.
        """
        emit("market.failed", level="warning", day=str(work.day), side=side, reason=error.message)
        is_hopeless = error.code in HOPELESS and not work.by_hand
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            fetches.forget(connection, work.day, side)
            if not work.is_final_pass and logs.of_day(connection, work.day) is not None:
                logs.fail(connection, work.day, side, error.message, is_hopeless=is_hopeless)

    def closes(self, work: CollectionWork, error: GotganError) -> bool:
        """Whether an error says that there was no trade; not of a day that is there in part."""
        return isinstance(error, MarketClosed) and not self._has_begun(work.day)

    def close(self, work: CollectionWork, reason: str) -> None:
        """Take a day back that turned out to be none: closed and missed never look alike."""
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            logs.drop(connection, work.day)
            overrides.note_closed(connection, work.day, reason, self._clock.now())
            saving.close(connection, work.day, overrides.calendar_in(connection))
        emit("market.closed", level="warning", day=str(work.day), reason=reason)

    def give_back(self, work: CollectionWork) -> None:
        """Take the attempt back, and let go of the day: the program is about to end."""
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            if not work.is_final_pass and logs.of_day(connection, work.day) is not None:
                logs.give_back(connection, work.day, work.sides, by_hand=work.by_hand)

    def end(self, work: CollectionWork) -> None:
        """Let go of a day."""
        self._database.leases.give_back(work.lease)

    # Taking in hand

    def _taken(self, connection: Connection, day: date, lease: timedelta) -> Lease:
        """The lease first: from here on nobody else decides about this day."""
        taken = self._database.leases.take_within(connection, day_key(day), lease)
        if taken is None:
            raise _NotNow
        return taken

    def _in_hand(self, day: date) -> Wait:
        """What is decided about a day that somebody has."""
        held = self._database.leases.held(day_key(day))
        if held is None:
            return Wait("in_progress", f"somebody else works on {day}")
        return Wait("in_progress", f"{held.owner} works on {day}", held.until)

    def _begun(
        self,
        connection: Connection,
        taken: Lease,
        day: date,
        rules: DecisionRules,
        only: Side | None,
    ) -> CollectionWork | GiveUp:
        now, by_hand = self._clock.now(), rules.ignores_time
        log = logs.of_day(connection, day)
        decision = _narrowed(decide_collection(now, day, log, None, rules), log, only)
        if isinstance(decision, GiveUp) and log is not None:
            _call_failed(connection, log)
            return decision
        if not isinstance(decision, RunNow):
            raise _NotNow(decision)
        today = rules.today(now)
        logs.open_day(connection, day, today=today, now=now)
        if decision.reason == "reopen":
            logs.reopen(connection, day, decision.sides)
        logs.begin(connection, day, decision.sides, today=today, now=now, by_hand=by_hand)
        return CollectionWork(day, decision.sides, taken, decision, by_hand=by_hand)

    def _expect_whole(self, fetched: Fetch) -> None:
        with self._database.read() as connection:
            verifying.expect_whole(connection, fetched, self._wanted)

    def _has_begun(self, day: date) -> bool:
        """Whether something of a day is stored, so that it cannot have been closed."""
        with self._database.read() as connection:
            log = logs.of_day(connection, day)
        return log is not None and any(log.side(side).status == "success" for side in SIDES)

    def _hold(self, work: CollectionWork) -> None:
        self._database.leases.renew(work.lease, LEASE)


def failure_of(error: Exception) -> GotganError:
    """What the log is told of an error; a fault of ours is one, too."""
    if isinstance(error, GotganError):
        return error
    emit("market.fault", level="error", reason=repr(error))
    return GotganError(f"a fault of ours: {error!r}"[:_LONGEST])


def _call_failed(connection: Connection, log: CollectionLog) -> None:
    """Say of sides that somebody died over in the last attempt that they failed."""
    for side in SIDES:
        if log.side(side).status in logs.UNFINISHED:
            logs.fail(connection, log.day, side, "whoever worked on it did not come to an end")


def _is_whole(connection: Connection, day: date) -> bool:
    log = logs.of_day(connection, day)
    return log is not None and log.overall_status == "success"


def _narrowed(decision: Decision, log: CollectionLog | None, only: Side | None) -> Decision:
    """What is decided about one side alone, where only that is wanted."""
    if only is None or not isinstance(decision, RunNow):
        return decision
    if log is not None and log.side(only).status == "success":
        return Skip("already_success", f"{only} of {log.day} are there")
    return replace(decision, sides=(only,))
