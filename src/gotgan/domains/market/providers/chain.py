"""Providers one after another: who cannot answer is followed by the next, who blocks is left alone.

Whether somebody blocks us is written down where all processes see it, for a day: asking again
prolongs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gotgan.clock import Clock
from gotgan.domains.market.finality import is_final
from gotgan.domains.market.models import Fetch, IndexValue, Price, Side
from gotgan.domains.market.providers.provider import Provider
from gotgan.errors import (
    BadMarketAnswer,
    LoginRefused,
    MarketClosed,
    PasswordExpired,
    ProviderBlocked,
    ProviderError,
    SessionEnded,
)
from gotgan.events import emit
from gotgan.sql import Leases

__all__ = ["BREAKER", "Providers"]

BREAKER: Final = timedelta(hours=24)
"""How long nobody asks a provider that blocks us."""

_SEOUL: Final = ZoneInfo("Asia/Seoul")
_TRADED: Final = time(16)
"""From then on the exchange would show what was traded on a day; before, nothing means nothing."""
_LONGEST_REASON: Final = 200
_TELLING: Final = (
    PasswordExpired,
    LoginRefused,
    ProviderBlocked,
    BadMarketAnswer,
    SessionEnded,
    ProviderError,
)
"""What somebody has to do something about comes first, what may pass by itself last."""


class Providers:
    """All providers that the settings name, in their order."""

    def __init__(self, providers: Sequence[Provider], leases: Leases, clock: Clock) -> None:
        self._providers = providers
        self._leases = leases
        self._clock = clock

    def fetch(self, day: date, side: Side, markets: Sequence[str]) -> Fetch:
        """One side of a day, from the first who has it.

        MarketClosed where prices and indices agree that there was no trade; else the most telling
        of the errors, with the words of all.
        """
        errors: list[ProviderError] = []
        for provider in self._providers:
            try:
                return self._from(provider, day, side, markets)
            except ProviderError as error:
                emit(
                    "market.provider.failed",
                    level="warning",
                    provider=provider.name,
                    day=str(day),
                    side=side,
                    reason=error.message,
                )
                errors.append(_by(provider, error))
        raise _most_telling(errors)

    def _from(self, provider: Provider, day: date, side: Side, markets: Sequence[str]) -> Fetch:
        self._expect_unblocked(provider)
        try:
            prices, indices = self._asked(provider, day, side, markets)
        except ProviderBlocked as block:
            self._leases.take(_key(provider), BREAKER, owner=block.message[:_LONGEST_REASON])
            raise
        now = self._clock.now()
        return Fetch(
            day=day,
            side=side,
            provider=provider.name,
            fetched_at=now,
            prices=tuple(prices),
            indices=tuple(indices),
            is_final=is_final(day, now),
        )

    def _asked(
        self, provider: Provider, day: date, side: Side, markets: Sequence[str]
    ) -> tuple[list[Price], list[IndexValue]]:
        try:
            if side == "prices":
                return provider.prices(day, markets), []
            return [], provider.indices(day, markets)
        except MarketClosed as closure:
            self._expect_over(day)
            _expect_closed(provider, day, side, markets)
            raise closure from None

    def _expect_unblocked(self, provider: Provider) -> None:
        breaker = self._leases.held(_key(provider))
        if breaker is not None:
            raise ProviderBlocked(
                f"it is left alone until {breaker.until:%Y-%m-%d %H:%M} UTC: {breaker.owner}"
            )

    def _expect_over(self, day: date) -> None:
        """Refuse to call a day closed that may only not have begun."""
        if self._clock.now() < datetime.combine(day, _TRADED, _SEOUL):
            raise BadMarketAnswer(
                f"there is nothing of {day} yet, which says nothing before 16:00 in Seoul; ask then"
            )


def _expect_closed(provider: Provider, day: date, side: Side, markets: Sequence[str]) -> None:
    """Raise BadMarketAnswer where the other side of the day shows that there was trade."""
    try:
        other = (
            provider.indices(day, markets) if side == "prices" else provider.prices(day, markets)
        )
    except MarketClosed:
        return
    if other:
        missing, there = ("prices", "the index") if side == "prices" else ("index", "shares")
        raise BadMarketAnswer(
            f"there are no {missing} of {day}, though {there} traded; ask again later"
        )


def _key(provider: Provider) -> str:
    return f"breaker:{provider.name}"


def _by(provider: Provider, error: ProviderError) -> ProviderError:
    return type(error)(f"{provider.name}: {error.message}")


def _most_telling(errors: Sequence[ProviderError]) -> ProviderError:
    if not errors:
        return ProviderError("no provider is named; set GOTGAN_MARKET_PROVIDERS")
    told = next(kind for kind in _TELLING if any(isinstance(each, kind) for each in errors))
    return told("; ".join(each.message for each in errors))
