"""A world, and what asks it: the same for all tests of a provider."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import Any

from gotgan.clock import FixedClock, SystemClock
from gotgan.domains.market.providers.krx import Krx
from gotgan.fetch import FetchRules, Web
from gotgan.retry import Policy
from gotgan.settings import Secret, Settings
from gotgan.sql import Database, Leases
from gotgan.world import ServedWorld, World, world_server

__all__ = [
    "DAY",
    "FRIDAY",
    "HOST",
    "LOGIN",
    "LOOK_UP",
    "MARKETS",
    "SATURDAY",
    "asking",
    "few_shares",
    "forgetful",
    "knowing",
    "served_world",
]

HOST = "data.krx.co.kr"
LOGIN = "/contents/MDC/COMS/client/MDCCOMS001D1.cmd"
LOOK_UP = "/comm/bldAttendant/getJsonData.cmd"
DAY = date(2025, 11, 6)
FRIDAY = date(2025, 11, 7)
SATURDAY = date(2025, 11, 8)
MARKETS = ("KOSPI", "KOSDAQ")
EVENING = datetime(2025, 11, 7, 12, 0, tzinfo=UTC)
"""After the last volumes of the day, and of the next, which is a Friday."""


def few_shares() -> World:
    """A world on an evening, with few shares."""
    shares = {"KOSPI": 250, "KOSDAQ": 120, "KONEX": 20}
    return World(clock=FixedClock(EVENING), shares=shares)


@contextmanager
def served_world() -> Iterator[ServedWorld]:
    """It, on loopback."""
    with world_server(few_shares()) as served:
        yield served


def knowing(served: ServedWorld, **changes: Any) -> Settings:
    """The settings of somebody who has an account."""
    usual: dict[str, Any] = {
        "krx_id": "gatherer",
        "krx_password": Secret("pass-the-word"),
        "given_secret": Secret("0" * 32),
    }
    return Settings(resolve=served.resolve, delay=0.0, **usual | changes)


@contextmanager
def forgetful() -> Iterator[Leases]:
    """Leases that go with the test."""
    database = Database.in_memory(SystemClock())
    database.prepare()
    try:
        yield database.leases
    finally:
        database.close()


@contextmanager
def asking(
    served: ServedWorld, *, seconds: float = 30.0, leases: Leases | None = None, **changes: Any
) -> Iterator[Krx]:
    """Our client, which tries everything once."""
    settings = knowing(served, **changes)
    rules = FetchRules(
        delay=0.0, resolve=settings.resolve, seconds=seconds, retry=Policy(attempts=1)
    )
    with forgetful() as own, Web(rules, clock=SystemClock()) as web:
        yield Krx(web, settings, leases or own)
