"""An app whose web is the world, and who gives up on it at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from secrets import token_hex

from gotgan.app import App
from gotgan.clock import Clock
from gotgan.domains.news.service import News
from gotgan.domains.shops.service import Shops
from gotgan.domains.site.models import ROLES
from gotgan.fetch import FetchRules, Web
from gotgan.retry import Policy
from gotgan.settings import Secret, Settings
from gotgan.world import ServedWorld
from tests.unit.api.calling import USERS

__all__ = ["app_within"]


@contextmanager
def app_within(
    served: ServedWorld, *, clock: Clock | None = None, seconds: float = 30.0
) -> Iterator[App]:
    """Gotgan in memory, with a user of each role; ``seconds`` is how long a page may take."""
    settings = Settings(
        given_secret=Secret(token_hex(32)),
        delay=0,
        resolve=served.resolve,
        krx_id="family",
        krx_password=Secret("open sesame"),
        youtube_key=Secret("a-key-of-youtube"),
        gemini_key=Secret("a-key-of-gemini"),
        webhook="https://hook.test/changes",
        webhook_secret=Secret("what both sides know"),
    )
    with App.in_memory(clock=clock, settings=settings) as app:
        rules = FetchRules(delay=0, resolve=served.resolve, seconds=seconds)
        app.web = Web(replace(rules, retry=Policy(attempts=1)), clock=app.clock)
        app._services["news"] = News(app.store, app.web, settings)  # noqa: SLF001 - another web
        app._services["shops"] = Shops(app.store, app.web, settings, lambda: app.database)  # noqa: SLF001 - as above
        for role in ROLES:
            app.site.users.create(id=USERS[role], display_name=role, role=role)
        yield app
