"""Whether a day is collected now, and whether its indicators are calculated: two pure decisions.

Every tick decides from the logs alone, so a lost tick is harmless, and so is one too many.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.domains.market.calendar import Calendar, available_from
from gotgan.domains.market.decisions import Decision, GiveUp, RunNow, Skip, Wait
from gotgan.domains.market.models import SIDES, CollectionLog, IndicatorLog, Side, SideLog
from gotgan.sql import Lease

COLLECT_FROM: Final = time(17)
CALCULATE_FROM: Final = time(18)
MAX_RETRIES: Final = 3
MAX_ATTEMPTS: Final = 1 + MAX_RETRIES
_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True)
class DecisionRules:
    """What a decision depends on, besides the day itself."""

    zone: ZoneInfo
    calendar: Calendar
    ignores_time: bool = False
    """Whether it is requested by hand: then neither the hour nor used attempts delay it."""
    blocked_until: datetime | None = None
    """When a provider may be asked again, where all of them block."""
    unset: str | None = None
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
        words = f"{day} is collected from {_hour(opens)} on"
        skip = Skip("before_collection_time", words, opens)
    if skip is not None:
        return skip
    if is_stored:
        return Skip("already_success", f"prices and indices of {day} are there")
    if lease is not None:
        return Wait("in_progress", f"{lease.owner} works on {day}", lease.until)
    if rules.blocked_until is not None and now < rules.blocked_until:
        until = rules.blocked_until.astimezone(rules.zone)
        from_then = f"{until:%m-%d} {_hour(until)}"
        words = f"nobody who has the prices of {day} may be asked before {from_then}"
        return Wait("provider_blocked", words, rules.blocked_until)
    if log is None:
        return RunNow("first_run", f"{day} was never collected", sides=SIDES)
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
        return Wait("in_progress", f"{lease.owner} works on the indicators of {day}", lease.until)
    if log is None:
        return RunNow("first_run", f"indicators of {day} were never calculated")
    if log.lacks_history and not rules.ignores_time:
        return Wait("not_enough_history", log.error_message or "not enough history")
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
        words = f"indicators of {day} are calculated from {_hour(opens)} on"
        return Skip("before_calculation_time", words, opens)
    if collected is None or collected.overall_status != "success":
        status = "was never collected" if collected is None else f"is {collected.overall_status}"
        return Wait("collection_not_success", f"{day} {status}; both sides have to succeed first")
    if log is not None and log.status == "success":
        return Skip("already_success", f"indicators of {day} are there")
    if collected.prices.is_elsewhere:
        words = f"another program collected {day}; gotgan market recover {day} stores its prices"
        return Skip("prices_elsewhere", words)
    return None


def _skip_closed(day: date, rules: DecisionRules) -> Skip | None:
    why = rules.calendar.why(day)
    return None if why is None else Skip("market_closed", f"{day} is no trading day: {why}")


def _decide_sides(now: datetime, log: CollectionLog, rules: DecisionRules) -> Decision:
    """Which sides to run of a day that was started: those that have not succeeded."""
    missing = [side for side in SIDES if log.side(side).status != "success"]
    if rules.ignores_time:
        is_first = all(log.side(side).attempts == 0 for side in missing)
        words = f"{' and '.join(missing)} of {log.day} are asked for now"
        return RunNow("first_run" if is_first else "retry", words, sides=tuple(missing))
    spent = [side for side in missing if log.side(side).attempts >= MAX_ATTEMPTS]
    reopened = [
        side for side in spent if _reopen_day(log.side(side), log, rules) <= rules.today(now)
    ]
    if reopened:
        words = f"{' and '.join(reopened)} of {log.day} were given up; tried anew today"
        return RunNow("reopen", words, sides=tuple(reopened))
    budgeted = [side for side in missing if side not in spent]
    if not budgeted:
        again = min(_reopen_day(log.side(side), log, rules) for side in spent)
        return _give_up(f"{' and '.join(spent)} of {log.day}", again)
    return _decide_retry(now, log, budgeted, rules)


def _decide_retry(
    now: datetime, log: CollectionLog, budgeted: list[Side], rules: DecisionRules
) -> RunNow | Wait:
    waits = {side: _retry_at(log.side(side), rules) for side in budgeted}
    due = tuple(side for side, until in waits.items() if until is None or until <= now)
    if not due:
        until = min(until for until in waits.values() if until is not None)
        what = f"{' and '.join(budgeted)} of {log.day}"
        words = f"{what} failed; tried again from {_hour(until)} on"
        return Wait("before_retry_time", words, until)
    what = f"{' and '.join(due)} of {log.day}"
    attempts = max(log.side(side).attempts for side in due)
    if attempts == 0:
        return RunNow("first_run", f"{what} were not begun", sides=due)
    if all(log.side(side).status != "failed" for side in due):
        words = f"whoever worked on {log.day} did not come to an end"
        return RunNow("take_over", words, sides=due)
    return RunNow("retry", f"{what} failed; retry {attempts} of {MAX_RETRIES}", sides=due)


def _decide_indicator_retry(now: datetime, log: IndicatorLog, rules: DecisionRules) -> Decision:
    what = f"indicators of {log.day}"
    if log.attempts == 0:
        return RunNow("first_run", f"{what} were not begun")
    if rules.ignores_time:
        return RunNow("retry", f"{what} are asked for now")
    if log.attempts >= MAX_ATTEMPTS:
        again = rules.calendar.next_session(log.indicator_date)
        words = f"{what} were given up; tried anew today"
        return RunNow("reopen", words) if again <= rules.today(now) else _give_up(what, again)
    if log.status != "failed":
        return RunNow("take_over", f"whoever calculated {log.day} did not come to an end")
    until = _next_hour(log.attempted_at, rules)
    if until is not None and until > now:
        words = f"{what} failed; tried again from {_hour(until)} on"
        return Wait("before_retry_time", words, until)
    return RunNow("retry", f"{what} failed; retry {log.attempts} of {MAX_RETRIES}")


def _give_up(what: str, again: date) -> GiveUp:
    words = f"{what} failed and were given up; {again} tries anew"
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


def _hour(moment: datetime) -> str:
    return f"{moment:%H:%M} {moment.tzname()}"
