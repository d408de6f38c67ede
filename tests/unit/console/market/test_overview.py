"""The front page of the market: indices, movers, screens and a line about collection."""

from __future__ import annotations

from gotgan.app import App
from tests.unit.console.market.filling import FRIDAY, MONDAY, collected, indicated
from tests.unit.console.sheets import Browser


def test_without_a_day_it_leads_to_collecting_one(viewer: Browser) -> None:
    page = viewer.open("/market")
    assert "No shares yet" in page
    assert 'href="/market/recover"' in page
    assert "KRX_ID" in page


def test_indices_lead_with_their_moves_and_movers_follow(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY, MONDAY)
    page = viewer.open("/market")
    first, second = page.index("2,505.25"), page.index("Largest gains")
    assert first < second < page.index("Largest losses") < page.index("Most traded")
    assert 'href="/market/indices/1001"' in page
    assert "+10.00%" in page
    assert "-10.00%" in page
    assert '<rect class="rose" width="2" height="1"/>' in page
    assert 'href="/market/days/2025-10-20"' in page


def test_a_screen_is_chosen_by_its_tab(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    indicated(app, MONDAY, "000010", rsi_14=25.0)
    indicated(app, MONDAY, "000020", rsi_14=75.0)
    screens = viewer.open("/market").partition('id="market-screens"')[2]
    assert "000010" in screens
    assert "000020" not in screens
    headers = {"HX-Request": "true", "HX-Target": "market-screens"}
    part = viewer.client.get("/market?screen=overbought", headers=headers).text
    assert part.strip().startswith('<section id="market-screens"')
    assert "000020" in part
    assert viewer.client.get("/market?screen=luck").status_code == 422
