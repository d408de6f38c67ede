"""What YouTube said that there is not: written down for an hour, so that nobody asks in vain."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from gotgan.domains.videos.sources.youtube_refusals import COMMENTS_DISABLED, VIDEO_MISSING
from gotgan.errors import VideoMissing
from gotgan.sql import Leases

__all__ = ["REMEMBERED", "Absences"]

REMEMBERED: Final = timedelta(hours=1)
"""How long it is believed."""


class Absences:
    """The videos that are missing, and those without comments; all processes see them."""

    def __init__(self, leases: Leases) -> None:
        self._leases = leases

    def expect_video(self, video_id: str) -> None:
        """Raise VideoMissing where the video was missing a moment ago."""
        known = self._leases.held(_key(video_id))
        if known is not None and known.owner == VIDEO_MISSING:
            raise _missing(video_id, f"; it is not asked again before {known.until:%H:%M} UTC")

    def has_no_comments(self, video_id: str) -> bool:
        """Whether the owner did not take comments a moment ago."""
        known = self._leases.held(_key(video_id))
        return known is not None and known.owner == COMMENTS_DISABLED

    def remember_no_video(self, video_id: str) -> VideoMissing:
        """Write down that a video is missing; the error that says so."""
        self._leases.take(_key(video_id), REMEMBERED, owner=VIDEO_MISSING)
        return _missing(video_id)

    def remember_no_comments(self, video_id: str) -> None:
        """Write down that the owner does not take comments."""
        self._leases.take(_key(video_id), REMEMBERED, owner=COMMENTS_DISABLED)


def _missing(video_id: str, more: str = "") -> VideoMissing:
    """The error for a video that is not there."""
    return VideoMissing(
        f"YouTube has no video {video_id}, or does not show it to everybody; look at the id{more}"
    )


def _key(video_id: str) -> str:
    return f"youtube:absent:{video_id}"
