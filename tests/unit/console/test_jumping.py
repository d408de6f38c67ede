"""The box that jumps: to pages, days and things by name; and the search where none has the name."""

from __future__ import annotations

from datetime import UTC, date, datetime

import httpx
import pytest
from sqlalchemy import insert

from gotgan.app import App
from gotgan.domains.market.keys import MARKET_INDICES, STOCKS
from gotgan.domains.news.models import Story
from gotgan.errors import DatabaseUnavailable
from gotgan.server import create_server
from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser
from tests.unit.console.shops.filling import added
from tests.unit.console.trial import Stage, sign_in
from tests.unit.console.videos.filling import FIRST, imported

SHOP = "antik-1.shop.test"
UNKNOWN = "ccccccccccc"
LAST = date(2025, 10, 17)


def _listed(app: App, ticker: str, name: str) -> None:
    row = {"ticker": ticker, "name": name, "market": "KOSPI", "first_seen": LAST, "last_seen": LAST}
    with app.database.begin() as connection:
        connection.execute(insert(STOCKS).values(**row))


def _with_index(app: App) -> None:
    row = {"code": "1001", "name": "코스피", "date": LAST, "provider": "csv", "is_final": True}
    sums = {"close": 1.0, "volume": 1, "value": 1, "updated_at": datetime(2025, 10, 17, tzinfo=UTC)}
    with app.database.begin() as connection:
        connection.execute(insert(MARKET_INDICES).values(**row, **sums))


def _leads(somebody: Browser, words: str) -> str:
    answer = somebody.client.get("/jump", params={"to": words}, follow_redirects=False)
    assert answer.status_code == 303
    return str(answer.headers["location"])


def _searches(somebody: Browser, words: str) -> bool:
    return _leads(somebody, words).startswith("/search?q=")


@pytest.fixture
def filled(app: App) -> App:
    """Shares, an index, a shop, a video and news, all in the index of the search."""
    _listed(app, "005930", "삼성전자")
    _listed(app, "005935", "삼성전자우")
    _listed(app, "035420", "NAVER")
    _with_index(app)
    added(app, SHOP)
    imported(app, FIRST)
    app.news.upload([Story("Chips", "https://example.com/1.html", ("NVDA", "BRK.B"))])
    app.search.refresh()
    return app


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("005930", "/market/stocks/005930"),
        (" 삼성전자 ", "/market/stocks/005930"),
        ("삼성 전자", "/market/stocks/005930"),
        ("naver", "/market/stocks/035420"),
        ("KOSPI", "/market/indices/1001"),
        ("코스피", "/market/indices/1001"),
        ("nvda", "/news?ticker=NVDA"),
        ("BRK.B", "/news?ticker=BRK.B"),
        (SHOP, f"/shops/shop?domain={SHOP}"),
        ("antik-1", f"/shops/shop?domain={SHOP}"),
        (f"https://www.{SHOP}/chairs?page=2", f"/shops/shop?domain={SHOP}"),
        (FIRST, f"/videos/{FIRST}"),
        (f"https://youtu.be/{FIRST}?t=3", f"/videos/{FIRST}"),
        (f"https://www.youtube.com/watch?v={UNKNOWN}", f"/videos/{UNKNOWN}"),
        ("어제", "/day/2099-12-31?zone=kst"),
        ("yesterday", "/day/2099-12-31?zone=kst"),
        ("10/17", "/day/2099-10-17?zone=kst"),
        ("17 Oct", "/day/2099-10-17?zone=kst"),
        ("10월 17일", "/day/2099-10-17?zone=kst"),
        ("2099-10-17", "/day/2099-10-17?zone=kst"),
        ("shops", "/shops"),
        ("상점", "/shops"),
    ],
)
@pytest.mark.usefixtures("filled")
def test_a_thing_is_found_by_its_name(viewer: Browser, words: str, path: str) -> None:
    assert _leads(viewer, words) == path


@pytest.mark.parametrize(
    "words",
    [
        "",
        "삼성",
        "000001",
        "other.shop.test",
        UNKNOWN,
        "TSLA",
        "http://[",
        "%",
        "2999-01-01",
        "new",
    ],
)
@pytest.mark.usefixtures("filled")
def test_what_has_no_page_of_its_own_is_searched_for(viewer: Browser, words: str) -> None:
    assert _searches(viewer, words)


@pytest.mark.usefixtures("filled")
def test_a_part_of_a_name_finds_all_that_have_it(viewer: Browser) -> None:
    page = viewer.open("/jump?to=삼성")
    assert viewer.path == "/search"
    assert '<a href="/market/stocks/005930"><mark>삼성</mark>전자</a>' in page
    assert '<a href="/market/stocks/005935"><mark>삼성</mark>전자우</a>' in page


def test_where_several_fit_they_are_offered(filled: App, viewer: Browser) -> None:
    _listed(filled, "160550", "NEW")
    filled.search.refresh()
    assert _leads(viewer, "new") == "/market/stocks/160550"
    page = viewer.open("/search?q=new")
    assert '<a href="/news">News</a> <span class="muted">Page</span>' in page
    assert '<a href="/market/stocks/160550">NEW 160550</a> <span class="muted">Share</span>' in page


def test_shares_of_one_name_are_offered(filled: App, viewer: Browser) -> None:
    _listed(filled, "900000", "삼성전자")
    filled.search.refresh()
    page = viewer.open("/jump?to=삼성전자")
    assert 'href="/market/stocks/005930"' in page
    assert 'href="/market/stocks/900000"' in page


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("words", ["005930", SHOP, FIRST, "NVDA", "2099-10-17"])
def test_a_stranger_finds_none_of_them(enter: Enter, words: str) -> None:
    stranger = enter("")
    assert _searches(stranger, words)
    answer = stranger.client.get("/search", params={"q": words})
    assert answer.headers["location"].startswith("/sign-in?next=")


@pytest.mark.parametrize("words", ["005930", SHOP, FIRST, "NVDA"])
def test_a_server_without_a_section_finds_nothing_of_it(
    filled: App, stage: Stage, words: str
) -> None:
    stage.plays, stage.scheme = create_server(filled, domains=("site",)), "http"
    with httpx.Client(base_url=stage.url) as client:
        sign_in(client, filled, "v")
        answer = client.get("/jump", params={"to": words}, follow_redirects=True)
        assert (answer.status_code, answer.url.path) == (200, "/search")
        assert "Nothing matches" in answer.text


def test_what_cannot_be_read_hides_nothing_else(
    filled: App, viewer: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exact(*_: object, **__: object) -> None:
        raise DatabaseUnavailable("it is gone")

    monkeypatch.setattr(filled.search, "exact", exact)
    assert _leads(viewer, "shops") == "/shops"


def test_a_jump_reads_no_table_of_a_domain(filled: App, viewer: Browser) -> None:
    _leads(viewer, SHOP)
    before = filled.store.total().reads
    assert _leads(viewer, SHOP) == f"/shops/shop?domain={SHOP}"
    assert filled.store.total().reads - before <= 2  # for who asks
