"""Collecting, calculating and recovering from the pages: begun by a button, watched, and told."""

from __future__ import annotations

import re
import threading
from datetime import date, timedelta

import httpx
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.errors import DatabaseUnavailable, ProviderBlocked, ProviderError
from gotgan.runs import ReportProgress, Run
from tests.unit.console.market.filling import FRIDAY, MONDAY, collected, failed, label_of
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.exchange import Exchange

SECONDS = 20
HERE = f"/market/days/{MONDAY}"


def _ended(app: App, verb: str) -> Run:
    run = app.runs.latest(verb)
    assert run is not None
    return app.runs.wait(run.id, SECONDS)


def _card(page: str, name: str) -> str:
    return page.partition(f'id="run-{name}"')[2].partition("</section>")[0]


def _polled(somebody: Browser, query: str, name: str = "collect") -> httpx.Response:
    headers = {"HX-Request": "true", "HX-Target": f"run-{name}"}
    return somebody.client.get(f"/market/runs?{query}", headers=headers)


def test_without_a_run_it_says_so(viewer: Browser) -> None:
    for path, count in (("/market/days", 2), ("/market/recover", 2), ("/market/runs", 4)):
        assert viewer.open(path).count("No runs since this server started.") == count
    assert viewer.open(HERE).count("No runs for this item since this server started.") == 3


def test_the_sheet_of_a_day_tells_no_run_about_another(app: App, editor: Browser) -> None:
    editor.open(HERE)
    editor.send("/market/collect")
    assert _ended(app, "market.collect").about == (str(MONDAY),)
    other = _card(editor.open(f"/market/days/{FRIDAY}"), "collect")
    assert "No runs for this item" in other
    assert "Success" in _card(editor.open(HERE), "collect")
    assert "Success" in _card(editor.open("/market/days"), "collect")


def test_a_span_that_was_recovered_is_told_on_each_of_its_days_alone(
    app: App, editor: Browser
) -> None:
    editor.open("/market/recover?first=2025-10-16&last=2025-10-17")
    editor.send("/market/recover")
    assert _ended(app, "market.recover").about == ("2025-10-16/2025-10-17",)
    assert "No runs for this item" not in _card(editor.open(f"/market/days/{FRIDAY}"), "recover")
    assert "No runs for this item" in _card(editor.open(HERE), "recover")


def test_today_is_collected_by_a_button(app: App, editor: Browser) -> None:
    editor.open("/market/days")
    assert "Started." in editor.send("/market/collect")
    assert _ended(app, "market.collect").report.outcome == "success"
    page = editor.open("/market/days")
    assert "Success" in _card(page, "collect")
    assert "Stored 5 prices from test. Stored 2 indices from test." in _card(page, "collect")
    assert "on demand" not in _card(page, "collect")
    assert "Success 5" in label_of(page, MONDAY)


def test_the_gate_holds_for_the_button_of_the_year(
    app: App, exchange: Exchange, clock: FixedClock, editor: Browser
) -> None:
    failed(app, exchange, MONDAY)
    editor.open("/market/days")
    editor.send("/market/collect")
    assert _ended(app, "market.collect").report.outcome == "waiting"
    assert "Next attempt at 18:00 KST." in editor.open("/market/days")
    clock.advance(timedelta(hours=1))
    editor.send("/market/collect")
    assert _ended(app, "market.collect").report.outcome == "success"


def test_a_day_is_retried_at_once_by_its_own_button(
    app: App, exchange: Exchange, editor: Browser
) -> None:
    failed(app, exchange, MONDAY)
    editor.open(HERE)
    editor.send("/market/collect")
    assert editor.path == HERE
    assert _ended(app, "market.collect").report.outcome == "success"


def test_a_run_whose_day_failed_says_why(app: App, exchange: Exchange, editor: Browser) -> None:
    exchange.failing["prices"] = [ProviderError("the exchange <is> down")]
    editor.open(HERE)
    editor.send("/market/collect")
    _ended(app, "market.collect")
    card = _card(editor.open(HERE), "collect")
    assert "the exchange &lt;is&gt; down" in card
    assert "Partial" in card


def test_indicators_are_calculated_by_a_button(app: App, editor: Browser) -> None:
    collected(app, *(date(2025, 10, day) for day in (13, 14, 15, 16, 17)), MONDAY)
    editor.open(HERE)
    assert "Started." in editor.send("/market/indicators")
    assert _ended(app, "market.indicators").report.outcome == "success"
    assert "indicators of" in _card(editor.open(HERE), "indicators")


def test_a_span_is_recovered_by_the_form(app: App, editor: Browser) -> None:
    collected(app, FRIDAY)
    editor.open("/market/recover?first=2025-10-16&last=2025-10-20")
    assert "Started." in editor.send("/market/recover")
    assert editor.path == "/market/recover"
    report = _ended(app, "market.recover").report
    assert [str(each.day) for each in report.days] == ["2025-10-16", "2025-10-20"]
    card = _card(editor.open("/market/recover"), "recover")
    counts = dict(re.findall(r"<dt>([^<]*)</dt> <dd>([^<]*)</dd>", card))
    assert (counts["days"], counts["success"], counts["already stored"]) == ("2", "2", "1")
    assert 'href="/market/gaps?first=2025-10-16&amp;last=2025-10-20"' in card


