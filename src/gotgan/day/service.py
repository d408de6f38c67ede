"""Days: the page of each, read from all domains, and published as a post of the site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeAlias, cast

from pydantic import BeforeValidator, Field, WithJsonSchema

from gotgan.clock import Span, Zone, day_span
from gotgan.day import messages
from gotgan.day.calendar import check_day, today_in
from gotgan.errors import Conflict, NotFound
from gotgan.params import Day
from gotgan.params import Zone as ZoneParam
from gotgan.verbs import verb

if TYPE_CHECKING:
    from gotgan.day.page import DayPage, JobDay, PublishedDay
    from gotgan.domain import Service
    from gotgan.domains.site.service import Site
    from gotgan.store import Store
    from gotgan.texts import Language


def _none_if_today(value: Any) -> Any:
    return None if value == "today" else value


PageDay = Annotated[
    Day | None,
    WithJsonSchema(
        {
            "anyOf": [{"type": "string", "format": "date"}, {"const": "today"}],
            "examples": ["2025-11-06", "today"],
        }
    ),
    BeforeValidator(_none_if_today),
    Field(description="A date in the time zone, such as 2025-11-06, or today."),
]
Category = Annotated[
    str,
    Field(
        min_length=1,
        max_length=100,
        description="ID or slug of the category for the post.",
        examples=["news"],
    ),
]


ReadWork: TypeAlias = "Callable[[Span, datetime], tuple[JobDay, ...]]"
"""Reads what the scheduled jobs did within a span; the scheduler is a layer above."""
Services: TypeAlias = "Mapping[str, Callable[[], Service]]"
"""The domains by name; each is opened when it is read."""


class Days:
    """The pages of days."""

    domain: ClassVar = "day"
    results: ClassVar = "gotgan.day.page"

    def __init__(
        self,
        store: Store,
        domains: Services,
        work: ReadWork,
        *,
        zone: Zone = "kst",
        language: Language = "ko",
    ) -> None:
        """``zone`` is the default time zone, ``language`` that of published days."""
        self._store = store
        self._domains = domains
        self._work = work
        self._zone = zone
        self._language = language

    def today(self, zone: Zone | None = None) -> date:
        """Today in a zone; by default in that of the settings."""
        return today_in(zone or self._zone, self._store.clock.now())

    @verb()
    def get(self, day: PageDay = None, *, zone: ZoneParam | None = None) -> DayPage:
        """Show the summary of a day: new, changed, failed, next.

        Default: today. A section that cannot be read shows an error; the others are still shown.
        """
        from gotgan.day.reader import read_page  # noqa: PLC0415 - it loads the domains

        zone = zone or self._zone
        now = self._store.clock.now()
        today = today_in(zone, now)
        wanted = today if day is None else check_day(day, today, zone)
        with self._store.metered("day") as measured:
            page = read_page(wanted, zone, now, self._domains, self._work)
        return replace(page, cost=measured.cost)

    @verb(role="editor", kind="write", path="day/{day}/publish")
    def publish(
        self, day: PageDay = None, *, category: Category, zone: ZoneParam | None = None
    ) -> PublishedDay:
        """Publish the summary of a day as a post on the site.

        A day has one post per time zone. Publishing it again updates the post if the text has
        changed, and moves it if you name another category. A day without content, or with a section
        that cannot be read, is refused.
        """
        from gotgan.day.markdown import (  # noqa: PLC0415 - as above
            AUTHOR,
            day_markdown,
            day_title,
            is_empty,
        )
        from gotgan.day.page import PublishedDay  # noqa: PLC0415 - as above

        chosen = self._category(category)
        page = self.get(day, zone=zone)
        for name, error in page.errors.items():
            raise Conflict(messages.PART_FAILED(day=page.day, part=name, cause=error.message))
        if is_empty(page):
            place = messages.PLACES[page.zone]()
            raise Conflict(messages.NOTHING_HAPPENED(day=page.day, place=place))
        kept = self._site.keep_post(
            day_post_id(page.day, page.zone),
            category_id=chosen,
            author_id=AUTHOR,
            title=day_title(page, self._language),
            contents=day_markdown(page, self._language),
            contents_format="markdown",
        )
        post = kept.post
        return PublishedDay(kept.outcome, post.id, post.category_id, post.title, post.version)

    @property
    def _site(self) -> Site:
        return cast("Site", self._domains["site"]())

    def _category(self, name: str) -> str:
        categories = self._site.categories
        try:
            return categories.get(name).id
        except NotFound:
            known = [each.slug or each.id for each in categories.list()]
            template = messages.NO_CATEGORY if known else messages.NO_CATEGORIES
            raise NotFound(template(name=repr(name[:50]), known=known)) from None


def day_post_id(day: date, zone: Zone) -> str:
    """The ID of the post of a day, always the same; it sorts as if written when the day started."""
    from gotgan.domains.site.keys import derived_id  # noqa: PLC0415 - it loads the site

    return derived_id(day_span(day, zone).first, f"day/{day}/{zone}")
