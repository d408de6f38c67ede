"""How a day went, as one of the console's states: from its runs, its analyses and its session."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from gotgan.app import App
from gotgan.clock import Zone
from gotgan.console.market.states import has_failed
from gotgan.console.past import Past
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.schedule import jobs

if TYPE_CHECKING:
    from gotgan.domains.market.reports import DayStatus

__all__ = ["TICK_KINDS", "DayMark", "Kind", "mark_of", "marks_of"]

Kind: TypeAlias = Literal["good", "running", "warning", "bad", "none"]
TICK_KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {"done": "good", "running": "running", "failed": "bad"}
)
"""The console's state of each way that a job was run."""


@dataclass(frozen=True)
class DayMark:
    """A day at a glance."""

    day: date
    ran: int = 0
    """How often a job was run; ticks are kept for thirty days."""
    failed: int = 0
    session: str | None = None
    """How the market's day stands; None where that is not known."""
    is_broken: bool = False
    """Whether something of the session failed and is not mended."""
    unmended: int = 0
    """How many analyses of videos failed and were not made up for."""

    @property
    def work(self) -> Kind:
        """How its runs went: all of them failed, some did, or none."""
        if self.failed:
            return "bad" if self.failed == self.ran else "warning"
        return "good" if self.ran else "none"

    @property
    def kind(self) -> Kind:
        """How it went as a whole: a session that is not mended is worse than a run that failed."""
        if self.is_broken or self.work == "bad":
            return "bad"
        if self.unmended:
            return "warning"
        return "good" if self.work == "none" and self.session == "success" else self.work


def mark_of(
    day: date,
    runs: Mapping[str, int],
    status: DayStatus | None,
    today: date,
    unmended: int = 0,
) -> DayMark:
    """A day by its runs, by how its session stands, and by its analyses that failed."""
    return DayMark(
        day,
        ran=sum(runs.values()),
        failed=runs.get("failed", 0),
        session=None if status is None else _session(status, today),
        is_broken=status is not None and has_failed(status),
        unmended=unmended,
    )


def marks_of(
    app: App,
    past: Past,
    days: Sequence[date],
    zone: Zone,
    today: date,
    statuses: Iterable[DayStatus],
) -> dict[date, DayMark]:
    """The marks of some days in a row, as far as they have come."""
    from gotgan.scheduler.day_counts import runs_by_day  # noqa: PLC0415 - it loads SQLAlchemy

    names = [job.name for job in jobs()]
    runs = past.of(
        ("runs", zone), days, today, lambda some: runs_by_day(app.database, names, some, zone)
    )
    by_day = {status.day: status for status in statuses}
    unmended = _unmended(app, days, zone)
    return {
        day: mark_of(day, runs[day], by_day.get(day), today, unmended.get(day, 0)) for day in runs
    }


def _unmended(app: App, days: Sequence[date], zone: Zone) -> Mapping[date, int]:
    """Counted anew each time, for one may be mended meanwhile; none where that cannot be read."""
    try:
        return app.videos.failed_counts(days, zone)
    except GotganError as error:
        emit("console.part.failed", level="warning", part="videos", reason=error.message)
        return {}


def _session(status: DayStatus, today: date) -> str | None:
    """A word of the log; ``never`` is a session that is over and that nobody began."""
    if status.log is not None:
        return status.log.overall_status
    if status.closed is not None:
        return "closed"
    return "never" if status.day < today else None
