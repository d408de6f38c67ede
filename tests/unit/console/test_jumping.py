"""The box that jumps: to pages and days, and to shares, shops, videos and tickers by name."""

from __future__ import annotations

from datetime import date

import httpx
import pytest
from sqlalchemy import insert

from gotgan.app import App
from gotgan.domains.market.keys import STOCKS
from gotgan.errors import DatabaseUnavailable
from gotgan.server import create_server
from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser
from tests.unit.console.shops.filling import added
from tests.unit.console.trial import Stage, sign_in
from tests.unit.console.videos.filling import FIRST, imported

SHOP = "antik-1.shop.test"
UNKNOWN = "ccccccccccc"


def _listed(app: App, ticker: str, name: str) -> None:
    day = date(2025, 11, 6)
    row = {"ticker": ticker, "name": name, "market": "KOSPI", "first_seen": day, "last_seen": day}
    with app.database.begin() as connection:
        connection.execute(insert(STOCKS).values(**row))


def _leads(somebody: Browser, words: str) -> str | None:
    answer = somebody.client.get("/jump", params={"to": words}, follow_redirects=False)
    assert answer.status_code in {200, 303}
    return str(answer.headers["location"]) if "location" in answer.headers else None


@pytest.fixture
def filled(app: App) -> App:
    """A share, a shop and a video."""
    _listed(app, "005930", "삼성전자")
    _listed(app, "035420", "NAVER")
    added(app, SHOP)
    imported(app, FIRST)
    return app


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("005930", "/market/stocks/005930"),
        (" 삼성전자 ", "/market/stocks/005930"),
        ("naver", "/market/stocks/035420"),
        (SHOP, f"/shops/shop?domain={SHOP}"),
        (f"https://www.{SHOP}/chairs?page=2", f"/shops/shop?domain={SHOP}"),
        (FIRST, f"/videos/{FIRST}"),
        (f"https://youtu.be/{FIRST}?t=3", f"/videos/{FIRST}"),
        (f"https://www.youtube.com/watch?v={UNKNOWN}", f"/videos/{UNKNOWN}"),
        ("NVDA", "/news?ticker=NVDA"),
        ("BRK.B", "/news?ticker=BRK.B"),
        ("2025-11-06", "/day/2025-11-06?zone=kst"),
        ("shops", "/shops"),
    ],
)
@pytest.mark.usefixtures("filled")
def test_a_thing_is_found_by_its_name(viewer: Browser, words: str, path: str) -> None:
    assert _leads(viewer, words) == path


@pytest.mark.parametrize(
    "words", ["", "삼성", "000001", "other.shop.test", UNKNOWN, "nvda", "TOOLONG", "http://[", "%"]
)
@pytest.mark.usefixtures("filled")
def test_what_is_not_there_leads_nowhere(viewer: Browser, words: str) -> None:
    assert _leads(viewer, words) is None


@pytest.mark.usefixtures("filled")
def test_a_miss_says_what_the_box_knows(viewer: Browser) -> None:
    page = viewer.open("/jump?to=nowhere")
    assert "No page matches “nowhere”." in page
    assert "a ticker or exact share name" in page


def test_where_several_fit_they_are_offered(filled: App, viewer: Browser) -> None:
    _listed(filled, "160550", "NEW")
    page = viewer.open("/jump?to=new")
    assert "Matches for “new”" in page
    assert '<a href="/news">News</a> <span class="muted">Page</span>' in page
    assert '<a href="/market/stocks/160550">NEW 160550</a> <span class="muted">Share</span>' in page
    assert "No page matches" not in page


def test_shares_of_one_name_are_offered(filled: App, viewer: Browser) -> None:
    _listed(filled, "900000", "삼성전자")
    page = viewer.open("/jump?to=삼성전자")
    assert 'href="/market/stocks/005930"' in page
    assert 'href="/market/stocks/900000"' in page


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("words", ["005930", SHOP, FIRST, "NVDA", "2025-11-06"])
def test_a_stranger_finds_none_of_them(enter: Enter, words: str) -> None:
    assert _leads(enter(""), words) is None


@pytest.mark.parametrize("words", ["005930", SHOP, FIRST, "NVDA"])
def test_a_server_without_a_section_finds_nothing_of_it(
    filled: App, stage: Stage, words: str
) -> None:
    stage.plays, stage.scheme = create_server(filled, domains=("site",)), "http"
    with httpx.Client(base_url=stage.url) as client:
        sign_in(client, filled, "v")
        assert client.get("/jump", params={"to": words}).status_code == 200


def test_what_cannot_be_read_hides_nothing_else(
    filled: App, viewer: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def find(_: str) -> None:
        raise DatabaseUnavailable("it is gone")

    monkeypatch.setattr(filled.market, "find", find)
    assert _leads(viewer, SHOP) == f"/shops/shop?domain={SHOP}"


def test_a_jump_reads_by_keys_alone(filled: App, viewer: Browser) -> None:
    for number in range(300):
        added(filled, f"antik-{number + 2}.shop.test")
    before = filled.store.total().reads
    assert _leads(viewer, SHOP) is not None
    assert filled.store.total().reads - before <= 4
