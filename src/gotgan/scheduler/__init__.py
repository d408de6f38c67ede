"""The scheduler: a loop in one thread that goes by the timetable."""

from __future__ import annotations

from gotgan.scheduler.answers import GO, GateDecision, SimpleDecision
from gotgan.scheduler.due import Due, due, last_at, next_at
from gotgan.scheduler.loop import Duties, Scheduler
from gotgan.scheduler.ticks import JobTicks, Tick, Ticks
from gotgan.scheduler.timetable import Line, timetable

__all__ = [
    "GO",
    "Due",
    "Duties",
    "GateDecision",
    "JobTicks",
    "Line",
    "Scheduler",
    "SimpleDecision",
    "Tick",
    "Ticks",
    "due",
    "last_at",
    "next_at",
    "timetable",
]
