"""What checkers make of lifecycles: they belong to the entity that declares them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import assert_type

from gotgan.domains.shops.models import Shop
from gotgan.lifecycle import BoundLifecycle, Claim, Position, State
from gotgan.store import Query, Store

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def a_lifecycle_knows_its_entity() -> None:
    assert_type(Shop.crawl, BoundLifecycle[Shop])
    assert_type(Shop.scrape, BoundLifecycle[Shop])


def its_queries_give_the_entity() -> None:
    assert_type(Shop.crawl.never("DE"), Query[Shop])
    assert_type(Shop.crawl.done("DE", before=NOON), Query[Shop])
    assert_type(Shop.crawl.done("DE", after=NOON, before=NOON), Query[Shop])
    assert_type(Shop.crawl.in_progress("DE", before=NOON), Query[Shop])
    assert_type(Shop.crawl.never("DE") + Shop.crawl.done("DE"), Query[Shop])


def a_claim_holds_the_entity(store: Store, shop: Shop) -> None:
    claim = Shop.crawl.claim(store, shop, lease=timedelta(hours=2))
    assert_type(claim, Claim[Shop])
    assert_type(claim.item, Shop)
    assert_type(claim.position, Position)
    assert_type(claim.position.state, State)
    assert_type(Shop.crawl.renew(store, claim), Claim[Shop])


def letting_go_gives_the_entity(store: Store, shop: Shop, claim: Claim[Shop]) -> None:
    assert_type(Shop.crawl.finish(store, claim, shop_name="Antik"), Shop)
    assert_type(Shop.crawl.release(store, claim), Shop)
    assert_type(Shop.crawl.release(store, shop), Shop)
    assert_type(Shop.crawl.stuck(store, "DE"), list[Shop])
    assert_type(Shop.crawl.position(shop), Position)
