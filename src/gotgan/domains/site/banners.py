"""Banners: pictures with words and two buttons, until they expire."""

from __future__ import annotations

from typing import Any

from gotgan.domains.site import patterns
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import Banner
from gotgan.domains.site.records import Records
from gotgan.store import Store

__all__ = ["Banners"]


class Banners(Records[Banner]):
    """The banners of the site."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.banner, patterns.all_banners)

    def create(self, *, banner_id: str | None = None, **fields: Any) -> Banner:
        """Make a banner."""
        now = self._store.clock.now()
        made = banner_id or new_id(now)
        return self.add(Banner(id=made, created_at=now, updated_at=now, **fields))
