"""The scheduler: a loop in one thread that goes by the timetable."""

from __future__ import annotations

from gotgan.scheduler.due import Due, due, last_at, next_at
from gotgan.scheduler.loop import Duties, Scheduler
from gotgan.scheduler.ticks import JobTicks, Ticks

__all__ = [
    "Due",
    "Duties",
    "JobTicks",
    "Scheduler",
    "Ticks",
    "due",
    "last_at",
    "next_at",
]
