"""What is traded at the exchange of the world: prices that go on from day to day."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise

from gotgan.world.market import Trade, market_trades
from gotgan.world.market.trading import is_session, sessions
from gotgan.world.scene import SHARES, Scene

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SCENE = Scene(seed=7, now=NOW)
SMALL = Scene(seed=7, now=NOW, shares={"KOSPI": 300, "KOSDAQ": 300})
THURSDAY, FRIDAY = date(2025, 11, 6), date(2025, 11, 7)


def _by_ticker(day: date, market: str = "KOSPI") -> dict[str, Trade]:
    return {trade.listing.ticker: trade for trade in market_trades(SMALL, market, day)}


def _pairs(first: date, last: date) -> Iterator[tuple[Trade, Trade]]:
    """Every share on two days in a row."""
    for before, after in pairwise(map(_by_ticker, sessions(first, last))):
        for ticker, trade in after.items():
            if ticker in before:
                yield before[ticker], trade


def test_a_market_has_as_many_shares_as_it_should() -> None:
    for market, count in SHARES.items():
        tickers = {trade.listing.ticker for trade in market_trades(SCENE, market, FRIDAY)}
        assert len(tickers) == count
    scene = Scene(seed=7, now=NOW, shares={**SHARES, "KOSPI": 959})
    assert len(market_trades(scene, "KOSPI", date(2025, 10, 20))) == 959


def test_no_two_shares_have_one_ticker_or_one_name() -> None:
    listings = [
        trade.listing for market in SHARES for trade in market_trades(SCENE, market, FRIDAY)
    ]
    assert len({each.ticker for each in listings}) == len(listings)
    assert len({each.name for each in listings}) == len(listings)
    assert {len(each.ticker) for each in listings} == {6}
    assert any(each.ticker[-1] == "K" for each in listings)
    assert any(each.ticker[4].isalpha() for each in listings)
    assert any(each.ticker == "005930" for each in listings)


def test_another_seed_has_other_prices_and_the_same_seed_the_same() -> None:
    other = Scene(seed=8, now=NOW)
    assert market_trades(Scene(seed=7, now=NOW), "KOSPI", FRIDAY) == market_trades(
        SCENE, "KOSPI", FRIDAY
    )
    pairs = zip(
        market_trades(other, "KOSPI", FRIDAY), market_trades(SCENE, "KOSPI", FRIDAY), strict=True
    )
    assert sum(one.close == two.close for one, two in pairs) < 20


def test_prices_stay_within_what_a_day_allows() -> None:
    for trade in market_trades(SCENE, "KOSPI", FRIDAY):
        if not trade.is_halted:
            assert trade.low <= min(trade.open, trade.close)
            assert trade.high >= max(trade.open, trade.close)
            assert 0.65 * trade.base <= trade.low <= trade.high <= 1.35 * trade.base
            assert trade.low * trade.volume <= trade.value <= trade.high * trade.volume


def test_a_day_goes_on_from_the_close_before_unless_shares_were_split_or_merged() -> None:
    pairs = list(_pairs(date(2025, 8, 1), FRIDAY))
    actions = [(before, after) for before, after in pairs if before.close != after.base]
    assert 0 < len(actions) < len(pairs) / 200
    ratios = [after.base / before.close for before, after in actions]
    assert any(ratio < 0.6 for ratio in ratios)
    assert any(ratio > 1.9 for ratio in ratios)
    for before, after in actions:
        ratio = before.shares / after.shares
        assert abs(after.base / before.close / ratio - 1) < 0.1
    moves = [abs(after.close / after.base - 1) for _, after in pairs]
    assert 0.005 < sum(moves) / len(moves) < 0.05


def test_a_halted_share_keeps_its_close_and_goes_on_from_it() -> None:
    halted = [pair for pair in _pairs(date(2025, 10, 27), FRIDAY) if pair[1].is_halted]
    assert halted
    for before, after in halted:
        assert (after.close, after.base, after.shares) == (before.close,) * 2 + (before.shares,)
        assert (after.open, after.high, after.low, after.volume, after.value) == (0, 0, 0, 0, 0)


def test_some_come_and_some_go() -> None:
    first, last = _by_ticker(date(2025, 3, 4), "KOSDAQ"), _by_ticker(FRIDAY, "KOSDAQ")
    assert first.keys() - last.keys()
    assert last.keys() - first.keys()
    assert len(first) == len(last)


def test_on_fridays_more_is_traded_than_32_bits_hold() -> None:
    for day, expected in ((THURSDAY, False), (FRIDAY, True)):
        volumes = [trade.volume for trade in market_trades(SCENE, "KOSPI", day)]
        assert (max(volumes) > 2**32) is expected
        assert (max(volumes) > 2**31) is expected


def test_volumes_change_until_eight_in_the_evening() -> None:
    late = datetime(2025, 11, 6, 11, 0, tzinfo=UTC)  # 20:00 in Seoul
    early = Scene(seed=7, now=late - timedelta(seconds=1))
    before, after = (market_trades(s, "KOSPI", THURSDAY) for s in (early, Scene(seed=7, now=late)))
    changed = [one.volume != two.volume for one, two in zip(before, after, strict=True)]
    assert 0.3 < sum(changed) / len(changed) < 0.7
    assert all(one.volume <= two.volume for one, two in zip(before, after, strict=True))
    assert [each.close for each in before] == [each.close for each in after]


def test_weekends_and_holidays_are_no_trading_days() -> None:
    closed = [date(2025, 10, 5), date(2025, 10, 9), date(2025, 12, 31), date(2026, 1, 1)]
    assert [day for day in closed if is_session(day)] == []
    assert is_session(date(2025, 10, 20))
