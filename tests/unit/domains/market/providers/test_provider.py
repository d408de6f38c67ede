"""Providers one after another, and those that are left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from gotgan.clock import FixedClock, SystemClock
from gotgan.domains.market import messages
from gotgan.domains.market.models import Fetch, IndexValue, SharePrice, Targets
from gotgan.domains.market.providers import Providers, make_providers
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
from gotgan.fetch import Web
from gotgan.messages import Message, render
from gotgan.settings import Settings
from gotgan.sql import Database
from tests.unit.domains.market.exchange import price

DAY = date(2025, 10, 20)
FIVE = datetime(2025, 10, 20, 8, 0, tzinfo=UTC)
"""17:00 in Seoul."""
PRICES = [price("005930")]
WANTED: Targets = {"prices": ["KOSPI"], "indices": ["KOSPI"]}
INDICES = [IndexValue("1001", "KOSPI", 1.0, 1.0, 1.0, 1.0, 1, 1)]
CLOSED = MarketClosed("there was no trade")


@dataclass
class Scripted:
    """A provider that gives or raises what it is told."""

    name: str
    says: Any = field(default_factory=lambda: PRICES)
    says_of_indices: Any = field(default_factory=lambda: INDICES)
    host: str = "its own"
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.host == "its own":
            self.host = f"{self.name}.test"

    def prices(self, day: date, markets: Sequence[str]) -> list[SharePrice]:
        assert (day, markets) == (DAY, ["KOSPI"])
        return list[SharePrice](self._said("prices", self.says))

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
    fetch = _chain(database, clock, first, second).fetch(DAY, "prices", WANTED)
    assert (fetch.provider, fetch.prices, fetch.indices) == ("first", tuple(PRICES), ())
    assert (fetch.day, fetch.side, fetch.fetched_at) == (DAY, "prices", FIVE)
    assert (first.asked, second.asked) == (["prices"], [])
    other = _chain(database, clock, first).fetch(DAY, "indices", WANTED)
    assert (other.prices, other.indices) == ((), tuple(INDICES))


@pytest.mark.parametrize(("hours", "is_final"), [(0, False), (5, False), (6, True), (30, True)])
def test_a_day_is_final_from_eleven_at_night(
    database: Database, clock: FixedClock, hours: int, is_final: bool
) -> None:
    clock.advance(timedelta(hours=hours))
    fetch = _chain(database, clock, Scripted("one")).fetch(DAY, "prices", WANTED)
    assert fetch.is_final is is_final


@pytest.mark.parametrize(
    "error", [ProviderError("down"), BadMarketAnswer("half"), LoginRefused("who?")]
)
def test_who_cannot_answer_is_followed_by_the_next(
    database: Database, clock: FixedClock, error: ProviderError
) -> None:
    chain = _chain(database, clock, Scripted("first", error), Scripted("second"))
    assert chain.fetch(DAY, "prices", WANTED).provider == "second"


def test_who_blocks_is_left_alone_for_a_day_by_everybody(
    database: Database, clock: FixedClock
) -> None:
    blocking, other = Scripted("first", ProviderBlocked("go away")), Scripted("second")
    for _ in range(2):
        chain = _chain(database, clock, blocking, other)
        assert chain.fetch(DAY, "prices", WANTED).provider == "second"
    assert blocking.asked == ["prices"]
    breaker = database.leases.held("breaker:first.test")
    assert breaker is not None
    assert (breaker.owner, breaker.until) == ("go away", FIVE + timedelta(hours=24))
    with pytest.raises(ProviderBlocked, match=r"Paused until 10-21 08:00 UTC\. go away"):
        _chain(database, clock, blocking).fetch(DAY, "indices", WANTED)
    clock.advance(timedelta(hours=24))
    blocking.says = PRICES
    assert _chain(database, clock, blocking).fetch(DAY, "prices", WANTED).provider == "first"


def test_why_a_host_blocks_is_stored_as_a_message(database: Database, clock: FixedClock) -> None:
    blocking = Scripted("first", ProviderBlocked(messages.KRX_BLOCKED()))
    with pytest.raises(ProviderBlocked):
        _chain(database, clock, blocking).fetch(DAY, "prices", WANTED)
    with pytest.raises(ProviderBlocked) as block:
        _chain(database, clock, blocking).fetch(DAY, "prices", WANTED)
    korean = render(block.value.message, "ko", ZoneInfo("Asia/Seoul"))
    assert korean.startswith(
        "first: 10-21 17:00 KST까지 요청을 멈춥니다. KRX가 이 네트워크를 차단했습니다."
    )


def test_who_blocks_one_is_not_asked_by_another_of_the_same_host(
    database: Database, clock: FixedClock
) -> None:
    first = Scripted("first", ProviderBlocked("go away"), host="exchange.test")
    second = Scripted("second", host="exchange.test")
    with pytest.raises(ProviderBlocked, match="second: Paused until"):
        _chain(database, clock, first, second).fetch(DAY, "prices", WANTED)
    assert second.asked == []


def test_it_is_known_when_somebody_may_be_asked_again(
    database: Database, clock: FixedClock
) -> None:
    first, second = (Scripted(name, ProviderBlocked("go away")) for name in ("first", "second"))
    both = _chain(database, clock, first, second)
    assert _chain(database, clock).blocked_until() is None
    assert both.blocked_until() is None
    with pytest.raises(ProviderBlocked):
        _chain(database, clock, second).fetch(DAY, "prices", WANTED)
    assert both.blocked_until() is None
    clock.advance(timedelta(hours=1))
    with pytest.raises(ProviderBlocked):
        both.fetch(DAY, "prices", WANTED)
    assert both.blocked_until() == FIVE + timedelta(hours=24)
    clock.advance(timedelta(hours=23))
    assert both.blocked_until() is None


def test_who_asks_no_host_is_never_left_alone(database: Database, clock: FixedClock) -> None:
    files = Scripted("files", ProviderBlocked("odd"), host="")
    chain = _chain(database, clock, Scripted("first", ProviderBlocked("go away")), files)
    for _ in range(2):
        with pytest.raises(ProviderBlocked, match="files: odd"):
            chain.fetch(DAY, "prices", WANTED)
        assert chain.blocked_until() is None


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ([ProviderError("a"), PasswordExpired("b"), BadMarketAnswer("c")], BadMarketAnswer),
        ([ProviderBlocked("a"), ProviderError("b"), LoginRefused("c")], ProviderError),
        ([ProviderBlocked("a"), SessionEnded("b"), ProviderError("c")], SessionEnded),
        ([ProviderBlocked("a"), PasswordExpired("b"), LoginRefused("c")], PasswordExpired),
        ([ProviderBlocked("a"), ProviderBlocked("b"), LoginRefused("c")], LoginRefused),
        ([ProviderBlocked("a"), ProviderBlocked("b"), ProviderBlocked("c")], ProviderBlocked),
    ],
)
def test_where_nobody_answers_the_most_telling_is_raised_of_those_that_may_pass(
    database: Database, clock: FixedClock, said: list[ProviderError], told: type[ProviderError]
) -> None:
    providers = [Scripted(f"p{number}", error) for number, error in enumerate(said)]
    with pytest.raises(ProviderError) as failure:
        _chain(database, clock, *providers).fetch(DAY, "prices", WANTED)
    assert type(failure.value) is told
    assert failure.value.message == "p0: a; p1: b; p2: c"


def _expect_two(fetch: Fetch) -> None:
    if fetch.count < 2:
        raise VerifyFailed(f"there is only {fetch.count}")


def test_who_has_too_little_is_followed_by_the_next(database: Database, clock: FixedClock) -> None:
    whole = Scripted("whole", [price("005930"), price("000660")])
    chain = _chain(database, clock, Scripted("half"), whole)
    assert chain.fetch(DAY, "prices", WANTED).provider == "half"
    assert chain.fetch(DAY, "prices", WANTED, check=_expect_two).provider == "whole"


@pytest.mark.parametrize(
    "error", [ProviderBlocked("go away"), ProviderError("down"), BadMarketAnswer("garbage")]
)
def test_where_nobody_has_more_that_is_what_is_told(
    database: Database, clock: FixedClock, error: ProviderError
) -> None:
    chain = _chain(database, clock, Scripted("half"), Scripted("other", error))
    with pytest.raises(VerifyFailed) as failure:
        chain.fetch(DAY, "prices", WANTED, check=_expect_two)
    assert failure.value.message == f"half: there is only 1; other: {error.message}"


def test_without_a_provider_somebody_is_told(database: Database, clock: FixedClock) -> None:
    with pytest.raises(ProviderError, match="GOTGAN_MARKET_PROVIDERS"):
        _chain(database, clock).fetch(DAY, "prices", WANTED)


@pytest.mark.parametrize("side", ["prices", "indices"])
def test_a_day_was_closed_where_prices_and_indices_say_so(
    database: Database, clock: FixedClock, side: Any
) -> None:
    one, other = Scripted("one", CLOSED, CLOSED), Scripted("other")
    with pytest.raises(MarketClosed):
        _chain(database, clock, one, other).fetch(DAY, side, WANTED)
    assert sorted(one.asked) == ["indices", "prices"]
    assert other.asked == []


@pytest.mark.parametrize(
    ("side", "says", "words"),
    [
        ("prices", (CLOSED, INDICES), "2025-10-20 has index values but no prices"),
        ("indices", (PRICES, CLOSED), "2025-10-20 has prices but no index values"),
    ],
)
def test_a_closure_that_one_side_denies_is_no_answer(
    database: Database, clock: FixedClock, side: Any, says: tuple[Any, Any], words: str
) -> None:
    doubtful = Scripted("one", *says)
    with pytest.raises(BadMarketAnswer, match=words):
        _chain(database, clock, doubtful).fetch(DAY, side, WANTED)
    fetch = _chain(database, clock, doubtful, Scripted("two")).fetch(DAY, side, WANTED)
    assert fetch.provider == "two"


def test_a_block_while_making_sure_of_a_closure_counts_too(
    database: Database, clock: FixedClock
) -> None:
    one = Scripted("one", CLOSED, ProviderBlocked("go away"))
    with pytest.raises(ProviderBlocked):
        _chain(database, clock, one).fetch(DAY, "prices", WANTED)
    assert database.leases.held("breaker:one.test") is not None


def test_a_day_that_has_not_been_traded_yet_is_not_closed(database: Database) -> None:
    clock = FixedClock(FIVE - timedelta(hours=1, seconds=1))
    with pytest.raises(BadMarketAnswer, match="They are published at 16:00 KST"):
        _chain(database, clock, Scripted("one", CLOSED, CLOSED)).fetch(DAY, "prices", WANTED)


def test_the_settings_say_who_is_asked(database: Database, tmp_path: Path) -> None:
    settings = Settings(market_providers=("krx", "pykrx", "csv"), market_csv=tmp_path)
    with Web.open(settings, SystemClock()) as web:
        providers = make_providers(settings, web, database)
        with pytest.raises(ProviderError) as failure:  # nobody has an account, or a file
            providers.fetch(DAY, "prices", WANTED)
    assert isinstance(failure.value.message, Message)
    sides: Any = failure.value.message.values["sides"]
    assert [each.values["provider"] for each in sides] == ["krx", "pykrx", "csv"]
