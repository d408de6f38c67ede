"""The timetable and its ticks as records, for all who speak JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from gotgan.clock import utc_iso
from gotgan.scheduler.ticks import Tick
from gotgan.scheduler.timetable import Line

__all__ = ["line_record", "tick_record"]


def line_record(line: Line) -> dict[str, Any]:
    """A job, its next time and its last tick."""
    job = line.job
    return {
        "name": job.name,
        "words": job.words,
        "cron": job.cron,
        "when": line.when,
        "zone": line.zone,
        "verb": job.verb,
        "gate": job.gate,
        "dag": job.dag_id,
        "next": _stamp(line.next_at),
        "nextLocal": line.local(line.next_at).isoformat(),
        "last": None if line.last is None else tick_record(line.last),
    }


def tick_record(tick: Tick) -> dict[str, Any]:
    """One time that a job came round, and what came of it."""
    return {
        "job": tick.job,
        "at": _stamp(tick.at),
        "status": tick.status,
        "reason": tick.reason,
        "words": tick.words,
        "startedAt": _stamp(tick.started_at),
        "finishedAt": _stamp(tick.finished_at),
        "error": tick.error,
    }


def _stamp(moment: datetime | None) -> str | None:
    return None if moment is None else utc_iso(moment)
