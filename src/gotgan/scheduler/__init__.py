"""The scheduler: a loop in one thread that goes by the timetable."""

from __future__ import annotations

from gotgan.scheduler.answers import GO, GateDecision, SimpleDecision
from gotgan.scheduler.due import Due, due, last_at, next_at
from gotgan.scheduler.loop import Duties, Scheduler
from gotgan.scheduler.ticks import JobTicks, Ticks

__all__ = [
    "GO",
    "Due",
    "Duties",
    "GateDecision",
    "JobTicks",
    "Scheduler",
    "SimpleDecision",
    "Ticks",
    "due",
    "last_at",
    "next_at",
]
