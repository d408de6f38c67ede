"""The same story at several sources: told by its title, and never taken for another story."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.domains.news.models import Story
from gotgan.domains.news.twins import title_keys
from gotgan.encoding import encode
from gotgan.world.news.stories import NEWSPAPER
from tests.unit.domains.news.conftest import Newsroom

TITLE = "Marlow Biotech's profit rises 12% after a quiet quarter"


@pytest.mark.parametrize(
    "other",
    [
        TITLE.upper(),
        f"{TITLE} - Example News",
        f"{TITLE} | The Daily Tally",
        f"UPDATE 1-{TITLE}",
        f"BREAKING: {TITLE}",
        f"[\uc18d\ubcf4] {TITLE}",
        TITLE.replace("'", "\u2019") + "\u2026",
        TITLE.replace(" ", "\u00a0"),
    ],
)
def test_a_title_may_be_written_in_several_ways(other: str) -> None:
    assert title_keys(TITLE) & title_keys(other)


@pytest.mark.parametrize(
    "other",
    [
        TITLE.replace("12", "14"),
        TITLE.replace("rises", "falls"),
        TITLE.replace("Marlow", "Harlow"),
        f"{TITLE} of talks",
        "Marlow Biotech's profit",
    ],
)
def test_another_story_has_another_title(other: str) -> None:
    assert not title_keys(TITLE) & title_keys(other)


@pytest.mark.parametrize("title", ["", "Stock market today", "Morning brief: oil - Wire"])
def test_a_short_title_says_too_little(title: str) -> None:
    assert title_keys(title) == frozenset()


def _upload(newsroom: Newsroom, source: str, title: str = TITLE) -> str:
    url = f"https://{source}.example/{len(title)}"
    [item] = newsroom.news.upload([Story(title, url)], source=source).new
    return item.pk


def test_the_same_story_is_listed_beside_the_items_and_never_instead(newsroom: Newsroom) -> None:
    keys = {_upload(newsroom, source) for source in ("yf_latest", "wire", "tally")}
    alone = _upload(newsroom, "wire", TITLE.replace("12", "14") + " and more")
    page = newsroom.news.list()
    assert {item.pk for item in page} == {*keys, alone}
    assert {pk: {each.pk for each in twins} for pk, twins in page.also_at.items()} == {
        pk: keys - {pk} for pk in keys
    }
    shown = encode(page)
    assert set(shown) == {"items", "cursor", "read", "alsoAt"}
    assert len(shown["items"][0]) == 14
    first = min(keys)
    assert {each.pk for each in newsroom.news.get(first).also_at} == keys - {first}
    assert newsroom.news.get(alone).also_at == ()


def test_items_of_one_source_are_not_grouped(newsroom: Newsroom) -> None:
    _upload(newsroom, "wire")
    newsroom.news.upload([Story(TITLE, "https://wire.example/again")], source="wire")
    assert newsroom.news.list().also_at == {}


def test_a_story_of_another_week_is_another_story(newsroom: Newsroom) -> None:
    old = _upload(newsroom, "wire")
    newsroom.clock.advance(timedelta(days=1))
    next_day = _upload(newsroom, "tally")
    newsroom.clock.advance(timedelta(days=2))
    late = _upload(newsroom, "ledger")
    also_at = newsroom.news.list().also_at
    assert {pk: [each.pk for each in twins] for pk, twins in also_at.items()} == {
        old: [next_day],
        next_day: [old],
    }
    assert late not in also_at


def test_a_twin_on_another_page_of_the_list_is_found(newsroom: Newsroom) -> None:
    first, second = _upload(newsroom, "wire"), _upload(newsroom, "tally")
    page = newsroom.news.list(limit=1)
    [item] = page.items
    other = ({first, second} - {item.pk}).pop()
    assert [each.pk for each in page.also_at[item.pk]] == [other]


def test_with_yahoo_alone_nothing_is_read_for_it(newsroom: Newsroom) -> None:
    newsroom.news.collect()
    with newsroom.store.metered("list") as measured:
        page = newsroom.news.list()
    assert page.also_at == {}
    assert measured.cost.reads <= page.cost.reads + 0.5


def test_the_newspaper_of_the_world_has_some_stories_of_yahoos_list(newsroom: Newsroom) -> None:
    newsroom.news.collect()
    newsroom.news.sources.add(f"https://{NEWSPAPER}/rss.xml")
    newsroom.news.poll()
    also_at = newsroom.news.list(limit=100).also_at
    sources = {each.source for twins in also_at.values() for each in twins}
    assert sources == {"yf_latest", "example-news.test"}
