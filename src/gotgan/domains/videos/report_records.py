"""What verbs of the videos did, as JSON."""

from __future__ import annotations

from typing import Any

from gotgan.domains.videos.reports import Deleted, Imported, Purged

__all__ = ["deleted_record", "imported_record", "purged_record"]


def imported_record(imported: Imported) -> dict[str, Any]:
    """A video that came from files."""
    return {
        "videoId": imported.video_id,
        "title": imported.title,
        "comments": imported.comments,
    }


def purged_record(purged: Purged) -> dict[str, Any]:
    """How much was forgotten."""
    return {"snapshots": purged.snapshots}


def deleted_record(deleted: Deleted) -> dict[str, Any]:
    """What was there of a video."""
    return {
        "videoId": deleted.video_id,
        "snapshots": deleted.snapshots,
        "results": deleted.results,
        "jobs": deleted.jobs,
    }
