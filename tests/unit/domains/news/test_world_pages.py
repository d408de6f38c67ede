"""The parsers on the pages of the world, which knows what it listed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.news.latest import feed_stories, latest_stories
from gotgan.domains.news.models import Story
from gotgan.domains.news.pages import expect_feed, expect_page
from gotgan.errors import (
    BlockPage,
    ConsentPage,
    NoStories,
    PageError,
    TruncatedPage,
    WrongContentType,
)
from gotgan.world.faults import FaultKind
from gotgan.world.news.stories import newest_stories
from gotgan.world.scene import MARKUPS, Markup, SceneRequest, SceneResponse
from gotgan.world.world import World
from tests.unit.domains.news.pages import ADDRESS, answer

LIST = SceneRequest("finance.yahoo.com", "/topic/latest-news/")
FEED = SceneRequest("finance.yahoo.com", "/news/rssindex")
NOON = datetime(2026, 11, 6, 12, 34, 56, tzinfo=UTC)


def _world(seed: int = 7, markup: Markup = "2026", days: int = 0) -> World:
    clock = FixedClock(NOON + timedelta(days=days))
    return World(seed=seed, clock=clock, markup=markup, padding=2_000)


def _page(world: World, asked: SceneRequest = LIST) -> SceneResponse:
    return world.answer(asked)[0]


def _read(page: SceneResponse, url: str = ADDRESS) -> list[Story]:
    got = answer(page.body, page.kind, url)
    expect_page(got)
    return latest_stories(got.body, ADDRESS, charset=got.charset)


@pytest.mark.parametrize("markup", MARKUPS)
def test_a_list_is_read_exactly_as_it_was_listed(markup: Markup) -> None:
    for seed, days in product((1, 7), (0, 1)):
        world = _world(seed, markup, days)
        listed = newest_stories(world.scene, world.scene.cards)
        found = _read(_page(world))
        shown = [(each.title, each.address) for each in listed]
        assert [(story.title, story.url) for story in found] == shown
        assert _tickers(found[:-5]) == [each.tickers for each in listed[:-5]]


@pytest.mark.parametrize("markup", MARKUPS)
def test_what_the_json_does_not_know_has_the_tickers_that_are_on_show(markup: Markup) -> None:
    world = _world(markup=markup)
    listed = newest_stories(world.scene, world.scene.cards)[-5:]
    assert any(each.tickers for each in listed)
    for story, each in zip(_read(_page(world))[-5:], listed, strict=True):
        assert story.tickers in (each.tickers, each.tickers[:2])  # the newest shape shows two


def _tickers(stories: list[Story]) -> list[tuple[str, ...]]:
    return [story.tickers for story in stories]


def test_a_feed_is_read_exactly_as_it_was_written() -> None:
    world = _world()
    page = _page(world, FEED)
    expect_feed(answer(page.body, page.kind))
    found = feed_stories(page.body, ADDRESS)
    listed = newest_stories(world.scene, len(found), "feed")
    assert [story.title for story in found] == [each.title for each in listed]
    assert all(
        story.url.startswith(each.address) for story, each in zip(found, listed, strict=True)
    )
    assert {story.tickers for story in found} == {()}


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (FaultKind.BLOCK, BlockPage),
        (FaultKind.CUT, TruncatedPage),
        (FaultKind.EMPTY, NoStories),
        (FaultKind.WRONG_TYPE, WrongContentType),
    ],
)
@pytest.mark.parametrize("markup", MARKUPS)
def test_each_fault_of_a_page_is_told_from_the_others(
    fault: FaultKind, error: type[PageError], markup: Markup
) -> None:
    world = _world(markup=markup)
    world.fail(LIST.host, LIST.path, fault)
    with pytest.raises(error) as caught:
        _read(_page(world))
    assert type(caught.value) is error


def test_a_form_of_consent_is_told_by_its_host_and_by_itself() -> None:
    page = _page(_world(), SceneRequest("consent.yahoo.com", "/v2/collectConsent"))
    for url in (ADDRESS, "https://consent.yahoo.com/v2/collectConsent?sessionId=x"):
        with pytest.raises(ConsentPage):
            _read(page, url)


def test_a_feed_that_was_cut_is_told() -> None:
    world = _world()
    world.fail(FEED.host, FEED.path, FaultKind.CUT)
    with pytest.raises(TruncatedPage):
        feed_stories(_page(world, FEED).body, ADDRESS)
