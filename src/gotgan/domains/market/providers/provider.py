"""What a provider of prices is, and how the answers for several markets become those of a day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from typing import Protocol, TypeVar

from gotgan.domains.market.models import IndexValue, Price
from gotgan.errors import BadMarketAnswer, MarketClosed

__all__ = ["Provider", "expect_each_once", "of_all_markets"]

T = TypeVar("T")


class Provider(Protocol):
    """Somebody who can be asked for the prices and the indices of a day.

    Both raise ProviderError where they cannot say, and MarketClosed where there was no trade; a
    share that was halted has a close alone.
    """

    @property
    def name(self) -> str:
        """As the settings call it."""

    def prices(self, day: date, markets: Sequence[str]) -> list[Price]:
        """Every share of some markets."""

    def indices(self, day: date, markets: Sequence[str]) -> list[IndexValue]:
        """The index of each market that has one."""


def of_all_markets(markets: Sequence[str], ask: Callable[[str], Iterable[T]]) -> list[T]:
    """What each market answers, in one list; closed is a day on which all of them were."""
    found: list[T] = []
    closed: dict[str, MarketClosed] = {}
    for market in markets:
        try:
            found.extend(ask(market))
        except MarketClosed as closure:
            closed[market] = closure
    if closed and found:
        raise BadMarketAnswer(
            f"{' and '.join(closed)} shows no trade, though others of the same day do; ask again "
            "later"
        )
    if closed:
        raise next(iter(closed.values()))
    return found


def expect_each_once(names: Iterable[str], what: str) -> None:
    """Raise BadMarketAnswer where something stands there twice."""
    for name, times in Counter(names).items():
        if times > 1:
            raise BadMarketAnswer(
                f"{what} holds {name} {times} times, and nobody knows which one counts"
            )
