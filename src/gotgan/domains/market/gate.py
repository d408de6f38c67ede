"""Whether a day is collected now, and whether its indicators are calculated: two pure decisions.

Every tick decides from the logs alone, so a lost tick is harmless, and so is one too many.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.domains.market import messages
from gotgan.domains.market.calendar import Calendar, available_from
from gotgan.domains.market.decisions import Decision, GiveUp, RunNow, Skip, Wait
from gotgan.domains.market.models import SIDES, CollectionLog, IndicatorLog, Side, SideLog
from gotgan.messages import Message
from gotgan.sql import Lease

COLLECT_FROM: Final = time(17)
CALCULATE_FROM: Final = time(18)
MAX_RETRIES: Final = 3
MAX_ATTEMPTS: Final = 1 + MAX_RETRIES
_HOUR: Final = timedelta(hours=1)
_INDICATORS: Final = messages.words(["indicators"])


@dataclass(frozen=True)
class DecisionRules:
    """What a decision depends on, besides the day itself."""

    zone: ZoneInfo
    calendar: Calendar
    ignores_time: bool = False
    """Whether it is requested by hand: then neither the hour nor used attempts delay it."""
    blocked_until: datetime | None = None
    """When a provider may be asked again, where all of them block."""
    unset: Message | None = None
    """What to set, where no provider is configured."""

    def today(self, now: datetime) -> date:
        """The date in the zone."""
        return now.astimezone(self.zone).date()

    def opens(self, day: date, hour: time) -> datetime:
        """When a day is due; by hand it waits only until its figures are published."""
        traded = available_from(day).astimezone(self.zone)
        return traded if self.ignores_time else max(traded, datetime.combine(day, hour, self.zone))


def attempt_count(attempts: int | None, retry_count: int) -> int:
    """The attempts so far; other programs count only retries, and give up after three."""
    return attempts or (retry_count if retry_count < MAX_RETRIES else MAX_ATTEMPTS)


def decide_collection(
    now: datetime, day: date, log: CollectionLog | None, lease: Lease | None, rules: DecisionRules
) -> Decision:
    """Whether to collect a day now; ``lease`` is that of a process that collects it."""
    is_stored = log is not None and log.overall_status == "success"
    is_idle = not is_stored and lease is None
    skip = _skip_closed(day, rules)
    if skip is None and is_idle and rules.unset is not None and day <= rules.today(now):
        skip = Skip("no_provider", rules.unset)
    opens = rules.opens(day, COLLECT_FROM)
    if skip is None and now < opens:
        words = messages.COLLECTED_FROM(day=day, at=opens)
        skip = Skip("before_collection_time", words, opens)
    if skip is not None:
        return skip
    if is_stored:
        return Skip("already_success", messages.STORED(what=messages.words(SIDES), day=day))
    if lease is not None:
        return Wait("in_progress", messages.IN_PROGRESS(owner=lease.owner, day=day), lease.until)
    if rules.blocked_until is not None and now < rules.blocked_until:
        until = rules.blocked_until.astimezone(rules.zone)
        words = messages.PROVIDER_BLOCKED(day=day, at=until)
        return Wait("provider_blocked", words, rules.blocked_until)
    if log is None:
        return RunNow("first_run", messages.NEVER_COLLECTED(day=day), sides=SIDES)
    return _decide_sides(now, log, rules)


def decide_indicators(
    now: datetime,
    day: date,
    collected: CollectionLog | None,
    log: IndicatorLog | None,
    lease: Lease | None,
    rules: DecisionRules,
) -> Decision:
    """Whether to calculate the indicators of a day now."""
    refusal = _skip_closed(day, rules) or _refuse_calculation(now, day, collected, log, rules)
    if refusal is not None:
        return refusal
    if lease is not None:
        return Wait(
            "in_progress", messages.INDICATORS_IN_PROGRESS(owner=lease.owner, day=day), lease.until
        )
    if log is None:
        return RunNow("first_run", messages.NEVER_CALCULATED(day=day))
    if log.lacks_history and not rules.ignores_time:
        return Wait("not_enough_history", log.error_message or messages.INDICATORS_MISSING())
    return _decide_indicator_retry(now, log, rules)


def _refuse_calculation(
    now: datetime,
    day: date,
    collected: CollectionLog | None,
    log: IndicatorLog | None,
    rules: DecisionRules,
) -> Skip | Wait | None:
    opens = rules.opens(day, CALCULATE_FROM)
    if now < opens:
        words = messages.CALCULATED_FROM(day=day, at=opens)
        return Skip("before_calculation_time", words, opens)
    if collected is None or collected.overall_status != "success":
        status = (
            messages.NEVER_COLLECTED(day=day)
            if collected is None
            else messages.DAY_STATUS(day=day, status=messages.words([collected.overall_status]))
        )
        return Wait("collection_not_success", messages.SIDES_FIRST(status=status))
    if log is not None and log.status == "success":
        return Skip("already_success", messages.STORED(what=_INDICATORS, day=day))
    if collected.prices.is_elsewhere:
        return Skip("prices_elsewhere", messages.COLLECTED_ELSEWHERE(day=day))
    return None


def _skip_closed(day: date, rules: DecisionRules) -> Skip | None:
    why = rules.calendar.why(day)
    return None if why is None else Skip("market_closed", messages.CLOSED(day=day, why=why))


def _decide_sides(now: datetime, log: CollectionLog, rules: DecisionRules) -> Decision:
    """Which sides to run of a day that was started: those that have not succeeded."""
    missing = [side for side in SIDES if log.side(side).status != "success"]
    if rules.ignores_time:
        is_first = all(log.side(side).attempts == 0 for side in missing)
        words = messages.RUN_NOW(what=messages.words(missing), day=log.day)
        return RunNow("first_run" if is_first else "retry", words, sides=tuple(missing))
    spent = [side for side in missing if log.side(side).attempts >= MAX_ATTEMPTS]
    reopened = [
        side for side in spent if _reopen_day(log.side(side), log, rules) <= rules.today(now)
    ]
    if reopened:
        words = messages.REOPENED(what=messages.words(reopened), day=log.day)
        return RunNow("reopen", words, sides=tuple(reopened))
    budgeted = [side for side in missing if side not in spent]
    if not budgeted:
        again = min(_reopen_day(log.side(side), log, rules) for side in spent)
        return _give_up(messages.words(spent), log.day, again)
    return _decide_retry(now, log, budgeted, rules)


def _decide_retry(
    now: datetime, log: CollectionLog, budgeted: list[Side], rules: DecisionRules
) -> RunNow | Wait:
    waits = {side: _retry_at(log.side(side), rules) for side in budgeted}
    due = tuple(side for side, until in waits.items() if until is None or until <= now)
    if not due:
        until = min(until for until in waits.values() if until is not None)
        words = messages.RETRY_FROM(what=messages.words(budgeted), day=log.day, at=until)
        return Wait("before_retry_time", words, until)
    what = messages.words(due)
    attempts = max(log.side(side).attempts for side in due)
    if attempts == 0:
        words = messages.NOT_STARTED(what=what, day=log.day)
        return RunNow("first_run", words, sides=due)
    if all(log.side(side).status != "failed" for side in due):
        words = messages.COLLECTION_DIED(day=log.day)
        return RunNow("take_over", words, sides=due)
    words = messages.RETRY(what=what, day=log.day, count=attempts, total=MAX_RETRIES)
    return RunNow("retry", words, sides=due)


def _decide_indicator_retry(now: datetime, log: IndicatorLog, rules: DecisionRules) -> Decision:
    day = log.day
    if log.attempts == 0:
        return RunNow("first_run", messages.NOT_STARTED(what=_INDICATORS, day=day))
    if rules.ignores_time:
        return RunNow("retry", messages.RUN_NOW(what=_INDICATORS, day=day))
    if log.attempts >= MAX_ATTEMPTS:
        again = rules.calendar.next_session(log.indicator_date)
        words = messages.REOPENED(what=_INDICATORS, day=day)
        is_due = again <= rules.today(now)
        return RunNow("reopen", words) if is_due else _give_up(_INDICATORS, day, again)
    if log.status != "failed":
        return RunNow("take_over", messages.CALCULATION_DIED(day=day))
    until = _next_hour(log.attempted_at, rules)
    if until is not None and until > now:
        words = messages.RETRY_FROM(what=_INDICATORS, day=day, at=until)
        return Wait("before_retry_time", words, until)
    words = messages.RETRY(what=_INDICATORS, day=day, count=log.attempts, total=MAX_RETRIES)
    return RunNow("retry", words)


def _give_up(what: tuple[Message, ...], day: date, again: date) -> GiveUp:
    words = messages.NO_RETRIES_LEFT(what=what, day=day, again=again)
    return GiveUp("max_retry_exceeded", words)


def _reopen_day(side: SideLog, log: CollectionLog, rules: DecisionRules) -> date:
    """The session after the one that used up the last attempt of a side."""
    last = side.attempted_at
    return rules.calendar.next_session(log.collection_date if last is None else rules.today(last))


def _retry_at(side: SideLog, rules: DecisionRules) -> datetime | None:
    """When a side may be tried again: a failure waits for the next full hour, as the ticks do."""
    return _next_hour(side.attempted_at, rules) if side.status == "failed" else None


def _next_hour(moment: datetime | None, rules: DecisionRules) -> datetime | None:
    if moment is None:
        return None
    local = moment.astimezone(rules.zone)
    past = timedelta(minutes=local.minute, seconds=local.second, microseconds=local.microsecond)
    return (moment.astimezone(UTC) - past + _HOUR).astimezone(rules.zone)
