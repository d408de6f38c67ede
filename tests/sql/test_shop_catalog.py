"""The catalog of products on every database: many rows at once, searched, and made again."""

from __future__ import annotations

from gotgan.clock import FixedClock
from gotgan.domains.shops.catalog import ShopCatalog
from gotgan.domains.shops.changes import record_offer
from gotgan.domains.shops.extract import PageFacts, Status
from gotgan.domains.shops.models import SHOPS, ShopPage
from gotgan.sql import Database
from gotgan.store import Store
from gotgan.verbs import iterate

DOMAIN = "shop.test"
COUNT = 600
"""More than are written at once."""


def test_products_are_copied_searched_and_paged(database: Database, clock: FixedClock) -> None:
    with Store.in_memory(clock=clock) as store:
        store.create(SHOPS)
        catalog = ShopCatalog(store, lambda: database)
        catalog.add([DOMAIN], country="DE")
        for number in range(COUNT):
            url = f"https://{DOMAIN}/{number}"
            store.put_new(ShopPage(domain=DOMAIN, url=url, type="product"))
            page = store.get(ShopPage.key(domain=DOMAIN, url=url))
            assert page is not None
            facts = PageFacts(
                "product",
                title=f"Möbel {number}\0",
                price=number,
                currency="EUR",
                status=Status.AVAILABLE,
            )
            record_offer(store, page, facts)
        catalog.refresh()
        for sort in ("-changed", "price", "-title"):
            found = [each.url for each in iterate(catalog.products, "mobel", sort=sort, limit=250)]
            assert (len(found), len(set(found))) == (COUNT, COUNT)
        assert catalog.products("mobel 599").total == 1
        assert catalog.products(min_price=5.98).total == 2
        assert len([*iterate(catalog.changes, kind="new", limit=1_000)]) == COUNT
        assert catalog.list().items[0].products == COUNT
        before = [*iterate(catalog.products)]
        catalog.rebuild()
        assert [*iterate(catalog.products)] == before
        assert catalog.remove(DOMAIN).is_complete
        assert catalog.products().items == ()
