"""Providers one after another: who cannot answer is followed by the next, who blocks is left alone.

Whether a host blocks us is written down where all processes see it, for a day: asking again
prolongs it, whichever provider it is that asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, TypeAlias
from zoneinfo import ZoneInfo

from gotgan.clock import Clock
from gotgan.domains.market.finality import is_final
from gotgan.domains.market.models import Fetch, IndexValue, SharePrice, Side, Wanted
from gotgan.domains.market.providers.provider import Provider
from gotgan.errors import (
    BadMarketAnswer,
    LoginRefused,
    MarketClosed,
    PasswordExpired,
    ProviderBlocked,
    ProviderError,
    SessionEnded,
    VerifyFailed,
)
from gotgan.events import emit
from gotgan.sql import Lease, Leases

__all__ = ["BREAKER", "Check", "Providers"]

BREAKER: Final = timedelta(hours=24)
"""How long nobody asks a host that blocks us."""
Check: TypeAlias = Callable[[Fetch], None]
"""Raises VerifyFailed where an answer is too little for a day."""

_SEOUL: Final = ZoneInfo("Asia/Seoul")
_TRADED: Final = time(16)
"""From then on the exchange would show what was traded on a day; before, nothing means nothing."""
_LONGEST_REASON: Final = 200
_BREAKERS: Final = "breaker:"
"""How the keys of all breakers begin."""
_Failure: TypeAlias = ProviderError | VerifyFailed
_TELLING: Final[tuple[type[_Failure], ...]] = (
    VerifyFailed,
    BadMarketAnswer,
    SessionEnded,
    PasswordExpired,
    LoginRefused,
    ProviderBlocked,
    ProviderError,
)
"""Who gave something says more than who gave nothing."""


class Providers:
    """All providers that the settings name, in their order."""

    def __init__(
        self,
        providers: Sequence[Provider],
        leases: Leases,
        clock: Clock,
        *,
        unset: str | None = None,
    ) -> None:
        self._providers = providers
        self._leases = leases
        self._clock = clock
        self._unset = unset

    def unset(self) -> str | None:
        """What to set, where no provider is configured; None where one is."""
        return self._unset

    def blocked_until(self) -> datetime | None:
        """When somebody may be asked again; None where somebody may be asked now."""
        held = {breaker.key: breaker.until for breaker in self._leases.all_held(_BREAKERS)}
        ends = [held[key] for each in self._providers if each.host and (key := _key(each)) in held]
        return min(ends) if ends and len(ends) == len(self._providers) else None

    def fetch(self, day: date, side: Side, wanted: Wanted, *, check: Check | None = None) -> Fetch:
        """One side of a day, from the first who has it, and has it to the satisfaction of a check.

        MarketClosed where prices and indices agree that there was no trade; else the most telling
        of the errors, with the words of all. It is worth another try where one of them is.
        """
        errors: list[_Failure] = []
        for provider in self._providers:
            try:
                fetched = self._from(provider, day, side, wanted)
                if check is not None:
                    check(fetched)
                return fetched
            except (ProviderError, VerifyFailed) as error:
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

    def _from(self, provider: Provider, day: date, side: Side, wanted: Wanted) -> Fetch:
        self._expect_unblocked(provider)
        try:
            prices, indices = self._asked(provider, day, side, wanted)
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
        self, provider: Provider, day: date, side: Side, wanted: Wanted
    ) -> tuple[list[SharePrice], list[IndexValue]]:
        try:
            if side == "prices":
                return provider.prices(day, wanted["prices"]), []
            return [], provider.indices(day, wanted["indices"])
        except MarketClosed as closure:
            self._expect_over(day)
            _expect_closed(provider, day, side, wanted)
            raise closure from None

    def _expect_unblocked(self, provider: Provider) -> None:
        breaker = self._breaker(provider)
        if breaker is not None:
            raise ProviderBlocked(
                f"it is left alone until {breaker.until:%Y-%m-%d %H:%M} UTC: {breaker.owner}"
            )

    def _breaker(self, provider: Provider) -> Lease | None:
        return self._leases.held(_key(provider)) if provider.host else None

    def _expect_over(self, day: date) -> None:
        """Refuse to call a day closed that may only not have begun."""
        if self._clock.now() < datetime.combine(day, _TRADED, _SEOUL):
            raise BadMarketAnswer(
                f"there is nothing of {day} yet, which says nothing before 16:00 in Seoul; ask then"
            )


def _expect_closed(provider: Provider, day: date, side: Side, wanted: Wanted) -> None:
    """Raise BadMarketAnswer where the other side of the day shows that there was trade."""
    try:
        other: Sequence[SharePrice | IndexValue] = (
            provider.indices(day, wanted["indices"])
            if side == "prices"
            else provider.prices(day, wanted["prices"])
        )
    except MarketClosed:
        return
    if other:
        missing, there = ("prices", "the index") if side == "prices" else ("index", "shares")
        raise BadMarketAnswer(
            f"there are no {missing} of {day}, though {there} traded; ask again later"
        )


def _key(provider: Provider) -> str:
    return f"{_BREAKERS}{provider.host}"


def _by(provider: Provider, error: _Failure) -> _Failure:
    return type(error)(f"{provider.name}: {error.message}")


def _most_telling(errors: Sequence[_Failure]) -> _Failure:
    """What may pass decides, where anything may: one who blocks us does not end it for all."""
    if not errors:
        return ProviderError("no provider is named; set GOTGAN_MARKET_PROVIDERS")
    weighed = [each for each in errors if each.retry] or errors
    told = next(kind for kind in _TELLING if any(isinstance(each, kind) for each in weighed))
    return told("; ".join(each.message for each in errors))
