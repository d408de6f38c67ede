"""Days of the exchange to ask for."""

from __future__ import annotations

from typing import Any

from tests.unit.api.calling import Api

__all__ = ["DAY", "HOLIDAY", "SHARES", "recovered", "some_ticker"]

DAY = "2025-10-20"
"""A Monday on which shares were traded; the clock of these tests stands at 2025-11-15, 21:00."""
HOLIDAY = "2025-10-03"
SHARES = 6
"""How many shares the exchange of these tests has."""


def recovered(api: Api, first: str = DAY, last: str = DAY, **more: Any) -> Any:
    """The report of a recovery."""
    body = {"span": f"{first}..{last}", **more}
    return api.data("POST", "/market/recover", role="editor", json=body)["report"]


def some_ticker(api: Api) -> str:
    """The ticker of a share that is known."""
    found: str = api.data("GET", "/market/stocks")["items"][0]["ticker"]
    return found
