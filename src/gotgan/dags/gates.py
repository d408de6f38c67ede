"""The gates of the timetable as tasks ask them; what they answer is in the log of the task."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, TypeAlias

from airflow.sdk import get_current_context

from gotgan.app import App
from gotgan.dags.days import day_of
from gotgan.dags.handing import to_json
from gotgan.domain import GateDecision
from gotgan.domains.market import indicating, steps
from gotgan.events import emit

__all__ = ["decided", "run_day", "taken"]

_Work: TypeAlias = steps.CollectionWork | indicating.IndicatorWork


def decided(decision: GateDecision) -> bool:
    """Whether a gate lets a run through."""
    emit("airflow.gate", status=decision.status, reason=decision.reason, words=decision.words)
    return decision.status == "run"


def run_day(app: App) -> date:
    """The day that the run of this task is about."""
    return day_of(get_current_context(), app.settings.zone)


def taken(app: App, begin: Callable[[date], _Work | GateDecision]) -> dict[str, Any] | None:
    """The day of this run, taken in hand as it is handed on; None where the gate stays shut."""
    is_set = app.market.is_ready()
    begun = begin(run_day(app)) if is_set.status == "run" else is_set
    if not isinstance(begun, _Work):
        decided(begun)
        return None
    decided(begun.decision)
    return to_json(begun)
