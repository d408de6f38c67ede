"""What was traded, over the API: shares, indices and screens."""

from __future__ import annotations

from datetime import date

import pytest
from sqlalchemy import update

from gotgan.domains.market.keys import TECHNICAL_INDICATORS
from gotgan.domains.market.models import INDICATORS
from gotgan.world import World
from gotgan.world.market import market_trades
from tests.unit.api.calling import Api
from tests.unit.api.market.trading import DAY, SHARES, recovered, some_ticker

FIRST = "2025-10-14"
"""Five sessions up to the day: enough for one average."""


def test_a_share_has_its_prices_factors_and_indicators(api: Api, world: World) -> None:
    recovered(api, FIRST)
    [trade, *_] = market_trades(world.scene, "KOSPI", date.fromisoformat(DAY))
    ticker, span = trade.listing.ticker, {"first": FIRST, "last": DAY}
    told = api.data("GET", f"/market/stocks/{ticker}", role="viewer", params=span)
    assert (told["ticker"], told["market"], told["last_seen"]) == (ticker, "KOSPI", DAY)
    assert len(told["prices"]) == 5
    last = told["prices"][-1]
    assert (last["date"], last["close"], last["volume"]) == (DAY, trade.close, trade.volume)
    assert (last["provider"], last["is_final"]) == ("krx", True)
    assert last["is_halted"] == trade.is_halted
    assert list(told["indicators"][-1]) == ["date", "ticker", *INDICATORS]
    assert told["indicators"][-1]["sma_5"] is not None
    assert told["factors"] == []


def test_a_share_is_found_by_ticker_and_by_name(api: Api) -> None:
    recovered(api)
    every = api.data("GET", "/market/stocks", role="viewer")["items"]
    assert len(every) == SHARES
    one = every[0]
    assert api.data("GET", "/market/stocks", params={"text": one["ticker"]})["items"] == [one]
    assert one in api.data("GET", "/market/stocks", params={"text": one["name"]})["items"]
    assert api.data("GET", "/market/stocks", params={"text": "%"})["items"] == []


def test_a_ticker_may_be_written_in_small_letters(api: Api) -> None:
    recovered(api)
    ticker = some_ticker(api)
    path = f"/market/stocks/{ticker.lower()}"
    assert api.data("GET", path, params={"last": DAY})["ticker"] == ticker


def test_an_index_is_found_by_its_code_and_by_its_market(api: Api) -> None:
    recovered(api)
    told = api.data("GET", "/market/indices/1001", role="viewer", params={"last": DAY})
    assert (told["code"], told["name"], len(told["values"])) == ("1001", "KOSPI", 1)
    assert told["values"][0]["date"] == DAY
    assert api.data("GET", "/market/indices/kospi", params={"last": DAY}) == told


def test_a_screen_tells_those_who_stand_out(api: Api) -> None:
    recovered(api, FIRST)
    ticker = some_ticker(api)
    path = "/market/screens/oversold"
    told = api.data("GET", path, role="viewer")
    assert told == {
        "kind": "oversold",
        "day": DAY,
        "items": [],
        "cursor": None,
        "isCalculated": True,
        "lastCalculated": DAY,
    }
    low = update(TECHNICAL_INDICATORS).where(TECHNICAL_INDICATORS.c.ticker == ticker)
    with api.app.database.begin() as connection:
        connection.execute(low.values(rsi_14=12.5))
    [found] = api.data("GET", path)["items"]
    assert (found["ticker"], found["rsi_14"]) == (ticker, 12.5)
    assert {"name", "market", "close", "change", "value"} <= found.keys()
    assert api.data("GET", path, params={"day": "2025-10-01"})["items"] == []


def test_a_whole_day_comes_as_columns(api: Api, world: World) -> None:
    recovered(api, FIRST)
    told = api.data("GET", f"/market/days/{DAY}/columns", role="viewer")
    columns = told["columns"]
    assert (told["day"], {len(each) for each in columns.values()}) == (DAY, {SHARES})
    assert list(columns)[:4] == ["ticker", "name", "market", "open"]
    assert list(columns)[-len(INDICATORS) :] == list(INDICATORS)
    trades = market_trades(world.scene, "KOSPI", date.fromisoformat(DAY))
    closes = dict(zip(columns["ticker"], columns["close"], strict=True))
    assert {each.listing.ticker: each.close for each in trades}.items() <= closes.items()
    kosdaq = api.data("GET", f"/market/days/{DAY}/columns", params={"market": "KOSDAQ"})
    assert set(kosdaq["columns"]["market"]) == {"KOSDAQ"}
    empty = api.data("GET", "/market/days/2025-10-18/columns")["columns"]
    assert (list(empty), set(map(len, empty.values()))) == (list(columns), {0})


@pytest.mark.parametrize(
    "path", ["/market/stocks/999999", "/market/stocks/00-5930", "/market/indices/9999"]
)
def test_what_nobody_knows_is_not_found(api: Api, path: str) -> None:
    assert api.refusal("GET", path) == (404, "not_found")


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/market/stocks/005930", {"first": "yesterday"}),
        ("/market/stocks", {"text": "x" * 101}),
        ("/market/screens/cheap", {}),
        ("/market/screens/oversold", {"day": "today"}),
        ("/market/screens/oversold", {"limit": "1001"}),
    ],
)
def test_what_cannot_be_asked_is_refused(api: Api, path: str, query: dict[str, str]) -> None:
    assert api.refusal("GET", path, params=query) == (422, "invalid")


def test_shares_come_page_by_page(api: Api) -> None:
    recovered(api)
    path = "/market/stocks"
    first = api.data("GET", path, role="viewer", params={"limit": 2})
    second = api.data("GET", path, params={"limit": 2, "cursor": first["cursor"]})
    both = [each["ticker"] for each in (*first["items"], *second["items"])]
    every = api.data("GET", path)
    assert both == [each["ticker"] for each in every["items"]][:4]
    assert every["cursor"] is None
    assert api.refusal("GET", path, params={"limit": 1001}) == (422, "invalid")


def test_a_screen_comes_page_by_page(api: Api) -> None:
    recovered(api, FIRST)
    with api.app.database.begin() as connection:
        connection.execute(update(TECHNICAL_INDICATORS).values(rsi_14=12.5))
    path = "/market/screens/oversold"
    whole = api.data("GET", path, role="viewer")
    assert (len(whole["items"]) > 2, whole["cursor"]) == (True, None)
    first = api.data("GET", path, params={"limit": 2})
    asked = {"day": first["day"], "cursor": first["cursor"]}
    second = api.data("GET", path, params=asked)
    assert [*first["items"], *second["items"]] == whole["items"]
    assert second["cursor"] is None
    for other in ({"day": FIRST}, {"day": DAY, "cursor": "x"}):
        assert api.refusal("GET", path, params=asked | other)[0] == 400
    assert api.refusal("GET", "/market/screens/overbought", params=asked)[0] == 400
