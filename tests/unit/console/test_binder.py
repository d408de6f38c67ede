"""Forms of verbs that no page mentions: derived from the declaration, checked, and sent."""

from __future__ import annotations

import re
from datetime import date

import pytest
from fastapi import FastAPI

from gotgan.app import App
from gotgan.console import FRAME, create_console
from gotgan.console.binder import VerbForm, VerbForms, arguments
from gotgan.console.frame import Section
from gotgan.console.runs import RunCard, find_verb
from gotgan.console.session import Viewer
from gotgan.domain import BUILT_IN
from gotgan.domains.market.service import Market
from gotgan.domains.news.service import News
from gotgan.domains.shops.service import Shops
from gotgan.errors import UsageError
from gotgan.runs import Run
from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import Stage, csrf, sign_in

SECONDS = 20
BOUND = VerbForms(News, {"collect": VerbForm()}), VerbForms(Market)


def _ended(app: App, verb: str) -> Run:
    run = app.runs.latest(verb)
    assert run is not None
    return app.runs.wait(run.id, SECONDS)


@pytest.fixture
def editor(app: App, stage: Stage, enter: Enter) -> Browser:
    """An editor at sections that have a page of runs alone."""
    sections = tuple(Section(each.domain, each.pages) for each in BOUND)
    routers = (*FRAME, *(each.router for each in BOUND))
    browser = enter("e")
    stage.plays = create_console(app, sections, routers, api=FastAPI(), domains=BUILT_IN)
    return browser


def test_a_verb_that_no_page_mentions_has_a_form_and_a_card(editor: Browser) -> None:
    page = editor.open("/news/runs")
    assert [each.action for each in (editor.sheet("/bodies"), editor.sheet("/retry"))] == [
        "/news/bodies",
        "/news/retry",
    ]
    assert "<h2>Retry</h2>" in page
    assert find_verb("news.retry").summary in page
    assert re.search('id="bodies-limit" name="limit" type="number"[^>]* min="1" max="10000"', page)
    assert 'id="bodies-day" name="day" type="date"' in page
    assert '<input type="checkbox" name="retryDead" value="true">' in page
    assert '<textarea id="retry-items" name="items" rows="3"' in page
    assert '<option value="kst">kst</option>' in page
    for name in ("collect", "bodies", "retry"):
        assert page.count(f'id="run-{name}"') == 1


def test_the_navigation_leads_to_a_form_that_no_page_has() -> None:
    assert [each.path for each in BOUND[0].pages] == ["/news/runs"]
    assert VerbForms(Shops, dict.fromkeys(VerbForms(Shops).verbs, VerbForm())).pages == ()


def test_a_verb_that_takes_a_whole_body_has_no_form(editor: Browser) -> None:
    assert 'action="/news/upload"' not in editor.open("/news/runs")
    answer = editor.client.post("/news/upload", data={"csrf": csrf(editor.client)})
    assert answer.status_code == 404


def test_a_label_is_that_of_the_catalogue_in_the_language_of_the_reader(editor: Browser) -> None:
    page = editor.client.get("/news/runs", headers={"accept-language": "ko"}).text
    assert '<label for="bodies-day">날짜' in page
    assert "가져올 기사의 최대 수." in page


def test_a_form_that_is_sent_starts_a_run_with_its_arguments(app: App, editor: Browser) -> None:
    editor.open("/news/runs")
    page = editor.send("/news/bodies", day="2099-12-31", limit="7", retryDead="true")
    assert "Started." in page
    assert editor.path == "/news/runs"
    run = _ended(app, "news.bodies")
    assert run.about == ("2099-12-31",)
    assert {**run.asked, "zone": None} == {"limit": 7, "retry_dead": True, "zone": None}


def test_what_is_wrong_is_told_beside_what_was_typed(app: App, editor: Browser) -> None:
    editor.open("/news/runs")
    page = editor.send("/news/bodies", day="yesterday", limit="0")
    assert editor.answer.status_code == 422
    assert "day: use a date such as 2025-11-06" in page
    assert "limit: Input should be greater than or equal to 1" in page
    assert editor.sheet("/news/bodies").fields["day"] == "yesterday"
    assert editor.sheet("/news/bodies").fields["limit"] == "0"
    assert app.runs.latest("news.bodies") is None


def test_a_refusal_of_the_verb_is_an_answer_with_its_status(app: App, editor: Browser) -> None:
    editor.open("/news/runs")
    page = editor.send("/news/retry", items="id#0000000000000000")
    assert editor.answer.status_code == 404
    assert "id#0000000000000000" in page
    assert app.runs.latest("news.retry") is None


def test_a_verb_that_writes_is_called_and_the_page_says_so(app: App, editor: Browser) -> None:
    editor.open("/market/runs")
    assert "Done." in editor.send("/market/open-day", day="2025-10-20")
    [status] = app.market.status_between(date(2025, 10, 20), date(2025, 10, 20))
    assert status.log is not None


def test_a_flag_that_is_not_sent_has_its_default() -> None:
    verb = find_verb("market.collect")
    assert arguments(verb, {"day": " "}, "UTC") == {"day": None, "now": False}
    assert arguments(verb, {"now": "true"}, "UTC")["now"] is True
    with pytest.raises(UsageError, match="now: "):
        arguments(verb, {"now": "perhaps"}, "UTC")


def test_a_list_has_one_value_per_line() -> None:
    found = arguments(find_verb("shops.crawl"), {"domains": "a.test\r\n\n b.test "}, "UTC")
    assert found["domains"] == ["a.test", "b.test"]


def test_a_card_keeps_the_fields_of_its_own_form_alone(editor: Browser) -> None:
    editor.open("/news/runs?limit=7&evil=1&back=https://example.com/")
    sent = editor.sheet("/news/collect").fields
    assert {**sent, "csrf": ""} == {"csrf": "", "back": "/", "limit": "7"}


def test_the_result_of_a_run_is_told_by_attribute_where_no_template_knows_it(
    app: App, editor: Browser
) -> None:
    app.runs.wait(app.runs.start("news.retry", lambda _: {"tried": 3, "cost": 1}).id, SECONDS)
    assert "<dt>Tried</dt><dd>3</dd>" in editor.open("/news/runs")


def test_a_form_is_for_those_who_may_send_it(app: App, editor: Browser) -> None:
    editor.client.cookies.clear()
    sign_in(editor.client, app, "v")
    page = editor.open("/news/runs")
    assert 'action="/news/' not in page
    assert page.count("No runs since this server started.") == 4
    assert editor.client.post("/news/retry", data={"csrf": csrf(editor.client)}).status_code == 403
    editor.client.cookies.clear()
    assert editor.client.post("/news/retry", data={"csrf": ""}).status_code == 401
    assert editor.client.get("/news/runs").headers["location"].startswith("/sign-in?next=")


@pytest.mark.parametrize(
    ("name", "fields", "label"),
    [
        ("news.collect", {}, "Collect"),
        ("news.retry", {}, None),
        ("news.retry", {"items": "x"}, "Run"),
    ],
)
def test_a_card_has_a_button_once_it_knows_what_the_verb_needs(
    app: App, name: str, fields: dict[str, str], label: str | None
) -> None:
    assert RunCard.of(app, name, "/news", **fields).label(Viewer()) == label
