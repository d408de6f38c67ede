"""The year: a cell for each day in two halves, and on top what is decided about today."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.settings import Secret, Settings
from tests.unit.console.conftest import Enter
from tests.unit.console.market.filling import (
    FRIDAY,
    MONDAY,
    collected,
    failed,
    given_up,
    label_of,
)
from tests.unit.console.sheets import Browser
from tests.unit.domains.market.exchange import Exchange

HOLIDAY = date(2025, 10, 6)


def _cell(page: str, day: date) -> str:
    found = re.search(rf'<td class="[^"]*"><a href="/market/days/{day}".*?</td>', page, re.DOTALL)
    assert found is not None
    return found[0]


def test_a_session_that_nobody_began_is_told_apart_from_a_holiday(viewer: Browser) -> None:
    page = viewer.open("/market/days")
    assert label_of(page, FRIDAY) == "2025-10-17: Prices Not started; Indices Not started"
    assert label_of(page, HOLIDAY) == "2025-10-06: Closed, Chuseok"
    assert 'class="closed"' in _cell(page, HOLIDAY)
    assert "half" not in _cell(page, HOLIDAY)


def test_weekends_and_days_to_come_lead_nowhere(viewer: Browser) -> None:
    page = viewer.open("/market/days")
    assert "/market/days/2025-10-18" not in page
    assert "/market/days/2025-10-21" not in page


def test_each_half_of_a_cell_has_its_own_state_and_retries(
    app: App, exchange: Exchange, viewer: Browser
) -> None:
    failed(app, exchange, FRIDAY, "indices")
    collected(app, FRIDAY)
    failed(app, exchange, MONDAY, "prices")
    page = viewer.open("/market/days")
    assert label_of(page, FRIDAY) == "2025-10-17: Prices Success 5; Indices Success 2, 1 retry"
    told = "2025-10-20 (today): Prices Failed, 1 retry; Indices Success 2"
    assert label_of(page, MONDAY) == told
    halves = re.findall(r'class="half (\w+)">(.)(?:<b>(\d)</b>)?<', _cell(page, MONDAY))
    assert halves == [("failed", "✕", "1"), ("success", "✓", "")]


def test_today_is_marked(viewer: Browser) -> None:
    cell = _cell(viewer.open("/market/days"), MONDAY)
    assert 'class="session today"' in cell
    assert 'aria-current="date"' in cell


def test_the_days_are_counted_by_their_state(app: App, exchange: Exchange, viewer: Browser) -> None:
    collected(app, FRIDAY)
    failed(app, exchange, MONDAY)
    counts = dict(re.findall(r"<dt>([^<]*)</dt> <dd>([^<]*)</dd>", viewer.open("/market/days")))
    assert (counts["Success"], counts["Partial"]) == ("1", "1")
    assert int(counts["sessions"]) == int(counts["Not started"]) + 2


class TestBeforeFive:
    """At four in the afternoon."""

    @pytest.fixture
    def clock(self) -> FixedClock:
        return FixedClock(datetime(2025, 10, 20, 7, tzinfo=UTC))

    def test_it_says_from_when_on_today_is_collected(self, viewer: Browser) -> None:
        assert "Collection of 2025-10-20 starts at 17:00 KST." in viewer.open("/market/days")


def test_a_day_that_was_given_up_says_when_it_is_tried_anew(
    app: App, exchange: Exchange, clock: FixedClock, viewer: Browser
) -> None:
    given_up(app, exchange, clock)
    page = viewer.open("/market/days")
    assert "Next attempt 2025-10-21" in page
    assert "No retries left" in page


def test_another_year_is_chosen_by_the_address(viewer: Browser) -> None:
    page = viewer.open("/market/days?year=2024")
    assert "2024-10-17: Prices Not started" in page
    assert "2025-10-17: " not in page
    assert 'href="/market/days?year=2023"' in page


@pytest.mark.parametrize("year", ["1955", "2101", "x", "-1", "20255", "9" * 5000])
def test_a_year_without_an_exchange_is_refused(viewer: Browser, year: str) -> None:
    assert viewer.client.get(f"/market/days?year={year}").status_code == 422


def test_the_log_of_a_year_is_a_file(app: App, viewer: Browser) -> None:
    collected(app, FRIDAY)
    head, row = viewer.open("/market/days.csv?year=2025").splitlines()
    told = dict(zip(head.removeprefix("\ufeff").split(","), row.split(","), strict=True))
    assert (told["date"], told["price_status"], told["price_count"]) == (
        "2025-10-17",
        "success",
        "5",
    )
    assert told["overall_status"] == "success"


def test_where_nobody_can_be_asked_it_says_so(viewer: Browser) -> None:
    page = viewer.open("/market/days")
    assert "Automatic collection is not set up yet" in page
    assert "KRX_ID" in page


class TestWithAProvider:
    """Somebody can be asked."""

    @pytest.fixture
    def settings(self) -> Settings:
        login = {"krx_id": "someone", "krx_password": Secret("y" * 8)}
        return Settings(given_secret=Secret("x" * 32), **login)  # type: ignore[arg-type]

    def test_it_says_nothing_of_the_kind(self, viewer: Browser) -> None:
        assert "Automatic collection is not set up yet" not in viewer.open("/market/days")


def test_a_weekend_is_told_in_the_language_of_the_viewer(clock: FixedClock, enter: Enter) -> None:
    clock.advance(datetime(2025, 10, 25, 12, tzinfo=UTC) - clock.now())
    viewer = enter("v")
    viewer.client.headers["accept-language"] = "ko"
    assert "휴장: 주말입니다." in viewer.open("/market/days")


def test_buttons_are_for_editors(enter: Enter) -> None:
    actions = ("/market/collect", "/market/indicators", "/market/open-day")
    page = enter("e").open("/market/days")
    assert [action for action in actions if f'action="{action}"' not in page] == []
    page = enter("v").open("/market/days")
    assert [action for action in actions if f'action="{action}"' in page] == []


def test_a_day_is_opened_once(editor: Browser) -> None:
    editor.open("/market/days")
    assert "Today is ready to be collected." in editor.send("/market/open-day")
    assert label_of(editor.page, MONDAY) == "2025-10-20 (today): Prices Pending; Indices Pending"
    assert "This day is already prepared." in editor.send("/market/open-day")
    assert "the market is closed on that day" in editor.send("/market/open-day", day="2025-10-06")


def test_the_same_is_there_for_programs(viewer: Browser) -> None:
    page = viewer.open("/market/days")
    assert 'href="/v1/market/status?month=2025-10"' in page
    assert "gotgan market status --month 2025-10" in page
    assert viewer.client.get("/v1/market/status?month=2025-10").status_code in {200, 401}
