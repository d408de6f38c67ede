"""Where the demo's clock stops: at the times of the timetable, as pure functions of the time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import SEOUL
from gotgan.schedule import Job, jobs
from gotgan.scheduler import next_at

__all__ = ["Stop", "hour_of", "is_midnight", "next_stop", "pause_before"]

_ALONG: Final = (
    "backup",
    "shops.adopt",
    "shops.deliver",
    "site.adopt",
    "site.send_mails",
    "videos.purge",
)
"""Jobs that come round often, and have next to nothing to do here."""
_AT_LEISURE: Final[Mapping[str, str]] = dict.fromkeys(_ALONG, "0 * * * *")
"""When jobs are attended to, as lines of cron; all others by the timetable."""
_IN_A_HURRY: Final[Mapping[str, str]] = {
    "market.open_day": "0 16 * * 1-5",
    "market.collect": "0 17,18 * * 1-5",
    "market.indicators": "0 18 * * 1-5",
    "market.catch_up": "15 23 * * 1-5",
    "news.collect": "0 */4 * * *",
    "news.bodies": "5 */4 * * *",
    "shops.crawl": "10 */12 * * *",
    "shops.scrape": "40 */12 * * *",
    **dict.fromkeys(_ALONG, "0 0,8,10,14 * * *"),
}
"""The same for those who cannot wait: at some of those times, and whenever people come by."""
_AN_HOUR: Final = timedelta(hours=1)
_MORNING: Final = 7
_BY_DAY, _BY_NIGHT = 2.0, 0.5
"""How many seconds an hour of the demo takes for those who watch."""
_SEOUL: Final = ZoneInfo(SEOUL)


@dataclass(frozen=True)
class Stop:
    """A moment at which something is due, and what."""

    at: datetime
    jobs: tuple[Job, ...]
    """In the order of the timetable."""


def next_stop(after: datetime, zone: str, *, is_hurried: bool = False) -> Stop:
    """The first stop after a moment; whoever is in a hurry leaves many out.

    Nothing is lost by that: a job that came round several times is due once.
    """
    lines = _IN_A_HURRY if is_hurried else _AT_LEISURE
    times = {
        job: next_at(replace(job, cron=lines.get(job.name, job.cron)), after, zone)
        for job in jobs()
    }
    at = min(times.values())
    return Stop(at, tuple(job for job in jobs() if times[job] == at))


def hour_of(moment: datetime) -> int | None:
    """Which hour of Seoul begins at a moment; None where none does."""
    local = moment.astimezone(_SEOUL)
    return local.hour if local.minute == local.second == local.microsecond == 0 else None


def is_midnight(moment: datetime) -> bool:
    """Whether a day of Seoul begins."""
    return hour_of(moment) == 0


def pause_before(stop: Stop, now: datetime) -> float:
    """How many seconds a watcher waits for a stop: two for an hour, and less by night."""
    pace = _BY_DAY if stop.at.astimezone(_SEOUL).hour >= _MORNING else _BY_NIGHT
    return max(0.0, (stop.at - now) / _AN_HOUR) * pace
