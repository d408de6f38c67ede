"""The news table is that of its document: keys, names, formats, and three time zones."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.domains.news.keys import BY_DAY, NEWS_ITEMS, article_id, pk_of
from gotgan.domains.news.models import NewsItem, news_by_pk, news_item, news_of_day, news_of_part
from gotgan.errors import KeyCollision
from gotgan.store import ALL, Store, patterns_of
from gotgan.store.schema import schema_of
from tests.unit.domains.wire import condition, stored

WITH_ID = "https://finance.yahoo.com/news/chip-maker-lifts-forecast-060559667.html"
WITHOUT_ID = "https://finance.yahoo.com/news/chip-maker-lifts-forecast?src=latest&guccounter=1"
UPLOADED = datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC)
TIMES = {
    "uploaded_at_utc_iso": "2025-11-06T00:35:12Z",
    "uploaded_at_utc_ms": 1762389312000,
    "uploaded_at_est_iso": "2025-11-05T19:35:12-05:00",
    "uploaded_at_kst_iso": "2025-11-06T09:35:12+09:00",
    "dt_utc": "2025-11-06",
    "dt_est": "2025-11-05",
    "dt_kst": "2025-11-06",
    "tz_est_abbr": "EST",
    "tz_est_is_dst": False,
}


@pytest.fixture
def store() -> Iterator[Store]:
    with Store.in_memory() as opened:
        opened.create(NEWS_ITEMS)
        yield opened


def headline(url: str = WITH_ID, at: datetime = UPLOADED, **fields: object) -> NewsItem:
    values = {"source": "yf_latest", "title": "A chip maker lifts its forecast", **fields}
    return NewsItem.model_validate({"url": url, "uploaded_at": at, **values})


def test_the_table_has_a_partition_key_and_no_sort_key() -> None:
    assert (NEWS_ITEMS.name, NEWS_ITEMS.pk.name, NEWS_ITEMS.sk) == ("news_items", "pk", None)
    assert NEWS_ITEMS.attribute_types() == {"pk": "S", "dt_utc": "S", "uploaded_at_utc_ms": "N"}


def test_the_index_by_day_is_made_of_attributes_that_are_there_already() -> None:
    assert BY_DAY.project == ALL
    assert [key.name for key in BY_DAY.keys] == ["dt_utc", "uploaded_at_utc_ms"]


def test_an_item_with_an_article_id_is_stored_as_the_document_shows(store: Store) -> None:
    assert stored(store, headline()) == {
        "pk": "id#e67a9c72e1fc2349",
        "source": "yf_latest",
        "title": "A chip maker lifts its forecast",
        "url": WITH_ID,
        "tickers": [],
        **TIMES,
    }


def test_an_item_without_an_article_id_is_stored_as_the_document_shows(store: Store) -> None:
    assert stored(store, headline(WITHOUT_ID, tickers=("NVDA", "PLTR"))) == {
        "pk": "h#df5ad6bd7c40293a",
        "source": "yf_latest",
        "title": "A chip maker lifts its forecast",
        "url": WITHOUT_ID,
        "tickers": ["NVDA", "PLTR"],
        **TIMES,
    }


def test_summer_in_new_york_has_another_offset_and_another_name(store: Store) -> None:
    item = stored(store, headline(at=datetime(2025, 7, 1, 3, 59, 59, tzinfo=UTC)))
    assert item["uploaded_at_est_iso"] == "2025-06-30T23:59:59-04:00"
    assert (item["dt_est"], item["dt_utc"], item["dt_kst"]) == (
        "2025-06-30",
        "2025-07-01",
        "2025-07-01",
    )
    assert (item["tz_est_abbr"], item["tz_est_is_dst"]) == ("EDT", True)


def test_all_times_are_of_one_instant_in_whole_seconds(store: Store) -> None:
    item = stored(store, headline(at=UPLOADED.replace(microsecond=999_999)))
    assert {name: item[name] for name in TIMES} == TIMES


def test_every_field_of_the_document_is_stored_and_no_other(store: Store) -> None:
    written = {"pk", "source", "title", "url", "tickers", *TIMES}
    assert set(stored(store, headline())) == written
    assert schema_of(NewsItem).owned == written


@pytest.mark.parametrize(
    ("url", "tag"),
    [
        ("https://a.b/news/x-060559667.html", "id"),
        ("https://a.b/news/060559.html", "id"),
        ("https://a.b/news/x-123456.html?guccounter=1", "id"),
        ("https://a.b/news/x-123456.html#top", "id"),
        ("https://a.b/news/x-12345.html", "h"),
        ("https://a.b/news/x-123456", "h"),
        ("https://a.b/news/x?id=123456.html", "h"),
        ("https://a.b/news/123456.html/more", "h"),
        ("https://a.b/news/x-١٢٣٤٥٦.html", "h"),
    ],
)
def test_an_article_id_is_six_digits_or_more_before_html_in_the_path(url: str, tag: str) -> None:
    assert pk_of(url) == f"{tag}#{hashlib.sha256(url.encode()).hexdigest()[:16]}"


def test_one_character_makes_another_item() -> None:
    keys = {pk_of(url) for url in (WITH_ID, WITH_ID + "?", WITH_ID + "#", WITH_ID.upper())}
    assert len(keys) == 4


def test_the_first_record_is_kept_for_ever(store: Store) -> None:
    first = stored(store, headline())
    again = store.put_new(headline(title="Another headline", tickers=("X",)))
    assert not again.new
    assert stored(store, again.item) == first


def test_the_address_tells_a_duplicate_from_a_collision(store: Store) -> None:
    store.put_new(headline())
    schema = schema_of(NewsItem)
    item = schema.item(headline()) | {"url": {"S": "https://elsewhere.test/"}}
    request = {"TableName": "news_items", "Item": item}
    store.calls.driver.call("PutItem", request)
    with pytest.raises(KeyCollision):
        store.put_new(headline())


def test_its_access_patterns_are_by_address_and_by_day() -> None:
    assert patterns_of(NEWS_ITEMS) == [news_item, news_by_pk, news_of_day, news_of_part]
    [by_address], [by_day] = news_item.reads, news_of_day.reads
    assert (by_address.operation, condition(by_address)) == ("GetItem", 'pk = "{pk}"')
    assert (by_day.index, condition(by_day)) == (BY_DAY, 'dt_utc = "{day}"')
    assert by_day.newest_first


def test_an_item_is_found_by_its_address_and_by_its_day(store: Store) -> None:
    early, late = headline(), headline(WITHOUT_ID, UPLOADED.replace(hour=7))
    store.put_new_all([early, late, headline(WITH_ID + "?", UPLOADED.replace(day=7))])
    assert store.get(news_item(WITH_ID)) == early
    assert store.query(news_of_day(date(2025, 11, 6))).items == (late, early)


URLS = st.text(st.characters(exclude_categories=["Cs"]), max_size=80)


@given(URLS)
def test_a_key_is_a_tag_and_the_first_sixteen_digits_of_the_links_hash(url: str) -> None:
    tag, _, digits = pk_of(url).partition("#")
    assert tag in {"id", "h"}
    assert digits == hashlib.sha256(url.encode()).hexdigest()[:16]


@given(
    st.text("0123456789", max_size=9),
    st.sampled_from(["/news/a-", "/m/", "/research/reports/ARGUS_"]),
    st.sampled_from(["", "?a=1", "#b", "?id=123456.html", "#123456.html"]),
)
def test_six_digits_before_html_in_the_path_are_an_article_id(
    digits: str, path: str, rest: str
) -> None:
    url = f"https://finance.yahoo.com{path}{digits}.html{rest}"
    assert article_id(url) == (digits if len(digits) >= 6 else None)
    assert pk_of(url).startswith("id#" if len(digits) >= 6 else "h#")


@given(URLS, URLS)
def test_two_links_have_two_keys(one: str, other: str) -> None:
    assert (pk_of(one) == pk_of(other)) == (one == other)


@given(st.datetimes(datetime(2024, 1, 1), datetime(2030, 12, 31)))  # noqa: DTZ001 - given UTC below
def test_all_clocks_of_an_item_are_one_moment_in_whole_seconds(moment: datetime) -> None:
    item = headline(at=moment.replace(tzinfo=UTC))
    ms = item.uploaded_at_utc_ms
    assert ms % 1000 == 0
    assert 0 <= moment.replace(tzinfo=UTC).timestamp() * 1000 - ms < 1000
    for iso in (item.uploaded_at_est_iso, item.uploaded_at_kst_iso):
        assert datetime.fromisoformat(iso).timestamp() * 1000 == ms
    assert item.dt_est == item.uploaded_at_est_iso[:10]
    assert item.dt_kst == item.uploaded_at_kst_iso[:10]
    assert item.tz_est_is_dst == item.uploaded_at_est_iso.endswith("-04:00")
    assert item.tz_est_abbr == ("EDT" if item.tz_est_is_dst else "EST")
