"""Banners: pictures with words and two buttons, until they expire."""

from __future__ import annotations

from typing import Unpack

from gotgan.domains.site import patterns
from gotgan.domains.site.models import Banner
from gotgan.domains.site.params import BannerFields
from gotgan.domains.site.resource import Resource
from gotgan.store import Store
from gotgan.verbs import verb

__all__ = ["Banners"]


class Banners(Resource[Banner, BannerFields]):
    """Banners: pictures with words and two buttons, until they expire."""

    def __init__(self, store: Store) -> None:
        super().__init__(store, patterns.banner, patterns.all_banners)

    @verb(role=None, kind="write")
    def create(self, **fields: Unpack[BannerFields]) -> Banner:
        """Create a banner."""
        return self.add(self.new_record(fields))
