"""Cron lines: when a job is due, as functions of its line, its zone and the time, and as text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from cronsim import CronSim

from gotgan.domain import Job
from gotgan.messages import Template

_MAX_DST_SHIFT: Final = timedelta(hours=1)
"""How far a zone moves its clocks for summer time."""


@dataclass(frozen=True)
class DueJob:
    """A job that is due, and since when."""

    job: Job
    at: datetime


def due_jobs(
    jobs: Iterable[Job],
    last: Mapping[str, datetime],
    now: datetime,
    zone: str,
    *,
    is_start: bool = False,
) -> list[DueJob]:
    """The jobs that are due since their last tick, in the order of the schedule.

    A job is due once, for the latest time, however many times it has missed. A job without a tick
    is due too.
    """
    latest = (DueJob(job, _latest(job, now, zone, is_start=is_start)) for job in jobs)
    return [each for each in latest if each.job.name not in last or each.at > last[each.job.name]]


def last_at(job: Job, now: datetime, zone: str) -> datetime:
    """The latest time up to now at which a job was due, in UTC."""
    # To cron, an hour that occurs twice is one, so a past time may look like a future one.
    ahead = (now + _MAX_DST_SHIFT + timedelta(seconds=1)).replace(microsecond=0)
    local = ahead.astimezone(ZoneInfo(job_zone(job, zone)))
    times = (each.astimezone(UTC) for each in CronSim(job.cron, local, reverse=True))
    return next(each for each in times if each <= now)


def next_at(job: Job, now: datetime, zone: str) -> datetime:
    """The next time at which a job is due, in UTC."""
    minute = now.astimezone(UTC).replace(second=0, microsecond=0)
    return _next_after(job.cron, job_zone(job, zone), minute)


@lru_cache(maxsize=256)
def _next_after(cron: str, zone: str, minute: datetime) -> datetime:
    times = (each.astimezone(UTC) for each in CronSim(cron, minute.astimezone(ZoneInfo(zone))))
    return next(each for each in times if each > minute)


def job_zone(job: Job, zone: str) -> str:
    """The zone of a job, where ``zone`` is that of the settings."""
    return job.zone or zone


def _latest(job: Job, now: datetime, zone: str, *, is_start: bool) -> datetime:
    if is_start and job.at_start:
        return now.astimezone(UTC).replace(second=0, microsecond=0)
    return last_at(job, now, zone)


_FORMS: Final = tuple(
    (re.compile(pattern), Template(f"schedule.{code}", text))
    for code, pattern, text in (
        ("every_minute", r"\* \*", "Every minute"),
        (
            "every_minutes",
            r"\*/(?P<count>2|3|4|5|6|10|12|15|20|30) \*",
            "Every {count} minutes",
        ),
        ("at_minute", r"(?P<minute>\d+) \*", "Every hour at minute {minute}"),
        (
            "at_minutes",
            r"(?P<minute>\d+),(?P<other>\d+) \*",
            "Every hour at minutes {minute} and {other}",
        ),
        (
            "every_hours",
            r"(?P<minute>\d+) \*/(?P<count>2|3|4|6|8|12)",
            "Every {count} hours at minute {minute}",
        ),
        (
            "hourly",
            r"(?P<minute>\d+) (?P<first>\d+)-(?P<last>\d+)",
            "Every hour from {first} to {last}",
        ),
        ("daily", r"(?P<minute>\d+) (?P<first>\d+)", "At {first}"),
    )
)
"""Minutes and hours; only steps that divide an hour or a day."""
_WEEKDAYS: Final = Template("schedule.weekdays", "{times}, Monday to Friday")
_DAYS: Final = ("* * *", "* * 1-5")


def cron_text(cron: str, now: datetime) -> str:
    """A cron line in words; an unusual one is explained field by field."""
    minute, hour, days = cron.split(maxsplit=2)
    for pattern, template in _FORMS if days in _DAYS else ():
        found = pattern.fullmatch(f"{minute} {hour}")
        if found is not None:
            figures: dict[str, Any] = {name: int(each) for name, each in found.groupdict().items()}
            for name in figures.keys() & {"first", "last"}:
                figures[name] = f"{figures[name]:02}:{figures['minute']:02}"
            times = template(**figures)
            return times if days == _DAYS[0] else _WEEKDAYS(times=times)
    return CronSim(cron, now).explain()
