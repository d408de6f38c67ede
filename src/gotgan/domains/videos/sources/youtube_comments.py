"""Read the comments of a video, page by page; a page that fails leaves the pages before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gotgan.domains.videos.models import Comment, Problem
from gotgan.domains.videos.sources.fields import items_of
from gotgan.domains.videos.sources.sampling import ORDERS, PAGES, PER_PAGE, Order, each_once
from gotgan.domains.videos.sources.youtube_answers import CommentReader, next_page_of
from gotgan.domains.videos.sources.youtube_calls import VideoCalls
from gotgan.domains.videos.sources.youtube_refusals import (
    COMMENTS_DISABLED,
    PAGE_GONE,
    YouTubeRefusal,
)
from gotgan.errors import AnalysisError, AnalysisTimeout, QuotaExhausted
from gotgan.events import emit

__all__ = ["DISABLED", "OnPage", "Sample", "comments_below"]

OnPage = Callable[[int, int], None]
"""Called after each page with how many were read, and how many there are at most."""


@dataclass(frozen=True)
class Sample:
    """The comments that were read, and why there are not more of them."""

    comments: tuple[Comment, ...] = ()
    problem: Problem | None = None
    failure: AnalysisError | None = None
    """The error that ended the reading early."""


DISABLED: Final = Sample(problem="disabled")


@dataclass
class _Reading:
    """What was read up to now."""

    calls: VideoCalls
    video_id: str
    pages: int = 0
    is_disabled: bool = False
    failure: AnalysisError | None = None

    def answers(self) -> Iterator[Mapping[str, Any]]:
        """One page after the other, until one of them fails."""
        for order in ORDERS:
            yield from self._of(order)
            if self.is_disabled or self.failure is not None:
                return

    def _of(self, order: Order) -> Iterator[Mapping[str, Any]]:
        token: str | None = None
        for _ in range(order.pages):
            answer = self._page(order, token)
            if answer is None:
                return
            self.pages += 1
            yield answer
            token = next_page_of(answer)
            if token is None:
                return

    def _page(self, order: Order, token: str | None) -> Mapping[str, Any] | None:
        """A page; None where this order has no more, or nothing has."""
        try:
            return self.calls.get(
                "commentThreads",
                heeded=(COMMENTS_DISABLED, PAGE_GONE),
                part="snippet,replies",
                videoId=self.video_id,
                order=order.name,
                maxResults=str(PER_PAGE),
                textFormat="plainText",
                **({"pageToken": token} if token else {}),
            )
        except YouTubeRefusal as refused:
            self.is_disabled = refused.reason == COMMENTS_DISABLED
        except AnalysisError as error:
            emit("videos.comments.failed", level="warning", reason=error.message)
            self.failure = error
        return None


def comments_below(
    calls: VideoCalls, video_id: str, reader: CommentReader, on_page: OnPage
) -> Sample:
    """A sample of the comments of a video; a failure is returned with it, not raised."""
    reading = _Reading(calls, video_id)
    found: list[Comment] = []
    for answer in reading.answers():
        found.extend(reader.of_threads(items_of(answer.get("items"))))
        on_page(reading.pages, PAGES)
    if reading.is_disabled:
        return DISABLED
    return Sample(each_once(found), _problem_of(reading.failure), reading.failure)


def _problem_of(error: AnalysisError | None) -> Problem | None:
    if error is None:
        return None
    if isinstance(error, QuotaExhausted):
        return "quota"
    return "timeout" if isinstance(error, AnalysisTimeout) else "failed"
