"""One ask on its way: what it wants, whom it trusts, and how much time it has left."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from gotgan.fetch.addresses import Address
from gotgan.fetch.messages import anywhere

__all__ = ["Errand"]


@dataclass(kw_only=True)
class Errand:
    """What does not change from hop to hop, and what does."""

    first: Address
    is_from_settings: bool
    """Whether the first address stands in the settings."""
    headers: Mapping[str, str]
    conditions: Mapping[str, str] = field(default_factory=dict)
    """What only the first address is told: the versions of others are not ours to ask about."""
    most_bytes: int
    within: Callable[[str], bool] = anywhere
    """Which addresses a redirect may lead to."""
    heeds_robots: bool = True
    keeps_refusal: bool = False
    is_personal: bool = False
    body: bytes | None = None
    """What is handed over, to the first address alone."""
    seconds: float | None = None
    """How long it may take in all, where that is not as long as usual; then it is tried once."""
    attempt: int = 1
    held: float = 0.0
    """How many seconds a host wants to be left alone, as this attempt has found."""
    began: float = math.inf
    limit: asyncio.Timeout = field(default_factory=lambda: asyncio.timeout(None))

    def trusts(self, address: Address) -> bool:
        """Whether the settings name this exact host and port."""
        return self.is_from_settings and address.authority == self.first.authority

    def headers_for(self, address: Address) -> dict[str, str]:
        """What a request to an address on the way says."""
        return {**self.headers, **(self.conditions if address == self.first else {})}

    def begin(self, deadline: float) -> None:
        """Let the time run from the first turn on: those who queue politely lose none."""
        if not self.has_begun:
            self.began = _now()
            self.limit.reschedule(self.began + deadline)

    @property
    def has_begun(self) -> bool:
        """Whether it has had its first turn."""
        return self.began < math.inf

    @property
    def elapsed(self) -> float:
        """How many seconds ago it had its first turn."""
        return max(0.0, _now() - self.began)

    @property
    def left(self) -> float:
        """How many seconds there still are."""
        until = self.limit.when()
        return math.inf if until is None else until - _now()


def _now() -> float:
    return asyncio.get_running_loop().time()
