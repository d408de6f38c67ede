"""Banners: pictures with words and two buttons, until they expire."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gotgan.domains.site import patterns
from gotgan.domains.site.ids import new_id
from gotgan.domains.site.models import Banner
from gotgan.domains.site.records import Records, refuse_past
from gotgan.store import Store

__all__ = ["Banners"]


class Banners(Records[Banner]):
    """The banners of the site."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.banner, patterns.all_banners)

    def create(self, *, banner_id: str | None = None, **fields: Any) -> Banner:
        """Make a banner."""
        now = self._store.clock.now()
        refuse_past(fields.get("expires_at"), now)
        made = banner_id or new_id(now)
        return self.add(Banner(id=made, created_at=now, updated_at=now, **fields))

    def update(self, record_id: str, changes: Mapping[str, Any], *, expected: int | None) -> Banner:
        """Change fields; None clears one."""
        refuse_past(changes.get("expires_at"), self._store.clock.now())
        return super().update(record_id, changes, expected=expected)
