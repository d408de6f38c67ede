"""The collection of a day: gate, then fetch, save and verify, for prices and for indices.

The steps may run in separate processes, as Airflow's tasks do: what they pass on is in the
database, under the lease that the first step took. A step that fails is noted before it raises. A
process that dies leaves its lease behind, and the next one takes over when the lease ends.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

import orjson
from sqlalchemy import Connection, delete, select

from gotgan.clock import Clock
from gotgan.domains.market import completeness, logs, messages, writer
from gotgan.domains.market.calendar import (
    add_closure,
    is_final,
    load_calendar,
    read_calendar,
    remove_closure,
)
from gotgan.domains.market.decisions import Decision, GiveUp, Refusal, RunNow, Skip, Wait
from gotgan.domains.market.gate import DecisionRules, decide_collection
from gotgan.domains.market.keys import MARKET_FETCHES, day_key
from gotgan.domains.market.models import (
    PERMANENT_ERRORS,
    SIDES,
    CollectionLog,
    Fetch,
    IndexValue,
    SharePrice,
    Side,
    Targets,
)
from gotgan.domains.market.reports import (
    CollectReport,
    SideReport,
)
from gotgan.errors import (
    GotganError,
    Interrupted,
    LoginRefused,
    LostRace,
    MarketClosed,
    PasswordExpired,
    ProviderBlocked,
)
from gotgan.events import emit
from gotgan.messages import Message, text
from gotgan.settings import Settings
from gotgan.sql import Database, Lease, upsert
from gotgan.verbs import Progress, silent

COLLECTION_LEASE: Final = timedelta(minutes=15)
"""How long one step may take; each step renews the lease."""
_MAX_ERROR_LENGTH: Final = 500
_PERMANENT_ERROR_TYPES: Final = {
    error.code: error for error in (LoginRefused, PasswordExpired, ProviderBlocked)
}


class PriceSource(Protocol):
    """A source of prices and indices."""

    def fetch(
        self,
        day: date,
        side: Side,
        wanted: Targets,
        *,
        check: Callable[[Fetch], None] | None = None,
    ) -> Fetch:
        """One side of a day that passes the check; raises ProviderError or MarketClosed."""

    def blocked_until(self) -> datetime | None:
        """When it may be asked again; None where that is now."""

    def unset(self) -> Message | None:
        """What to set, where no provider is configured; None where one is."""


@dataclass(frozen=True)
class CollectionWork:
    """A day whose collection has started."""

    day: date
    sides: tuple[Side, ...]
    lease: Lease
    decision: RunNow
    by_hand: bool = False
    """Whether it was requested by hand: then it does not count as a scheduled attempt."""
    is_final_pass: bool = False
    """Whether the day is stored already, and only its final figures are fetched."""


class _NotNow(Exception):
    """Rolls back a transaction that has nothing to do; no decision means that the lease is held."""

    def __init__(self, decision: Refusal | None = None) -> None:
        super().__init__(decision)
        self.decision = decision


class MarketCollector:
    """Collects days, as a whole or step by step."""

    def __init__(
        self, database: Database, source: PriceSource, settings: Settings, clock: Clock
    ) -> None:
        self._database = database
        self._source = source
        self._clock = clock
        self._targets: Targets = {"prices": settings.markets, "indices": settings.indices}
        self._zone = ZoneInfo(settings.zone)

    # Decisions

    def rules(self, *, now: bool = False) -> DecisionRules:
        """The rules of the gate; with ``now`` it is requested by hand, whatever the hour is."""
        calendar = load_calendar(self._database)
        return DecisionRules(
            self._zone,
            calendar.without_closures() if now else calendar,
            ignores_time=now,
            blocked_until=self._source.blocked_until(),
            unset=self._source.unset(),
        )

    def decide(self, day: date, *, now: bool = False) -> Decision:
        """What the gate decides about a day now."""
        held = self._database.leases.held(day_key(day))
        return decide_collection(self._clock.now(), day, self._log(day), held, self.rules(now=now))

    def is_due(self, day: date) -> bool:
        """Whether there is something to do about a day, or a reason to report why not."""
        decision = self.decide(day)
        if not isinstance(decision, GiveUp):
            return isinstance(decision, RunNow) or decision.reason == "no_provider"
        log = self._log(day)
        return log is not None and any(log.side(side).status in logs.UNFINISHED for side in SIDES)

    def days_to_finalise(self, days: Sequence[date]) -> list[date]:
        """The days that are stored, and whose final figures are still to be fetched."""
        now, found = self._clock.now(), filter(None, map(self._log, days))
        return [
            log.day
            for log in found
            if log.overall_status == "success"
            and not log.is_elsewhere
            and log.finalised_at is None
            and is_final(log.day, now)
        ]

    # Whole days

    def collect(
        self,
        day: date,
        *,
        now: bool = False,
        only: Side | None = None,
        progress: Progress = silent,
    ) -> CollectReport:
        """Collect a day if it is due; the report says what happened or why not."""
        started = self.begin(day, now=now, only=only)
        if not isinstance(started, CollectionWork):
            return _refusal_report(day, started)
        return self._run(started, progress)

    def finalise(self, day: date) -> CollectReport:
        """Fetch a day again that was collected before its figures were final."""
        if not self.days_to_finalise([day]):  # another process was faster
            return _refusal_report(day, Skip("already_success", messages.IS_FINAL(day=day)))
        return self.collect_again(day)

    def collect_again(self, day: date) -> CollectReport:
        """Fetch a stored day again; it stays a success, even if that fails."""
        unset = self._source.unset()
        if unset is not None:
            return _refusal_report(day, Skip("no_provider", unset))
        lease = self._database.leases.take(day_key(day), COLLECTION_LEASE)
        if lease is None:
            return _refusal_report(day, self._in_progress(day))
        decision = RunNow("retry", messages.FINAL_FETCH(day=day), sides=SIDES)
        work = CollectionWork(day, SIDES, lease, decision, by_hand=True, is_final_pass=True)
        return self._run(work, silent)

    def _run(self, work: CollectionWork, progress: Progress) -> CollectReport:
        """All steps of both sides; an interrupted attempt does not count."""
        try:
            return self._collect_sides(work, progress)
        except BaseException as error:
            if isinstance(error, Interrupted) or not isinstance(error, GotganError):
                self.give_back(work)
            raise
        finally:
            self.end(work)

    def _collect_sides(self, work: CollectionWork, progress: Progress) -> CollectReport:
        reports = list[SideReport]()
        for number, side in enumerate(work.sides):
            progress(
                number,
                len(work.sides),
                messages.DAY_PART(day=work.day, what=messages.words([side])),
            )
            try:
                reports.append(self._collect_side(work, side, reports))
            except MarketClosed as closed:
                self.close(work, closed.message)
                words = messages.CLOSED(day=work.day, why=text(closed.message))
                return CollectReport(work.day, work.decision, "closed", words)
        progress(len(work.sides), len(work.sides), f"{work.day}")
        log = self._log(work.day)
        status = log.overall_status if log is not None else "pending"
        emit("market.collected", day=str(work.day), status=status)
        words = messages.SIDES(sides=map(_side_summary, reports))
        return CollectReport(work.day, work.decision, status, words, tuple(reports))

    def _collect_side(
        self, work: CollectionWork, side: Side, before: Sequence[SideReport]
    ) -> SideReport:
        started = self._clock.monotonic()
        try:
            _raise_permanent_error(before)
            fetched = self.fetch(work, side)
            saved = self.save(work, side)
            count = self.verify(work, side)
        except (Interrupted, LostRace):
            raise
        except Exception as error:
            failure = as_gotgan_error(error)
            if self.closes(work, failure):
                raise
            self.fail(work, side, failure)
            report = SideReport(side, "failed", error=failure.message, code=failure.code)
        else:
            report = SideReport(
                side,
                "success",
                count=count,
                changed=saved.changed,
                factors=saved.factors,
                provider=fetched.provider,
            )
        return replace(report, seconds=round(self._clock.monotonic() - started, 3))

    # Steps

    def begin(
        self,
        day: date,
        *,
        now: bool = False,
        only: Side | None = None,
        lease: timedelta = COLLECTION_LEASE,
    ) -> CollectionWork | Refusal:
        """Take the lease of a day and count the attempt; or say why not."""
        rules = self.rules(now=now)
        try:
            with self._database.begin() as connection:
                taken = self._take(connection, day, lease)
                started = self._begin(connection, taken, day, rules, only)
        except _NotNow as not_now:
            return not_now.decision or self._in_progress(day)  # the holder: another transaction
        if not isinstance(started, CollectionWork):
            self._database.leases.give_back(taken)
        return started

    def fetch(self, work: CollectionWork, side: Side) -> Fetch:
        """Ask for one side, and store the answer for the next step."""
        self._database.leases.renew(work.lease, COLLECTION_LEASE)
        fetched = self._source.fetch(work.day, side, self._targets, check=self._expect_complete)
        with self._transaction(work) as connection:
            save_fetch(connection, fetched, fence=work.lease.fence)
        return fetched

    def save(self, work: CollectionWork, side: Side) -> writer.SaveResult:
        """Write what was fetched, in one transaction."""
        self._database.leases.renew(work.lease, COLLECTION_LEASE)
        with self._transaction(work) as connection:
            calendar = read_calendar(connection)
            fetched = load_fetch(connection, work.day, side, fence=work.lease.fence)
            return writer.save(connection, fetched, calendar, self._clock.now())

    def verify(self, work: CollectionWork, side: Side) -> int:
        """Read back what was written; only this makes a side a success."""
        self._database.leases.renew(work.lease, COLLECTION_LEASE)
        now, day = self._clock.now(), work.day
        with self._transaction(work) as connection:
            fetched = load_fetch(connection, day, side, fence=work.lease.fence)
            count = completeness.verify(connection, fetched, self._targets)
            logs.succeed(connection, day, side, count=count, provider=fetched.provider, now=now)
            remove_closure(connection, day)
            delete_fetch(connection, day, side)
            log = logs.get_log(connection, day)
            is_complete = log is not None and log.overall_status == "success"
            if is_complete and writer.is_stored_final(connection, day):
                logs.finalise(connection, day, now)
        return count

    def fail(self, work: CollectionWork, side: Side, error: GotganError) -> None:
        """Note why a side failed; the gate decides when it is tried again.

        A day that is stored already stays a success, even if its final pass failed.
        """
        emit("market.failed", level="warning", day=str(work.day), side=side, reason=error.message)
        is_permanent = error.code in PERMANENT_ERRORS and not work.by_hand
        with self._transaction(work) as connection:
            delete_fetch(connection, work.day, side)
            if not work.is_final_pass and logs.get_log(connection, work.day) is not None:
                logs.fail(connection, work.day, side, error.message, is_permanent=is_permanent)

    def closes(self, work: CollectionWork, error: GotganError) -> bool:
        """Whether an error says that there was no trade; not if a side of the day is stored."""
        if not isinstance(error, MarketClosed):
            return False
        log = self._log(work.day)
        return log is None or all(log.side(side).status != "success" for side in SIDES)

    def close(self, work: CollectionWork, reason: str) -> None:
        """Delete the log of a day without trade, so that closed and missed never look alike."""
        with self._transaction(work) as connection:
            logs.delete_log(connection, work.day)
            add_closure(connection, work.day, reason, self._clock.now())
            writer.close_day(connection, work.day, read_calendar(connection))
        emit("market.closed", level="warning", day=str(work.day), reason=reason)

    def give_back(self, work: CollectionWork) -> None:
        """Uncount the attempt: the program is about to end."""
        with self._transaction(work) as connection:
            if not work.is_final_pass and logs.get_log(connection, work.day) is not None:
                logs.give_back(connection, work.day, work.sides, by_hand=work.by_hand)

    def end(self, work: CollectionWork) -> None:
        """Release the lease of a day."""
        self._database.leases.give_back(work.lease)

    # Parts of steps

    def _take(self, connection: Connection, day: date, lease: timedelta) -> Lease:
        """The lease first: from here on no other process decides about this day."""
        taken = self._database.leases.take_within(connection, day_key(day), lease)
        if taken is None:
            raise _NotNow
        return taken

    def _begin(
        self,
        connection: Connection,
        taken: Lease,
        day: date,
        rules: DecisionRules,
        only: Side | None,
    ) -> CollectionWork | GiveUp:
        now, by_hand = self._clock.now(), rules.ignores_time
        log = logs.get_log(connection, day)
        decision = _limit_to_side(decide_collection(now, day, log, None, rules), log, only)
        if isinstance(decision, GiveUp) and log is not None:
            for side in SIDES:
                if log.side(side).status in logs.UNFINISHED:
                    logs.fail(connection, day, side, messages.SIDE_DIED())
            return decision
        if not isinstance(decision, RunNow):
            raise _NotNow(decision)
        today = rules.today(now)
        logs.open_day(connection, day, today=today, now=now)
        if decision.reason == "reopen":
            logs.reopen(connection, day, decision.sides)
        logs.begin(connection, day, decision.sides, today=today, now=now, by_hand=by_hand)
        return CollectionWork(day, decision.sides, taken, decision, by_hand=by_hand)

    def _in_progress(self, day: date) -> Wait:
        held = self._database.leases.held(day_key(day))
        if held is None:
            return Wait("in_progress", messages.IN_PROGRESS_ELSEWHERE(day=day))
        return Wait("in_progress", messages.IN_PROGRESS(owner=held.owner, day=day), held.until)

    def _log(self, day: date) -> CollectionLog | None:
        with self._database.read() as connection:
            return logs.get_log(connection, day)

    def _expect_complete(self, fetched: Fetch) -> None:
        with self._database.read() as connection:
            completeness.expect_complete(connection, fetched, self._targets)

    @contextmanager
    def _transaction(self, work: CollectionWork) -> Iterator[Connection]:
        """A transaction that is refused where the lease was lost."""
        with self._database.begin() as connection:
            self._database.leases.expect(connection, work.lease)
            yield connection


def as_gotgan_error(error: Exception) -> GotganError:
    """An error as the log shows it; an unexpected one is a fault of the program."""
    if isinstance(error, GotganError):
        return error
    emit("market.fault", level="error", reason=repr(error))
    return GotganError(messages.FAULT(error=repr(error)[:_MAX_ERROR_LENGTH]))


def _limit_to_side(decision: Decision, log: CollectionLog | None, only: Side | None) -> Decision:
    if only is None or not isinstance(decision, RunNow):
        return decision
    if log is not None and log.side(only).status == "success":
        return Skip("already_success", messages.STORED(what=messages.words([only]), day=log.day))
    return replace(decision, sides=(only,))


def _raise_permanent_error(before: Sequence[SideReport]) -> None:
    """A permanent error of one side is one of the other too."""
    for each in before:
        if each.code in PERMANENT_ERRORS and each.error is not None:
            raise _PERMANENT_ERROR_TYPES[each.code](each.error)


def _side_summary(side: SideReport) -> Message:
    what = messages.words([side.side])
    if side.error is not None:
        return messages.SIDE_FAILED(what=what, error=text(side.error))
    return messages.SIDE_COUNT(what=what, count=side.count, provider=side.provider)


def _refusal_report(day: date, decision: Refusal) -> CollectReport:
    return CollectReport(day, decision, decision.status, decision.words)


# What was fetched and is not verified yet, stored so that another process can continue


def save_fetch(connection: Connection, fetch: Fetch, *, fence: int) -> None:
    """Store an answer; that of an earlier attempt is replaced."""
    names = SharePrice.__slots__ if fetch.side == "prices" else IndexValue.__slots__
    found = (*fetch.prices, *fetch.indices)
    rows = [[getattr(row, name) for name in names] for row in found]
    row = {
        "date": fetch.day,
        "side": fetch.side,
        "fence": fence,
        "provider": fetch.provider,
        "fetched_at": fetch.fetched_at,
        "is_final": fetch.is_final,
        "rows": zlib.compress(orjson.dumps(rows), 1),
    }
    upsert(connection, MARKET_FETCHES, [row])


def load_fetch(connection: Connection, day: date, side: Side, *, fence: int) -> Fetch:
    """The answer that this attempt stored; LostRace where another attempt replaced it."""
    table = MARKET_FETCHES.c
    query = select(MARKET_FETCHES).where(
        table.date == day, table.side == side, table.fence == fence
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise LostRace(messages.LOST_RACE(what=messages.words([side]), day=day))
    kind: Any = SharePrice if side == "prices" else IndexValue
    rows = tuple(kind(*each) for each in orjson.loads(zlib.decompress(row.rows)))
    fetch = Fetch(day, side, row.provider, row.fetched_at, is_final=row.is_final)
    return replace(fetch, prices=rows) if side == "prices" else replace(fetch, indices=rows)


def delete_fetch(connection: Connection, day: date, side: Side) -> None:
    """Delete an answer that is stored and verified by now."""
    table = MARKET_FETCHES
    connection.execute(delete(table).where(table.c.date == day, table.c.side == side))
