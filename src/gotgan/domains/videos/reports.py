"""What verbs of the videos did."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Deleted", "Imported", "Purged"]


@dataclass(frozen=True)
class Imported:
    """A video that came from files."""

    video_id: str
    title: str
    comments: int


@dataclass(frozen=True)
class Purged:
    """How many collections were forgotten because they may not be kept any longer."""

    snapshots: int


@dataclass(frozen=True)
class Deleted:
    """What was there of a video that was forgotten."""

    video_id: str
    snapshots: int
    results: int
    jobs: int
