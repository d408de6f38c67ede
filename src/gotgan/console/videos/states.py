"""How an analysis stands: one of six states, and what jobs are called by the console."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from gotgan.domains.videos.models import FETCH_FAILURES

if TYPE_CHECKING:
    from gotgan.domains.videos.reports import VideoSheet

__all__ = ["JOB_KINDS", "KINDS", "State", "outcome_of", "state_of"]

State: TypeAlias = Literal["idle", "loading", "success", "partial", "empty", "error"]
KINDS: Final[Mapping[State, str]] = MappingProxyType(
    {
        "idle": "none",
        "loading": "running",
        "success": "good",
        "partial": "warning",
        "empty": "warning",
        "error": "bad",
    }
)
"""The console's state of each: good, running, warning, bad or none."""
JOB_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {"queued": "none", "processing": "running", "completed": "good", "failed": "bad"}
)


def state_of(sheet: VideoSheet | None) -> State:
    """How things stand with a video; None is one that nothing is known of.

    What is under way comes first, then what failed last, whatever there was before.
    """
    job = None if sheet is None else sheet.last_job
    if job is not None and job.is_open:
        return "loading"
    if job is not None and job.status == "failed":
        return "error"
    if sheet is None or sheet.result is None:
        return "idle"
    return outcome_of(sheet.result.document, _problem(sheet))


def outcome_of(document: Mapping[str, Any], problem: str | None = None) -> State:
    """How complete a result is; ``problem`` is why its comments did not come, where that is known.

    A video without comments is empty; one whose comments could not be had lacks something.
    """
    meta = document["meta"]
    if not meta["commentSampleCount"] and problem not in FETCH_FAILURES:
        return "empty"
    is_whole = "comments" in meta["analysisBasis"] and not meta["warnings"]
    return "success" if is_whole else "partial"


def _problem(sheet: VideoSheet) -> str | None:
    """What was wrong when the comments of the result were collected, as far as that is kept."""
    snapshot, result = sheet.snapshot, sheet.result
    if snapshot is None or result is None or snapshot.snapshot_id != result.snapshot_id:
        return None
    return snapshot.problem
