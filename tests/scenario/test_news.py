"""Document 000's table of the latest list, in its own words: from its input to its goal."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from gotgan.domains.news.keys import NEWS_ITEMS
from gotgan.domains.news.models import Story
from gotgan.domains.news.upload import parse_stories
from gotgan.encoding import encode
from gotgan.errors import BadUpload, KeyCollision, PageError
from gotgan.world import FaultKind
from tests.scenario.news_places import PLACES, UPLOADED, Place, Scene

WITH_ID = "https://finance.yahoo.com/news/trump-supreme-court-tariff-defeat-060559667.html"
WITHOUT_ID = "https://finance.yahoo.com/news/some-article?src=latest&guccounter=1"

TIMES = {
    "uploaded_at_utc_iso": "2025-11-06T00:35:12Z",
    "uploaded_at_utc_ms": 1762389312000,  # the document slipped: its number is another moment
    "uploaded_at_est_iso": "2025-11-05T19:35:12-05:00",
    "uploaded_at_kst_iso": "2025-11-06T09:35:12+09:00",
    "dt_utc": "2025-11-06",
    "dt_est": "2025-11-05",
    "dt_kst": "2025-11-06",
    "tz_est_abbr": "EST",
    "tz_est_is_dst": False,
}
RECORD_A: dict[str, Any] = {
    "pk": f"id#{hashlib.sha256(WITH_ID.encode()).hexdigest()[:16]}",
    "source": "yf_latest",
    "title": "A Trump Supreme Court tariff defeat would add to trade uncertainty",
    "url": WITH_ID,
    "tickers": [],
    **TIMES,
}
RECORD_B: dict[str, Any] = {
    "pk": f"h#{hashlib.sha256(WITHOUT_ID.encode()).hexdigest()[:16]}",
    "source": "yf_latest",
    "title": "Example headline without numeric id",
    "url": WITHOUT_ID,
    "tickers": ["NVDA", "PLTR"],
    **TIMES,
}
INPUT = json.dumps(
    [
        {"title": record["title"], "url": record["url"], "tickers": record["tickers"]}
        for record in (RECORD_A, RECORD_B)
    ]
).encode()


@pytest.fixture(scope="module", params=PLACES)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    with PLACES[request.param]() as place:
        yield place


@pytest.fixture
def scene(place: Place) -> Iterator[Scene]:
    with place.scene() as scene:
        yield scene


def upload(scene: Scene, document: bytes = INPUT) -> Any:
    return scene.app.news.upload(parse_stories(document))


# 1. The input


def test_as_many_stories_as_come_in_are_stored(scene: Scene) -> None:
    for count in (0, 1, 3, 120):
        stories = [
            Story(f"Story {n}", f"https://finance.yahoo.com/{count}/{n}") for n in range(count)
        ]
        report = scene.app.news.upload(stories)
        assert (report.given, len(report.new)) == (count, count)
    assert len(scene.items()) == 124


def test_bad_input_is_refused_and_nothing_is_stored(scene: Scene) -> None:
    with pytest.raises(BadUpload, match="story 2"):
        upload(scene, b'[{"title": "a", "url": "https://a.test/b"}, {"title": "b"}]')
    assert scene.items() == {}


# 2. The key


@pytest.mark.parametrize(
    ("url", "tag"),
    [
        (WITH_ID, "id"),
        (WITHOUT_ID, "h"),
        (f"{WITH_ID}?guccounter=1", "id"),
        (f"{WITH_ID}#comments", "id"),
        ("https://finance.yahoo.com/m/4ed0c1b9-9f2a-3b4c/some-story.html", "h"),
        ("https://finance.yahoo.com/research/reports/ARGUS_43216_1744369279000?yptr=yahoo", "h"),
        ("https://finance.yahoo.com/news/story-12345.html", "h"),
        ("https://finance.yahoo.com/news/story?id=060559667.html", "h"),
    ],
)
def test_the_tag_says_whether_the_link_has_an_article_id(scene: Scene, url: str, tag: str) -> None:
    [item] = scene.app.news.upload([Story("A headline", url)]).new
    assert item.pk == f"{tag}#{hashlib.sha256(url.encode()).hexdigest()[:16]}"


def test_a_link_that_differs_in_one_letter_is_another_item(scene: Scene) -> None:
    links = [
        WITH_ID,
        f"{WITH_ID}?",
        f"{WITH_ID}#",
        f"{WITH_ID}?a=1",
        f"{WITH_ID}?a=2",
        WITH_ID[:-1],
    ]
    report = scene.app.news.upload([Story("A headline", link) for link in links])
    assert len(report.new) == len(scene.items()) == len(links)
    alike = {each.url for each in scene.app.news.get(WITH_ID).look_alikes}
    assert alike == set(links) - {WITH_ID, WITH_ID[:-1]}


def test_a_link_that_comes_twice_in_one_list_is_a_duplicate(scene: Scene) -> None:
    report = scene.app.news.upload([Story("First", WITH_ID), Story("Second", WITH_ID)])
    assert (len(report.new), report.duplicates) == (1, 1)
    assert scene.app.news.get(WITH_ID).item.title == "First"


# 3. and 6. The table and its records


def test_the_records_are_those_of_the_document(scene: Scene) -> None:
    upload(scene)
    assert scene.items() == {RECORD_A["pk"]: RECORD_A, RECORD_B["pk"]: RECORD_B}


def test_the_records_are_shown_byte_for_byte(scene: Scene) -> None:
    upload(scene)
    shown = [encode(scene.app.news.get(url).item) for url in (WITH_ID, WITHOUT_ID)]
    assert json.dumps(shown, indent=2) == json.dumps([RECORD_A, RECORD_B], indent=2)


def test_the_attributes_have_the_types_of_the_document(scene: Scene) -> None:
    upload(scene)
    key = {"pk": {"S": RECORD_B["pk"]}}
    item = scene.client.get_item(TableName=NEWS_ITEMS.name, Key=key)["Item"]
    kinds = {name: next(iter(value)) for name, value in item.items()}
    assert kinds.pop("tickers") == "L"
    assert item["tickers"] == {"L": [{"S": "NVDA"}, {"S": "PLTR"}]}
    assert kinds.pop("uploaded_at_utc_ms") == "N"
    assert kinds.pop("tz_est_is_dst") == "BOOL"
    assert set(kinds.values()) == {"S"}
    assert len(item) == 14
    assert "url_norm" not in item


# 4. The clocks


def test_one_moment_gives_every_item_of_a_run_its_clocks(scene: Scene) -> None:
    scene.app.news.collect()
    moments = {tuple(item[name] for name in TIMES) for item in scene.items().values()}
    assert moments == {tuple(TIMES.values())}


@pytest.mark.parametrize(
    ("moment", "est", "day", "abbreviation", "is_dst"),
    [
        ("2025-03-09T06:59:59", "2025-03-09T01:59:59-05:00", "2025-03-09", "EST", False),
        ("2025-03-09T07:00:00", "2025-03-09T03:00:00-04:00", "2025-03-09", "EDT", True),
        ("2025-11-02T05:30:00", "2025-11-02T01:30:00-04:00", "2025-11-02", "EDT", True),
        ("2025-11-02T06:30:00", "2025-11-02T01:30:00-05:00", "2025-11-02", "EST", False),
        ("2026-01-01T04:59:59", "2025-12-31T23:59:59-05:00", "2025-12-31", "EST", False),
    ],
)
def test_new_york_is_right_when_its_clocks_change(
    place: Place, moment: str, est: str, day: str, abbreviation: str, is_dst: bool
) -> None:
    at = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    with place.scene(at) as scene:
        upload(scene)
        item = scene.items()[RECORD_A["pk"]]
    assert item["uploaded_at_est_iso"] == est
    assert (item["dt_est"], item["tz_est_abbr"], item["tz_est_is_dst"]) == (
        day,
        abbreviation,
        is_dst,
    )
    assert item["uploaded_at_utc_ms"] == at.timestamp() * 1000


# 5. Writing


def test_a_duplicate_changes_nothing_whatever_it_now_says(scene: Scene) -> None:
    upload(scene)
    before = scene.items()
    scene.clock.advance(timedelta(days=1))
    report = scene.app.news.upload([Story("Rewritten", WITH_ID, ("AAPL",)), Story("B", WITHOUT_ID)])
    assert (len(report.new), report.duplicates, len(report.failed)) == (0, 2, 0)
    assert scene.items() == before


def test_a_hundred_runs_eight_at_once_store_every_item_once_as_it_first_was(scene: Scene) -> None:
    urls = [f"https://finance.yahoo.com/news/story-{n:09}.html" for n in range(10)]

    def run(number: int) -> Any:
        return scene.app.news.upload([Story(f"Run {number}", url, (f"T{number}",)) for url in urls])

    with ThreadPoolExecutor(8) as pool:
        reports = list(pool.map(run, range(100)))
    won = {item.url: item.title for report in reports for item in report.new}
    assert sum(len(report.new) for report in reports) == len(urls)
    assert sum(report.duplicates for report in reports) == 99 * len(urls)
    assert all(not report.failed for report in reports)
    assert {item["url"]: item["title"] for item in scene.items().values()} == won


def test_another_link_with_the_same_key_is_reported_and_not_dropped(scene: Scene) -> None:
    upload(scene)
    stored = {"S": "https://finance.yahoo.com/news/quite-another-060559667.html"}
    scene.client.update_item(
        TableName=NEWS_ITEMS.name,
        Key={"pk": {"S": RECORD_A["pk"]}},
        UpdateExpression="SET #u = :u",
        ExpressionAttributeNames={"#u": "url"},
        ExpressionAttributeValues={":u": stored},
    )
    [failed] = upload(scene).failed
    assert isinstance(failed.error, KeyCollision)
    assert failed.item.url == WITH_ID
    assert scene.items()[RECORD_A["pk"]]["url"] == stored["S"]


# 0. The goal: the list of the day, idempotently, and then the bodies


def test_the_latest_list_is_collected_and_the_next_run_adds_what_is_new(scene: Scene) -> None:
    first = scene.app.news.collect()
    assert (first.given, len(first.new), len(first.failed)) == (50, 50, 0)
    again = scene.app.news.collect()
    assert (len(again.new), again.duplicates) == (0, 50)
    before = scene.items()
    scene.clock.advance(timedelta(hours=2))
    later = scene.app.news.collect()
    assert 0 < len(later.new) < 50
    assert len(later.new) + later.duplicates == 50
    after = scene.items()
    assert {pk: after[pk] for pk in before} == before


def test_a_run_of_fifty_with_thirty_eight_known_costs_what_was_promised(scene: Scene) -> None:
    stories = [
        Story(f"A headline of common length, number {n}", f"{WITH_ID}?n={n}") for n in range(50)
    ]
    scene.app.news.upload(stories[:38])
    report = scene.app.news.upload(stories)
    assert (len(report.new), report.duplicates) == (12, 38)
    assert (report.cost.reads, report.cost.writes) == (25, 24)


def test_a_day_in_a_zone_is_that_zones_day(scene: Scene) -> None:
    news = scene.app.news
    moments = {}
    for hour in range(0, 72, 5):
        url = f"https://finance.yahoo.com/news/at-{hour}"
        [item] = news.upload([Story("A headline", url)]).new
        moments[url] = item
        scene.clock.advance(timedelta(hours=5))
    for zone, attribute in (("utc", "dt_utc"), ("ny", "dt_est"), ("kst", "dt_kst")):
        for day in (date(2025, 11, 5), date(2025, 11, 6), date(2025, 11, 7), date(2025, 11, 8)):
            found = [item.url for item in news.every(day, zone=zone)]  # type: ignore[arg-type]
            wanted = [
                url for url, item in moments.items() if getattr(item, attribute) == day.isoformat()
            ]
            assert found == wanted[::-1]


def test_a_ticker_is_found_by_reading_all_and_the_page_says_so(scene: Scene) -> None:
    upload(scene)
    page = scene.app.news.list(day=UPLOADED.date(), ticker="nvda")
    assert [item.url for item in page] == [WITHOUT_ID]
    assert page.read == 2
    assert page.cost.reads > 0


def test_the_bodies_follow_and_the_items_stay_as_they_were(scene: Scene) -> None:
    scene.app.news.collect()
    before = scene.items()
    report = scene.app.news.bodies()
    assert report.tried == 50
    bodies = scene.bodies()
    assert set(bodies) == set(before)
    assert {body["state"] for body in bodies.values()} == {"DONE"}
    assert {body["outcome"] for body in bodies.values()} >= {"ok", "external", "blocked"}
    read = [body for body in bodies.values() if body["outcome"] == "ok"]
    assert all(body["text"] and body["title"] and body["word_count"] > 0 for body in read)
    assert scene.items() == before
    assert scene.app.news.bodies().tried == 0


@pytest.mark.parametrize(
    "fault", [FaultKind.CONSENT, FaultKind.BLOCK, FaultKind.EMPTY, FaultKind.CUT]
)
def test_a_list_that_is_none_is_no_success_and_writes_nothing(
    scene: Scene, fault: FaultKind
) -> None:
    scene.world.fail("finance.yahoo.com", "/topic/latest-news/", fault)
    with pytest.raises(PageError):
        scene.app.news.collect()
    assert scene.items() == {}


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/rss.xml", "rss"),
        ("/atom.xml", "atom"),
        ("/feed.json", "json"),
        ("/sitemap-news.xml", "sitemap"),
    ],
)
def test_another_source_is_collected_like_the_first_and_leaves_it_alone(
    scene: Scene, path: str, kind: str
) -> None:
    scene.app.news.collect()
    before = scene.items()
    added = scene.app.news.sources.add(f"https://www.example-news.test{path}")
    assert (added.source.format, added.is_new) == (kind, True)
    report = scene.app.news.poll()
    assert report.new > 0
    assert scene.app.news.poll([added.source.name]).new == 0
    after = scene.items()
    assert {key: after[key] for key in before} == before
    others = [item for key, item in after.items() if key not in before]
    assert len(others) == report.new
    assert {item["source"] for item in others} == {"example-news.test"}
    assert {frozenset(item) for item in others} == {frozenset(item) for item in before.values()}
    assert scene.app.news.list(limit=100).also_at
    scene.app.news.sources.remove(added.source.name)
    assert scene.items() == after
