"""The verbs that take a while, run in the background: whoever starts one, all see the same run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from gotgan.domains.news.days import Zone
from gotgan.domains.news.reports import BodiesReport, Step, Uploaded
from gotgan.domains.news.service import BODIES, LIST, News
from gotgan.domains.news.stories import Story
from gotgan.runs import Run, Runs, Tell

__all__ = [
    "BODIES_VERB",
    "COLLECT_VERB",
    "UPLOAD_VERB",
    "start_bodies",
    "start_body",
    "start_collect",
    "start_upload",
]

COLLECT_VERB: Final = "news.collect"
BODIES_VERB: Final = "news.bodies"
UPLOAD_VERB: Final = "news.upload"


def start_collect(runs: Runs, news: News, *, limit: int = LIST, rss: bool = False) -> Run:
    """Fetch the latest list, or the feed, and store what is new; the report is an ``Uploaded``."""

    def work(_: Tell) -> Uploaded:
        return news.collect(limit=limit, rss=rss)

    return runs.start(COLLECT_VERB, work, asked=(limit, rss))


def start_upload(runs: Runs, news: News, stories: Sequence[Story], *, source: str) -> Run:
    """Store what is new of stories that somebody hands over; the report is an ``Uploaded``."""

    def work(_: Tell) -> Uploaded:
        return news.upload(stories, source=source)

    return runs.start(UPLOAD_VERB, work, asked=(tuple(stories), source))


def start_bodies(
    runs: Runs,
    news: News,
    *,
    day: date | None = None,
    zone: Zone | None = None,
    limit: int = BODIES,
) -> Run:
    """Fetch the bodies that are missing; the report is a ``BodiesReport``."""

    def work(tell: Tell) -> BodiesReport:
        return news.bodies(day=day, zone=zone, limit=limit, on_step=_told(tell))

    about = None if day is None else (day.isoformat(),)
    return runs.start(BODIES_VERB, work, about=about, asked=(zone, limit))


def start_body(runs: Runs, news: News, pk: str) -> Run:
    """Fetch one body, also one that waits or was given up; the report is a ``BodiesReport``.

    A run over many does not know of it, so each article has a run of its own.
    """

    def work(tell: Tell) -> BodiesReport:
        return news.fetch_bodies([pk], on_step=_told(tell))

    return runs.start(f"{BODIES_VERB} {pk}", work, about=(pk,))


def _told(tell: Tell) -> Callable[[Step], None]:
    return lambda step: tell(step.done, step.total, step.url)
