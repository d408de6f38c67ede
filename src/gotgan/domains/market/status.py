"""How days stand, in words: what has happened, what will happen next, and why."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime

from gotgan.domains.market import indicator_logs, logs
from gotgan.domains.market.gate import DecisionRules, decide_collection, decide_indicators
from gotgan.domains.market.keys import INDICATORS_KEY, KEYS, day_key
from gotgan.domains.market.reports import DayStatus
from gotgan.domains.market.wording import DecisionWording
from gotgan.sql import Database, Lease

__all__ = ["month_of", "status_of"]


def month_of(year: int, month: int) -> tuple[date, date]:
    """The first and the last day of a month."""
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def status_of(
    database: Database,
    rules: DecisionRules,
    span: tuple[date, date],
    now: datetime,
    wording: DecisionWording,
) -> list[DayStatus]:
    """How all days of a span stand, closed ones too."""
    first, last = span
    leases = _Held(database)
    with database.read() as connection:
        known = logs.of_span(connection, first, last)
        calculated = indicator_logs.of_span(connection, first, last)
    days = (date.fromordinal(number) for number in range(first.toordinal(), last.toordinal() + 1))
    return [
        DayStatus(
            day=day,
            closed=rules.calendar.why(day),
            log=known.get(day),
            indicators=calculated.get(day),
            collection=decide_collection(now, day, known.get(day), leases.of(day), rules),
            calculation=decide_indicators(
                now, day, known.get(day), calculated.get(day), leases.of_indicators(), rules
            ),
            wording=wording,
        )
        for day in days
    ]


class _Held:
    """Who works on what; asked only about days, of which few are worked on."""

    def __init__(self, database: Database) -> None:
        self._held = {lease.key: lease for lease in database.leases.all_held(KEYS)}

    def of(self, day: date) -> Lease | None:
        return self._held.get(day_key(day))

    def of_indicators(self) -> Lease | None:
        return self._held.get(INDICATORS_KEY)
