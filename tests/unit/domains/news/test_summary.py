"""What a day brought in news."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from gotgan.clock import Zone
from gotgan.domains.news import summary
from gotgan.domains.news.models import NewsItem
from gotgan.store import Store
from gotgan.world import FaultKind
from tests.unit.domains.news.conftest import NOON, Newsroom

DAY = date(2025, 11, 6)
HOUR = timedelta(hours=1)


def stored(store: Store, at: datetime, *tickers: str, number: int = 0) -> NewsItem:
    """An item that was stored at a moment."""
    url = f"https://finance.yahoo.com/news/story-{at:%d%H%M%S}{number:03}.html"
    item = NewsItem(source="yf_latest", title="A story", url=url, tickers=tickers, uploaded_at=at)
    return store.put_new(item).item


def test_a_day_without_a_story_is_empty(newsroom: Newsroom) -> None:
    day = newsroom.news.summary(DAY, "utc")
    assert (day.new, day.read, day.headlines, day.tickers) == (0, 0, (), ())
    assert (sum(day.hours), day.bodies, day.waiting, day.dead) == (0, {}, 0, 0)


def test_a_day_tells_its_stories_the_newest_first(newsroom: Newsroom) -> None:
    early, late = (stored(newsroom.store, NOON + number * HOUR) for number in range(2))
    day = newsroom.news.summary(DAY, "utc")
    assert (day.new, day.headlines) == (2, (late, early))
    assert [day.hours[hour] for hour in (11, 12, 13, 14)] == [0, 1, 1, 0]


def test_tickers_are_told_by_how_many_stories_are_about_them(newsroom: Newsroom) -> None:
    for number, tickers in enumerate([("TSLA", "AAPL"), ("AAPL", "AAPL"), ("MSFT",)]):
        stored(newsroom.store, NOON, *tickers, number=number)
    day = newsroom.news.summary(DAY, "utc")
    assert [(each.ticker, each.count) for each in day.tickers] == [
        ("AAPL", 2),
        ("MSFT", 1),
        ("TSLA", 1),
    ]
    assert [item.tickers for item in day.about("MSFT")] == [("MSFT",)]


@pytest.mark.parametrize(("zone", "found"), [("utc", [0, 3]), ("ny", [1, 4]), ("kst", [-1, 0, 2])])
def test_a_day_is_that_of_the_zone(newsroom: Newsroom, zone: Zone, found: list[int]) -> None:
    for number, (day, hour, minute) in {
        -1: (5, 15, 0),  # midnight in Seoul
        0: (6, 0, 0),
        1: (6, 5, 0),  # midnight in New York
        2: (6, 14, 59),
        3: (6, 23, 59),
        4: (7, 4, 59),
    }.items():
        at = datetime(2025, 11, day, hour, minute, tzinfo=UTC)
        stored(newsroom.store, at, f"N{number}")
    told = [item.tickers for item in newsroom.news.summary(DAY, zone).headlines]
    assert (f"N{found[0]}",) == told[-1]
    assert (f"N{found[-1]}",) == told[0]
    assert newsroom.news.summary(DAY, zone).new == newsroom.news.counts([DAY], zone)[DAY]


def test_the_hour_that_new_york_has_twice_is_one_hour_of_its_clock(newsroom: Newsroom) -> None:
    for hour in (4, 5, 6, 7):  # 0:00 EDT, 1:00 EDT, 1:00 EST, 2:00 EST
        stored(newsroom.store, datetime(2025, 11, 2, hour, tzinfo=UTC))
    day = newsroom.news.summary(date(2025, 11, 2), "ny")
    assert (day.new, day.hours[:3]) == (4, (1, 2, 1))


def test_what_became_of_the_articles_is_counted(newsroom: Newsroom) -> None:
    newsroom.news.collect()
    never = newsroom.news.summary(DAY, "utc")
    assert never.bodies == {"never": never.new}
    report = newsroom.news.bodies()
    done = newsroom.news.summary(DAY, "utc")
    assert done.bodies == report.outcomes
    assert list(done.bodies.values()) == sorted(report.outcomes.values(), reverse=True)
    assert sum(done.bodies.values()) == done.new


def test_what_waits_and_what_was_given_up_is_counted(newsroom: Newsroom) -> None:
    newsroom.stories(2)
    newsroom.world.fail("finance.yahoo.com", "/news/*", FaultKind.WRONG_TYPE)
    newsroom.news.bodies()
    day = newsroom.news.summary(DAY, "utc")
    assert (day.bodies, day.waiting, day.dead) == ({"waiting": 2}, 2, 0)
    for _ in range(4):
        newsroom.clock.advance(3 * HOUR)
        newsroom.news.bodies()
    day = newsroom.news.summary(DAY, "utc")
    assert (day.bodies, day.waiting, day.dead) == ({"dead": 2}, 0, 2)


def test_a_day_with_very_much_is_counted_and_read_in_part(
    newsroom: Newsroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(summary, "MAX_ITEMS", 5)
    monkeypatch.setattr(summary, "MAX_HEADLINES", 2)
    for number in range(7):
        stored(newsroom.store, NOON, number=number)
    day = newsroom.news.summary(DAY, "utc")
    assert (day.new, day.read, len(day.headlines), sum(day.hours)) == (7, 5, 2, 5)
    assert day.bodies == {"never": 5}
