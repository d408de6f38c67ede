"""What is new, on top of the front page: of each domain that has something, without a scan."""

from __future__ import annotations

import re

import pytest

from gotgan.app import App
from gotgan.server import create_server
from tests.unit.console.conftest import Enter
from tests.unit.console.day.filling import broken, changed_shop, words_of
from tests.unit.console.day.test_reads import counted
from tests.unit.console.market.filling import FRIDAY, MONDAY, collected
from tests.unit.console.news.filling import stored
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import Stage
from tests.unit.console.videos.filling import FIRST, SECOND, analysed, imported

MOST_CALLS = 26
MOST_STATEMENTS = 27


def _card(page: str, name: str) -> str:
    """What the card of a domain says; nothing where it has none."""
    found = re.search(rf'<section [^>]*="new-{name}">(.*?)</section>', page, re.DOTALL)
    return words_of(found[1]) if found else ""


def _asked(app: App, subject: str) -> str:
    received = app.site.inquiries.receive(
        name="Visitor", email="v@example.com", subject=subject, message="?", address="10.0.0.1"
    )
    return received.id


@pytest.fixture
def everything(app: App) -> None:
    """Something new in each domain."""
    collected(app, FRIDAY, MONDAY)
    stored(app, "Apples fall", tickers=("AAPL",))
    changed_shop(app)
    app.shops.refresh()
    analysed(app)
    _asked(app, "An offer")


@pytest.mark.usefixtures("everything")
def test_each_domain_leads_with_what_is_new(viewer: Browser) -> None:
    page = viewer.open("/")
    assert "2,505.25" in page.partition('class="index-quotes"')[2].partition("</ul>")[0]
    market = _card(page, "market")
    assert market.index("Largest gains") < market.index("+10.00%") < market.index("-10.00%")
    assert "Apples fall AAPL" in _card(page, "news")
    shops = _card(page, "shops")
    assert "A chair antik.example 200.00 EUR 150.00 EUR -25 %" in shops
    assert "A lamp antik.example 42.00 EUR" in shops.partition("New products")[2]
    assert "비빔국수 만들기 +20" in _card(page, "videos")
    assert "An offer ! New Visitor" in _card(page, "site")
    order = [page.index(f'id="new-{name}"') for name in ("market", "news", "shops", "videos")]
    assert order == sorted(order)
    assert page.index('id="new-site"') < page.index('id="needs"') < page.index("status-strip")
    assert "Nothing collected yet" not in page
    assert f'href="/videos/{FIRST}"' in page


def test_a_domain_without_data_is_left_out_and_leads_to_its_first_action(
    app: App, viewer: Browser
) -> None:
    stored(app, "Apples fall")
    page = viewer.open("/")
    assert [name for name in ("market", "shops", "videos", "site") if _card(page, name)] == []
    begin = page.partition('id="to-begin"')[2].partition("</section>")[0]
    assert re.findall(r'<a href="(/\w+)">', begin) == ["/market", "/shops", "/videos"]


def test_a_domain_that_cannot_be_read_says_so_and_the_others_are_there(
    app: App, viewer: Browser
) -> None:
    stored(app, "Apples fall")
    broken(app, "stock_prices")
    page = viewer.open("/")
    assert viewer.answer.status_code == 200
    part = page.partition('aria-label="Market"')[2].partition("</section>")[0]
    assert "Not loaded" in part
    assert "Apples fall" in _card(page, "news")


def test_an_analysis_without_comments_and_one_that_waits_say_so(app: App, viewer: Browser) -> None:
    analysed(app, said=())
    imported(app, SECOND, title="Not yet")
    videos = _card(viewer.open("/"), "videos")
    assert "✓ Completed" in videos
    assert "Not yet – Not analysed yet" in videos


def test_inquiries_that_are_done_are_left_out(app: App, viewer: Browser) -> None:
    done, _ = _asked(app, "An offer"), _asked(app, "A question")
    app.site.inquiries.set_status(done, "done")
    site = _card(viewer.open("/"), "site")
    assert "A question" in site
    assert "An offer" not in site


@pytest.mark.usefixtures("everything")
def test_a_server_of_some_domains_shows_those_alone(
    app: App, stage: Stage, viewer: Browser
) -> None:
    stage.plays = create_server(app, domains=("site", "news"))
    page = viewer.open("/")
    shown = [name for name in ("market", "news", "shops", "videos", "site") if _card(page, name)]
    assert shown == ["news", "site"]
    assert "index-quotes" not in page


@pytest.mark.usefixtures("everything")
def test_a_stranger_sees_none_of_it(enter: Enter) -> None:
    page = enter("").open("/")
    assert 'id="new-' not in page
    assert "index-quotes" not in page
    assert 'href="/sign-in"' in page


@pytest.mark.usefixtures("everything")
def test_it_is_read_with_few_calls(
    app: App, viewer: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer.open("/")  # counts the days that are over, once
    with counted(app, monkeypatch) as reads:
        viewer.open("/")
    assert len(reads.calls) <= MOST_CALLS
    assert len(reads.statements) <= MOST_STATEMENTS
