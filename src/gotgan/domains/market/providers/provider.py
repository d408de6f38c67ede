"""What a provider of prices is, and how the answers for several markets become those of a day."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from typing import Final, Protocol, TypeVar

from gotgan.domains.market.models import IndexValue, SharePrice
from gotgan.errors import BadMarketAnswer, MarketClosed

__all__ = ["Provider", "as_traded", "expect_each_once", "of_all_markets"]

T = TypeVar("T")

_UNPRICED: Final = 0.02
"""What part of a market may have no close on a day with trade: shares that were never traded."""


class Provider(Protocol):
    """Somebody who can be asked for the prices and the indices of a day.

    Both raise ProviderError where they cannot say, and MarketClosed where there was no trade; a
    share that was not traded has a close alone.
    """

    @property
    def name(self) -> str:
        """As the settings call it."""

    @property
    def host(self) -> str:
        """Who is asked in the end, and may block us; empty where nobody is."""

    def prices(self, day: date, markets: Sequence[str]) -> list[SharePrice]:
        """Every share of some markets."""

    def indices(self, day: date, names: Sequence[str]) -> list[IndexValue]:
        """Some indices, by their names."""


def as_traded(shares: Sequence[SharePrice], day: date, market: str) -> list[SharePrice]:
    """The shares of a market that have a close; of those that were not traded, nothing but that.

    MarketClosed where none has one; where there is nothing, 0 is what stands for it.
    """
    priced = [
        _but_close(share) if _is_untraded(share) else share for share in shares if share.close
    ]
    if not priced:
        raise MarketClosed(f"there was no trade on {day}: no share of {market} has a price")
    unpriced = len(shares) - len(priced)
    if unpriced > _UNPRICED * len(shares):
        raise BadMarketAnswer(
            f"{unpriced} of {len(shares)} shares of {market} have no price on {day}; ask again "
            "later"
        )
    return priced


def _is_untraded(share: SharePrice) -> bool:
    return not (share.open and share.high and share.low)


def _but_close(share: SharePrice) -> SharePrice:
    return replace(share, open=None, high=None, low=None, volume=0, value=0)


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
