"""Shops to ask for: registered, crawled, or left behind by a worker that is no more."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from gotgan.clock import FixedClock
from gotgan.domains.shops.models import Shop, Stage, lifecycle_of
from tests.unit.api.calling import Api

__all__ = ["SHOP", "claimed", "register", "stuck_shop"]

SHOP = "antik-1.shop.test"
"""A small shop of the world."""


def register(api: Api, *domains: str, country: str | None = "DE") -> Any:
    """Register shops of one country, and give the report."""
    return api.data("POST", "/shops", json={"domains": domains, "country": country})


def claimed(api: Api, domain: str, stage: Stage = "crawl") -> None:
    """Somebody begins to work on a shop, and is not heard of again."""
    shop: Shop = api.app.shops.get(domain)
    lifecycle_of(stage).claim(api.app.store, shop, owner="worker-1")


def stuck_shop(api: Api, domain: str = SHOP) -> str:
    """A shop whose crawl is past its lease."""
    register(api, domain)
    claimed(api, domain)
    clock = api.app.clock
    assert isinstance(clock, FixedClock)
    clock.advance(timedelta(hours=3))
    return domain
