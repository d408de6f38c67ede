"""What the pages of the videos show: paths, ages, states, charts and costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request

from gotgan.app import App
from gotgan.console.past_days import PastDays, last_days
from gotgan.console.session import Viewer
from gotgan.domains.videos.documents import sentiment_counts
from gotgan.domains.videos.metrics.measurements import whole_percents
from gotgan.domains.videos.models import ANALYSERS, FETCH_FAILURES
from gotgan.domains.videos.reports import DayCost, QuotaDay, VideoSheet
from gotgan.errors import KeyRefused

LIST = "/videos"


def video_page(video_id: str) -> str:
    """The page of a video."""
    return f"{LIST}/{video_id}"


def youtube_url(video_id: str, seconds: int | None = None) -> str:
    """A video at YouTube, from its start or from a time on."""
    query = {"v": video_id, **({} if seconds is None else {"t": f"{seconds}s"})}
    return f"https://www.youtube.com/watch?{urlencode(query)}"


def timestamp(seconds: int) -> str:
    """A time in a video as its player shows it: 2:14, or 1:02:03."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


# Ages

Unit = Literal["moments", "minutes", "hours", "days"]
_UNITS: Final[tuple[tuple[Unit, timedelta, int], ...]] = (
    ("days", timedelta(days=1), 2),
    ("hours", timedelta(hours=1), 2),
    ("minutes", timedelta(minutes=1), 1),
)
"""Each unit, its length, and the least number of it that is shown."""


@dataclass(frozen=True)
class Age:
    """A span of time, rounded down."""

    unit: Unit
    count: int = 0


def age_between(then: datetime, now: datetime) -> Age:
    """The time between two moments, in the unit that people would use."""
    for unit, length, least in _UNITS:
        count = abs(now - then) // length
        if count >= least:
            return Age(unit, count)
    return Age("moments")


# States


State: TypeAlias = Literal["idle", "loading", "success", "partial", "empty", "error"]
STATE_KINDS: Final[Mapping[State, str]] = {
    "idle": "none",
    "loading": "running",
    "success": "good",
    "partial": "warning",
    "empty": "warning",
    "error": "bad",
}
JOB_KINDS: Final[Mapping[str, str]] = {
    "queued": "none",
    "processing": "running",
    "completed": "good",
    "failed": "bad",
}


def video_state(sheet: VideoSheet | None) -> State:
    """The state of a video: of an open job, else of a failed one, else of the result."""
    job = sheet.last_job if sheet else None
    if job is not None and job.is_open:
        return "loading"
    if job is not None and job.status == "failed":
        return "error"
    if sheet is None or sheet.result is None:
        return "idle"
    snapshot, result = sheet.snapshot, sheet.result
    is_kept = snapshot is not None and snapshot.snapshot_id == result.snapshot_id
    return result_state(result.document, snapshot.problem if snapshot and is_kept else None)


def result_state(document: Mapping[str, Any], problem: str | None = None) -> State:
    """How complete a result is; ``problem`` is why its comments are missing, if that is known.

    A video without comments is empty; one whose comments could not be fetched is partial.
    """
    meta = document["meta"]
    if not meta["commentSampleCount"] and problem not in FETCH_FAILURES:
        return "empty"
    is_whole = "comments" in meta["analysisBasis"] and not meta["warnings"]
    return "success" if is_whole else "partial"


# Charts; the page has all their figures in words too

_LABELS: Final = ("positive", "neutral", "negative")
_DAY_WIDTH, _DAYS_HEIGHT = 8, 36
_WIDTH, _GROUND = 1000, 100
_TIMELINE_MARKS: Final = 4
_UNKNOWN_LENGTH_FACTOR: Final = 1.05
"""The assumed length of a video of unknown length, relative to its last moment."""


@dataclass(frozen=True)
class Timeline:
    """The length of a video as a chart, and the times below it."""

    svg: Markup
    marks: tuple[str, ...]


def share_bar(counts: Mapping[str, float]) -> Markup:
    """One bar in three parts; empty without comments."""
    total = sum(counts[label] for label in _LABELS)
    if not total:
        return Markup()
    left, parts = 0.0, list[str]()
    for label in _LABELS:
        width = counts[label] * 100 / total
        parts.append(f'<rect class="{label}" x="{left:.2f}" width="{width:.2f}" height="8"/>')
        left += width
    return _svg("share-bar", 'viewBox="0 0 100 8" preserveAspectRatio="none"', parts)


