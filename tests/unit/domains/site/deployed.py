"""A deployed site: its functions over HTTP, each behind what the role of its stack allows.

The functions run with the variables of the translated template, against an engine that refuses what
the function's role does not allow: what AWS would refuse at run time fails here.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from gotgan.app import App
from gotgan.clock import FixedClock, SystemClock
from gotgan.functions import Container
from gotgan.settings import Settings
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from gotgan.store.tables import Names
from tests.unit.gateway_events import Asked, http_api

from .permissions import Call, Guarded
from .stack import ACCOUNT, REGION, Stack

__all__ = ["ADMIN", "MESSAGE", "TABLE", "Data", "Deployed", "Visit", "deployed"]

ADMIN: Final = "u001"
TABLE: Final = f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/FMWebAppTable-dev"
MESSAGE: Final = {
    "name": "홍길동",
    "email": "user@example.com",
    "subject": "협업 문의",
    "message": "함께 일하고 싶습니다.",
}
Data = dict[str, Any]


@dataclass
class Deployed:
    """The functions of a stack, and an operator beside them whose clock a test moves."""

    stack: Stack
    engine: Engine
    operator: App
    clock: FixedClock
    opened: ExitStack
    guards: list[Guarded] = field(default_factory=list)

    def function(self, name: str, **variables: str) -> tuple[Container, Guarded]:
        """A function as the stack has it, but for where its database is, and its guard."""
        guard = Guarded(self.engine, self.stack.statements(name))
        self.guards.append(guard)
        endpoint = self.opened.enter_context(background_server(guard))
        given = {**self.stack.environment(name), "GOTGAN_DYNAMODB": endpoint, **variables}
        return self.opened.enter_context(Container(given)), guard

    def admin(self) -> Visit:
        """An admin at a web function of their own."""
        web, guard = self.function("WebFunction")
        return Visit(web, guard, self.operator.site.tokens.create(user_id=ADMIN, role="admin").text)

    def receive(self) -> str:
        """Have a visitor leave a message; give its id."""
        return self.operator.site.inquiries.receive(**MESSAGE, address="192.0.2.1").id

    def refused(self) -> list[Call]:
        """What the roles did not allow."""
        return [call for guard in self.guards for call in guard.refused]


class Visit:
    """An admin who calls the web function, and notes which routes answered."""

    def __init__(self, web: Container, guard: Guarded, token: str) -> None:
        self.guard = guard
        self._web = web
        self._token = token
        self.answered: set[tuple[str, str]] = set()

    def call(self, method: str, route: str, body: Data | None = None, **parts: str) -> Data:
        """Call a route, which must succeed; give its data."""
        status, answer = self._send(method, route.format(**parts), body)
        assert status < 300, (method, route, answer)
        self.answered.add((method, f"/v1{route.partition('?')[0]}"))
        data: Data = answer["data"]
        return data

    def refusal(self, method: str, route: str, body: Data | None = None) -> tuple[int, str]:
        """Call a route, which must not succeed; give the status and the code of the error."""
        status, answer = self._send(method, route, body)
        assert not answer["success"]
        return status, answer["error"]["code"]

    def _send(self, method: str, route: str, body: Data | None) -> tuple[int, Data]:
        path, _, query = route.partition("?")
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        if (method, path) != ("PUT", "/corp"):  # of which there is no version at first
            headers["If-Match"] = "*"
        sent = None if body is None else json.dumps(body)
        asked = Asked(method, f"/v1{path}", query, headers=headers, body=sent)
        answer = self._web.web(http_api(asked), None)
        return answer["statusCode"], json.loads(answer["body"])


@contextmanager
def deployed(stack: Stack) -> Iterator[Deployed]:
    """The site of a stack for as long as the block runs, with one admin and nothing else."""
    clock = FixedClock(SystemClock().now())
    with (
        Engine(None) as engine,
        _operator(stack, engine, clock) as operator,
        ExitStack() as opened,
    ):
        yield Deployed(stack, engine, operator, clock, opened)


@contextmanager
def _operator(stack: Stack, engine: Engine, clock: FixedClock) -> Iterator[App]:
    """Somebody at a desk, who may do everything, as who deploys may."""
    settings = Settings.from_env(stack.environment("WebFunction"))
    names = Names.parse(settings.tables)
    store = Store(Embedded(engine), secret=settings.secret(), names=names, clock=clock)
    with App(settings, store) as app:
        app.prepare()
        app.site.users.create(id=ADMIN, display_name="김대연", role="admin")
        yield app
