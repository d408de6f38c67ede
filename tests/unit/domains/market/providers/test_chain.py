"""Providers one after another, and those that are left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.clock import FixedClock, SystemClock
from gotgan.domains.market.models import IndexValue, Price
from gotgan.domains.market.providers import Providers, providers_of
from gotgan.errors import (
    BadMarketAnswer,
    LoginRefused,
    MarketClosed,
    PasswordExpired,
    ProviderBlocked,
    ProviderError,
)
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.unit.domains.market.exchange import price

DAY = date(2025, 10, 20)
FIVE = datetime(2025, 10, 20, 8, 0, tzinfo=UTC)
"""17:00 in Seoul."""
PRICES = [price("005930")]
INDICES = [IndexValue("1001", "KOSPI", 1.0, 1.0, 1.0, 1.0, 1, 1)]
CLOSED = MarketClosed("there was no trade")


@dataclass
class Scripted:
    """A provider that gives or raises what it is told."""

    name: str
    says: Any = field(default_factory=lambda: PRICES)
    says_of_indices: Any = field(default_factory=lambda: INDICES)
    asked: list[str] = field(default_factory=list)

    def prices(self, day: date, markets: Sequence[str]) -> list[Price]:
        assert (day, markets) == (DAY, ["KOSPI"])
        return list[Price](self._said("prices", self.says))

    def indices(self, day: date, markets: Sequence[str]) -> list[IndexValue]:
        assert (day, markets) == (DAY, ["KOSPI"])
        return list[IndexValue](self._said("indices", self.says_of_indices))

    def _said(self, what: str, says: Any) -> Any:
        self.asked.append(what)
        if isinstance(says, Exception):
            raise says
        return says


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(FIVE)


@pytest.fixture
def database(clock: FixedClock) -> Iterator[Database]:
    database = Database.in_memory(clock)
    database.prepare()
    yield database
    database.close()


def _chain(database: Database, clock: FixedClock, *providers: Scripted) -> Providers:
    return Providers(providers, database.leases, clock)


def test_the_first_who_has_it_gives_it(database: Database, clock: FixedClock) -> None:
    first, second = Scripted("first"), Scripted("second")
    fetch = _chain(database, clock, first, second).fetch(DAY, "prices", ["KOSPI"])
    assert (fetch.provider, fetch.prices, fetch.indices) == ("first", tuple(PRICES), ())
    assert (fetch.day, fetch.side, fetch.fetched_at) == (DAY, "prices", FIVE)
    assert (first.asked, second.asked) == (["prices"], [])
    other = _chain(database, clock, first).fetch(DAY, "indices", ["KOSPI"])
    assert (other.prices, other.indices) == ((), tuple(INDICES))


@pytest.mark.parametrize(("hours", "is_final"), [(0, False), (5, False), (6, True), (30, True)])
def test_a_day_is_final_from_eleven_at_night(
    database: Database, clock: FixedClock, hours: int, is_final: bool
) -> None:
    clock.advance(timedelta(hours=hours))
    fetch = _chain(database, clock, Scripted("one")).fetch(DAY, "prices", ["KOSPI"])
    assert fetch.is_final is is_final


@pytest.mark.parametrize(
    "error", [ProviderError("down"), BadMarketAnswer("half"), LoginRefused("who?")]
)
def test_who_cannot_answer_is_followed_by_the_next(
    database: Database, clock: FixedClock, error: ProviderError
) -> None:
    chain = _chain(database, clock, Scripted("first", error), Scripted("second"))
    assert chain.fetch(DAY, "prices", ["KOSPI"]).provider == "second"


def test_who_blocks_is_left_alone_for_a_day_by_everybody(
    database: Database, clock: FixedClock
) -> None:
    blocking, other = Scripted("first", ProviderBlocked("go away")), Scripted("second")
    for _ in range(2):
        chain = _chain(database, clock, blocking, other)
        assert chain.fetch(DAY, "prices", ["KOSPI"]).provider == "second"
    assert blocking.asked == ["prices"]
    breaker = database.leases.held("breaker:first")
    assert breaker is not None
    assert (breaker.owner, breaker.until) == ("go away", FIVE + timedelta(hours=24))
    with pytest.raises(ProviderBlocked, match="left alone until 2025-10-21 08:00 UTC: go away"):
        _chain(database, clock, blocking).fetch(DAY, "indices", ["KOSPI"])
    clock.advance(timedelta(hours=24))
    blocking.says = PRICES
    assert _chain(database, clock, blocking).fetch(DAY, "prices", ["KOSPI"]).provider == "first"


def test_where_nobody_answers_the_most_telling_is_raised_with_the_words_of_all(
    database: Database, clock: FixedClock
) -> None:
    said = [ProviderError("down"), PasswordExpired("too old"), BadMarketAnswer("half")]
    providers = [Scripted(f"p{number}", error) for number, error in enumerate(said)]
    with pytest.raises(PasswordExpired) as failure:
        _chain(database, clock, *providers).fetch(DAY, "prices", ["KOSPI"])
    assert failure.value.message == "p0: down; p1: too old; p2: half"


def test_without_a_provider_somebody_is_told(database: Database, clock: FixedClock) -> None:
    with pytest.raises(ProviderError, match="GOTGAN_MARKET_PROVIDERS"):
        _chain(database, clock).fetch(DAY, "prices", ["KOSPI"])


@pytest.mark.parametrize("side", ["prices", "indices"])
def test_a_day_was_closed_where_prices_and_indices_say_so(
    database: Database, clock: FixedClock, side: Any
) -> None:
    one, other = Scripted("one", CLOSED, CLOSED), Scripted("other")
    with pytest.raises(MarketClosed):
        _chain(database, clock, one, other).fetch(DAY, side, ["KOSPI"])
    assert sorted(one.asked) == ["indices", "prices"]
    assert other.asked == []


@pytest.mark.parametrize(
    ("side", "says", "words"),
    [
        ("prices", (CLOSED, INDICES), "no prices of 2025-10-20, though the index traded"),
        ("indices", (PRICES, CLOSED), "no index of 2025-10-20, though shares traded"),
    ],
)
def test_a_closure_that_one_side_denies_is_no_answer(
    database: Database, clock: FixedClock, side: Any, says: tuple[Any, Any], words: str
) -> None:
    doubtful = Scripted("one", *says)
    with pytest.raises(BadMarketAnswer, match=words):
        _chain(database, clock, doubtful).fetch(DAY, side, ["KOSPI"])
    fetch = _chain(database, clock, doubtful, Scripted("two")).fetch(DAY, side, ["KOSPI"])
    assert fetch.provider == "two"


def test_a_block_while_making_sure_of_a_closure_counts_too(
    database: Database, clock: FixedClock
) -> None:
    one = Scripted("one", CLOSED, ProviderBlocked("go away"))
    with pytest.raises(ProviderBlocked):
        _chain(database, clock, one).fetch(DAY, "prices", ["KOSPI"])
    assert database.leases.held("breaker:one") is not None


def test_a_day_that_has_not_been_traded_yet_is_not_closed(database: Database) -> None:
    clock = FixedClock(FIVE - timedelta(hours=1, seconds=1))
    with pytest.raises(BadMarketAnswer, match="says nothing before 16:00"):
        _chain(database, clock, Scripted("one", CLOSED, CLOSED)).fetch(DAY, "prices", ["KOSPI"])


def test_the_settings_say_who_is_asked(database: Database, tmp_path: Path) -> None:
    settings = Settings(market_providers=("krx", "pykrx", "csv"), market_csv=tmp_path)
    with Web.open(settings, SystemClock()) as web:
        providers = providers_of(settings, web, database)
        with pytest.raises(LoginRefused) as failure:  # nobody has an account, or a file
            providers.fetch(DAY, "prices", ["KOSPI"])
    assert [
        part.partition(":")[0] for part in failure.value.message.split("; ") if ": " in part
    ] == [
        "krx",
        "pykrx",
        "csv",
    ]
