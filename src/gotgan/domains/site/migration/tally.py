"""What became of the rows: counts, examples, and everything that was decided on the way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from gotgan.domains.site.migration.rows import Note

__all__ = ["DecisionCount", "MigrationTally", "Outcome", "RowCounts"]

Outcome = Literal["copied", "updated", "skipped", "conflicting", "failed", "deleted_here"]
"""What became of a row: each has exactly one."""
_EXAMPLES: Final = 20
_TOPICS: Final = 200


@dataclass
class RowCounts:
    """What became of the rows of one kind; read is the sum of the outcomes."""

    read: int = 0
    copied: int = 0
    updated: int = 0
    skipped: int = 0
    conflicting: int = 0
    failed: int = 0
    deleted_here: int = 0
    orphaned: int = 0
    """Posts among them whose category is not there."""
    deleted_at_origin: int = 0
    """Copies whose row the origin has no more; they stay."""


@dataclass
class DecisionCount:
    """Something that was decided or found, how often, and for which rows first."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, example: str) -> None:
        """Count one more."""
        self.count += 1
        if len(self.examples) < _EXAMPLES:
            self.examples.append(example)


@dataclass
class MigrationTally:
    """The counts of a run in the making."""

    kinds: dict[str, RowCounts] = field(default_factory=dict)
    decisions: dict[str, DecisionCount] = field(default_factory=dict)
    lists: dict[str, DecisionCount] = field(default_factory=dict)
    """Which rows are conflicting, failed, orphaned, deleted here or at the origin."""

    @classmethod
    def restored(cls, noted: dict[str, Any]) -> MigrationTally:
        """The tally that a run left behind."""
        return cls(
            {name: RowCounts(**each) for name, each in noted.get("kinds", {}).items()},
            {name: DecisionCount(**each) for name, each in noted.get("decisions", {}).items()},
            {name: DecisionCount(**each) for name, each in noted.get("lists", {}).items()},
        )

    def noted(self) -> dict[str, Any]:
        """The tally as JSON can hold it."""
        return asdict(self)

    def of(self, kind: str) -> RowCounts:
        """The counts of a kind."""
        return self.kinds.setdefault(kind, RowCounts())

    def count(self, kind: str, outcome: Outcome, example: str) -> None:
        """Count a row."""
        counts = self.of(kind)
        counts.read += 1
        setattr(counts, outcome, getattr(counts, outcome) + 1)
        if outcome in {"conflicting", "failed", "deleted_here"}:
            self.list(outcome, f"{kind} {example}")

    def list(self, name: str, example: str) -> None:
        """Put a row on a list."""
        self.lists.setdefault(name, DecisionCount()).add(example)

    def decide(self, notes: Iterable[Note]) -> None:
        """Count what was decided; there are only so many topics, whatever rows say."""
        for note in notes:
            topic = note.topic if len(self.decisions) < _TOPICS else "and more"
            self.decisions.setdefault(topic, DecisionCount()).add(note.example)
