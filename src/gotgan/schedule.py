"""The schedule: every job of all domains.

Each domain declares its own. The scheduler of ``gotgan up`` reads them, and so do the DAGs of
Airflow; ``app`` finds the methods that verbs and gates name. At a tick, the gate decides from what
is stored whether there is anything to do, so a lost tick is harmless, and so is one too many.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import ClassVar, Final, Literal

from gotgan.domain import Job, domains

TickStatus = Literal["running", "done", "failed", "skipped", "waiting"]
"""Whether a job ran at a scheduled time, and how that ended."""


@dataclass(frozen=True)
class Tick:
    """One scheduled time of a job, and its result."""

    shown: ClassVar = (
        "job",
        "at",
        "status",
        "reason",
        "words",
        "started_at",
        "finished_at",
        "error",
    )

    id: int
    job: str
    at: datetime
    """The scheduled time."""
    status: TickStatus
    """`skipped` and `waiting` did not run."""
    reason: str | None
    """A code that says why it ran or did not, such as `already_success`."""
    words: str | None
    """The reason or the result as a sentence."""
    finished_at: datetime | None
    """When it ended."""
    error: str | None
    """Why it failed."""
    started_at: datetime | None = None
    """When its run started; null if it did not run."""
    reads: float | None = None
    """DynamoDB read units of the run; None if they were not counted."""
    writes: float | None = None
    """DynamoDB write units of the run; None if they were not counted."""


@dataclass(frozen=True)
class TickPage:
    """Ticks, newest first."""

    items: tuple[Tick, ...]
    cursor: str | None
    """Of the next page; null at the end."""


_BACKUP: Final = Job(
    "backup",
    "30 3 * * *",
    gate="backup.is_ready",
    words="Backs up the data folder and deletes old backups.",
)


@cache
def jobs() -> tuple[Job, ...]:
    """All of them, domain by domain. Those of one minute are due in this order."""
    return (*(job for domain in domains() for job in domain.jobs), _BACKUP)


MANUAL_DAGS: Final = {"manual_collection_dag": "market.recover"}
"""DAGs that are started by hand, with the verbs that they run."""