def test_one_side_is_recovered_alone(app: App, exchange: Exchange, editor: Browser) -> None:
    editor.open("/market/recover")
    editor.send("/market/recover", first="2025-10-17", last="", only="indices")
    _ended(app, "market.recover")
    assert exchange.asked == [(FRIDAY, "indices")]


def test_a_day_is_recovered_by_its_button(app: App, editor: Browser) -> None:
    editor.open(HERE)
    editor.send("/market/recover")
    assert editor.path == HERE
    assert _ended(app, "market.recover").report.first == MONDAY


def test_a_recovery_that_ended_early_says_why(
    app: App, exchange: Exchange, editor: Browser
) -> None:
    exchange.failing["prices"] = [ProviderBlocked("the exchange refuses us for a day")]
    editor.open("/market/recover")
    editor.send("/market/recover", first="2025-10-16", last="2025-10-20")
    _ended(app, "market.recover")
    card = _card(editor.open("/market/recover"), "recover")
    assert "The run stopped early" in card
    assert "the exchange refuses us for a day" in card


@pytest.mark.parametrize(
    ("first", "last", "why"),
    [
        ("", "", "Not a date"),
        ("2025-10-20", "2025-10-16", "Give the earlier day first"),
        ("2025-10-21", "", "is in the future"),
        ("<b>", "", "&lt;b&gt;"),
    ],
)
def test_a_span_that_is_none_is_refused_and_kept(
    app: App, editor: Browser, first: str, last: str, why: str
) -> None:
    editor.open("/market/recover")
    page = editor.send("/market/recover", first=first, last=last)
    assert editor.answer.status_code == 422
    assert why in page
    assert app.runs.latest("market.recover") is None


def test_while_it_runs_the_card_tells_how_far_and_asks_again(app: App, viewer: Browser) -> None:
    going, told = threading.Event(), threading.Event()

    def work(tell: ReportProgress) -> None:
        tell(3, 10, "2025-10-15")
        told.set()
        going.wait(SECONDS)

    run = app.runs.start("market.recover", work)
    told.wait(SECONDS)
    answer = _polled(viewer, "back=/market/recover", "recover")
    going.set()
    app.runs.wait(run.id, SECONDS)
    assert answer.text.lstrip().startswith('<section id="run-recover"')
    assert "3 of 10" in answer.text
    assert 'hx-get="/market/runs?back=%2Fmarket%2Frecover"' in answer.text


def test_a_card_that_is_asked_for_again_keeps_its_button(app: App, editor: Browser) -> None:
    editor.open(HERE)
    editor.send("/market/collect")
    _ended(app, "market.collect")
    answer = _polled(editor, f"back={HERE}&day={MONDAY}&now=true&about={MONDAY}")
    assert answer.headers["hx-trigger"] == "run-ended"
    assert "Collect now" in answer.text
    assert f'name="day" value="{MONDAY}"' in answer.text


def test_a_failure_is_told_with_what_to_do(app: App, viewer: Browser) -> None:
    def work(_: ReportProgress) -> None:
        raise DatabaseUnavailable("the database does not answer")

    app.runs.wait(app.runs.start("market.collect", work).id, SECONDS)
    card = _card(viewer.open("/market/days"), "collect")
    assert "the database does not answer" in card
    assert "the next run continues from there" in card


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("market.collect", "/market/collect"),
        ("market.indicators", "/market/indicators"),
        ("market.recover", "/market/recover"),
    ],
)
def test_whoever_asks_for_something_else_meanwhile_is_told(
    app: App, editor: Browser, verb: str, path: str
) -> None:
    editor.open(HERE)
    sheet = editor.sheet(path)
    going, begun = threading.Event(), threading.Event()

    def work(_: ReportProgress) -> None:
        begun.set()
        going.wait(SECONDS)

    run = app.runs.start(verb, work, about=("2020-01-02",))
    begun.wait(SECONDS)
    page = editor.client.post(path, data=sheet.fields, follow_redirects=True).text
    going.set()
    app.runs.wait(run.id, SECONDS)
    assert "Another run is in progress" in page


def test_a_button_leads_to_no_other_site(app: App, editor: Browser) -> None:
    editor.open("/market/days")
    editor.send("/market/collect", back="https://example.com/")
    assert editor.path == "/"
    _ended(app, "market.collect")


def test_what_is_no_day_is_refused(app: App, editor: Browser) -> None:
    editor.open("/market/days")
    editor.send("/market/collect", day="yesterday")
    assert editor.answer.status_code == 400
    assert app.runs.latest("market.collect") is None


def test_what_is_missing_of_the_last_sessions_is_done_by_a_button(
    app: App, editor: Browser
) -> None:
    editor.open("/market/recover")
    assert "Started." in editor.send("/market/catch-up")
    report = _ended(app, "market.catch_up").report
    assert report.outcome == "success"
    assert len(report.days) == 10
    card = _card(editor.open("/market/recover"), "catch_up")
    assert "10 days collected" in card
    assert "Catch up" in card


def test_a_day_that_has_not_come_is_not_opened(app: App, editor: Browser) -> None:
    editor.open("/market/days")
    refused = editor.client.post(
        "/market/open-day",
        data={**editor.sheet("/market/collect").fields, "day": "2025-10-21"},
    )
    assert refused.status_code == 400
    assert "2025-10-21 is in the future" in refused.text
    [status] = app.market.status_between(MONDAY + timedelta(days=1), MONDAY + timedelta(days=1))
    assert status.log is None
