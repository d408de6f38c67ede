"""A console with something on every page, for tests that walk through all of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import httpx

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.market.collector import MarketCollector
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from tests.patience import PATIENCE
from tests.unit.console.market.filling import FRIDAY, SHARES, collected, indicated
from tests.unit.console.news.filling import dead, source, stored, waiting
from tests.unit.console.shops.filling import added, crawled, product, seen, stuck
from tests.unit.console.trial import sign_in
from tests.unit.console.videos.filling import FIRST, SECOND, analysed
from tests.unit.domains.market.exchange import Exchange

__all__ = ["SHOP", "filled_console"]

SHOP: Final = "example.com"
_CLOCK: Final = datetime(2025, 10, 20, 8, 30, tzinfo=UTC)
"""Half past five of a Monday in Seoul."""


@contextmanager
def filled_console() -> Iterator[tuple[App, httpx.Client]]:
    """The app, and an admin at its pages."""
    clock = FixedClock(_CLOCK - timedelta(hours=3))
    settings = Settings(given_secret=Secret("x" * 32), smtp=Secret("smtp://127.0.0.1:1"))
    with App.in_memory(clock=clock, settings=settings) as app:
        _fill(app, clock)
        with (
            serve_in_thread(create_server(app)) as url,
            httpx.Client(base_url=url, timeout=PATIENCE) as client,
        ):
            sign_in(client, app, "a")
            yield app, client


def _fill(app: App, clock: FixedClock) -> None:
    _shops(app, clock)  # the first: three hours go by
    _site(app)
    _news(app)
    _market(app)
    analysed(app, FIRST)
    clock.advance(timedelta(seconds=1))
    analysed(app, SECOND)
    app.shops.refresh()  # so that every page shows the same, whichever is opened first


def _site(app: App) -> None:
    site = app.site
    site.users.create(id="a", display_name="Anna", role="admin")
    site.users.create(id="e", display_name="Edda", role="editor")
    site.tokens.create(user_id="e", role="editor", note="a program")
    site.company.replace({"name": "Granary", "email": "company@example.com"})
    site.categories.create(id="c1", title="Notices", slug="notices", order=1)
    told: dict[str, Any] = {
        "category_id": "c1",
        "title": "Words",
        "contents": "# Words",
        "author_id": "a",
    }
    site.posts.create(**told)
    site.drafts.create(**told)
    site.banners.create(title="Look", img_uri="/static/favicon.svg")
    site.inquiries.receive(
        name="Hong", email="h@example.com", subject="Hello", message="Words", address="10.0.0.1"
    )


def _news(app: App) -> None:
    stored(app, "Apple", tickers=("AAPL",))
    waiting(app, stored(app, "Waits"))
    dead(app, stored(app, "Dead"))
    source(app)


def _shops(app: App, clock: FixedClock) -> None:
    added(app, SHOP)
    crawled(app, SHOP)
    seen(app, product(app, SHOP, "chair"), 100)
    added(app, "stuck.test")
    app.shops.set_selector("stuck.test", "price", ".price-now")
    stuck(app, clock, "stuck.test")


def _market(app: App) -> None:
    exchange = Exchange(always=SHARES, clock=app.clock)
    app.market.collector = MarketCollector(app.database, exchange, app.settings, app.clock)
    collected(app, FRIDAY)
    indicated(app, FRIDAY, "000010", rsi_14=20.0)
