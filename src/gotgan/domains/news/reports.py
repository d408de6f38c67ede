"""What a run over the news did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from gotgan.domains.news.models import NewsItem, Outcome
from gotgan.store import Cost, Failed, PutNewReport

__all__ = ["BodiesReport", "Step", "Uploaded"]


@dataclass(frozen=True)
class Uploaded:
    """What became of a list of stories, each under one of three heads."""

    source: str
    uploaded_at: datetime
    new: tuple[NewsItem, ...]
    duplicates: tuple[NewsItem, ...]
    """They were there already, and stay as they were first written."""
    failed: tuple[Failed[NewsItem], ...]
    cost: Cost

    @classmethod
    def of(cls, source: str, uploaded_at: datetime, report: PutNewReport[NewsItem]) -> Uploaded:
        """The report of the store, told of a run."""
        return cls(
            source=source,
            uploaded_at=uploaded_at,
            new=tuple(report.new),
            duplicates=tuple(report.duplicates),
            failed=tuple(report.failed),
            cost=report.cost,
        )

    @property
    def given(self) -> int:
        """How many stories there were."""
        return len(self.new) + len(self.duplicates) + len(self.failed)

    @property
    def words(self) -> str:
        """What came of it, in a line."""
        new, known, failed = (len(each) for each in (self.new, self.duplicates, self.failed))
        return f"{new} new, {known} duplicate" + (f", {failed} failed" if failed else "")


@dataclass(frozen=True)
class Step:
    """How far a run over bodies has come, told after each article."""

    done: int
    total: int
    url: str
    """The article that was just looked at."""
    outcome: Outcome | None
    """What it is; None where it waits for another attempt."""


@dataclass(frozen=True)
class BodiesReport:
    """What a run over bodies did."""

    outcomes: Mapping[Outcome, int]
    """How many articles are done, by what they are."""
    waiting: int
    """How many failed and wait for another attempt."""
    skipped: int
    """How many somebody else had taken."""
    stopped: str | None
    """Why the run ended early, where the site would not have any more of it."""
    has_more: bool
    """Whether articles are left that nobody has tried, because the limit was reached."""
    cost: Cost
    reasons: Mapping[str, int] = field(default_factory=dict)
    """By which codes attempts failed, how often."""
    queued: int = 0
    """How many now wait or are under way, in this run or elsewhere."""
    dead: int = 0
    """How many were given up, now and before."""

    @property
    def tried(self) -> int:
        """How many articles were looked at."""
        return sum(self.outcomes.values()) + self.waiting

    @property
    def words(self) -> str:
        """What came of it, in a line."""
        done = [f"{count} {outcome}" for outcome, count in self.outcomes.items() if count]
        waiting = [f"{self.waiting} waiting"] if self.waiting else []
        return ", ".join([*done, *waiting]) or "none"
