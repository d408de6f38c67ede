"""A thin client of the YouTube Data API: a video, its channel and a sample of its comments.

The metadata is required. A channel or comments that fail are noted in the material.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from gotgan.clock import Clock
from gotgan.domains.videos.models import Channel, Material, Video
from gotgan.domains.videos.sources.absences import Absences
from gotgan.domains.videos.sources.fields import items_of
from gotgan.domains.videos.sources.quota import Quota, key_of
from gotgan.domains.videos.sources.sampling import SAMPLING
from gotgan.domains.videos.sources.youtube_answers import CommentReader, channel_of, video_of
from gotgan.domains.videos.sources.youtube_calls import VideoCalls, YouTubeConnection
from gotgan.domains.videos.sources.youtube_comments import (
    DISABLED,
    OnPage,
    Sample,
    comments_below,
)
from gotgan.errors import AnalysisError, UpstreamUnavailable, VideoMissing
from gotgan.events import emit
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Database

__all__ = ["YouTube"]


def _unheard(_pages: int, _most: int) -> None:
    """Nobody wants to know how far it is."""


class YouTube:
    """The source ``youtube``; share one among threads."""

    def __init__(
        self,
        web: Web,
        settings: Settings,
        database: Database,
        clock: Clock,
        *,
        seconds: float = YouTubeConnection.seconds,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """``seconds`` is how long a request may take, ``pause`` what waits between attempts."""
        self._settings = settings
        self._absences = Absences(database.leases)
        self._line = YouTubeConnection(
            web, settings, Quota(database, settings, clock), seconds, pause
        )

    def calls(self) -> VideoCalls:
        """What counts the units that are spent on one video."""
        return VideoCalls(self._line)

    def collect(
        self, video_id: str, calls: VideoCalls, on_page: OnPage = _unheard, *, believes: bool = True
    ) -> tuple[Material, AnalysisError | None]:
        """A video with its channel and its comments, and the error that cut the comments short.

        Raises AnalysisError if the video itself cannot be fetched. What was missing within the last
        hour is not requested again if ``believes`` is set.
        """
        key_of(self._settings)
        if believes:
            self._absences.expect_video(video_id)
        video = self._video(calls, video_id)
        channel, warnings = _channel(calls, video)
        sample = self._comments(calls, video_id, on_page, believes=believes)
        material = Material(
            video=video,
            channel=channel,
            comments=sample.comments,
            problem=sample.problem,
            sampling=SAMPLING,
            warnings=warnings,
        )
        return material, sample.failure

    def _video(self, calls: VideoCalls, video_id: str) -> Video:
        try:
            parts = "snippet,statistics,contentDetails"
            answer = calls.get("videos", part=parts, id=video_id)
        except VideoMissing as error:
            raise self._absences.remember_no_video(video_id) from error
        if not isinstance(answer.get("items"), list):
            raise UpstreamUnavailable("YouTube answered no list of videos; look at GOTGAN_YOUTUBE")
        for item in items_of(answer["items"]):
            video = video_of(item)
            if video is not None and video.video_id == video_id:
                return video
        raise self._absences.remember_no_video(video_id)

    def _comments(
        self, calls: VideoCalls, video_id: str, on_page: OnPage, *, believes: bool
    ) -> Sample:
        if believes and self._absences.has_no_comments(video_id):
            return DISABLED
        reader = CommentReader(self._settings.secret())
        sample = comments_below(calls, video_id, reader, on_page)
        if sample.problem == "disabled":
            self._absences.remember_no_comments(video_id)
        return sample


def _channel(calls: VideoCalls, video: Video) -> tuple[Channel | None, tuple[str, ...]]:
    """Whose video it is; to do without is better than to do nothing."""
    if video.channel_id is None:
        return None, ()
    try:
        answer = calls.get("channels", part="snippet,statistics", id=video.channel_id)
    except AnalysisError as error:
        emit("videos.channel.failed", level="warning", reason=error.message)
        return None, ("nothing could be read about the channel: YouTube did not give it",)
    found = (channel_of(item) for item in items_of(answer.get("items")))
    return next((channel for channel in found if channel is not None), None), ()
