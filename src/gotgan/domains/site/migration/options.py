"""Options of a migration, and its progress."""

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
    """Where the state is kept; without one, an interrupted run starts over."""
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
    """How much of this kind is done, where that is known."""
    seconds: float


OnStep: TypeAlias = Callable[[MigrationProgress], None]


def no_progress(_step: MigrationProgress) -> None:
    """Report nothing."""
