"""Where the scenario of the news takes place: the simulated web, and a database of either kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news.keys import NEWS_BODIES, NEWS_ITEMS
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.store.attributes import decode_item
from gotgan.store.drivers import Driver
from gotgan.world import World, world_server
from tests.scenario.databases import DATABASES

__all__ = ["PLACES", "UPLOADED", "Place", "Scene"]

UPLOADED: Final = datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC)
"""When the document's two records were uploaded."""
_SECRET: Final = Secret("of this scenario, 32 letters long")


@dataclass(frozen=True)
class Scene:
    """The news in one test: ours, the web around us, and the table as others see it."""

    app: App
    clock: FixedClock
    world: World
    client: Any

    def items(self, table: str = NEWS_ITEMS.name) -> dict[str, dict[str, Any]]:
        """Everything in a table, by key, as a client finds it that knows nothing of us."""
        found = self.client.scan(TableName=table)["Items"]
        return {item["pk"]: item for item in map(decode_item, found)}

    def bodies(self) -> dict[str, dict[str, Any]]:
        """Everything in the table of bodies."""
        return self.items(NEWS_BODIES.name)


@dataclass(frozen=True)
class Place:
    """A database, and a client of it that knows nothing of us."""

    driver: Driver
    client: Any

    @contextmanager
    def scene(self, at: datetime = UPLOADED) -> Iterator[Scene]:
        """Tables of its own, a web of its own, and one clock for both."""
        clock = FixedClock(at)
        world = World(clock=clock, padding=0)
        with world_server(world) as served:
            settings = Settings(given_secret=_SECRET, resolve=served.resolve, delay=0)
            app = App(settings, Store(self.driver, secret=_SECRET, clock=clock))
            app.news.prepare()
            try:
                yield Scene(app, clock, world, self.client)
            finally:
                app.web.close()
                for table in (NEWS_ITEMS, NEWS_BODIES):
                    self.client.delete_table(TableName=table.name)


def _placed(open_database: Callable[[ExitStack], tuple[Driver, Any]]) -> Any:
    @contextmanager
    def place() -> Iterator[Place]:
        with ExitStack() as stack:
            yield Place(*open_database(stack))

    return place


PLACES: Final = {name: _placed(database) for name, database in DATABASES.items()}
