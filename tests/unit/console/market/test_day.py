"""The sheet of a day: its sides, what is decided and why, and what was traded."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from tests.unit.console.market.filling import FRIDAY, MONDAY, SHARES, collected, failed, given_up
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.exchange import Exchange, price

HERE = f"/market/days/{MONDAY}"


def _side(page: str, name: str) -> str:
    found = re.search(rf'aria-labelledby="side-{name}">(.*?)</section>', page, re.DOTALL)
    assert found is not None
    return found[1]


def _facts(part: str) -> dict[str, str]:
    pairs = re.findall(r"<dt>([^<]*)</dt><dd[^>]*>(.*?)</dd>", part)
    return {name: re.sub(r"<[^>]*>", "", value).strip() for name, value in pairs}


def _movers(page: str, caption: str) -> list[str]:
    table = page.partition(f"<caption>{caption}</caption>")[2].partition("</table>")[0]
    return re.findall(r"/market/stocks/(\d+)", table)


def test_a_day_that_nobody_began_says_so(viewer: Browser) -> None:
    page = viewer.open(HERE)
    assert page.count("Collection has not started.") == 2
    assert "Calculation has not started." in page
    assert "2025-10-20 was never collected. Runs at the next scheduled time." in page


def test_both_sides_are_told_with_their_moments(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    page = viewer.open(HERE)
    facts = _facts(_side(page, "prices"))
    assert (facts["Count"], facts["Provider"], facts["Attempts"]) == ("5", "test", "1")
    assert facts["Completed"] == "2025-10-20 17:30:00 KST 2025-10-20 08:30:00 UTC"
    assert _facts(_side(page, "indices"))["Count"] == "2"
    assert "Provisional" in page


def test_an_error_is_told_in_full_and_escaped(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    why = "the answer <b>was</b> garbage; " * 20
    failed(app, exchange, MONDAY, why=why)
    part = _side(viewer.open(HERE), "prices")
    assert why.strip().replace("<", "&lt;").replace(">", "&gt;") in part
    assert "Failed" in part
    assert _facts(part)["Retries"] == "1"


def test_a_day_that_was_given_up_says_what_comes_next(
    app: App, exchange: Exchange, clock: FixedClock, viewer: Browser
) -> None:
    given_up(app, exchange, clock)
    page = viewer.open(HERE)
    assert "No retries left" in page
    assert "Next attempt 2025-10-21" in page
    assert "Partial" in page


def test_numbers_that_are_final_say_since_when(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    clock.advance(timedelta(hours=6))
    collected(app, MONDAY)
    page = viewer.open(HERE)
    assert "Final" in page
    assert "Provisional" not in page


def test_the_largest_movers_are_told_by_their_percentage(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    page = viewer.open(HERE)
    assert _movers(page, "Largest gains") == ["000010", "000040"]
    assert _movers(page, "Largest losses") == ["000020"]
    counts = dict(re.findall(r"<dt>([^<]*)</dt> <dd>([^<]*)</dd>", page))
    told = [counts[name] for name in ("shares", "rose", "fell", "unchanged", "halted")]
    assert told == ["5", "2", "1", "1", "1"]
    assert "+10.00" in page


def test_a_split_is_no_movement_and_is_listed(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    collected(app, FRIDAY)
    exchange.shares[str(MONDAY)] = [price("000010", 220, 0), *SHARES[1:]]
    collected(app, MONDAY)
    page = viewer.open(HERE)
    assert _movers(page, "Largest gains") == ["000040"]
    assert _movers(page, "Largest losses") == ["000020"]
    assert "Corporate actions" in page
    assert "0.200000" in page


def test_an_index_is_compared_with_the_session_before(app: App, viewer: Browser) -> None:
    collected(app, MONDAY)
    assert "2,505.25" in viewer.open(HERE)
    collected(app, FRIDAY)
    assert "0.00" in viewer.open(HERE)
    assert 'href="/market/indices/1001"' in viewer.page


@pytest.mark.parametrize(
    ("day", "words"),
    [("2025-10-06", "Closed: Chuseok."), ("2025-10-18", "Closed: a weekend.")],
)
def test_a_closed_day_says_why_and_offers_nothing(editor: Browser, day: str, words: str) -> None:
    page = editor.open(f"/market/days/{day}")
    assert words in page
    assert 'action="/market/collect"' not in page


def test_it_leads_to_the_sessions_before_and_after(viewer: Browser) -> None:
    page = viewer.open("/market/days/2025-10-06")
    assert '<a href="/market/days/2025-10-02" rel="prev">' in page
    assert '<a href="/market/days/2025-10-10" rel="next">' in page


def test_a_day_to_come_can_be_seen_and_not_collected(editor: Browser) -> None:
    page = editor.open("/market/days/2025-10-21")
    assert "Collection of 2025-10-21 starts at 17:00 KST." in page
    assert 'action="/market/collect"' not in page


@pytest.mark.parametrize("day", ["2025-13-01", "today", "1900-01-01", "20251020"])
def test_what_is_no_day_of_the_exchange_is_refused(viewer: Browser, day: str) -> None:
    assert viewer.client.get(f"/market/days/{day}").status_code == 400


def test_the_last_day_of_the_calendar_has_none_after_it(viewer: Browser) -> None:
    last = date(2099, 12, 31)
    assert viewer.client.get(f"/market/days/{last}").status_code == 200
    assert 'rel="next"' not in viewer.open(f"/market/days/{last}")


def test_while_all_providers_are_left_alone_the_page_says_until_when(
    exchange: Exchange, clock: FixedClock, viewer: Browser
) -> None:
    exchange.blocked = clock.now() + timedelta(hours=5)
    page = viewer.open(HERE)
    assert "Providers blocked" in page
    assert "Next attempt for 2025-10-20: 10-20 22:30 KST." in page


def test_a_korean_page_says_in_korean_what_is_decided_and_what_was_too_little(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    collected(app, FRIDAY)
    exchange.shares[str(MONDAY)] = SHARES[3:]
    app.market.collect(MONDAY)
    viewer.client.headers["accept-language"] = "ko"
    page = viewer.open(HERE)
    assert "시세가" not in _side(page, "indices")
    assert "나중에 다시 시도하세요" in _side(page, "prices")
    assert "2025-10-20 시세 실패. 18:00 KST부터 다시 시도합니다." in page
    assert "2025-10-20 지표는 18:00 KST부터 계산합니다" in page
    assert 'lang="en"' not in page.partition('id="market-next"')[2].partition("<details")[0]
    assert "휴장: 추석" in viewer.open("/market/days/2025-10-06")
