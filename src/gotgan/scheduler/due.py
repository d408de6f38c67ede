"""When a job comes round: pure functions of its cron line, its zone and the time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim

from gotgan.schedule import Job

__all__ = ["Due", "due", "last_at", "next_at", "zone_of"]

_LONGEST_SHIFT: Final = timedelta(hours=1)
"""By how much a zone moves its clocks when summer begins or ends."""


@dataclass(frozen=True)
class Due:
    """A job whose time has come, and what time that was."""

    job: Job
    at: datetime


def due(
    jobs: Iterable[Job],
    last: Mapping[str, datetime],
    now: datetime,
    zone: str,
    *,
    is_start: bool = False,
) -> list[Due]:
    """What came round since each job's last tick, in the order of the timetable.

    However often a job came round since then, it is due once, for the latest time: the process may
    have slept, or not been there. A job that never ticked is due too.
    """
    latest = (Due(job, _latest(job, now, zone, is_start=is_start)) for job in jobs)
    return [each for each in latest if each.job.name not in last or each.at > last[each.job.name]]


def last_at(job: Job, now: datetime, zone: str) -> datetime:
    """The latest time up to now at which a job came round, in UTC."""
    # An hour that comes twice is one to cron, so what lies behind may look as if it were ahead.
    ahead = (now + _LONGEST_SHIFT + timedelta(seconds=1)).replace(microsecond=0)
    local = ahead.astimezone(ZoneInfo(zone_of(job, zone)))
    times = (each.astimezone(UTC) for each in CronSim(job.cron, local, reverse=True))
    return next(each for each in times if each <= now)


def next_at(job: Job, now: datetime, zone: str) -> datetime:
    """The next time at which a job comes round, in UTC."""
    minute = now.astimezone(UTC).replace(second=0, microsecond=0)
    return _next_after(job.cron, zone_of(job, zone), minute)


@lru_cache(maxsize=256)
def _next_after(cron: str, zone: str, minute: datetime) -> datetime:
    """The same for all moments of a minute."""
    times = (each.astimezone(UTC) for each in CronSim(cron, minute.astimezone(ZoneInfo(zone))))
    return next(each for each in times if each > minute)


def zone_of(job: Job, zone: str) -> str:
    """The zone that a job goes by, where ``zone`` is that of the settings."""
    return job.zone or zone


def _latest(job: Job, now: datetime, zone: str, *, is_start: bool) -> datetime:
    if is_start and job.at_start:
        return now.astimezone(UTC).replace(second=0, microsecond=0)
    return last_at(job, now, zone)
