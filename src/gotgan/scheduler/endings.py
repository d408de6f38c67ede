"""How a tick is told to have ended, from the run that it started."""

from __future__ import annotations

from typing import Any, Final, Protocol, runtime_checkable

from gotgan.runs import Run

__all__ = ["ending"]

_FAILED: Final = frozenset({"failed", "partial"})
"""A report with one of these outcomes tells of something that is to be done again."""


@runtime_checkable
class _Telling(Protocol):
    """A report that says by itself what came of it."""

    outcome: str
    words: str


def ending(run: Run) -> dict[str, Any]:
    """The columns of a tick whose run has ended.

    A verb that failed and wrote that down itself has a report that says so, and no error.
    """
    told: dict[str, Any] = {"status": "done", "finished_at": run.finished_at, "error": None}
    if run.error is not None:
        return told | {"status": "failed", "error": run.error.message}
    if isinstance(run.report, _Telling):
        told["words"] = run.report.words
        if run.report.outcome in _FAILED:
            told |= {"status": "failed", "error": run.report.words}
    return told
