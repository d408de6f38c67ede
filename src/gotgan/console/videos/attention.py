"""What of the videos needs somebody's attention."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from gotgan.app import App
from gotgan.console.needs import Need
from gotgan.console.videos.places import LIST, video_page
from gotgan.console.videos.spending import quota_of

__all__ = ["needs"]

_LOOKED_BACK: Final = timedelta(days=7)
_MOST: Final = 100


def needs(app: App) -> list[Need]:
    """Units that are used up, and videos of the last week whose last analysis failed."""
    quota = quota_of(app)
    blocked = [_need("quota", LIST, 0)] if quota is not None and quota.is_blocked else []
    since = app.videos.now() - _LOOKED_BACK
    lines = app.videos.list(limit=_MOST).items
    failed = [each for each in lines if each.status == "failed" and each.touched_at >= since]
    if not failed:
        return blocked
    path = video_page(failed[0].video_id) if len(failed) == 1 else f"{LIST}/jobs?status=failed"
    return [*blocked, _need("failed", path, len(failed))]


def _need(word: str, path: str, count: int) -> Need:
    return Need(f"videos.need.{word}", f"videos.need.{word}_link", path, count)
