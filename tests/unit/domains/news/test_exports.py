"""Stories as a data set."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from gotgan.domains.news.exports import MAX_EMPTY_DAYS, news_data_sets
from gotgan.domains.news.models import Story
from gotgan.exports import DataSet, ExportSpan, Partition
from tests.unit.domains.news.conftest import NOON, Newsroom

DAY = timedelta(days=1)
ALL_DAYS = ExportSpan()


def data_set(newsroom: Newsroom) -> DataSet:
    [stories] = news_data_sets(newsroom.store)
    assert stories.name == "stories"
    return stories


def partitions(newsroom: Newsroom, span: ExportSpan = ALL_DAYS) -> list[Partition]:
    return [*data_set(newsroom).partitions(span)]


def rows(newsroom: Newsroom, partition: Partition) -> list[dict[str, Any]]:
    columns = [each.name for each in data_set(newsroom).columns]
    return [dict(zip(columns, row, strict=True)) for row in partition.rows()]


def test_a_story_is_exported_with_the_state_of_its_text(newsroom: Newsroom) -> None:
    item = newsroom.article()
    [before] = partitions(newsroom)
    [row] = rows(newsroom, before)
    assert (before.value, row["pk"], row["url"]) == ("2025-11-06", item.pk, item.url)
    assert (row["tickers"], row["uploaded_at"]) == (item.tickers, NOON)
    assert (row["date_utc"], row["date_seoul"]) == (NOON.date(), NOON.date())
    assert (row["text_state"], row["text_attempts"], row["text"]) == ("NEVER", 0, None)
    newsroom.news.bodies()
    [after] = partitions(newsroom)
    [row] = rows(newsroom, after)
    body = newsroom.body(item)
    assert after.version != before.version
    assert (row["text_state"], row["text_outcome"]) == ("DONE", "ok")
    assert (row["text"], row["word_count"]) == (body.text, body.word_count)
    assert partitions(newsroom)[0].version == after.version


def test_each_utc_day_is_a_partition_that_only_its_own_stories_change(newsroom: Newsroom) -> None:
    newsroom.stories(3)
    [first] = partitions(newsroom)
    newsroom.clock.advance(DAY)
    newsroom.news.upload([Story("Later", "https://news.example.com/later")])
    later, again = partitions(newsroom)
    assert (later.value, again.value) == ("2025-11-07", "2025-11-06")
    assert again.version == first.version
    assert len(rows(newsroom, first)) == 3


def test_days_are_listed_as_far_back_as_a_year_without_news(newsroom: Newsroom) -> None:
    newsroom.stories(1)
    newsroom.clock.advance((MAX_EMPTY_DAYS - 1) * DAY)
    assert [each.value for each in partitions(newsroom)] == ["2025-11-06"]
    newsroom.clock.advance(DAY)
    assert partitions(newsroom) == []
    since = ExportSpan(since=date(2025, 11, 1))
    assert [each.value for each in partitions(newsroom, since)] == ["2025-11-06"]
    until = ExportSpan(until=date(2025, 12, 1))
    assert [each.value for each in partitions(newsroom, until)] == ["2025-11-06"]
    assert partitions(newsroom, ExportSpan(until=date(2025, 11, 5))) == []


@pytest.mark.parametrize("count", [0, 250])
def test_all_stories_of_a_day_are_exported(newsroom: Newsroom, count: int) -> None:
    newsroom.stories(count)
    found = [row for each in partitions(newsroom) for row in each.rows()]
    assert len(found) == count
