"""Whether a day is collected now, and whether its indicators are calculated: two pure decisions.

Every tick asks anew, from what is written down; so a lost tick is harmless, and so is one too many.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.domains.market.calendar import Calendar
from gotgan.domains.market.decisions import Decision, GiveUp, RunNow, Skip, Wait
from gotgan.domains.market.finality import traded_from
from gotgan.domains.market.models import SIDES, CollectionLog, IndicatorLog, Side, SideLog
from gotgan.sql import Lease

__all__ = [
    "CALCULATE_FROM",
    "COLLECT_FROM",
    "MOST_ATTEMPTS",
    "MOST_RETRIES",
    "DecisionRules",
    "attempts_of",
    "decide_collection",
    "decide_indicators",
]

COLLECT_FROM: Final = time(17)
CALCULATE_FROM: Final = time(18)
MOST_RETRIES: Final = 3
MOST_ATTEMPTS: Final = 1 + MOST_RETRIES
_HOUR: Final = timedelta(hours=1)


@dataclass(frozen=True)
class DecisionRules:
    """What a decision goes by, beside the day itself."""

    zone: ZoneInfo
    calendar: Calendar
    ignores_time: bool = False
    """Whether somebody asked for it now: then neither the hour nor spent attempts hold it up."""

    def today(self, now: datetime) -> date:
        """The date that it is in the zone."""
        return now.astimezone(self.zone).date()

    blocked_until: datetime | None = None
    """When somebody may be asked again, where all providers have to be left alone."""
    unset: str | None = None
    """What to set, where no provider is configured."""

    def opens(self, day: date, hour: time) -> datetime:
        """From when on a day is due; who asks for it now waits for nothing but the last trade."""
        traded = traded_from(day).astimezone(self.zone)
        return traded if self.ignores_time else max(traded, self.at(day, hour))

    def at(self, day: date, hour: time) -> datetime:
        """A moment of a day in the zone."""
        return datetime.combine(day, hour, self.zone)


def attempts_of(attempts: int | None, retry_count: int) -> int:
    """How many attempts were made; other programs count retries alone, and give up after three."""
    return attempts or (retry_count if retry_count < MOST_RETRIES else MOST_ATTEMPTS)


def decide_collection(
    now: datetime, day: date, log: CollectionLog | None, lease: Lease | None, rules: DecisionRules
) -> Decision:
    """Whether to collect a day now; ``lease`` is who works on it, where that is not over."""
    is_there = log is not None and log.overall_status == "success"
    left_alone = _closed(day, rules)
    if left_alone is None and not is_there and lease is None:
        left_alone = _not_configured(now, day, rules)
    left_alone = left_alone or _before_collection(now, day, rules)
    if left_alone is not None:
        return left_alone
    if is_there:
        return Skip("already_success", f"prices and indices of {day} are there")
    held = _held(now, day, lease, rules)
    if held is not None:
        return held
    if log is None:
        return RunNow("first_run", f"{day} was never collected", sides=SIDES)
    return _of_sides(now, log, rules)


def decide_indicators(
    now: datetime,
    day: date,
    collected: CollectionLog | None,
    log: IndicatorLog | None,
    lease: Lease | None,
    rules: DecisionRules,
) -> Decision:
    """Whether to calculate the indicators of a day now."""
    too_early = _closed(day, rules) or _before_calculation(now, day, rules)
    if too_early is not None:
        return too_early
    if collected is None or collected.overall_status != "success":
        stands = "was never collected" if collected is None else f"is {collected.overall_status}"
        return Wait("collection_not_success", f"{day} {stands}; both sides have to succeed first")
    left_alone = _left_uncalculated(day, collected, log)
    if left_alone is not None:
        return left_alone
    if lease is not None:
        return Wait("in_progress", f"{lease.owner} works on the indicators of {day}", lease.until)
    if log is not None and log.lacks_history and not rules.ignores_time:
        return Wait("not_enough_history", log.error_message or "not enough history")
    never = RunNow("first_run", f"indicators of {day} were never calculated")
    return never if log is None else _of_indicators(now, log, rules)


def _left_uncalculated(
    day: date, collected: CollectionLog, log: IndicatorLog | None
) -> Skip | None:
    """Why nothing is calculated of a day that was collected: it was, or its prices are missing."""
    if log is not None and log.status == "success":
        return Skip("already_success", f"indicators of {day} are there")
    if not collected.prices.is_elsewhere:
        return None
    words = f"another program collected {day}; gotgan market recover {day} stores its prices"
    return Skip("prices_elsewhere", words)


def _held(now: datetime, day: date, lease: Lease | None, rules: DecisionRules) -> Wait | None:
    if lease is not None:
        return Wait("in_progress", f"{lease.owner} works on {day}", lease.until)
    if rules.blocked_until is not None and now < rules.blocked_until:
        until = rules.blocked_until.astimezone(rules.zone)
        words = (
            f"nobody who has the prices of {day} may be asked before {until:%m-%d} {_hour(until)}"
        )
        return Wait("provider_blocked", words, rules.blocked_until)
    return None


def _closed(day: date, rules: DecisionRules) -> Skip | None:
    why = rules.calendar.why(day)
    return None if why is None else Skip("market_closed", f"{day} is no trading day: {why}")


def _not_configured(now: datetime, day: date, rules: DecisionRules) -> Skip | None:
    """Nothing is attempted without a provider; a day that has not come yet waits for its hour."""
    if rules.unset is None or day > rules.today(now):
        return None
    return Skip("no_provider", rules.unset)


def _before_collection(now: datetime, day: date, rules: DecisionRules) -> Skip | None:
    opens = rules.opens(day, COLLECT_FROM)
    if now >= opens:
        return None
    words = f"{day} is collected from {_hour(opens)} on"
    return Skip("before_collection_time", words, opens)


def _before_calculation(now: datetime, day: date, rules: DecisionRules) -> Skip | None:
    opens = rules.opens(day, CALCULATE_FROM)
    if now >= opens:
        return None
    words = f"indicators of {day} are calculated from {_hour(opens)} on"
    return Skip("before_calculation_time", words, opens)


def _of_sides(now: datetime, log: CollectionLog, rules: DecisionRules) -> Decision:
    """Which sides to run of a day that was begun: those that have not succeeded."""
    missing = [side for side in SIDES if log.side(side).status != "success"]
    if rules.ignores_time:
        return _asked_for(log, missing)
    spent = [side for side in missing if log.side(side).attempts >= MOST_ATTEMPTS]
    reopened = [side for side in spent if _reopens(log.side(side), log, rules) <= rules.today(now)]
    if reopened:
        words = f"{_named(reopened)} of {log.day} were given up; tried anew today"
        return RunNow("reopen", words, sides=tuple(reopened))
    budgeted = [side for side in missing if side not in spent]
    if not budgeted:
        again = min(_reopens(log.side(side), log, rules) for side in spent)
        return _spent(f"{_named(spent)} of {log.day}", again)
    return _of_budgeted(now, log, budgeted, rules)


def _asked_for(log: CollectionLog, missing: list[Side]) -> RunNow:
    is_first = all(log.side(side).attempts == 0 for side in missing)
    words = f"{_named(missing)} of {log.day} are asked for now"
    return RunNow("first_run" if is_first else "retry", words, sides=tuple(missing))


def _of_budgeted(
    now: datetime, log: CollectionLog, budgeted: list[Side], rules: DecisionRules
) -> RunNow | Wait:
    waits = {side: _retry_at(log.side(side), rules) for side in budgeted}
    due = [side for side, until in waits.items() if until is None or until <= now]
    if not due:
        until = min(until for until in waits.values() if until is not None)
        words = f"{_named(budgeted)} of {log.day} failed; tried again from {_hour(until)} on"
        return Wait("before_retry_time", words, until)
    attempts = max(log.side(side).attempts for side in due)
    if attempts == 0:
        return RunNow("first_run", f"{_named(due)} of {log.day} were not begun", sides=tuple(due))
    if all(log.side(side).status != "failed" for side in due):
        return RunNow(
            "take_over", f"whoever worked on {log.day} did not come to an end", sides=tuple(due)
        )
    words = f"{_named(due)} of {log.day} failed; retry {attempts} of {MOST_RETRIES}"
    return RunNow("retry", words, sides=tuple(due))


def _of_indicators(now: datetime, log: IndicatorLog, rules: DecisionRules) -> Decision:
    what = f"indicators of {log.day}"
    if log.attempts == 0:
        return RunNow("first_run", f"{what} were not begun")
    if rules.ignores_time:
        return RunNow("retry", f"{what} are asked for now")
    if log.attempts >= MOST_ATTEMPTS:
        again = rules.calendar.next_session(log.indicator_date)
        words = f"{what} were given up; tried anew today"
        return RunNow("reopen", words) if again <= rules.today(now) else _spent(what, again)
    if log.status != "failed":
        return RunNow("take_over", f"whoever calculated {log.day} did not come to an end")
    until = _next_hour(log.attempted_at, rules)
    if until is not None and until > now:
        words = f"{what} failed; tried again from {_hour(until)} on"
        return Wait("before_retry_time", words, until)
    return RunNow("retry", f"{what} failed; retry {log.attempts} of {MOST_RETRIES}")


def _spent(what: str, again: date) -> GiveUp:
    words = f"{what} failed and were given up; {again} tries anew"
    return GiveUp("max_retry_exceeded", words)


def _reopens(side: SideLog, log: CollectionLog, rules: DecisionRules) -> date:
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


def _named(sides: Sequence[Side]) -> str:
    return " and ".join(sides)


def _hour(moment: datetime) -> str:
    return f"{moment:%H:%M} {moment.tzname()}"
