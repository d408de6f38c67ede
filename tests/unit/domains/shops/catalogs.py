"""An app with shops of the simulated web, and its catalog compared with the table of the shops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import event, select

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops.tables import CHANGES, PRODUCTS
from gotgan.settings import Secret, Settings
from gotgan.world import World, world_server

__all__ = ["DE", "NOON", "NO_COUNTRY", "Killed", "dying_after", "opened", "rows", "visit"]

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
DE = "antik-1.shop.test"
NO_COUNTRY = "antik-3.shop.test"


class Killed(Exception):
    """What a test raises in the middle of an update, as a power cut would."""


@contextmanager
def opened() -> Iterator[tuple[App, FixedClock]]:
    """An app with two registered shops, one of them without a country."""
    clock = FixedClock(NOON)
    with world_server(World(clock=clock, shop_bytes=100, retry_after=1)) as served:
        settings = Settings(given_secret=Secret("x" * 64), resolve=served.resolve, delay=0)
        with App.in_memory(clock=clock, settings=settings) as app:
            app.shops.add([DE], country="DE")
            app.shops.add([NO_COUNTRY])
            yield app, clock


def visit(app: App, *domains: str) -> None:
    """Crawl and scrape shops."""
    for domain in domains or (DE, NO_COUNTRY):
        app.shops.crawl([domain])
        app.shops.scrape([domain])


def weeks_later(app: App, clock: FixedClock, weeks: int = 3) -> None:
    """Visit the shops again, once a week."""
    for _ in range(weeks):
        clock.advance(timedelta(days=7))
        visit(app)


def rows(app: App) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of the products and of the changes."""
    with app.database.read() as connection:
        return {
            table.name: sorted(map(tuple, connection.execute(select(table))), key=repr)
            for table in (PRODUCTS, CHANGES)
        }


@contextmanager
def dying_after(app: App, words: str, number: int) -> Iterator[None]:
    """Die after so many statements that contain some words."""
    left = number

    def die(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        nonlocal left
        left -= words in statement
        if left == 0:
            left = -1
            raise Killed

    engine = app.database.engine
    event.listen(engine, "after_cursor_execute", die)
    try:
        yield
    finally:
        event.remove(engine, "after_cursor_execute", die)
