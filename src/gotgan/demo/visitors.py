"""Visitors of the demo: they write in, publish, and have videos analysed.

What they do follows from the date and the hour in Seoul, so it is the same every time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from gotgan.app import App
from gotgan.clock import SEOUL
from gotgan.day.markdown import is_empty
from gotgan.demo.sample_site import DAYS, NOTICES
from gotgan.demo.stops import hour_of
from gotgan.domains.videos.models import Analyser
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.world.videos.clips import PRIVATE

_PUBLISHING, _FORENOON, _AFTERNOON = 8, 10, 14
_CLIPS: Final[tuple[tuple[tuple[str, Analyser], ...], ...]] = (
    (("gotganCook2", "builtin"), ("gotganStudy", "openai")),
    (("gotganVlog1", "builtin"),),
    (("gotganHides", "builtin"), ("gotganQuiet", "builtin")),
    (("gotganTrick", "openai"),),
    (("gotganMixed", "builtin"), (PRIVATE, "builtin")),
    (("gotganSmall", "builtin"),),
    (("gotganEmpty", "builtin"),),
)
"""The analysed videos, Monday to Sunday: without those that have thousands of comments.

One has comments disabled, one has none yet, one is private.
"""
_MESSAGES: Final = (
    ("견적 문의", "곡물 보관용 선반 열두 개의 견적을 부탁드립니다."),
    ("Delivery to Busan", "Do you deliver to Busan, and how long does it take?"),
    ("방문 예약", "다음 주 화요일 오후에 전시장을 둘러보고 싶습니다."),
    ("Data feed", "We would like to read your notices from our own site. Is there an API?"),
    ("감사 인사", "지난번에 빠르게 답해 주셔서 고맙습니다."),
)
_ANSWER: Final = "문의해 주셔서 고맙습니다. 담당자가 오늘 안에 자세히 안내해 드리겠습니다."
_NOTICES: Final = {
    1: (
        "이번 주 입고 안내",
        "이번 주 **수요일**에 새 물건이 들어옵니다.\n\n- 소반 세 점\n- 반닫이 두 점\n",
    ),
    3: ("Opening hours", "We are open **10:00–18:00 (KST)** on weekdays, and closed on Sundays.\n"),
}
"""Announcements, by weekday."""


@dataclass
class VisitCounts:
    """What visitors did."""

    site: Counter[str] = field(default_factory=Counter)
    hits: int = 0
    """How many analyses existed already."""
    jobs: list[str] = field(default_factory=list)
    """The ids of new analyses."""


_Act: TypeAlias = Callable[[App, date, VisitCounts], None]


def visit_site(app: App, moment: datetime) -> VisitCounts:
    """Do what visitors do at a moment; a failure affects one action only."""
    visit, day = VisitCounts(), moment.astimezone(ZoneInfo(SEOUL)).date()
    for act in _ACTS.get(hour_of(moment), ()):
        try:
            act(app, day, visit)
        except GotganError as error:
            emit("demo.visit.failed", level="warning", reason=error.message)
            visit.site["failed"] += 1
    return visit


def _publish_yesterday(app: App, day: date, visit: VisitCounts) -> None:
    yesterday = day - timedelta(days=1)
    if is_empty(app.day.get(yesterday, zone="kst")):
        return  # the demo had not started
    app.day.publish(yesterday, category=DAYS, zone="kst")
    visit.site["posts"] += 1


def _write_in(app: App, day: date, visit: VisitCounts) -> None:
    if day.weekday() >= len(_MESSAGES):
        return
    subject, message = _MESSAGES[day.weekday()]
    app.site.inquiries.receive(
        name="방문자",
        email="visitor@example.com",
        subject=subject,
        message=message,
        address="127.0.0.1",
    )
    visit.site["inquiries"] += 1


def _answer(app: App, day: date, visit: VisitCounts) -> None:
    """Reply to the latest inquiry; that of the sample is left open."""
    if day.weekday() >= len(_MESSAGES):
        return
    for inquiry in app.site.inquiries.list(limit=1):
        if inquiry.status == "new":
            app.site.inquiries.reply(inquiry.id, _ANSWER)
            visit.site["answers"] += 1


def _announce(app: App, day: date, visit: VisitCounts) -> None:
    if day.weekday() not in _NOTICES:
        return
    title, contents = _NOTICES[day.weekday()]
    author = app.site.users.owner().id
    dated = f"{title} ({day:%m/%d})"
    app.site.posts.create(category_id=NOTICES, author_id=author, title=dated, contents=contents)
    visit.site["posts"] += 1


def _analyse(app: App, day: date, visit: VisitCounts) -> None:
    for video_id, analyser in _CLIPS[day.weekday()]:
        _ask(app, video_id, analyser, visit)


def _look_again(app: App, day: date, visit: VisitCounts) -> None:
    _ask(app, *_CLIPS[day.weekday()][0], visit)


def _ask(app: App, video_id: str, analyser: Analyser, visit: VisitCounts) -> None:
    submitted = app.videos.analyse(video_id, analyser=analyser)
    if submitted.result is None:
        visit.jobs.append(submitted.job.job_id)
    else:
        visit.hits += 1


_ACTS: Final[Mapping[int | None, tuple[_Act, ...]]] = {
    _PUBLISHING: (_publish_yesterday,),
    _FORENOON: (_write_in, _analyse),
    _AFTERNOON: (_answer, _announce, _look_again),
}
"""By hour; the fast-forward stops at each of them."""
