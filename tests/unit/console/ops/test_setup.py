"""The first-run page says what is there, what is missing, and how to get it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.console.ops import count_missing
from gotgan.console.texts import catalogue
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from tests.unit.console.conftest import NOON
from tests.unit.console.ops.conftest import HIDDEN
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import sign_in


@contextmanager
def _house(settings: Settings, user_id: str = "e") -> Iterator[tuple[App, Browser]]:
    with App.in_memory(clock=FixedClock(NOON), settings=settings) as app:
        app.site.users.create(id="v", display_name="Vera", role="viewer")
        app.site.users.create(id="e", display_name="Edda", role="editor")
        with serve_in_thread(create_server(app)) as url, httpx.Client(base_url=url) as client:
            sign_in(client, app, user_id)
            yield app, Browser(client)


@pytest.fixture
def bare() -> Iterator[tuple[App, Browser]]:
    """A house on its first day, with nothing set."""
    with _house(Settings(given_secret=Secret("x" * 32))) as house:
        yield house


def _room(page: str, domain: str) -> str:
    return page.partition(f'aria-labelledby="room-{domain}"')[2].partition("</section>")[0]


def test_on_the_first_day_everything_that_is_missing_is_told(bare: tuple[App, Browser]) -> None:
    page = bare[1].open("/setup")
    assert "export GOTGAN_CONTACT=…" in _room(page, "news")
    assert "export KRX_ID=… KRX_PW=…" in _room(page, "market")
    assert 'href="https://data.krx.co.kr/"' in _room(page, "market")
    assert "gotgan market recover 2099-01-01..2100-01-01" in _room(page, "market")
    assert "gotgan shops add DOMAIN --country XX" in _room(page, "shops")
    assert "2 things missing" in _room(page, "shops")
    assert "export YOUTUBE_API_KEY=…" in _room(page, "videos")
    assert "export GOTGAN_SMTP_URL=…" in _room(page, "site")
    assert "Ready" not in page


def test_every_button_leads_to_a_page_that_opens(bare: tuple[App, Browser]) -> None:
    page = bare[1].open("/setup")
    paths = [part.partition('"')[0] for part in page.split('class="button" href="')[1:]]
    assert len(paths) == 6
    for path in paths:
        assert (path, bare[1].client.get(path).status_code) == (path, 200)


def test_whoever_may_not_write_is_led_to_no_form() -> None:
    with _house(Settings(given_secret=Secret("x" * 32)), "v") as (_, viewer):
        assert 'class="button" href="' not in viewer.open("/setup").partition("<main")[2]


def test_what_is_there_is_told_and_nothing_more(app: App, viewer: Browser) -> None:
    room = _room(viewer.open("/setup"), "market")
    assert "Ready" in room
    assert "KRX_ID" not in room
    assert HIDDEN not in viewer.page
    assert app.settings.krx_id == "kim"


def test_a_shop_a_company_and_a_category_are_missed_until_they_are_there(
    bare: tuple[App, Browser],
) -> None:
    app, browser = bare
    assert count_missing(app) == 6
    app.shops.add("antik-1.shop.test", country="DE")
    app.site.company.replace({"name": "Granary", "email": "desk@example.com"})
    app.site.categories.create(id="c001", title="News")
    page = browser.open("/setup")
    assert count_missing(app) == 3
    assert "1 thing missing" in _room(page, "shops")
    assert "Ready" in _room(page, "site")


def test_the_front_page_leads_there_as_long_as_something_is_missing(
    bare: tuple[App, Browser], app: App, viewer: Browser
) -> None:
    page = bare[1].open("/")
    assert "6 things are missing before everything runs automatically." in page
    assert 'href="/setup"' in page
    assert count_missing(app) > 0
    assert "things are missing" in viewer.open("/")


def test_where_nothing_is_missing_the_front_page_says_nothing_of_it() -> None:
    settings = Settings(
        given_secret=Secret("x" * 32),
        contact="bot@example.com",
        krx_id="kim",
        krx_password=Secret(HIDDEN),
        youtube_key=Secret(HIDDEN),
    )
    with _house(settings) as (app, browser):
        app.shops.add("antik-1.shop.test", country="DE")
        app.site.company.replace({"name": "Granary", "email": "desk@example.com"})
        app.site.categories.create(id="c001", title="News")
        assert count_missing(app) == 0
        assert "before everything runs automatically" not in browser.open("/")
        assert "Missing" not in browser.open("/setup")


def test_every_step_is_explained_in_both_languages(bare: tuple[App, Browser]) -> None:
    known = catalogue()
    for step in bare[0].operations.setup().items:
        assert f"ops.step.{step.name}.title" in known
        assert f"ops.step.{step.name}.how" in known
    bare[1].client.headers["accept-language"] = "ko"
    assert "<h3>연락처</h3>" in bare[1].open("/setup")


def test_the_same_is_there_for_programs(viewer: Browser) -> None:
    page = viewer.open("/setup")
    assert 'href="/v1/setup"' in page
    assert 'href="/setup.csv"' in page
    assert "gotgan setup" in page
    file = viewer.client.get("/setup.csv").text
    assert (
        "domain,name,isSet,isNeeded,reason,words,variables,command,source" in file.splitlines()[0]
    )
    assert HIDDEN not in file
