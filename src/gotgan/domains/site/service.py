"""What the site can do: one place for all of its verbs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from gotgan.clock import Clock, Zone, day_span
from gotgan.domains.site import patterns
from gotgan.domains.site.adoption import ADOPT_EVERY, ADOPT_RECORDS, Adopted, adopt
from gotgan.domains.site.banners import Banners
from gotgan.domains.site.categories import Categories
from gotgan.domains.site.company import Company
from gotgan.domains.site.drafts import Drafts
from gotgan.domains.site.inquiries import Inquiries
from gotgan.domains.site.kept_posts import Kept, keep
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.mails import Mails
from gotgan.domains.site.posts import Posts
from gotgan.domains.site.smtp import Postbox
from gotgan.domains.site.summaries import SiteDay, site_day
from gotgan.domains.site.tokens import Tokens
from gotgan.domains.site.types import Types
from gotgan.domains.site.users import Users
from gotgan.errors import UsageError
from gotgan.settings import Settings
from gotgan.store import Store

__all__ = ["Site"]


class Site:
    """A company site's data."""

    def __init__(self, store: Store, settings: Settings, *, real: Clock | None = None) -> None:
        """``real`` is what tokens expire by, where the store's clock is not the time of people."""
        self._store = store
        postbox = None if settings.smtp is None else Postbox(settings.smtp, settings.mail_from)
        self.users = Users(store)
        self.tokens = Tokens(store if real is None else store.by(real))
        self.categories = Categories(store)
        self.posts = Posts(store, self.categories)
        self.drafts = Drafts(store, self.posts)
        self.banners = Banners(store)
        self.company = Company(store)
        self.mails = Mails(store, postbox)
        self.inquiries = Inquiries(store, self.mails, settings.secret())
        self.types = Types(store)

    def prepare(self) -> None:
        """Make the table where it is missing."""
        self._store.create(SITE)

    def adopt(
        self, *, max_records: int = ADOPT_RECORDS, on_step: Callable[[int], None] = lambda _: None
    ) -> Adopted:
        """Adopt records that other tools wrote: posts are then found by their ids.

        A run reads up to ``max_records`` posts, drafts and categories; the next one continues from
        there, and starts over after the end.
        """
        if max_records < 1:
            raise UsageError(f"max_records is {max_records}; use a number of records, 1 or more")
        return adopt(self._store, at_most=max_records, on_step=on_step)

    def is_adoption_due(self) -> bool:
        """Whether ``adopt`` has not read all records within the last 20 hours."""
        place = self._store.get(patterns.adoption())
        if place is None or place.cursor is not None or place.finished_at is None:
            return True
        return self._store.clock.now() - place.finished_at >= ADOPT_EVERY

    def keep_post(self, post_id: str, **fields: Any) -> Kept:
        """Have a post of that id with these fields, written once and changed only where it must."""
        return keep(self._store, post_id, **fields)

    def summary(self, day: date, zone: Zone) -> SiteDay:
        """What was published on a day, and how many wrote in."""
        return site_day(self._store, day_span(day, zone), self.mails.count_waiting())
