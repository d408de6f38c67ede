"""Our client of KRX against the world's, fault by fault."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from gotgan.clock import SystemClock
from gotgan.domains.market.models import IndexValue, SharePrice
from gotgan.domains.market.providers.krx import Krx
from gotgan.errors import (
    BadMarketAnswer,
    GotganError,
    LoginRefused,
    MarketClosed,
    PasswordExpired,
    ProviderBlocked,
    ProviderError,
    SessionEnded,
)
from gotgan.fetch import Web
from gotgan.settings import Secret
from gotgan.world import FaultKind, ServedWorld, World
from gotgan.world.market import Trade, market_trades
from tests.unit.domains.market.providers.places import (
    DAY,
    FRIDAY,
    HOST,
    LOGIN,
    LOOK_UP,
    MARKETS,
    SATURDAY,
    asking,
    forgetful,
    knowing,
    served_world,
)


@pytest.fixture(scope="module")
def served() -> Iterator[ServedWorld]:
    with served_world() as served:
        yield served


@pytest.fixture
def world(served: ServedWorld) -> Iterator[World]:
    yield served.world
    served.world.heal()


def _count(world: World, path: str) -> int:
    return sum(seen.path == path for seen in world.requests)


def _as_price(trade: Trade) -> SharePrice:
    return SharePrice(
        ticker=trade.listing.ticker,
        name=trade.listing.name,
        market=trade.listing.market.name,
        open=trade.open or None,
        high=trade.high or None,
        low=trade.low or None,
        close=trade.close,
        change=trade.close - trade.base,
        volume=trade.volume,
        value=trade.value,
        market_cap=trade.close * trade.shares,
        shares=trade.shares,
    )


def test_everything_that_was_traded_is_brought(served: ServedWorld) -> None:
    with asking(served) as krx:
        prices = krx.prices(FRIDAY, MARKETS)
    traded = [
        trade for market in MARKETS for trade in market_trades(served.world.scene, market, FRIDAY)
    ]
    assert prices == [_as_price(trade) for trade in traded]
    assert any(price.is_halted for price in prices)
    assert any(price.volume > 2**32 for price in prices)


def test_a_day_takes_one_login_and_one_request_for_each_market_and_index() -> None:
    with served_world() as served, asking(served) as krx:
        krx.prices(DAY, MARKETS)
        krx.indices(DAY, MARKETS)
        paths = [seen.path for seen in served.world.requests]
    assert paths.count(LOGIN) == 1
    assert paths.count(LOOK_UP) == 4
    assert len(paths) == 6  # and the page with the form


def test_the_index_of_each_market_that_has_one_is_brought(served: ServedWorld) -> None:
    with asking(served) as krx:
        indices = krx.indices(DAY, MARKETS)
    assert [(each.code, each.name) for each in indices] == [("1001", "KOSPI"), ("2001", "KOSDAQ")]
    assert all((each.low or 0) <= each.close <= (each.high or 0) for each in indices)


def test_a_day_without_trade_was_closed(served: ServedWorld) -> None:
    with asking(served) as krx:
        for ask in (krx.prices, krx.indices):
            with pytest.raises(MarketClosed):
                ask(SATURDAY, MARKETS)


def test_a_closed_market_beside_an_open_one_is_no_answer(served: ServedWorld, world: World) -> None:
    with asking(served) as krx:
        world.fail(HOST, LOOK_UP, FaultKind.HOLIDAY, times=1)
        with pytest.raises(BadMarketAnswer, match="KOSPI had no trade, but other markets"):
            krx.prices(DAY, MARKETS)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (FaultKind.HOLIDAY, MarketClosed),
        (FaultKind.EMPTY, BadMarketAnswer),
        (FaultKind.GARBAGE, BadMarketAnswer),
        (FaultKind.CUT, BadMarketAnswer),
        (FaultKind.WRONG_TYPE, BadMarketAnswer),
        (FaultKind.LOGOUT, SessionEnded),
        (FaultKind.BLOCK, ProviderBlocked),
        (FaultKind.FORBIDDEN, ProviderBlocked),
        (FaultKind.BROKEN, ProviderError),
        (FaultKind.RESET, ProviderError),
        (FaultKind.TRUNCATED, ProviderError),
    ],
)
def test_what_goes_wrong_is_told_apart(
    served: ServedWorld, world: World, fault: FaultKind, error: type[GotganError]
) -> None:
    world.fail(HOST, LOOK_UP, fault)
    with asking(served) as krx, pytest.raises(GotganError) as failure:
        krx.prices(DAY, ["KOSPI"])
    assert type(failure.value) is error


def test_half_a_market_is_given_as_it_is(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LOOK_UP, FaultKind.HALF)
    with asking(served) as krx:
        assert len(krx.prices(DAY, ["KOSPI"])) == 125


def test_a_slow_answer_is_not_waited_for(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LOOK_UP, FaultKind.SLOW)
    with (
        asking(served, seconds=0.2) as krx,
        pytest.raises(ProviderError, match="Could not reach KRX"),
    ):
        krx.prices(DAY, ["KOSPI"])


def test_an_empty_index_is_a_day_without_trade(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LOOK_UP, FaultKind.EMPTY)
    with asking(served) as krx, pytest.raises(MarketClosed):
        krx.indices(DAY, ["KOSPI"])


def test_who_is_logged_out_in_the_middle_logs_in_again_once() -> None:
    with served_world() as served, asking(served) as krx:
        krx.prices(DAY, ["KOSPI"])
        served.world.fail(HOST, LOOK_UP, FaultKind.LOGOUT, times=1)
        assert len(krx.prices(DAY, ["KOSPI"])) == 250
        assert _count(served.world, LOGIN) == 2
        served.world.fail(HOST, LOOK_UP, FaultKind.LOGOUT)
        with pytest.raises(SessionEnded):
            krx.prices(DAY, ["KOSPI"])
        assert _count(served.world, LOGIN) == 3


def test_a_block_is_not_asked_twice() -> None:
    with served_world() as served, asking(served) as krx:
        served.world.fail(HOST, LOOK_UP, FaultKind.BLOCK)
        with pytest.raises(ProviderBlocked):
            krx.prices(DAY, MARKETS)
        assert _count(served.world, LOOK_UP) == 1


def test_threads_share_one_login() -> None:
    with served_world() as served, asking(served) as krx, ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: krx.indices(DAY, ["KOSPI"]), range(8)))
        assert _count(served.world, LOGIN) == 1


def test_what_was_recorded_is_replayed_whatever_the_password_is(
    served: ServedWorld, tmp_path: Path
) -> None:
    def asked(**how: Any) -> list[IndexValue]:
        settings = knowing(served, **how)
        with forgetful() as leases, Web.open(settings, SystemClock()) as web:
            return Krx(web, settings, leases).indices(DAY, ["KOSPI"])

    recorded = asked(record=tmp_path)
    assert asked(replay=tmp_path, krx_password=Secret("another")) == recorded


def test_somebody_who_is_logged_in_already_says_not_to_mind(
    served: ServedWorld, world: World
) -> None:
    world.fail(HOST, LOGIN, FaultKind.CD011)
    with asking(served) as krx:
        assert len(krx.prices(DAY, ["KONEX"])) == 20


def test_a_password_that_is_too_old_says_what_to_do(served: ServedWorld, world: World) -> None:
    world.fail(HOST, LOGIN, FaultKind.CD010)
    with asking(served) as krx, pytest.raises(PasswordExpired) as refusal:
        krx.prices(DAY, ["KONEX"])
    assert "expired after three months" in refusal.value.message
    assert "set KRX_PW" in refusal.value.message


def test_a_wrong_password_is_refused_and_nowhere_told(
    served: ServedWorld, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        asking(served, krx_password=Secret("wrong")) as krx,
        pytest.raises(LoginRefused, match="CD003") as refusal,
    ):
        krx.prices(DAY, ["KONEX"])
    assert "wrong" not in refusal.value.message.replace("too many wrong attempts", "")
    assert not [record for record in caplog.records if "wrong" in record.getMessage()]


@pytest.mark.parametrize("missing", [{"krx_id": ""}, {"krx_password": None}])
def test_without_an_account_nobody_is_asked(missing: dict[str, Any]) -> None:
    with (
        served_world() as served,
        asking(served, **missing) as krx,
        pytest.raises(LoginRefused, match=r"Create a free account .* set KRX_ID and KRX_PW"),
    ):
        krx.prices(DAY, MARKETS)
    assert served.world.requests == ()


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (FaultKind.BLOCK, ProviderBlocked),
        (FaultKind.FORBIDDEN, ProviderBlocked),
        (FaultKind.GARBAGE, BadMarketAnswer),
        (FaultKind.BROKEN, ProviderError),
    ],
)
def test_a_login_that_goes_wrong_is_told_apart_too(
    served: ServedWorld, world: World, fault: FaultKind, error: type[GotganError]
) -> None:
    world.fail(HOST, "/contents/*", fault)
    with asking(served) as krx, pytest.raises(GotganError) as failure:
        krx.prices(DAY, ["KOSPI"])
    assert type(failure.value) is error
