"""Collecting and fetching from the page: begun by a button, watched, and told in numbers."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from html import unescape

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news.reports import BodiesReport, Uploaded
from gotgan.errors import GotganError, NoStories
from gotgan.runs import ReportProgress, Run
from gotgan.settings import Secret, Settings
from gotgan.store import Cost, FailedPut
from gotgan.world import ServedWorld, World, world_server
from tests.unit.console.news.filling import TROUBLE, path_of, stored
from tests.unit.console.sheets import Browser, sheets_of

SECONDS = 20


@pytest.fixture
def web(clock: FixedClock) -> Iterator[ServedWorld]:
    """The web of these tests."""
    with world_server(World(clock=clock, padding=0)) as served:
        yield served


@pytest.fixture
def settings(web: ServedWorld) -> Settings:
    """Every name leads to that web."""
    return Settings(given_secret=Secret("x" * 32), resolve=web.resolve, delay=0)


def _ended(app: App, verb: str) -> Run:
    run = app.runs.latest(verb)
    assert run is not None
    return app.runs.wait(run.id, SECONDS)


def _ran(app: App, verb: str, report: object) -> None:
    """Have a run of a verb end with a report, or with an error."""

    def work(_: ReportProgress) -> object:
        if isinstance(report, GotganError):
            raise report
        return report

    app.runs.wait(app.runs.start(verb, work).id, SECONDS)


def _counts(page: str, name: str) -> list[str]:
    card = page.partition(f'id="run-{name}"')[2].partition("</section>")[0]
    shown = re.findall(r"<dt>([^<]*)</dt> <dd>([^<]*)</dd>", card)
    return [f"{label} {count}" for label, count in shown]


def _polled(somebody: Browser, name: str) -> httpx.Response:
    headers = {"HX-Request": "true", "HX-Target": f"run-{name}"}
    return somebody.client.get("/news/runs?back=/news", headers=headers)


def test_without_a_run_it_says_so(viewer: Browser) -> None:
    assert viewer.open("/news").count("No runs since this server started.") == 2
    assert viewer.open("/news/runs").count("No runs since this server started.") == 4
    assert viewer.open("/news/bodies").count("No runs since this server started.") == 1


def test_a_button_collects_and_the_page_tells_what_was_new(app: App, editor: Browser) -> None:
    editor.open("/news?ticker=NVDA")
    editor.send("/news/collect")
    assert "ticker=NVDA" in str(editor.answer.url)
    _ended(app, "news.collect")
    page = editor.open("/news")
    assert _counts(page, "collect") == ["listed 50", "new 50", "duplicate 0", "failed 0"]
    assert "25 read and 100 write units, $0.0" in page
    assert "50 new items" in page
    [first] = app.news.list(limit=1)
    assert page.count(path_of(first)) == 2


def test_a_button_fetches_bodies_and_the_page_counts_them(app: App, editor: Browser) -> None:
    stored(app, "Elsewhere", "https://www.example.com/a")
    stored(app, "Never written")
    editor.open("/news/bodies")
    editor.send("/news/bodies")
    assert editor.path == "/news/bodies"
    _ended(app, "news.bodies")
    counts = _counts(editor.open("/news/bodies"), "bodies")
    assert counts == ["articles 2", "On another site 1", "No longer available 1"]


def test_whoever_presses_twice_has_one_run(app: App, editor: Browser) -> None:
    editor.open("/news")
    going, begun = threading.Event(), threading.Event()

    def work(_: ReportProgress) -> None:
        begun.set()
        going.wait(SECONDS)

    run = app.runs.start("news.collect", work)
    begun.wait(SECONDS)
    page = editor.send("/news/collect")
    latest = app.runs.latest("news.collect")
    going.set()
    assert latest is not None
    assert latest.id == run.id
    assert '<button class="button " disabled>Collect</button>' in page
    app.runs.wait(run.id, SECONDS)


def test_while_it_runs_the_card_tells_how_far_it_is_and_asks_again(
    app: App, viewer: Browser
) -> None:
    going, told = threading.Event(), threading.Event()

    def work(tell: ReportProgress) -> None:
        tell(3, 40, "https://finance.yahoo.com/news/<third>.html")
        told.set()
        going.wait(SECONDS)

    run = app.runs.start("news.bodies", work)
    told.wait(SECONDS)
    answer = _polled(viewer, "bodies")
    page = viewer.open("/news")
    going.set()
    app.runs.wait(run.id, SECONDS)
    assert answer.text.lstrip().startswith('<section id="run-bodies"')
    assert "run-collect" not in answer.text
    assert "hx-trigger" not in answer.headers
    for shown in (answer.text, page):
        assert '<progress value="3" max="40"' in shown
        assert "3 of 40" in shown
        assert "/news/&lt;third&gt;.html" in shown
        assert 'hx-get="/news/runs?back=' in shown
        assert "<noscript>" in shown


def test_when_it_has_ended_the_card_is_still_and_the_list_is_told(
    app: App, viewer: Browser
) -> None:
    _ran(app, "news.collect", Uploaded("yf_latest", app.clock.now(), (), 0, (), Cost()))
    answer = _polled(viewer, "collect")
    assert answer.headers["hx-trigger"] == "run-ended"
    assert "hx-get" not in answer.text
    assert 'hx-trigger="run-ended from:body"' in viewer.open("/news")


def test_the_list_alone_is_read_again(app: App, viewer: Browser) -> None:
    stored(app, "Apple holds steady")
    headers = {"HX-Request": "true", "HX-Target": "news-list"}
    answer = viewer.client.get("/news", headers=headers)
    assert answer.text.lstrip().startswith('<div id="news-list"')
    assert "Apple holds steady" in answer.text
    assert "run-collect" not in answer.text


def test_what_could_not_be_stored_is_told_with_its_reason(app: App, viewer: Browser) -> None:
    item = stored(app, "Apple holds steady")
    report = Uploaded("yf_latest", app.clock.now(), (), 1, (FailedPut(item, TROUBLE),), Cost())
    _ran(app, "news.collect", report)
    page = viewer.open("/news")
    assert _counts(page, "collect") == ["listed 2", "new 0", "duplicate 1", "failed 1"]
    assert "1 item was not stored" in page
    assert "answered &lt;503&gt;" in page


def test_a_run_over_bodies_that_ended_early_tells_why(app: App, viewer: Browser) -> None:
    report = BodiesReport({"ok": 2}, 3, 1, "the site <says> no", has_more=True, cost=Cost())
    _ran(app, "news.bodies", report)
    page = viewer.open("/news/bodies")
    assert _counts(page, "bodies") == [
        "articles 5",
        "Text stored 2",
        "Waiting to retry 3",
        "taken by other workers 1",
    ]
    assert "the site &lt;says&gt; no" in page
    assert "Fetch again to get the rest" in page


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (NoStories("there is no story"), "The page structure has changed"),
        (TROUBLE, "The site reports an internal error."),
        (GotganError("never heard of"), "Stored data is kept. Try again"),
    ],
)
def test_a_failure_is_told_with_its_code_and_what_to_do(
    app: App, viewer: Browser, error: GotganError, advice: str
) -> None:
    _ran(app, "news.collect", error)
    page = viewer.open("/news")
    assert error.message in unescape(page)
    assert f">{error.code}<" in page
    assert advice in page


def test_a_page_that_cannot_be_read_offers_the_feed(
    app: App, editor: Browser, viewer: Browser
) -> None:
    _ran(app, "news.collect", NoStories("there is no story"))
    assert "Only editors can collect from the RSS feed." in viewer.open("/news")
    [offer] = [each for each in sheets_of(editor.open("/news")) if "rss" in each.fields]
    editor.client.post(offer.action, data=offer.fields)
    report = _ended(app, "news.collect").report
    assert isinstance(report, Uploaded)
    assert report.source == "yf_rss"


def test_the_front_page_tells_of_a_list_that_could_not_be_fetched(
    app: App, viewer: Browser
) -> None:
    app.site.company.replace({"name": "Granary", "email": "desk@example.com"})
    assert "Nothing needs attention." in viewer.open("/")
    _ran(app, "news.collect", NoStories("there is no story"))
    page = viewer.open("/")
    assert "The latest list of news could not be fetched." in page
    assert 'href="/news">See why</a>' in page


def test_a_button_leads_to_no_other_site(app: App, editor: Browser) -> None:
    editor.open("/news")
    editor.send("/news/collect", back="https://example.com/")
    assert editor.path == "/"
    _ended(app, "news.collect")
