"""The values that the market is made of."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from gotgan.domains.market.models import (
    SIDES,
    CollectionLog,
    Fetch,
    IndexValue,
    Overall,
    SharePrice,
    SideLog,
    Status,
    overall_status,
)

DAY = date(2025, 10, 20)
NOW = datetime(2025, 10, 20, 8, tzinfo=UTC)


def _price(**changes: int | None) -> SharePrice:
    known: dict[str, int | None] = {"open": 98_400, "high": 98_500, "low": 97_600}
    prices = {**known, **changes}
    return SharePrice(
        ticker="005930",
        name="삼성전자",
        market="KOSPI",
        open=prices["open"],
        high=prices["high"],
        low=prices["low"],
        close=98_100,
        change=200,
        volume=2**33,
        value=2**50,
        market_cap=2**49,
        shares=5_919_637_922,
    )


@pytest.mark.parametrize(
    ("prices", "indices", "expected"),
    [
        ("success", "success", "success"),
        ("success", "failed", "partial"),
        ("success", "pending", "partial"),
        ("success", "retrying", "partial"),
        ("failed", "failed", "failed"),
        ("failed", "pending", "failed"),
        ("failed", "retrying", "failed"),
        ("pending", "pending", "pending"),
        ("retrying", "pending", "pending"),
        ("retrying", "retrying", "pending"),
    ],
)
def test_a_day_stands_as_both_of_its_sides_do(
    prices: Status, indices: Status, expected: Overall
) -> None:
    assert overall_status(prices, indices) == overall_status(indices, prices) == expected
    log = CollectionLog(DAY, DAY, SideLog(prices), SideLog(indices), NOW)
    assert log.overall_status == expected
    assert [log.side(side).status for side in SIDES] == [prices, indices]


def test_a_share_that_was_not_traded_has_a_close_alone() -> None:
    assert not _price().is_halted
    assert _price(open=None, high=None, low=None).is_halted


def test_the_base_is_what_the_change_was_counted_from() -> None:
    assert _price().base == 97_900


def test_a_fetch_counts_its_rows() -> None:
    index = IndexValue("1001", "KOSPI", 1.0, 2.0, 0.5, 1.5, 1, 1)
    assert Fetch(DAY, "prices", "krx", NOW, prices=(_price(), _price())).count == 2
    assert Fetch(DAY, "indices", "krx", NOW, indices=(index,)).count == 1
