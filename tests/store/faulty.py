"""A store behind an endpoint that misbehaves as it is told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from gotgan.retry import Budget, Policy
from gotgan.settings import Secret
from gotgan.store import Names, Store
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.drivers.retries import RetryingDriver
from gotgan.store.engine import Engine
from tests.faults.endpoint import Endpoint, faulty
from tests.faults.mishaps import Mishap, closed_after, cut_off, fails, hangs
from tests.store.conftest import create, renamed
from tests.store.errands import ERRANDS
from tests.store.library import CLIPS, LIBRARY

__all__ = ["LOST", "LOST_AT_ONCE", "Trouble", "endpoint", "in_trouble"]

LOST_AT_ONCE = [fails(500, carried_out=True), closed_after(), cut_off()]
LOST = [*LOST_AT_ONCE, hangs(carried_out=True)]
"""What was asked for is done, and nobody hears of it."""

_SECRET = Secret("of these tests")


@dataclass
class Trouble:
    """Stores that have it hard, and one that sees what is there in truth."""

    endpoint: Endpoint
    driver: Aws
    truth: Store
    names: Names
    before: int

    def store(self, attempts: int = 8) -> Store:
        """A client of the endpoint that tries so often, and waits for nothing."""
        policy, budget = Policy(attempts=attempts), Budget(5000)
        patient = RetryingDriver(self.driver, policy, budget, sleep=lambda _: None)
        return Store(patient, secret=_SECRET, names=self.names)

    def plan(self, *mishaps: Mishap) -> None:
        """Let these happen next."""
        self.endpoint.plan(*mishaps)

    def quiet(self) -> None:
        """Let nothing more happen."""
        for mishap in self.endpoint.left:
            self.endpoint.draw(mishap.operation or "")

    def calls(self, operation: str) -> int:
        """How often an operation was asked for in this test."""
        return [seen for seen, _ in self.endpoint.seen[self.before :]].count(operation)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[tuple[Endpoint, Aws]]:
    """A misbehaving endpoint before an engine, and a driver that soon loses patience with it."""
    with Engine(None) as engine, faulty(engine) as endpoint:
        driver = Aws(endpoint.url, read_timeout=0.5)
        yield endpoint, driver
        driver.close()


@pytest.fixture
def in_trouble(endpoint: tuple[Endpoint, Aws]) -> Iterator[Trouble]:
    """The tables of one test behind the endpoint; what was planned for it ends with it."""
    server, driver = endpoint
    names = renamed(LIBRARY, CLIPS, ERRANDS)
    embedded = Embedded(server.engine)  # type: ignore[arg-type]
    for table in (LIBRARY, CLIPS, ERRANDS):
        create(embedded, table, names)
    truth = Store(embedded, secret=_SECRET, names=names)
    trouble = Trouble(server, driver, truth, names, len(server.seen))
    yield trouble
    trouble.quiet()
