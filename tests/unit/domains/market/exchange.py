"""A small exchange for tests: what it answers is set by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from gotgan.clock import Clock, SystemClock
from gotgan.domains.market.calendar import is_final
from gotgan.domains.market.models import INDICES, Fetch, IndexValue, SharePrice, Side, Targets
from gotgan.errors import GotganError
from gotgan.messages import Message

__all__ = ["Exchange", "halted", "price"]


def price(ticker: str, close: int = 1_000, change: int = 0, *, market: str = "KOSPI") -> SharePrice:
    """A share that was traded."""
    return SharePrice(
        ticker=ticker,
        name=f"Share of {ticker[-2:]}",
        market=market,
        open=close - 5,
        high=close + 10,
        low=close - 10,
        close=close,
        change=change,
        volume=10_000,
        value=10_000 * close,
        market_cap=1_000_000 * close,
        shares=1_000_000,
    )


def halted(ticker: str, close: int = 1_000, *, market: str = "KOSPI") -> SharePrice:
    """A share that could not be traded."""
    known = (ticker, f"Share of {ticker[-2:]}", market)
    return SharePrice(*known, None, None, None, close, 0, 0, 0, 1_000_000 * close, 1_000_000)


@dataclass
class Exchange:
    """Answers with the same shares every day, unless it is told otherwise."""

    shares: dict[str, Sequence[SharePrice]] = field(default_factory=dict)
    """By day."""
    always: Sequence[SharePrice] = ()
    failing: dict[Side, list[GotganError]] = field(default_factory=dict)
    """What the next fetches of a side raise, one after the other."""
    asked: list[tuple[date, Side]] = field(default_factory=list)
    clock: Clock = field(default_factory=SystemClock)
    blocked: datetime | None = None

    def blocked_until(self) -> datetime | None:
        """When it may be asked again."""
        return self.blocked

    def unset(self) -> Message | None:
        """Nothing: it needs no login."""
        return None

    def fetch(
        self,
        day: date,
        side: Side,
        wanted: Targets,
        *,
        check: Callable[[Fetch], None] | None = None,
    ) -> Fetch:
        """All of one side of a day."""
        fetched = self._asked(day, side, wanted)
        if check is not None:
            check(fetched)
        return fetched

    def _asked(self, day: date, side: Side, wanted: Targets) -> Fetch:
        self.asked.append((day, side))
        if self.failing.get(side):
            raise self.failing[side].pop(0)
        if side == "indices":
            return self._fetched(day, side, indices=tuple(map(_index, wanted["indices"])))
        return self._fetched(day, side, prices=tuple(self.shares.get(str(day), self.always)))

    def _fetched(self, day: date, side: Side, **rows: Any) -> Fetch:
        now = self.clock.now()
        return Fetch(day, side, "test", now, **rows, is_final=is_final(day, now))


def _index(market: str) -> IndexValue:
    return IndexValue(INDICES[market], market, 2_500.5, 2_510.0, 2_490.0, 2_505.25, 10**9, 10**13)
