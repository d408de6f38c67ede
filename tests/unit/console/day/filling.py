"""What a day can hold: runs of jobs, a category to publish in, and things of shops."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from sqlalchemy import insert, text

from gotgan.app import App
from gotgan.domains.market import indicator_logs
from gotgan.domains.shops.extract import Status
from gotgan.sql import TICKS
from tests.unit.console.shops.filling import added, crawled, product, seen

__all__ = ["TODAY", "broken", "calculated", "category", "changed_shop", "part", "ran", "words_of"]

TODAY = "/day/2025-10-20"
"""The page of the day that these tests are on."""


def ran(app: App, job: str, status: str = "done", *, ago: int = 30, **told: Any) -> None:
    """A job came round some minutes ago, was run for two seconds, and it ended so."""
    at = app.clock.now() - timedelta(minutes=ago)
    ended = at + timedelta(seconds=2)
    row = {"job": job, "at": at, "status": status, "started_at": at, "finished_at": ended, **told}
    with app.database.begin() as connection:
        connection.execute(insert(TICKS).values(**row))


def changed_shop(app: App) -> None:
    """A shop with a new thing, one that became cheaper, one that was sold, and one reserved."""
    added(app, "antik.example")
    crawled(app, "antik.example")
    for name, before, after, status in (
        ("chair", 20_000, 15_000, Status.AVAILABLE),
        ("clock", 9_900, 9_900, Status.SOLD),
        ("desk", 50_000, 50_000, Status.RESERVED),
    ):
        thing = product(app, "antik.example", name)
        seen(app, thing, before, title=f"A {name}")
        seen(app, thing, after, status, title=f"A {name}")
    seen(app, product(app, "antik.example", "lamp"), 4_200, title="A lamp")


def category(app: App, title: str = "Days") -> str:
    """A category to publish in; its id."""
    return str(app.site.categories.create(title=title).id)


def calculated(app: App, day: date) -> None:
    """The indicators of a day are there, as far as its log knows."""
    with app.database.begin() as connection:
        now = app.clock.now()
        indicator_logs.begin(connection, day, today=day, now=now, is_reopened=False)
        indicator_logs.succeed(connection, day, count=2, now=now)


def broken(app: App, table: str) -> None:
    """Let a table of the relational side be gone."""
    with app.database.begin() as connection:
        connection.execute(text(f"DROP TABLE {table}"))


def part(page: str, name: str) -> str:
    """A part of the page of a day, by its id."""
    return page.partition(f'id="{name}"')[2].partition("</section>\n<section id=")[0]


def words_of(page: str) -> str:
    """What somebody reads there: all of it without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())
