"""Where the scenario of the shops takes place: a database of either kind, seen from both sides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from gotgan.clock import FixedClock
from gotgan.domains.shops.models import SHOPS, Shop, Stage, lifecycle_of
from gotgan.domains.shops.registry import Registry
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.attributes import decode_item
from gotgan.store.drivers import Driver
from tests.scenario.databases import DATABASES

__all__ = ["HOUR", "PLACES", "TEN", "Place", "Scene"]

TEN: Final = datetime(2026, 1, 15, 10, tzinfo=UTC)
"""When the crawl of the document's lifecycle example starts."""
HOUR: Final = timedelta(hours=1)
_KEY: Final = {"crawl": "gsi2", "scrape": "gsi3"}


@dataclass(frozen=True)
class Scene:
    """The shops in one test: ours, and the table as somebody else's client sees it."""

    registry: Registry
    store: Store
    clock: FixedClock
    client: Any

    def item(self, domain: str = "example.com", sort: str = "META#") -> dict[str, Any]:
        """An item, as a client finds it that knows nothing of us."""
        key = {"pk": {"S": f"SHOP#{domain}"}, "sk": {"S": sort}}
        return decode_item(self.client.get_item(TableName=SHOPS.name, Key=key)["Item"])

    def asked(
        self, stage: Stage, condition: str, *values: str, only: str | None = None
    ) -> list[str]:
        """What a query of the document finds in COUNTRY#DE, asked with its own strings."""
        key = _KEY[stage]
        given = {f":v{number}": {"S": value} for number, value in enumerate(values)}
        request = {
            "TableName": SHOPS.name,
            "IndexName": key.upper(),
            "KeyConditionExpression": f"{key}_pk = :country AND {condition}",
            "ExpressionAttributeValues": {":country": {"S": "COUNTRY#DE"}, **given},
        }
        found = self.client.query(**request, **({"FilterExpression": only} if only else {}))
        return [item["domain"]["S"] for item in found["Items"]]

    def due(self, stage: Stage, before: datetime | None = None) -> list[str]:
        """What we find due in Germany."""
        return [shop.domain for shop in self.registry.iter_due(stage, country="DE", before=before)]

    def register(self, domain: str = "example.com", country: str | None = "DE") -> Shop:
        """A shop that was registered."""
        return self.registry.add(domain, country=country).shops[0]

    def crawl(self, domain: str = "example.com", took: timedelta = 2 * HOUR) -> None:
        """Crawl a shop, from now on."""
        self._do("crawl", domain, took)

    def scrape(self, domain: str = "example.com", took: timedelta = 2 * HOUR) -> None:
        """Scrape a shop, from now on."""
        self._do("scrape", domain, took)

    def _do(self, stage: Stage, domain: str, took: timedelta) -> None:
        lifecycle = lifecycle_of(stage)
        claim = lifecycle.claim(self.store, self.registry.get(domain))
        self.clock.advance(took)
        lifecycle.finish(self.store, claim)


@dataclass(frozen=True)
class Place:
    """A database, and a client of it that knows nothing of us."""

    driver: Driver
    client: Any

    @contextmanager
    def scene(self, at: datetime = TEN) -> Iterator[Scene]:
        """A table of its own, which goes with the test."""
        clock = FixedClock(at)
        store = Store(self.driver, secret=Secret("of this scenario, 32 letters long"), clock=clock)
        store.create(SHOPS)
        try:
            yield Scene(Registry(store), store, clock, self.client)
        finally:
            self.client.delete_table(TableName=SHOPS.name)


def _placed(
    open_database: Callable[[ExitStack], tuple[Driver, Any]],
) -> Callable[[], AbstractContextManager[Place]]:
    @contextmanager
    def place() -> Iterator[Place]:
        with ExitStack() as stack:
            yield Place(*open_database(stack))

    return place


PLACES: Final = {name: _placed(database) for name, database in DATABASES.items()}
