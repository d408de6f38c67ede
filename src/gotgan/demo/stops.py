"""Where the demo's clock stops (at the times of the schedule), and which failures it simulates.

On Mondays from 10:00 in Seoul the mail server defers one mail. On Wednesdays at 17:00 the exchange
sends half a market, so prices are incomplete until an hour later. These faults cost no waiting: a
server that does not answer is left alone for minutes of real time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import SEOUL
from gotgan.domain import Job
from gotgan.schedule import jobs
from gotgan.scheduler import next_at
from gotgan.world import MAIL_HOST, FaultKind, World
from gotgan.world.market import DATA, KRX

_MINOR_JOBS: Final = (
    "backup",
    "news.poll",
    "shops.adopt",
    "shops.deliver",
    "site.adopt",
    "site.send_mails",
    "videos.purge",
)
"""Frequent jobs that have little to do in the demo."""
_WATCHED_CRONS: Final[Mapping[str, str]] = dict.fromkeys(_MINOR_JOBS, "0 * * * *")
"""Cron lines of the demo; other jobs keep theirs."""
_HURRIED_CRONS: Final[Mapping[str, str]] = {
    "market.open_day": "0 16 * * 1-5",
    "market.collect": "0 17,18 * * 1-5",
    "market.indicators": "0 18 * * 1-5",
    "market.catch_up": "15 23 * * 1-5",
    "news.collect": "0 */4 * * *",
    "news.bodies": "5 */4 * * *",
    "shops.crawl": "10 */12 * * *",
    "shops.scrape": "40 */12 * * *",
    **dict.fromkeys(_MINOR_JOBS, "0 0,8,10,14 * * *"),
}
"""The same in a hurry: at some of those times, and whenever visitors come."""
_HOUR: Final = timedelta(hours=1)
_MORNING_HOUR: Final = 7
_DAY_PACE_S, _NIGHT_PACE_S = 2.0, 0.5
"""How many seconds an hour of the demo takes."""
_SEOUL: Final = ZoneInfo(SEOUL)


@dataclass(frozen=True)
class Stop:
    """A moment at which jobs are due."""

    at: datetime
    jobs: tuple[Job, ...]
    """In the order of the schedule."""


def next_stop(after: datetime, zone: str, *, is_hurried: bool = False) -> Stop:
    """The first stop after a moment; in a hurry many are skipped.

    Nothing is lost by that: a job that missed several times is due once.
    """
    lines = _HURRIED_CRONS if is_hurried else _WATCHED_CRONS
    times = {
        job: next_at(replace(job, cron=lines.get(job.name, job.cron)), after, zone)
        for job in jobs()
    }
    at = min(times.values())
    return Stop(at, tuple(job for job in jobs() if times[job] == at))


def hour_of(moment: datetime) -> int | None:
    """The hour of Seoul that begins at a moment; None within an hour."""
    local = moment.astimezone(_SEOUL)
    return local.hour if local.minute == local.second == local.microsecond == 0 else None


def is_midnight(moment: datetime) -> bool:
    """Whether a day of Seoul begins at a moment."""
    return hour_of(moment) == 0


def pause_s(stop: Stop, now: datetime) -> float:
    """Seconds before a stop: two for an hour, and less by night."""
    pace = _DAY_PACE_S if stop.at.astimezone(_SEOUL).hour >= _MORNING_HOUR else _NIGHT_PACE_S
    return max(0.0, (stop.at - now) / _HOUR) * pace


_MONDAY: Final = 0
_WEDNESDAY: Final = 2
_GREYLISTING, _HALF_MARKET = (_MONDAY, 10), (_WEDNESDAY, 17)
"""Weekday and hour."""


def is_greylisting_hour(moment: datetime) -> bool:
    """Whether the mail server defers the next mail."""
    return _weekday_hour(moment) == _GREYLISTING


def is_half_market_hour(moment: datetime) -> bool:
    """Whether the exchange sends half a market."""
    return _weekday_hour(moment) == _HALF_MARKET


def _weekday_hour(moment: datetime) -> tuple[int, int]:
    local = moment.astimezone(ZoneInfo(SEOUL))
    return local.weekday(), local.hour


class Outages:
    """Plans the faults of a world by time."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._was_greylisting = self._was_half = False

    def follow(self, moment: datetime) -> None:
        """Plan or clear the faults of a moment."""
        is_greylisting, is_half = is_greylisting_hour(moment), is_half_market_hour(moment)
        if is_greylisting and not self._was_greylisting:
            self._world.fail(MAIL_HOST, "*", FaultKind.GREYLISTED, times=1)
        if is_half and not self._was_half:
            self._world.fail(KRX, DATA, FaultKind.HALF)
        elif self._was_half and not is_half:
            self._world.heal()
        self._was_greylisting, self._was_half = is_greylisting, is_half
