"""Where the site's scenario takes place: on the engine in this process, and over HTTP by boto3."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import httpx
from fastapi import FastAPI

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.listener import serve_in_thread as listening
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from gotgan.store import Store
from gotgan.store.attributes import decode_item
from gotgan.store.drivers import Driver
from tests.patience import PATIENCE
from tests.scenario.databases import DATABASES

__all__ = ["NOON", "PLACES", "Place", "Scene"]

# Far ahead, so that no database removes by its own clock what expires in a test.
NOON: Final = datetime(2100, 1, 1, 12, tzinfo=UTC)
_SECRET: Final = Secret("of this scenario, 32 letters long")


@dataclass(frozen=True)
class Place:
    """A database, a client of it that knows nothing of us, and a server of ours before it."""

    driver: Driver
    client: Any
    server: FastAPI
    url: str

    @contextmanager
    def scene(self, **settings: Any) -> Iterator[Scene]:
        """A site with a table of its own, an admin ``u000`` and a clock that is moved by hand."""
        clock = FixedClock(NOON)
        store = Store(self.driver, secret=_SECRET, clock=clock)
        app = App(Settings(given_secret=_SECRET, **settings), store)
        app.prepare()
        app.site.users.create(id="u000", display_name="Admin", role="admin")
        self.server.state.gotgan = app
        headers = {
            "Authorization": f"Bearer {app.site.tokens.create(user_id='u000', role='admin').text}"
        }
        try:
            with httpx.Client(base_url=f"{self.url}/v1", timeout=PATIENCE) as public:
                yield Scene(app, clock, self.client, public, headers)
        finally:
            self.client.delete_table(TableName=SITE.name)


@dataclass(frozen=True)
class Scene:
    """The site in one test, seen from all sides."""

    app: App
    clock: FixedClock
    client: Any
    http: httpx.Client
    admin: dict[str, str]

    def ask(self, method: str, path: str, **words: Any) -> httpx.Response:
        """Call a route as the admin."""
        headers = {**self.admin, **words.pop("headers", {})}
        return self.http.request(method, path, headers=headers, **words)

    def data(self, method: str, path: str, **words: Any) -> Any:
        """What a route gives the admin."""
        answer = self.ask(method, path, **words)
        assert answer.is_success, answer.text
        return answer.json()["data"]

    def public(self, path: str) -> Any:
        """What a route gives everybody."""
        answer = self.http.get(path)
        assert answer.is_success, answer.text
        return answer.json()["data"]

    def put(self, item: dict[str, Any]) -> None:
        """Write an item past everything that is ours."""
        self.client.put_item(TableName=SITE.name, Item=item)

    def query(self, condition: str, names: dict[str, str] | None = None, **values: str) -> Any:
        """What a client finds that knows nothing of us; expressions as the document writes them."""
        request: dict[str, Any] = {
            "TableName": SITE.name,
            "KeyConditionExpression": condition,
            "ExpressionAttributeValues": {f":{k}": {"S": v} for k, v in values.items()},
        }
        if names:
            request |= {"ExpressionAttributeNames": names, "IndexName": BY_TYPE.name}
            request["ScanIndexForward"] = False
        return [decode_item(item) for item in self.client.query(**request)["Items"]]

    def items(self, index: str | None = None) -> list[dict[str, Any]]:
        """Everything in the table, or in its index."""
        where = {"TableName": SITE.name, **({"IndexName": index} if index else {})}
        return [decode_item(item) for item in self.client.scan(**where)["Items"]]

    def category(self, category_id: str, **fields: Any) -> None:
        """A category."""
        self.data("POST", "/categories", json={"id": category_id, "title": category_id, **fields})

    def article(self, where: str, category_id: str, title: str, **fields: Any) -> Any:
        """A post or a draft."""
        body = {"categoryId": category_id, "title": title, "contents": "본문", **fields}
        return self.data("POST", f"/{where}", json=body)


def _placed(open_database: Callable[[ExitStack], tuple[Driver, Any]]) -> Any:
    @contextmanager
    def place() -> Iterator[Place]:
        with ExitStack() as stack:
            driver, client = open_database(stack)
            server = create_server(stack.enter_context(App.in_memory()))
            yield Place(driver, client, server, stack.enter_context(listening(server)))

    return place


PLACES: Final = {name: _placed(database) for name, database in DATABASES.items()}
