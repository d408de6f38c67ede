"""The collection of a day, all steps of it: gate, then fetch, save and verify, for both sides."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from gotgan.domains.market import logs
from gotgan.domains.market.decisions import Decision, GiveUp, RunNow, Skip, Wait
from gotgan.domains.market.finality import is_final
from gotgan.domains.market.keys import day_key
from gotgan.domains.market.models import HOPELESS, SIDES, CollectionLog, Side
from gotgan.domains.market.reports import CollectReport, OnStep, SideReport, VerbProgress, silently
from gotgan.domains.market.steps import LEASE, CollectionWork, Steps, failure_of
from gotgan.errors import (
    GotganError,
    LoginRefused,
    LostRace,
    MarketClosed,
    PasswordExpired,
    ProviderBlocked,
)
from gotgan.events import emit

__all__ = ["MarketCollector"]


_HOPELESS: Final = {error.code: error for error in (LoginRefused, PasswordExpired, ProviderBlocked)}


class MarketCollector(Steps):
    """What can be done about the collection of a day."""

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
        if not isinstance(begun, CollectionWork):
            return _not_begun(day, begun)
        return self._carried_out(begun, on_step)

    def finalise(self, day: date, *, on_step: OnStep = silently) -> CollectReport:
        """Ask once more for a day that was collected before its numbers were final."""
        if not self.unfinalised([day]):  # somebody was faster
            return _not_begun(day, Skip("already_success", f"{day} is final"))
        return self.collect_again(day, on_step=on_step)

    def collect_again(self, day: date, *, on_step: OnStep = silently) -> CollectReport:
        """Ask once more for a day that is there; it stays there, whatever comes of it."""
        unset = self._source.unset()
        if unset is not None:
            return _not_begun(day, Skip("no_provider", unset))
        lease = self._database.leases.take(day_key(day), LEASE)
        if lease is None:
            return _not_begun(day, self._in_hand(day))
        decision = RunNow("retry", f"{day} is asked for once more", sides=SIDES)
        work = CollectionWork(day, SIDES, lease, decision, by_hand=True, is_final_pass=True)
        return self._carried_out(work, on_step)

    def unfinalised(self, days: Sequence[date]) -> list[date]:
        """The days that are there, and whose last numbers are still to be asked for."""
        with self._database.read() as connection:
            known = [logs.of_day(connection, day) for day in days]
        return [log.day for log in known if log is not None and self._wants_final_pass(log)]

    def is_due(self, day: date) -> bool:
        """Whether there is anything to do about a day, if only to say why it is not done."""
        decision = self.decide(day)
        if not isinstance(decision, GiveUp):
            return isinstance(decision, RunNow) or decision.reason == "no_provider"
        with self._database.read() as connection:
            log = logs.of_day(connection, day)
        return log is not None and any(log.side(side).status in logs.UNFINISHED for side in SIDES)

    def _wants_final_pass(self, log: CollectionLog) -> bool:
        is_ours = log.overall_status == "success" and not log.is_elsewhere
        return is_ours and log.finalised_at is None and is_final(log.day, self._clock.now())

    def _carried_out(self, work: CollectionWork, on_step: OnStep) -> CollectReport:
        """Do it, and let go; whoever is interrupted has not made the attempt."""
        try:
            return self._collected(work, on_step)
        except GotganError:
            raise
        except BaseException:
            self.give_back(work)
            raise
        finally:
            self.end(work)

    def _collected(self, work: CollectionWork, on_step: OnStep) -> CollectReport:
        reports = list[SideReport]()
        for number, side in enumerate(work.sides):
            on_step(VerbProgress(number, len(work.sides), f"{work.day} {side}"))
            try:
                reports.append(self._side(work, side, reports))
            except MarketClosed as closed:
                self.close(work, closed.message)
                return CollectReport(work.day, work.decision, "closed", closed.message)
        on_step(VerbProgress(len(work.sides), len(work.sides), f"{work.day}"))
        return self._report(work, reports)

    def _side(self, work: CollectionWork, side: Side, before: Sequence[SideReport]) -> SideReport:
        began = self._clock.monotonic()
        try:
            _expect_hope(before)
            fetched = self.fetch(work, side)
            saved = self.save(work, side)
            count = self.verify(work, side)
        except LostRace:
            raise
        except Exception as error:
            failure = failure_of(error)
            if self.closes(work, failure):
                raise
            self.fail(work, side, failure)
            took = self._clock.monotonic() - began
            return SideReport(
                side, "failed", error=failure.message, code=failure.code, seconds=round(took, 3)
            )
        return SideReport(
            side,
            "success",
            count=count,
            changed=saved.changed,
            factors=saved.factors,
            provider=fetched.provider,
            seconds=round(self._clock.monotonic() - began, 3),
        )

    def _report(self, work: CollectionWork, sides: Sequence[SideReport]) -> CollectReport:
        with self._database.read() as connection:
            log = logs.of_day(connection, work.day)
        status = log.overall_status if log is not None else "pending"
        emit("market.collected", day=str(work.day), status=status)
        words = "; ".join(map(_told, sides))
        return CollectReport(work.day, work.decision, status, words, tuple(sides))


def _expect_hope(before: Sequence[SideReport]) -> None:
    """What was hopeless for one side is so for the other."""
    for each in before:
        if each.code in HOPELESS and each.error is not None:
            raise _HOPELESS[each.code](each.error)


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
