"""An engine with one table, a misbehaving endpoint before it, and drivers that bear with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gotgan.retry import Budget, Policy
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.faults.endpoint import Endpoint, faulty
from tests.unit.store.drivers.aws_environment import forget_aws

TABLE = "things"


@dataclass
class Scene:
    """Everything that a test about misbehaviour needs."""

    engine: Engine
    endpoint: Endpoint
    stack: ExitStack
    pauses: list[float] = field(default_factory=list)
    """How long was waited: nothing really waits here."""

    def driver(self, *, shortcut: bool = True, read_timeout: float = 20.0) -> Aws:
        driver = Aws(self.endpoint.url, shortcut=shortcut, read_timeout=read_timeout)
        self.stack.callback(driver.close)
        return driver

    def retrying(
        self, driver: Aws | None = None, policy: Policy | None = None, budget: Budget | None = None
    ) -> RetryingDriver:
        return RetryingDriver(
            driver or self.driver(),
            policy or Policy(attempts=4, base=0.1),
            budget,
            sleep=self.pauses.append,
            random=lambda: 0.5,
        )

    def stored(self) -> list[str]:
        """The keys of what is in the table, in truth."""
        items = self.engine.execute("Scan", {"TableName": TABLE})["Items"]
        return sorted(item["pk"]["S"] for item in items)

    @property
    def happened(self) -> list[str]:
        """What happened to each call so far."""
        return [what for _, what in self.endpoint.seen]


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Scene]:
    forget_aws(monkeypatch, tmp_path)
    with ExitStack() as stack:
        engine = stack.enter_context(Engine(None))
        engine.execute("CreateTable", _table())
        yield Scene(engine, stack.enter_context(faulty(engine)), stack)


@pytest.fixture
def put() -> Callable[..., dict[str, Any]]:
    """The request that puts an item, where there is none if asked so."""

    def request(key: str, *, new: bool = False, **more: Any) -> dict[str, Any]:
        asked: dict[str, Any] = {"TableName": TABLE, "Item": {"pk": {"S": key}}, **more}
        if new:
            asked["ConditionExpression"] = "attribute_not_exists(pk)"
        return asked

    return request


def _table() -> dict[str, Any]:
    return {
        "TableName": TABLE,
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        "BillingMode": "PAY_PER_REQUEST",
    }
