"""How a tick is told to have ended, from the run that it started."""

from __future__ import annotations

from typing import Any, Final, Protocol, runtime_checkable

from gotgan.runs import Run
from gotgan.store import Cost

__all__ = ["ending"]

_FAILED: Final = frozenset({"failed", "partial"})
"""A report with one of these outcomes tells of something that is to be done again."""


@runtime_checkable
class _Telling(Protocol):
    """A report that says by itself what came of it."""

    words: str


@runtime_checkable
class _Judging(_Telling, Protocol):
    """A report that says whether that was well."""

    outcome: str


@runtime_checkable
class _Priced(Protocol):
    """A report that knows what it took of DynamoDB."""

    cost: Cost


def ending(run: Run) -> dict[str, Any]:
    """The columns of a tick whose run has ended.

    A verb that failed and wrote that down itself has a report that says so, and no error.
    """
    told: dict[str, Any] = {"status": "done", "finished_at": run.finished_at, "error": None}
    if run.error is not None:
        return told | {"status": "failed", "error": run.error.message}
    told |= _taken(run.report)
    if isinstance(run.report, _Telling):
        told["words"] = run.report.words
    if isinstance(run.report, _Judging) and run.report.outcome in _FAILED:
        told |= {"status": "failed", "error": run.report.words}
    return told


def _taken(report: Any) -> dict[str, float]:
    """The units that a run took, where its report has counted them."""
    if not isinstance(report, _Priced):
        return {}
    return {"reads": report.cost.reads, "writes": report.cost.writes}
