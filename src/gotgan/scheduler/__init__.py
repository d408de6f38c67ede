"""The scheduler: a thread that runs scheduled jobs."""

from __future__ import annotations

from gotgan.scheduler.cron import DueJob, due_jobs, last_at, next_at
from gotgan.scheduler.loop import Scheduler, VerbRunner
from gotgan.scheduler.ticks import JobTicks, Ticks

__all__ = [
    "DueJob",
    "JobTicks",
    "Scheduler",
    "Ticks",
    "VerbRunner",
    "due_jobs",
    "last_at",
    "next_at",
]
