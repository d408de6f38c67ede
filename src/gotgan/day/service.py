"""Days: the page of each, read from all domains at once, and published as a post of the site."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Protocol, TypeVar
from zoneinfo import ZoneInfo

from gotgan.clock import ZONES, Clock, Span, Zone, day_span
from gotgan.day import coming, failures
from gotgan.day.calendar import PLACES, day_after, day_before, expect_come, today_in
from gotgan.day.markdown import AUTHOR, contents_of, is_empty, title_of
from gotgan.day.page import Coming, DayPage, Failure, Fault, JobDay, Part
from gotgan.domains.market.service import Market
from gotgan.domains.news.service import News
from gotgan.domains.shops.service import Shops
from gotgan.domains.site.ids import derived_id
from gotgan.domains.site.kept_posts import Kept
from gotgan.domains.site.service import Site
from gotgan.domains.videos.service import Videos
from gotgan.errors import Conflict, GotganError, NotFound
from gotgan.events import emit
from gotgan.store import Store
from gotgan.texts import Language

__all__ = ["Days", "Houses", "Work", "post_id_of"]

T = TypeVar("T")


class Work(Protocol):
    """Who knows what the timetable did: the scheduler, which stands above."""

    def __call__(self, span: Span, now: datetime) -> tuple[JobDay, ...]:
        """What all jobs did within a span."""


@dataclass(frozen=True)
class Houses:
    """The five domains; the two of the relational side are opened when they are needed."""

    news: News
    shops: Shops
    site: Site
    market: Callable[[], Market]
    videos: Callable[[], Videos]


class Days:
    """The pages of days."""

    def __init__(
        self,
        store: Store,
        houses: Houses,
        work: Work,
        unset: Callable[[], Mapping[str, str]],
        *,
        zone: Zone = "kst",
        language: Language = "ko",
    ) -> None:
        """``unset`` says what the settings leave out, by the domain that lacks it.

        ``zone`` is that of a day that names none, ``language`` that of published days.
        """
        self._store = store
        self._houses = houses
        self._work = work
        self._unset = unset
        self._zone = zone
        self._language = language

    def today(self, zone: Zone | None = None) -> date:
        """The date in a zone; in that of the settings, where none is given."""
        return today_in(zone or self._zone, self._clock.now())

    def page(self, day: date | None = None, zone: Zone | None = None) -> DayPage:
        """The page of a day, or of today; a part that cannot be read says why."""
        zone = zone or self._zone
        now = self._clock.now()
        today = today_in(zone, now)
        wanted = today if day is None else expect_come(day, today, zone)
        with self._store.metered("day") as measured:
            page = self._read(wanted, zone, now, today)
        return replace(page, cost=measured.cost)

    def publish(self, day: date | None, zone: Zone | None, category: str) -> Kept:
        """Have the page of a day as a post in a category, by its id or slug.

        A day of a zone is one post, however often and by whomever it is published. One whose text
        has changed since is changed; one in another category is moved. A page that lacks a part is
        not published: it would take from the post what was in it. Nor is one that has
        nothing to tell.
        """
        chosen = self._category(category)
        page = self.page(day, zone)
        _expect_whole(page)
        _expect_told(page)
        return self._houses.site.keep_post(
            post_id_of(page.day, page.zone),
            category_id=chosen,
            author_id=AUTHOR,
            title=title_of(page, self._language),
            contents=contents_of(page, self._language),
            contents_format="markdown",
        )

    @property
    def _clock(self) -> Clock:
        return self._store.clock

    def _read(self, day: date, zone: Zone, now: datetime, today: date) -> DayPage:
        span, houses, unset = day_span(day, zone), self._houses, self._unset()
        page = DayPage(
            day=day,
            zone=zone,
            span=span,
            now=now,
            today=today,
            previous=day_before(day),
            following=day_after(day, today),
            news=_part("news", lambda: houses.news.summary(day, zone), unset),
            shops=_part("shops", lambda: houses.shops.summary(day, zone), unset),
            market=_part("market", lambda: houses.market().summary(day, zone), unset),
            videos=_part("videos", lambda: houses.videos().summary(day, zone), unset),
            site=_part("site", lambda: houses.site.summary(day, zone), unset),
            work=_part("work", lambda: self._work(span, now), unset),
        )
        return _concluded(page)

    def _category(self, name: str) -> str:
        try:
            return self._houses.site.categories.find(name).id
        except NotFound:
            there = [each.slug or each.id for each in self._houses.site.categories.all()]
            known = f"there are {', '.join(there)}" if there else "there is none yet; make one"
            raise NotFound(f"there is no category {name[:50]!r}; {known}") from None


def post_id_of(day: date, zone: Zone) -> str:
    """The id of the post that a day is published as: the same whoever publishes it, and when.

    It sorts among the posts of its category as if it had been written when the day began.
    """
    return derived_id(day_span(day, zone).first, f"day/{day}/{zone}")


def _part(domain: str, read: Callable[[], T], unset: Mapping[str, str]) -> Part[T]:
    """What a domain tells, or why it cannot: the rest of the page does not depend on it."""
    missing = unset.get(domain)
    try:
        return Part(read(), unset=missing)
    except GotganError as error:
        return Part(error=Fault(error.code, error.message), unset=missing)
    except Exception as error:  # noqa: BLE001 - a fault in one domain is none of the others
        emit("day.part.failed", level="error", domain=domain, reason=repr(error))
        fault = Fault(GotganError.code, "something went wrong here; the log says what")
        return Part(error=fault, unset=missing)


def _concluded(page: DayPage) -> DayPage:
    """With what follows from its parts; what cannot be told of that says why."""
    failed: Part[tuple[Failure, ...]] = _part("failures", lambda: _failures(page), {})
    next_up: Part[tuple[Coming, ...]] = _part("coming", lambda: _coming(page), {})
    told = {"failures": failed.error, "coming": next_up.error}
    return replace(
        page,
        failures=failed.value or (),
        coming=next_up.value or (),
        faults={name: fault for name, fault in told.items() if fault is not None},
    )


def _expect_whole(page: DayPage) -> None:
    of_parts = {name: part.error for name, part in page.parts.items() if part.error is not None}
    for name, fault in {**of_parts, **page.faults}.items():
        raise Conflict(
            f"{page.day} cannot be published, for its part {name} cannot be read: {fault.message}"
        )


def _expect_told(page: DayPage) -> None:
    if is_empty(page):
        raise Conflict(
            f"{page.day} is not published, for nothing happened on it in {PLACES[page.zone]} that "
            "could be told; choose a day on which something was collected"
        )


def _failures(page: DayPage) -> tuple[Failure, ...]:
    return failures.ordered(_all_failures(page))


def _all_failures(page: DayPage) -> Iterator[Failure]:
    place = ZoneInfo(ZONES[page.zone])

    def clock(moment: datetime) -> str:
        local = moment.astimezone(place)
        return f"{local:%H:%M}" if moment in page.span else f"{local:%Y-%m-%d %H:%M}"

    of_work = list(failures.of_work(page.work.value or (), clock))
    yield from of_work
    if page.market.value is not None:
        is_told = any(failure.domain == "market" for failure in of_work)
        yield from failures.of_market(page.market.value, clock, is_told=is_told)
    if page.news.value is not None:
        yield from failures.of_news(page.news.value)
    if page.shops.value is not None:
        yield from failures.of_shops(page.shops.value, clock, is_today=page.is_today)
    if page.videos.value is not None:
        yield from failures.of_videos(page.videos.value, clock)


def _coming(page: DayPage) -> tuple[Coming, ...]:
    of_market = [] if page.market.value is None else coming.of_market(page.market.value)
    jobs = page.work.value or () if page.is_today else ()
    return coming.ordered([*of_market, *coming.of_work(jobs)])