def day_bars(values: Sequence[float]) -> Markup:
    """A bar for each day, from left to right; days without anything have a dot."""
    most = max(values, default=0) or 1
    parts = [_day_bar(number, value / most) for number, value in enumerate(values)]
    box = f'viewBox="0 0 {max(len(values), 1) * _DAY_WIDTH} {_DAYS_HEIGHT}"'
    return _svg("day-bars", f'{box} preserveAspectRatio="none"', parts)


def draw_timeline(moments: Sequence[Mapping[str, Any]], duration: int | None) -> Timeline:
    """The length of a video with the moments that comments name, as high as they are many."""
    last = max((each["seconds"] for each in moments), default=0)
    length = max(duration or round(last * _UNKNOWN_LENGTH_FACTOR), last, 1)
    most = max((each["count"] for each in moments), default=1)
    parts = [f'<path class="ground" d="M0 {_GROUND}H{_WIDTH}"/>']
    parts += [_moment_mark(each, length, most) for each in moments]
    box = f'viewBox="0 0 {_WIDTH} {_GROUND}" preserveAspectRatio="none"'
    marks = tuple(
        timestamp(length * number // _TIMELINE_MARKS) for number in range(_TIMELINE_MARKS + 1)
    )
    return Timeline(_svg("timeline", box, parts), marks)


def _day_bar(number: int, part: float) -> str:
    height = max(part * _DAYS_HEIGHT, 1)
    kind = "some" if part else "none"
    return (
        f'<rect class="{kind}" x="{number * _DAY_WIDTH + 1}" y="{_DAYS_HEIGHT - height:.1f}" '
        f'width="{_DAY_WIDTH - 2}" height="{height:.1f}"/>'
    )


def _moment_mark(moment: Mapping[str, Any], length: int, most: int) -> str:
    x, count = _WIDTH * moment["seconds"] / length, moment["count"]
    return (
        f'<path class="mark" d="M{x:.1f} {_GROUND}V{_GROUND * (1 - count / most):.1f}">'
        f"<title>{timestamp(moment['seconds'])} · {count}</title></path>"
    )


def _svg(name: str, attributes: str, parts: Iterable[str]) -> Markup:
    return Markup(  # noqa: S704 - all of it are figures
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" aria-hidden="true" {attributes}>'
        f"{''.join(parts)}</svg>"
    )


# Templates


def template_names(app: App) -> dict[str, Any]:
    """The names that the templates use."""
    now = app.videos.now()
    return {
        "now": now,
        "age": partial(age_between, now=now),
        "kinds": STATE_KINDS,
        "job_kinds": JOB_KINDS,
        "watch": youtube_url,
        "clock": timestamp,
        "counts_of": sentiment_counts,
        "percents_of": whole_percents,
        "share_bar": share_bar,
    }


def analyser_options(request: Request) -> list[tuple[str, str]]:
    """The analysers, in the viewer's words."""
    return Viewer.of(request).options("videos.analyser", ANALYSERS)


# Costs


@dataclass(frozen=True)
class CostHistory:
    """The costs of the last days, the latest first, and the quota of today."""

    quota: QuotaDay | None
    """None without a key."""
    days: Sequence[DayCost]
    figures: tuple[str, ...] = ("analyses", "units", "cost_usd", "hits")

    def total(self, figure: str) -> Any:
        """A figure of all days together."""
        return sum(getattr(day, figure) for day in self.days)

    def svg(self, figure: str) -> Markup:
        """A figure day by day, today at the right."""
        return day_bars([getattr(day, figure) for day in reversed(self.days)])


def recent_costs(app: App, past: PastDays) -> CostHistory:
    """The costs of the last thirty days."""
    return CostHistory(todays_quota(app), list(reversed(cost_by_day(app, past).values())))


def cost_by_day(app: App, past: PastDays) -> dict[date, DayCost]:
    """The costs of the last days, the oldest first; a job may end on the day after its start."""
    today = app.clock.now().date()
    return past.of("video-costs", last_days(today), today, app.videos.costs_of, open_days=2)


def todays_quota(app: App) -> QuotaDay | None:
    """The quota of today; None without a key."""
    try:
        return app.videos.quota()
    except KeyRefused:
        return None
