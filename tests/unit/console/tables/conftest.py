"""A house whose every table has something in it. Nothing here can change it: all tests share it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from tests.unit.console.sheets import Browser, sheets_of
from tests.unit.console.tables.filling import Filled, fill, fill_relational
from tests.unit.console.trial import sign_in


@dataclass(frozen=True)
class House:
    """A server, with what is in its tables."""

    app: App
    url: str
    filled: Filled


@pytest.fixture(scope="package")
def house() -> Iterator[House]:
    """Gotgan in memory, behind its server."""
    clock = FixedClock(datetime(2100, 1, 1, 12, tzinfo=UTC))
    with ExitStack() as stack:
        app = stack.enter_context(App.in_memory(clock=clock))
        filled = fill(app)
        fill_relational(app)
        yield House(app, stack.enter_context(serve_in_thread(create_server(app))), filled)


class Visitor(Browser):
    """Somebody who looks at tables."""

    def ask(self, path: str, /, **fields: str) -> str:
        """Fill in the form of a page, and send it."""
        self.open(path)
        sheet = next(each for each in sheets_of(self.page) if each.action == path.partition("?")[0])
        return self._show(self.client.get(sheet.action, params={**sheet.fields, **fields}))

    def file(self, path: str) -> Any:
        """What a page offers as JSON."""
        answer = self.client.get(path)
        assert answer.status_code == 200
        return answer.json()


@pytest.fixture(scope="package")
def admin_client(house: House) -> Iterator[httpx.Client]:
    """The session of an admin."""
    with httpx.Client(base_url=house.url, timeout=60) as client:
        sign_in(client, house.app, "a")
        yield client


@pytest.fixture
def admin(admin_client: httpx.Client) -> Visitor:
    """An admin at the pages."""
    return Visitor(admin_client)
