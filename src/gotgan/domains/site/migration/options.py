"""What a person can choose about a migration, and how they are told how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True)
class Options:
    """What a person can choose about a migration."""

    folder: Path | None = None
    """Where the state is kept; without one a run that was stopped begins anew."""
    dry_run: bool = False
    since: datetime | None = None
    corp_name: str | None = None
    verify: bool = True
    """Whether a run that copies ends with a verification."""


@dataclass(frozen=True, slots=True)
class MigrationProgress:
    """How far a migration has come."""

    kind: str
    rows: int
    """Of this kind, in this run."""
    share: float | None
    """How much of this kind is done, where that can be told."""
    seconds: float


OnStep: TypeAlias = Callable[[MigrationProgress], None]


def no_progress(_step: MigrationProgress) -> None:
    """Tell nobody."""
