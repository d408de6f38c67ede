"""The page of a day: what was collected, what is new, what changed, failed and comes next."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news.messages import result
from tests.unit.console.day.filling import (
    TODAY,
    broken,
    calculated,
    changed_shop,
    part,
    ran,
    words_of,
)
from tests.unit.console.market.filling import FRIDAY, MONDAY, collected, failed, indicated
from tests.unit.console.news.filling import dead, done, stored
from tests.unit.console.sheets import Browser
from tests.unit.console.videos import filling as videos
from tests.unit.domains.market.exchange import Exchange


def test_every_job_is_told_with_its_runs_time_and_units(app: App, viewer: Browser) -> None:
    ran(app, "news.collect", reads=700, writes=98.5)
    ran(app, "news.collect", "failed", ago=60, error="Yahoo <sleeps>", reads=1, writes=0)
    work = part(viewer.open(TODAY), "work")
    row = work.partition(">news.collect</code>")[2].partition("</tr>")[0]
    assert "Done 1" in words_of(row)
    assert "Failed 1" in words_of(row)
    assert "18:00 KST" in words_of(row)
    assert '<td class="num">4.0 s</td>' in row
    assert '<td class="num">701</td>' in row
    assert '<td class="num">98.5</td>' in row
    assert '<td class="num">$0.00' in row
    assert "Yahoo &lt;sleeps&gt;" in row


def test_headlines_stand_once_each_under_the_ticker_with_most_stories(
    app: App, viewer: Browser
) -> None:
    stored(app, "Apples fall", tickers=("AAPL", "PEAR"))
    stored(app, "Apples rise", tickers=("AAPL",))
    stored(app, "Nobody is named")
    new = part(viewer.open(TODAY), "new")
    assert new.index(">AAPL <strong>2</strong>") < new.index(">PEAR <strong>1</strong>")
    assert [new.count(f">{title}</a>") for title in ("Apples fall", "Apples rise")] == [1, 1]
    assert new.index('aria-label="AAPL"') < new.index("Apples fall") < new.index("Nobody is named")
    assert 'aria-label="PEAR"' not in new
    assert "18:30 <span" in new


def test_a_ticker_says_of_how_many_stories_its_headlines_are(app: App, viewer: Browser) -> None:
    stored(app, "Apples fall", tickers=("AAPL", "PEAR"))
    stored(app, "Apples rise", tickers=("AAPL",))
    stored(app, "Pears rise", tickers=("PEAR",))
    new = part(viewer.open(TODAY), "new")
    assert "The numbers count all stories of the day for each ticker." in new
    under = new.partition('aria-label="PEAR"')[2].partition("</h4>")[0]
    assert 'href="/news?day=2025-10-20&amp;zone=kst&amp;ticker=PEAR">1 of 2</a>' in under
    assert " of " not in new.partition('aria-label="AAPL"')[2].partition("</h4>")[0]


def test_the_headlines_of_one_ticker_are_chosen_by_the_address(app: App, viewer: Browser) -> None:
    stored(app, "Apples fall", tickers=("AAPL", "PEAR"))
    stored(app, "Grapes rise", tickers=("GRPE",))
    new = part(viewer.open(f"{TODAY}?ticker=pear"), "new")
    assert "Apples fall" in new
    assert "Grapes rise" not in new
    assert "All tickers" in new
    assert "No headline shown here is about NONE." in viewer.open(f"{TODAY}?ticker=none")


def test_what_became_of_the_articles_is_told(app: App, viewer: Browser) -> None:
    done(app, stored(app, "One"))
    stored(app, "Two")
    new = part(viewer.open(TODAY), "new")
    assert "Text stored 1" in words_of(new)
    assert "Not fetched yet 1" in words_of(new)


def test_new_products_and_changes_are_told_before_and_after(app: App, viewer: Browser) -> None:
    changed_shop(app)
    page = viewer.open(TODAY)
    assert ">A lamp</a>" in part(page, "new")
    assert "42.00 EUR" in part(page, "new")
    changed = part(page, "changed")
    chair = changed.partition(">A chair</a>")[2].partition("</tr>")[0]
    assert "Price down" in chair
    assert '<span class="nowrap down">▼ -25.0 %</span>' in chair
    assert "200.00 EUR" in chair
    assert "<strong>AVAILABLE · 150.00 EUR</strong>" in chair
    assert "<strong>SOLD · 99.00 EUR</strong>" in changed
    assert ">A lamp</a>" not in changed


def test_changes_of_one_kind_are_chosen_by_the_address(app: App, viewer: Browser) -> None:
    changed_shop(app)
    changed = part(viewer.open(f"{TODAY}?change=sold"), "changed")
    assert ">A clock</a>" in changed
    assert ">A chair</a>" not in changed
    assert ">A chair</a>" in part(viewer.open(f"{TODAY}?change=nonsense"), "changed")


def test_the_session_tells_indices_movers_and_who_stands_out(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY, MONDAY)
    indicated(app, MONDAY, "000010", rsi_14=71.2)
    indicated(app, MONDAY, "000020", rsi_14=22.5)
    calculated(app, MONDAY)
    changed = part(viewer.open(TODAY), "changed")
    assert 'href="/market/indices/1001"' in changed
    assert "▲ +10.00" in changed
    assert "▼ -10.00" in changed
    over = changed.partition("RSI &gt; 70")[2]
    assert "000010" in over.partition("</dd>")[0]
    assert "22.5" in changed.partition("RSI &lt; 30")[2].partition("</dd>")[0]
    assert "MACD crosses up" in changed


def test_before_indicators_are_calculated_nobody_stands_out(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    assert "No indicators for 2025-10-20." in part(viewer.open(TODAY), "changed")


def test_what_failed_and_is_open_comes_first_with_what_becomes_of_it(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    failed(app, exchange, MONDAY, why="the exchange is on strike")
    ran(app, "news.collect", "failed", ago=90, error="no answer")
    ran(app, "news.collect", ago=60)
    page = part(viewer.open(TODAY), "failed")
    assert page.index("the exchange is on strike") < page.index("no answer")
    assert page.index("Open</span>") < page.index("Recovered</span>")
    assert "Succeeded at 17:30" in page
    assert 'href="/market/days/2025-10-20"' in page
    assert 'href="/schedule?job=news.collect&amp;status=failed#ticks"' in page


def test_what_was_given_up_leads_to_where_it_is_tried_again(app: App, viewer: Browser) -> None:
    dead(app, stored(app, "Lost"))
    page = part(viewer.open(TODAY), "failed")
    assert "could not be fetched" in page
    assert 'href="/news/bodies?show=dead"' in page


def test_today_says_what_comes_next_and_a_day_that_is_over_does_not(viewer: Browser) -> None:
    assert "Scheduled next" in viewer.open(TODAY)
    assert "market.collect" in part(viewer.page, "failed")
    assert "Scheduled next" not in viewer.open("/day/2025-10-18")


def test_analyses_are_told_with_what_they_took(app: App, viewer: Browser) -> None:
    videos.analysed(app)
    videos.imported(app, videos.SECOND)
    videos.failed(app, videos.SECOND, why="it is <locked>")
    page = part(viewer.open(TODAY), "analysed")
    assert 'href="/videos/aaaaaaaaaaa"' in page
    assert "it is &lt;locked&gt;" in page


def test_what_was_published_is_told(app: App, viewer: Browser) -> None:
    where = app.site.categories.create(title="Notices").id
    post = app.site.posts.create(
        category_id=where, author_id="e", title="Open <again>", contents="."
    )
    page = part(viewer.open(TODAY), "published")
    assert f'href="/site/posts/{post.id}">Open &lt;again&gt;</a>' in page


def test_the_same_date_is_another_day_in_another_zone(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    stored(app, "In the evening of Seoul")
    clock.advance(timedelta(hours=6))  # half past midnight in Seoul, and noon in New York
    stored(app, "At noon of New York")
    seoul = part(viewer.open(f"{TODAY}?zone=kst"), "new")
    york = part(viewer.open(f"{TODAY}?zone=ny"), "new")
    assert ("In the evening" in seoul, "At noon" in seoul) == (True, False)
    assert ("In the evening" in york, "At noon" in york) == (True, True)
    assert '05:30 <span class="zone">EDT</span>' in york


def test_the_day_says_from_when_to_when_it_is(viewer: Browser) -> None:
    told = "The day in Seoul: 2025-10-19 15:00 to 2025-10-20 15:00 UTC"
    assert told in viewer.open(TODAY)
    assert "The day in New York: 2025-10-20 04:00 to 2025-10-21 04:00 UTC" in viewer.open(
        f"{TODAY}?zone=ny"
    )


def test_it_is_told_in_korean_too(app: App, viewer: Browser) -> None:
    viewer.client.headers["accept-language"] = "ko"
    changed_shop(app)
    page = viewer.open(TODAY)
    assert "<h1>2025년 10월 20일 월요일</h1>" in page
    assert "가격 인하" in page
    assert "새로운 것" in page


def test_a_day_of_which_nothing_is_known_says_so(viewer: Browser) -> None:
    page = viewer.open("/day/2025-10-11")
    assert "No data for this day" in page
    assert 'id="work"' not in page


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/day/2025-10-21", "is in the future"),
        ("/day/1999-12-31", "Use a day from 2000-01-01 on"),
        ("/day/yesterday", "Not a date: "),
    ],
)
def test_a_day_that_has_no_page_says_why(viewer: Browser, path: str, told: str) -> None:
    assert told in viewer.open(path)
    assert viewer.answer.status_code in {400, 422}


def test_a_zone_that_there_is_not_is_refused(viewer: Browser) -> None:
    viewer.open(f"{TODAY}?zone=mars")
    assert viewer.answer.status_code == 422


def test_a_part_that_cannot_be_read_says_so_and_the_rest_is_there(
    app: App, viewer: Browser
) -> None:
    stored(app, "Still here")
    broken(app, "analysis_jobs")
    page = viewer.open(TODAY)
    assert viewer.answer.status_code == 200
    assert "Could not load Videos. The rest of the day is shown below." in page
    assert "Reload the page in a moment." in page
    assert "Still here" in page
    assert 'id="analysed"' not in page


@pytest.mark.parametrize(
    ("name", "title"),
    [("failures", "Failures and next steps"), ("coming", "Scheduled next")],
)
def test_what_cannot_be_concluded_says_so_and_the_rest_is_there(
    app: App, viewer: Browser, monkeypatch: pytest.MonkeyPatch, name: str, title: str
) -> None:
    def broken(_: object) -> None:
        raise KeyError("innards")

    stored(app, "Still here")
    monkeypatch.setattr(f"gotgan.day.reader.sort_{name}", broken)
    page = viewer.open(TODAY)
    assert viewer.answer.status_code == 200
    assert f"Could not load {title}. The rest of the day is shown below." in page
    assert "Still here" in page
    assert ("Nothing failed" in page) is (name == "coming")


def test_without_ticks_the_calendar_is_there_all_the_same(app: App, viewer: Browser) -> None:
    broken(app, "ticks")
    page = viewer.open(TODAY)
    assert "Could not load Operations" in page
    assert 'href="/day/2025-10-19?zone=kst"' in page


def test_what_is_not_set_up_says_so_once_with_the_way_to_mend_it(viewer: Browser) -> None:
    page = viewer.open(TODAY)
    assert page.count("Set GOTGAN_CONTACT") == 1
    assert "News, Shops: not set up" in page
    assert 'class="button" href="/setup"' in page


def test_the_same_day_is_there_for_programs(viewer: Browser) -> None:
    page = viewer.open(f"{TODAY}?zone=ny")
    assert 'href="/v1/day/2025-10-20?zone=ny">JSON</a>' in page
    assert "gotgan day 2025-10-20 --zone ny" in page


def test_it_says_what_reading_it_cost(app: App, viewer: Browser) -> None:
    stored(app, "One")
    assert "On DynamoDB, reading this page costs " in viewer.open(TODAY)


def test_a_korean_page_says_in_korean_what_failed_and_what_comes_next(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    failed(app, exchange, MONDAY, why="the <wire> is cut")
    ran(app, "news.bodies", words=result({"ok": 22, "premium": 3}))
    ran(app, "news.collect", "failed", ago=60, error="Yahoo <sleeps>")
    ran(app, "news.collect", ago=30)
    viewer.client.headers["accept-language"] = "ko"
    page = viewer.open(TODAY)
    told = part(page, "failed")
    assert '<span lang="en">Yahoo &lt;sleeps&gt;</span>' in told
    assert "<strong>18:00에 성공</strong>" in told
    assert '<span lang="en">the &lt;wire&gt; is cut</span>' in told
    assert "부터 다시 시도합니다.</strong>" in told
    assert '<td class="num">2.0초</td>' in part(page, "work")
    assert "본문 22건, 유료 기사 3건" in part(page, "work")
