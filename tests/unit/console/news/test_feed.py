"""The feed: one line for each story, by day and by ticker."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from html import unescape

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news.models import Story
from tests.unit.console.news.filling import YAHOO, claimed, dead, done, path_of, stored, waiting
from tests.unit.console.sheets import Browser


def _main(page: str) -> str:
    return page.partition("<main")[2]


def _days(page: str) -> list[str]:
    return re.findall(r'<h2 id="day-[\d-]+">([\d-]+)', page)


def test_stories_are_listed_by_day_newest_first(
    app: App, clock: FixedClock, viewer: Browser
) -> None:
    viewer.client.cookies["gotgan_zone"] = "new-york"
    stored(app, "Older one")
    clock.advance(timedelta(minutes=5))
    stored(app, "Newer one")
    clock.advance(timedelta(hours=5))
    stored(app, "Newest one")
    page = _main(viewer.open("/news"))
    assert _days(page) == ["2025-11-06", "2025-11-05"]
    places = [page.index(title) for title in ("Newest one", "Newer one", "Older one")]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("zone", "day", "time"),
    [
        ("utc", "2025-11-06", "00:35"),
        ("new-york", "2025-11-05", "19:35"),
        ("seoul", "2025-11-06", "09:35"),
    ],
)
def test_days_and_times_are_those_of_the_viewers_zone(
    app: App, viewer: Browser, zone: str, day: str, time: str
) -> None:
    stored(app, "Apple holds steady")
    viewer.client.cookies["gotgan_zone"] = zone
    page = _main(viewer.open("/news"))
    assert _days(page) == [day]
    assert f">{time}</time>" in page


def test_times_of_a_day_are_those_of_the_zone_it_is_counted_in(app: App, viewer: Browser) -> None:
    stored(app, "Apple holds steady")
    viewer.client.cookies["gotgan_zone"] = "seoul"
    page = _main(viewer.open("/news?day=2025-11-05&zone=ny"))
    assert _days(page) == ["2025-11-05"]
    assert ">19:35</time>" in page


def test_an_item_leads_to_its_page_and_tells_its_site(app: App, viewer: Browser) -> None:
    item = stored(app, "<b>Rates</b> & more", "https://www.example.com/a?src=A00220")
    page = viewer.open("/news")
    assert f'<a href="{path_of(item)}">&lt;b&gt;Rates&lt;/b&gt; &amp; more</a>' in page
    assert "www.example.com" in page


def test_what_the_text_of_a_story_lacks_is_said_in_words(app: App, viewer: Browser) -> None:
    stored(app, "Never tried")
    claimed(app, stored(app, "Under way"))
    waiting(app, stored(app, "Waits"))
    dead(app, stored(app, "Dead"))
    for outcome in ("ok", "external", "premium", "gone", "blocked"):
        done(app, stored(app, outcome), outcome)
    page = _main(viewer.open("/news"))
    words = re.findall(r'class="state \w+"><span aria-hidden="true">(.)</span> ([^<]+)<', page)
    assert sorted(words) == [
        ("!", "Blocked by robots.txt"),
        ("!", "Waiting to retry"),
        ("–", "For subscribers"),
        ("–", "No longer available"),
        ("–", "Not fetched yet"),
        ("–", "On another site"),
        ("↻", "Being fetched"),
        ("✕", "Given up"),
    ]


def test_a_day_is_one_of_the_zone_that_is_asked_for(app: App, viewer: Browser) -> None:
    stored(app, "Apple holds steady")
    seen = {
        (day, zone): "Apple holds steady" in viewer.open(f"/news?day={day}&zone={zone}")
        for day in ("2025-11-05", "2025-11-06")
        for zone in ("utc", "ny", "kst")
    }
    assert [key for key, is_seen in seen.items() if is_seen] == [
        ("2025-11-05", "ny"),
        ("2025-11-06", "utc"),
        ("2025-11-06", "kst"),
    ]


def test_a_day_leads_to_the_days_beside_it_but_not_after_today(viewer: Browser) -> None:
    page = unescape(viewer.open("/news?day=2025-11-05&zone=kst&ticker=NVDA&cursor="))
    assert 'href="/news?zone=kst&ticker=NVDA&day=2025-11-04" rel="prev"' in page
    assert 'href="/news?zone=kst&ticker=NVDA&day=2025-11-06" rel="next"' in page
    assert 'rel="next"' not in viewer.open("/news?day=2025-11-06&zone=kst")
    assert 'rel="next"' in viewer.open("/news?day=2025-11-04&zone=ny")
    assert 'rel="next"' not in viewer.open("/news?day=2025-11-05&zone=ny")


def test_today_is_offered_in_the_viewers_zone(viewer: Browser) -> None:
    viewer.client.cookies["gotgan_zone"] = "new-york"
    page = unescape(viewer.open("/news"))
    assert 'href="/news?day=2025-11-05&zone=ny"' in page
    assert '<option value="ny" selected>' in page


@pytest.mark.parametrize("query", ["day=2025-13-01", "day=today", "day=2025-11-06&zone=mars"])
def test_what_is_no_day_and_no_zone_is_told(viewer: Browser, query: str) -> None:
    for path in ("/news", "/news.csv"):
        viewer.open(f"{path}?{query}")
        assert viewer.answer.status_code == 422


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31"])
def test_the_edges_of_the_calendar_are_no_failure(viewer: Browser, day: str) -> None:
    for zone in ("utc", "ny", "kst"):
        viewer.open(f"/news?day={day}&zone={zone}")
        assert viewer.answer.status_code in {200, 400}


def test_a_ticker_says_what_it_costs(app: App, viewer: Browser) -> None:
    stored(app, "Chips", tickers=("NVDA", "AMD"))
    stored(app, "Phones", tickers=("AAPL",))
    page = viewer.open("/news?ticker=nvda")
    assert "Chips" in page
    assert "Phones" not in page
    assert "To find the 1 on this page, 2 items were read. On DynamoDB" in page
    assert re.search(r"[\d.]+ read units, \$0\.0\d+", page)


def test_the_tickers_of_an_item_are_filters_of_the_day_that_is_shown(
    app: App, viewer: Browser
) -> None:
    stored(app, "Chips", tickers=("BRK-B", "^GSPC"))
    page = unescape(viewer.open("/news"))
    assert 'href="/news?ticker=BRK-B"' in page
    assert 'href="/news?ticker=%5EGSPC"' in page
    page = unescape(viewer.open("/news?day=2025-11-06&zone=kst"))
    assert 'href="/news?day=2025-11-06&zone=kst&ticker=BRK-B"' in page


def test_the_next_page_has_the_rest(app: App, clock: FixedClock, viewer: Browser) -> None:
    stored(app, "The very first")
    clock.advance(timedelta(seconds=1))
    app.news.upload([Story(f"Number {n};", f"{YAHOO}/n-{n:09}.html") for n in range(50)])
    assert "The very first" not in viewer.open("/news")
    following = re.search(r'href="([^"]+)" rel="next"', viewer.page)
    assert following is not None
    page = viewer.open(unescape(following[1]))
    assert "The very first" in page
    assert "Number 7;" not in page
    assert 'rel="first"' in page


def test_the_same_list_is_elsewhere(viewer: Browser) -> None:
    page = unescape(viewer.open("/news?day=2025-11-06&zone=ny&ticker=nvda"))
    query = "day=2025-11-06&zone=ny&ticker=NVDA"
    assert f'href="/v1/news?{query}"' in page
    assert f'href="/news.csv?{query}"' in page
    assert "gotgan news list --day 2025-11-06 --zone ny --ticker NVDA" in page
    answer = viewer.client.get(f"/v1/news?{query}")
    assert answer.status_code == 200


def test_the_file_has_the_same_items_with_all_their_attributes(app: App, viewer: Browser) -> None:
    item = stored(app, "=Chips", tickers=("NVDA", "AMD"))
    stored(app, "Phones", tickers=("AAPL",))
    answer = viewer.client.get("/news.csv?ticker=AMD")
    [row] = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    assert len(row) == 14
    assert (row["pk"], row["title"], row["tickers"]) == (item.pk, "'=Chips", "NVDA AMD")
    assert row["uploaded_at_est_iso"] == "2025-11-05T19:35:12-05:00"
    assert row["tz_est_is_dst"] == "false"


def test_where_there_is_nothing_it_says_what_to_do(editor: Browser, viewer: Browser) -> None:
    page = editor.open("/news")
    assert "No news in the last seven days" in page
    assert page.count('action="/news/collect"') == 2
    assert "No matching items" in editor.open("/news?day=2025-11-05")
    assert "Only editors can fetch the latest list." in viewer.open("/news")


def test_a_viewer_is_offered_nothing_that_writes(app: App, viewer: Browser) -> None:
    dead(app, stored(app, "Dead"))
    for path in ("/news", "/news/bodies?show=dead", "/news/runs"):
        assert 'method="post" action="/news' not in viewer.open(path)


def test_it_speaks_korean(app: App, viewer: Browser) -> None:
    stored(app, "Apple holds steady", tickers=("AAPL",))
    page = viewer.client.get("/news?ticker=AAPL", headers={"accept-language": "ko"}).text
    assert "본문 수집 전" in page
    assert "티커 색인이 없어" in page
    assert "서버를 시작한 뒤 실행한 적이 없습니다." in page


def test_stories_are_searched_by_word(viewer: Browser) -> None:
    form = _main(viewer.open("/news")).partition('action="/search"')[2].partition("</form>")[0]
    assert '<input type="hidden" name="kind" value="story">' in form
    assert 'name="q"' in form
