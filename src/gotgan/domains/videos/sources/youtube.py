"""The source ``youtube``: a video, its channel and a sample of its comments.

The metadata is required. A channel or comments that fail are noted in the material. What does not
exist is remembered for an hour, so that it is not requested in vain.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from gotgan import errors
from gotgan.clock import Clock
from gotgan.domains.videos import messages
from gotgan.domains.videos.models import Channel, Comment, Material, Problem, Video
from gotgan.domains.videos.sources import sampling
from gotgan.domains.videos.sources.fields import object_list
from gotgan.domains.videos.sources.quota import Quota, youtube_key
from gotgan.domains.videos.sources.youtube_client import (
    COMMENTS_DISABLED,
    PAGE_GONE,
    VIDEO_MISSING,
    YouTubeClient,
    YouTubeRefusal,
)
from gotgan.domains.videos.sources.youtube_json import (
    CommentReader,
    next_page_token,
    parse_channel,
    parse_video,
)
from gotgan.events import emit
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Database

OnPage = Callable[[int, int], None]
"""Called after each page with the number of pages read, and their maximum."""
_ABSENCE_TTL: Final = timedelta(hours=1)


@dataclass(frozen=True)
class CommentSample:
    """The comments that were read, and why there are not more of them."""

    comments: tuple[Comment, ...] = ()
    problem: Problem | None = None
    failure: errors.AnalysisError | None = None
    """The error that ended the reading early."""


_ANY_VIDEO: Final = "dQw4w9WgXcQ"
_COMMENTS_OFF: Final = CommentSample(problem="disabled")


class YouTube:
    """Fetches videos; threads can share it."""

    def __init__(
        self,
        web: Web,
        settings: Settings,
        database: Database,
        clock: Clock,
        *,
        seconds: float = 30.0,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """``seconds`` is how long a request may take, ``pause`` what waits between attempts."""
        self._web = web
        self._settings = settings
        self._leases = database.leases
        self._quota = Quota(database, settings, clock)
        self._seconds = seconds
        self._pause = pause

    def calls(self) -> YouTubeClient:
        """A client that counts the units of one video."""
        return YouTubeClient(self._web, self._settings, self._quota, self._seconds, self._pause)

    def try_key(self) -> None:
        """Send a request that costs one unit; AnalysisError if the key is refused."""
        self.calls().get("videos", part="snippet", id=_ANY_VIDEO)

    def collect(
        self,
        video_id: str,
        calls: YouTubeClient,
        on_page: OnPage = lambda _pages, _most: None,
        *,
        use_absences: bool = True,
    ) -> tuple[Material, errors.AnalysisError | None]:
        """A video with its channel and its comments, and the error that cut the comments short.

        Raises AnalysisError if the video itself cannot be fetched. What was missing within the last
        hour is not requested again if ``use_absences`` is set.
        """
        youtube_key(self._settings)
        absence = self._leases.held(_absence_key(video_id)) if use_absences else None
        if absence is not None and absence.owner == VIDEO_MISSING:
            missing = messages.VIDEO_MISSING_UNTIL(video=video_id, at=absence.until)
            raise errors.VideoMissing(missing)
        video = self._video(calls, video_id)
        channel, warnings = _fetch_channel(calls, video)
        if absence is not None and absence.owner == COMMENTS_DISABLED:
            sample = _COMMENTS_OFF
        else:
            reader = CommentReader(self._settings.secret())
            sample = _fetch_comments(calls, video_id, reader, on_page)
            if sample.problem == "disabled":
                self._remember(video_id, COMMENTS_DISABLED)
        material = Material(
            video=video,
            channel=channel,
            comments=sample.comments,
            problem=sample.problem,
            sampling=sampling.SAMPLING,
            warnings=warnings,
        )
        return material, sample.failure

    def _video(self, calls: YouTubeClient, video_id: str) -> Video:
        try:
            answer = calls.get("videos", part="snippet,statistics,contentDetails", id=video_id)
        except errors.VideoMissing as error:
            self._remember(video_id, VIDEO_MISSING)
            raise errors.VideoMissing(messages.VIDEO_MISSING(video=video_id)) from error
        if not isinstance(answer.get("items"), list):
            raise errors.UpstreamUnavailable(messages.NO_VIDEO_LIST())
        for item in object_list(answer["items"]):
            video = parse_video(item)
            if video is not None and video.video_id == video_id:
                return video
        self._remember(video_id, VIDEO_MISSING)
        raise errors.VideoMissing(messages.VIDEO_MISSING(video=video_id))

    def _remember(self, video_id: str, absence: str) -> None:
        self._leases.take(_absence_key(video_id), _ABSENCE_TTL, owner=absence)


def _absence_key(video_id: str) -> str:
    return f"youtube:absent:{video_id}"


def _fetch_channel(calls: YouTubeClient, video: Video) -> tuple[Channel | None, tuple[str, ...]]:
    """The channel of a video, or a warning: an analysis does without it."""
    if video.channel_id is None:
        return None, ()
    try:
        answer = calls.get("channels", part="snippet,statistics", id=video.channel_id)
    except errors.AnalysisError as error:
        emit("videos.channel.failed", level="warning", reason=error.message)
        return None, (messages.NO_CHANNEL(),)
    found = (parse_channel(item) for item in object_list(answer.get("items")))
    return next((channel for channel in found if channel is not None), None), ()


def _fetch_comments(
    calls: YouTubeClient, video_id: str, reader: CommentReader, on_page: OnPage
) -> CommentSample:
    """A sample of the comments of a video; a page that fails leaves the pages before it."""
    comments: list[Comment] = []
    pages = 0
    for order, most in sampling.ORDERS.items():
        token: str | None = None
        for _ in range(most):
            try:
                page = _fetch_page(calls, video_id, order, token)
            except YouTubeRefusal as refusal:
                if refusal.reason == COMMENTS_DISABLED:
                    return _COMMENTS_OFF
                break
            except errors.AnalysisError as error:
                emit("videos.comments.failed", level="warning", reason=error.message)
                return CommentSample(sampling.unique_comments(comments), _problem(error), error)
            pages += 1
            for thread in object_list(page.get("items")):
                comments.extend(reader.of_thread(thread))
            on_page(pages, sampling.MAX_PAGES)
            token = next_page_token(page)
            if token is None:
                break
    return CommentSample(sampling.unique_comments(comments))


def _fetch_page(
    calls: YouTubeClient, video_id: str, order: str, token: str | None
) -> Mapping[str, Any]:
    return calls.get(
        "commentThreads",
        expected=(COMMENTS_DISABLED, PAGE_GONE),
        part="snippet,replies",
        videoId=video_id,
        order=order,
        maxResults=str(sampling.PAGE_SIZE),
        textFormat="plainText",
        **({"pageToken": token} if token else {}),
    )


def _problem(error: errors.AnalysisError) -> Problem:
    if isinstance(error, errors.QuotaExhausted):
        return "quota"
    return "timeout" if isinstance(error, errors.AnalysisTimeout) else "failed"
