"""The timetable as people read it: each job with its next time and its last tick."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from gotgan.schedule import Job
from gotgan.scheduler.due import next_at, zone_of
from gotgan.scheduler.rules import words_of
from gotgan.scheduler.ticks import Tick

__all__ = ["Line", "timetable"]


@dataclass(frozen=True)
class Line:
    """A job, when it comes round, and what came of it the last time."""

    job: Job
    zone: str
    next_at: datetime
    """In UTC."""
    last: Tick | None

    @property
    def when(self) -> str:
        """The cron line in words."""
        return words_of(self.job.cron, self.next_at)

    def local(self, moment: datetime) -> datetime:
        """A moment by the clock of the job's zone."""
        return moment.astimezone(ZoneInfo(self.zone))


def timetable(
    jobs: Iterable[Job], last: Mapping[str, Tick], now: datetime, zone: str
) -> list[Line]:
    """Every job as it stands now; ``zone`` is that of the settings."""
    return [
        Line(job, zone_of(job, zone), next_at(job, now, zone), last.get(job.name)) for job in jobs
    ]
