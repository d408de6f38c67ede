"""What a migration did, and what it found when it had ended."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from gotgan.domains.site.migration.findings import Verification
from gotgan.domains.site.migration.tally import MigrationTally, RowCounts
from gotgan.store.costs import Cost

__all__ = ["MigrationReport"]


@dataclass(frozen=True)
class MigrationReport:
    """What a migration did: all of its rows, and the time and cost of this run."""

    tally: MigrationTally
    dry_run: bool
    resumed: int
    """How many rows an earlier run had read."""
    seconds: float
    cost: Cost
    verification: Verification | None = None
    """What was found when all rows were held beside their copies; its time and cost are its own."""
    last_verified: dict[str, Any] | None = None
    """When a verification of these sources last passed, and of how many rows."""

    @property
    def rows(self) -> int:
        """How many rows were read, by this run and by the one that it goes on with."""
        return sum(counts.read for counts in self.tally.kinds.values())

    @property
    def rate(self) -> float:
        """Rows a second."""
        return (self.rows - self.resumed) / self.seconds if self.seconds else 0.0

    @property
    def is_good(self) -> bool:
        """Whether every row could be copied, and no copy is lost or spoilt."""
        is_whole = self.verification is None or self.verification.is_whole
        return is_whole and not self.total("failed")

    def total(self, name: str) -> int:
        """The sum of one count over all kinds."""
        return sum(int(getattr(counts, name)) for counts in self.tally.kinds.values())

    def fields(self) -> dict[str, Any]:
        """The report for programs."""
        names = RowCounts.__dataclass_fields__
        return {
            "dry_run": self.dry_run,
            **{name: self.total(name) for name in names},
            "kinds": {name: asdict(each) for name, each in self.tally.kinds.items()},
            "lists": {name: asdict(each) for name, each in self.tally.lists.items()},
            "decisions": [
                {"what": topic, **asdict(each)} for topic, each in self.tally.decisions.items()
            ],
            "resumed": self.resumed,
            "seconds": round(self.seconds, 3),
            "rows_per_second": round(self.rate, 1),
            "verification": None if self.verification is None else self.verification.fields(),
            "last_verified": self.last_verified,
        }
