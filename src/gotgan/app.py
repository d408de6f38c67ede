"""The composition root: settings in, domains out, all on one store."""

from __future__ import annotations

import secrets
from typing import Final, Self

from gotgan.clock import Clock
from gotgan.domains.news.service import News
from gotgan.domains.shops.service import Shops
from gotgan.domains.site.service import Site
from gotgan.fetch import Web
from gotgan.runs import Runs
from gotgan.settings import Secret, Settings
from gotgan.store import Store

__all__ = ["DOMAINS", "App"]

DOMAINS: Final = ("site", "news", "shops")
"""What there is; a server can be made for some of it."""


class App:
    """Gotgan, put together; share one among all threads of a program."""

    def __init__(self, settings: Settings, store: Store) -> None:
        self.settings = settings
        self.store = store
        self.web = Web.open(settings, store.clock)
        self.runs = Runs(store.clock)
        self.site = Site(store, settings)
        self.news = News(store, self.web, settings)
        self.shops = Shops(store, self.web, settings)

    @classmethod
    def open(cls, settings: Settings) -> Self:
        """Gotgan as the settings have it; close it in the end."""
        return cls(settings, Store.open(settings))

    @classmethod
    def in_memory(cls, *, clock: Clock | None = None, settings: Settings | None = None) -> Self:
        """Gotgan with tables that go with the process; for tests and trials."""
        chosen = settings or Settings(given_secret=Secret(secrets.token_hex(32)))
        app = cls(chosen, Store.in_memory(clock=clock))
        app.prepare()
        return app

    @property
    def clock(self) -> Clock:
        """The clock that everything goes by."""
        return self.store.clock

    def prepare(self) -> None:
        """Make the tables that are missing."""
        self.site.prepare()
        self.news.prepare()
        self.shops.prepare()

    def close(self) -> None:
        """Let go of files and connections, when what is under way has come to a good end."""
        self.runs.stop()
        self.web.close()
        self.runs.join()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
