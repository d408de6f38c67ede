"""The interface of a price provider, and the chain that asks one provider after another.

A host that blocks this network is not asked for a day, by any provider and process: asking again
prolongs the block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Final, Protocol, TypeAlias, TypeVar

from gotgan.clock import Clock
from gotgan.domains.market import messages
from gotgan.domains.market.calendar import available_from, is_final
from gotgan.domains.market.models import Fetch, IndexValue, SharePrice, Side, Targets
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
from gotgan.messages import Message, dump, load, text
from gotgan.sql import Leases

T = TypeVar("T")
BLOCK_DURATION: Final = timedelta(hours=24)
"""How long a host that blocks this network is not asked."""
Check: TypeAlias = Callable[[Fetch], None]
"""Raises VerifyFailed where an answer is too little for a day."""
_MAX_UNPRICED: Final = 0.02
"""What part of a market may have no close on a day with trade: shares that were never traded."""
_BREAKER_PREFIX: Final = "breaker:"
_Failure: TypeAlias = ProviderError | VerifyFailed
_ERROR_ORDER: Final[tuple[type[_Failure], ...]] = (
    VerifyFailed,
    BadMarketAnswer,
    SessionEnded,
    PasswordExpired,
    LoginRefused,
    ProviderBlocked,
    ProviderError,
)
"""The most informative first: a bad answer says more than none."""


class Provider(Protocol):
    """A source of the prices and the indices of a day.

    Both raise ProviderError where they cannot answer, and MarketClosed where there was no trade; a
    share that was not traded has a close alone.
    """

    @property
    def name(self) -> str:
        """Its name in the settings."""

    @property
    def host(self) -> str:
        """The host of the provider, which may block this network; empty for files."""

    def prices(self, day: date, markets: Sequence[str]) -> list[SharePrice]:
        """Every share of some markets."""

    def indices(self, day: date, names: Sequence[str]) -> list[IndexValue]:
        """Some indices, by their names."""


def traded_shares(shares: Sequence[SharePrice], day: date, market: str) -> list[SharePrice]:
    """The shares of a market that have a close; of those that were not traded, only that.

    MarketClosed where none has one. A missing number is 0.
    """
    priced = [
        share
        if share.open and share.high and share.low
        else replace(share, open=None, high=None, low=None, volume=0, value=0)
        for share in shares
        if share.close
    ]
    if not priced:
        raise MarketClosed(messages.NO_SHARE_TRADED(market=market))
    unpriced = len(shares) - len(priced)
    if unpriced > _MAX_UNPRICED * len(shares):
        raise BadMarketAnswer(
            messages.UNPRICED_SHARES(count=unpriced, total=len(shares), market=market, day=day)
        )
    return priced


def ask_all_markets(markets: Sequence[str], ask: Callable[[str], Iterable[T]]) -> list[T]:
    """The answers for all markets in one list; a day is closed only if all of them were."""
    found, closed = list[T](), dict[str, MarketClosed]()
    for market in markets:
        try:
            found.extend(ask(market))
        except MarketClosed as closure:
            closed[market] = closure
    if closed and found:
        raise BadMarketAnswer(messages.MARKETS_DISAGREE(closed=closed))
    if closed:
        raise next(iter(closed.values()))
    return found


def expect_unique(names: Iterable[str], source: str) -> None:
    """Raise BadMarketAnswer where a name occurs twice."""
    for name, times in Counter(names).items():
        if times > 1:
            raise BadMarketAnswer(messages.LISTED_TWICE(source=source, name=name, times=times))


class Providers:
    """All providers that the settings name, in their order."""

    def __init__(
        self,
        providers: Sequence[Provider],
        leases: Leases,
        clock: Clock,
        *,
        unset: Message | None = None,
    ) -> None:
        self._providers = providers
        self._leases = leases
        self._clock = clock
        self._unset = unset

    def unset(self) -> Message | None:
        """What to set, where no provider is configured; None where one is."""
        return self._unset

    def blocked_until(self) -> datetime | None:
        """When a provider may be asked again; None where one may be asked now."""
        held = {breaker.key: breaker.until for breaker in self._leases.find_all(_BREAKER_PREFIX)}
        keys = [_breaker_key(each) for each in self._providers if each.host]
        ends = [held[key] for key in keys if key in held]
        return min(ends) if ends and len(ends) == len(self._providers) else None

    def fetch(self, day: date, side: Side, wanted: Targets, *, check: Check | None = None) -> Fetch:
        """One side of a day, from the first provider whose answer passes the check.

        MarketClosed where prices and indices agree that there was no trade; else the most
        informative error, with the messages of all. It can be retried where one of them can.
        """
        errors = list[_Failure]()
        for provider in self._providers:
            try:
                fetched = self._fetch_from(provider, day, side, wanted)
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
                message = messages.OF_PROVIDER(provider=provider.name, error=text(error.message))
                errors.append(type(error)(message))
        raise _main_error(errors)

    def _fetch_from(self, provider: Provider, day: date, side: Side, wanted: Targets) -> Fetch:
        key = _breaker_key(provider)
        breaker = self._leases.held(key) if provider.host else None
        if breaker is not None:
            reason = text(load(breaker.owner))
            raise ProviderBlocked(messages.NOT_ASKED_UNTIL(until=breaker.until, reason=reason))
        try:
            prices, indices = self._ask(provider, day, side, wanted)
        except ProviderBlocked as block:
            self._leases.take(key, BLOCK_DURATION, owner=dump(block.message))
            raise
        now = self._clock.now()
        rows = tuple(prices), tuple(indices)
        return Fetch(day, side, provider.name, now, *rows, is_final=is_final(day, now))

    def _ask(
        self, provider: Provider, day: date, side: Side, wanted: Targets
    ) -> tuple[list[SharePrice], list[IndexValue]]:
        try:
            if side == "prices":
                return provider.prices(day, wanted["prices"]), []
            return [], provider.indices(day, wanted["indices"])
        except MarketClosed as closure:
            if self._clock.now() < available_from(day):
                raise BadMarketAnswer(
                    messages.NOT_PUBLISHED(day=day, at=available_from(day))
                ) from None
            _expect_closed(provider, day, side, wanted)
            raise closure from None


def _expect_closed(provider: Provider, day: date, side: Side, wanted: Targets) -> None:
    """Raise BadMarketAnswer where the other side of the day shows that there was trade."""
    other: Sequence[SharePrice | IndexValue]
    try:
        if side == "prices":
            other, missing = provider.indices(day, wanted["indices"]), messages.NO_PRICES_BUT_INDEX
        else:
            other, missing = provider.prices(day, wanted["prices"]), messages.NO_INDEX_BUT_PRICES
    except MarketClosed:
        return
    if other:
        raise BadMarketAnswer(missing(day=day))


def _breaker_key(provider: Provider) -> str:
    return f"{_BREAKER_PREFIX}{provider.host}"


def _main_error(errors: Sequence[_Failure]) -> _Failure:
    """Errors that can be retried come first: one provider that blocks does not end it for all."""
    if not errors:
        return ProviderError(messages.NO_PROVIDERS())
    weighed = [each for each in errors if each.retry] or errors
    kind = next(kind for kind in _ERROR_ORDER if any(isinstance(each, kind) for each in weighed))
    return kind(messages.SIDES(sides=[each.message for each in errors]))
