"""The scheduler: a loop in one thread that goes by the timetable."""

from __future__ import annotations

from gotgan.scheduler.answers import GO, Answer, Decision
from gotgan.scheduler.due import Due, due, last_at, next_at
from gotgan.scheduler.loop import Duties, Scheduler
from gotgan.scheduler.ticks import JobTicks, Tick, Ticks
from gotgan.scheduler.timetable import Line, timetable

__all__ = [
    "GO",
    "Answer",
    "Decision",
    "Due",
    "Duties",
    "JobTicks",
    "Line",
    "Scheduler",
    "Tick",
    "Ticks",
    "due",
    "last_at",
    "next_at",
    "timetable",
]
