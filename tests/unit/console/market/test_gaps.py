"""What is missing of a span, and the way to recover it."""

from __future__ import annotations

from datetime import date

from gotgan.app import App
from tests.unit.console.conftest import Enter
from tests.unit.console.market.filling import FRIDAY, MONDAY, SHARES, collected, failed
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.exchange import Exchange

THURSDAY = date(2025, 10, 16)
SPAN = "first=2025-10-16&last=2025-10-20"


def test_where_all_is_there_it_says_so(app: App, editor: Browser) -> None:
    collected(app, THURSDAY, FRIDAY, MONDAY)
    page = editor.open(f"/market/gaps?{SPAN}")
    assert "Nothing is missing." in page
    assert "/market/recover?" not in page


def test_a_missing_side_and_a_missing_day_are_listed(
    app: App, exchange: Exchange, enter: Enter
) -> None:
    collected(app, THURSDAY)
    failed(app, exchange, MONDAY, "indices")
    page = enter("e").open(f"/market/gaps?{SPAN}")
    assert "Never collected." in page
    assert "<td>Indices</td>" in page
    assert 'href="/market/recover?first=2025-10-16&amp;last=2025-10-20"' in page
    assert "/market/recover?" not in enter("v").open(f"/market/gaps?{SPAN}")


def test_thin_days_and_holes_are_listed(app: App, exchange: Exchange, viewer: Browser) -> None:
    exchange.always = [each for each in SHARES if each.ticker != "000030"]
    collected(app, FRIDAY)
    exchange.always = SHARES
    collected(app, MONDAY)
    collected(app, THURSDAY)
    page = viewer.open(f"/market/gaps?{SPAN}")
    assert "Thin days" in page
    assert 'href="/market/stocks/000030"' in page


def test_without_a_span_it_is_the_last_year(app: App, viewer: Browser) -> None:
    assert "sessions" in viewer.open("/market/gaps")
    collected(app, FRIDAY)
    page = viewer.open("/market/gaps")
    assert "Nothing is missing." in page
    assert "/v1/market/gaps?first=2025-10-17&amp;last=2025-10-17" in page


def test_a_span_the_wrong_way_round_is_refused(viewer: Browser) -> None:
    path = "/market/gaps?first=2025-10-20&last=2025-10-16"
    assert viewer.client.get(path).status_code == 400
    assert viewer.client.get("/market/gaps?first=x").status_code == 400
    assert viewer.client.get("/market/gaps?span=x").status_code == 400


def test_a_range_or_a_month_is_shown_too(viewer: Browser) -> None:
    assert 'value="2025-09-30"' in viewer.open("/market/gaps?span=2025-09")


def test_gaps_are_a_file(app: App, exchange: Exchange, viewer: Browser) -> None:
    collected(app, THURSDAY)
    failed(app, exchange, MONDAY, "indices")
    page = viewer.open(f"/market/gaps?{SPAN}")
    assert 'href="/market/gaps.csv?first=2025-10-16&amp;last=2025-10-20"' in page
    head, *rows = viewer.open(f"/market/gaps.csv?{SPAN}").splitlines()
    assert head == "\ufeffkind,date,ticker,words"
    assert [row.split(",")[:2] for row in rows] == [
        ["missing", "2025-10-17"],
        ["missing", "2025-10-20"],
    ]
