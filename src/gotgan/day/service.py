"""Days: the page of each, read from all domains, and published as a post of the site."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import TYPE_CHECKING, ClassVar, TypeAlias, cast

from gotgan.clock import Clock, Span, Zone, day_span
from gotgan.day.calendar import PLACES, expect_come, today_in
from gotgan.day.params import Category, PageDay
from gotgan.errors import Conflict, NotFound
from gotgan.params import Zone as ZoneParam
from gotgan.verbs import verb

if TYPE_CHECKING:
    from gotgan.day.page import DayPage, JobDay, PublishedDay
    from gotgan.domain import Service
    from gotgan.domains.site.service import Site
    from gotgan.store import Store
    from gotgan.texts import Language

__all__ = ["Days", "ReadWork", "Services", "post_id_of"]

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
        return today_in(zone or self._zone, self._clock.now())

    @verb()
    def get(self, day: PageDay = None, *, zone: ZoneParam | None = None) -> DayPage:
        """Show what a day brought: new, changed, failed, next.

        Without a date it is today. A part that cannot be read has an error instead of a value; the
        other parts are there.
        """
        from gotgan.day.reading import read_page  # noqa: PLC0415 - it loads the domains

        zone = zone or self._zone
        now = self._clock.now()
        today = today_in(zone, now)
        wanted = today if day is None else expect_come(day, today, zone)
        with self._store.metered("day") as measured:
            page = read_page(wanted, zone, now, self._domains, self._work)
        return replace(page, cost=measured.cost)

    @verb(role="editor", kind="write", path="day/{day}/publish")
    def publish(
        self, day: PageDay = None, *, category: Category, zone: ZoneParam | None = None
    ) -> PublishedDay:
        """Publish a day as a post of the site.

        A day in a zone is one post, however often you publish it: it is changed only if the text
        has changed, and moved if the category is another. A day without anything to tell is
        refused, and so is one with a part that cannot be read.
        """
        from gotgan.day.markdown import AUTHOR, contents_of, title_of  # noqa: PLC0415 - as above
        from gotgan.day.page import PublishedDay  # noqa: PLC0415 - as above

        chosen = self._category(category)
        page = self.get(day, zone=zone)
        _expect_whole(page)
        _expect_content(page)
        kept = self._site.keep_post(
            post_id_of(page.day, page.zone),
            category_id=chosen,
            author_id=AUTHOR,
            title=title_of(page, self._language),
            contents=contents_of(page, self._language),
            contents_format="markdown",
        )
        post = kept.post
        return PublishedDay(kept.outcome, post.id, post.category_id, post.title, post.version)

    @property
    def _clock(self) -> Clock:
        return self._store.clock

    @property
    def _site(self) -> Site:
        return cast("Site", self._domains["site"]())

    def _category(self, name: str) -> str:
        categories = self._site.categories
        try:
            return categories.get(name).id
        except NotFound:
            known = ", ".join(each.slug or each.id for each in categories.list())
            hint = f"Categories: {known}." if known else "Create one first."
            raise NotFound(f"There is no category {name[:50]!r}. {hint}") from None


def post_id_of(day: date, zone: Zone) -> str:
    """The ID of the post of a day: always the same.

    It sorts among the posts of its category as if it had been written when the day started.
    """
    from gotgan.domains.site.ids import derived_id  # noqa: PLC0415 - it loads the site

    return derived_id(day_span(day, zone).first, f"day/{day}/{zone}")


def _expect_whole(page: DayPage) -> None:
    of_parts = {name: part.error for name, part in page.parts.items() if part.error is not None}
    for name, error in {**of_parts, **page.faults}.items():
        raise Conflict(
            f"{page.day} was not published: its part {name} cannot be read ({error.message})"
        )


def _expect_content(page: DayPage) -> None:
    from gotgan.day.markdown import is_empty  # noqa: PLC0415 - it loads the domains

    if is_empty(page):
        raise Conflict(
            f"{page.day} was not published: nothing happened on it in {PLACES[page.zone]}. Choose "
            "a day on which something was collected."
        )
