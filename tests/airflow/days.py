"""The days that the tests are about: past ones, so that the hour of the test does not matter."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import RowMapping, Table, select, update

from gotgan.app import App
from gotgan.domains.market.keys import COLLECTION_LOG
from gotgan.schedule import jobs
from gotgan.scheduler import last_at

__all__ = ["Days", "an_hour_passes", "collected_days", "row_of"]

_ENOUGH = 6
"""So many sessions make some indicators."""


@dataclass(frozen=True)
class Days:
    """Sessions, each for one test."""

    ticked: date
    """The day of the last tick: as soon as it may, Airflow starts a run for it by itself."""
    forgotten: date
    """Nobody has collected it."""
    empty: date
    """Nobody has, and the exchange will say that there was no trade."""
    failing: date
    """The one whose prices fail first."""
    elsewhere: date
    """Collected outside Airflow, and without indicators; so are some sessions before it."""
    unopened: date
    """The session before those."""


def collected_days(app: App) -> Days:
    """Choose the days, and collect those that are to be there from the beginning."""
    calendar, ticked = app.market.calendar(), _day_of_last_tick(app)
    sessions = [ticked]
    while len(sessions) < 5 + _ENOUGH:
        sessions.append(calendar.previous_session(sessions[-1]))
    _, forgotten, empty, failing, *collected, unopened = sessions
    for day in (*reversed(collected), ticked):
        app.market.collect(day, now=True)
    app.market.indicators(ticked, now=True)
    return Days(ticked, forgotten, empty, failing, collected[0], unopened)


def row_of(app: App, table: Table, day: date) -> RowMapping | None:
    """What a log has of a day."""
    with app.database.read() as connection:
        return connection.execute(select(table).where(table.c.date == day)).mappings().one_or_none()


def an_hour_passes(app: App, day: date) -> None:
    """Let the last attempt at the prices of a day lie an hour back."""
    table = COLLECTION_LOG
    earlier = app.clock.now() - timedelta(hours=1)
    with app.database.begin() as connection:
        connection.execute(
            update(table).where(table.c.date == day).values(price_attempted_at=earlier)
        )


def _day_of_last_tick(app: App) -> date:
    job = next(job for job in jobs() if job.name == "market.collect")
    zone = app.settings.zone
    return last_at(job, app.clock.now(), zone).astimezone(ZoneInfo(zone)).date()
