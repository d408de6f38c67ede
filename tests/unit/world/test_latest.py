"""The list page: three generations of markup, each with the traps of the real one."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from html import escape
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from gotgan.world.news.stories import YAHOO, WorldStory, newest_stories
from gotgan.world.scene import MARKUPS, Markup, Scene, SceneRequest
from gotgan.world.world import site_response

LINKS: dict[Markup, str] = {
    "2024": "ul.stream-items > li.story-item section[data-testid=storyitem] a.titles",
    "2026-quote": "section.stream-items > .stream-item > section[data-testid=storyitem] a.titles",
    "2026": "[data-testid=topic-stream] [data-testid=stream-card] > section.story-item a[title]",
}


def body_of(scene: Scene) -> bytes:
    return site_response(scene, SceneRequest(YAHOO, "/topic/latest-news/")).body


def page_of(scene: Scene) -> LexborHTMLParser:
    return LexborHTMLParser(body_of(scene))


def stream_in(page: LexborHTMLParser) -> list[dict[str, Any]]:
    script = page.css_first("script[data-sveltekit-fetched][data-url^='/xhr/ncp']")
    assert script is not None
    answer = json.loads(json.loads(script.text())["body"])
    [stream] = answer["data"].values()
    return [entry["content"] for entry in stream["stream"] if entry["content"]]


def addresses_of(content: dict[str, Any]) -> set[str]:
    links = (content["canonicalUrl"], content["clickThroughUrl"])
    return {link["url"] for link in links if link is not None}


@pytest.mark.parametrize("markup", MARKUPS)
def test_each_generation_lists_the_newest_stories_in_their_order(
    scene: Scene, markup: Markup
) -> None:
    links = page_of(replace(scene, markup=markup)).css(LINKS[markup])
    shown = [(link.attributes["href"], link.attributes["title"]) for link in links]
    assert shown == [(story.href, story.title) for story in newest_stories(scene, 55)]


@pytest.mark.parametrize("markup", MARKUPS)
def test_the_stream_has_advertisements_that_look_like_stories(scene: Scene, markup: Markup) -> None:
    page = page_of(replace(scene, markup=markup))
    assert len(page.css("a[title][href*='ads.example-ads.test'] > h3")) == 9
    assert not page.css(f"{LINKS[markup]}[href*='ads.example-ads.test']")


@pytest.mark.parametrize("markup", MARKUPS)
def test_other_stories_stand_beside_the_stream(scene: Scene, markup: Markup) -> None:
    others = page_of(replace(scene, markup=markup)).css("aside a.titles, .hero a.titles")
    listed = {story.href for story in newest_stories(scene, 55)}
    assert len(others) == 12
    assert not {other.attributes["href"] for other in others} & listed


@pytest.mark.parametrize("markup", MARKUPS)
def test_the_json_has_the_tickers_under_an_address_or_uuid(scene: Scene, markup: Markup) -> None:
    known = stream_in(page_of(replace(scene, markup=markup)))
    by_address = {address: each for each in known for address in addresses_of(each)}
    for story in newest_stories(scene, 50):
        content = by_address[story.address]
        symbols = [each["symbol"] for each in content["finance"]["stockTickers"] or ()]
        assert (content["id"], tuple(symbols)) == (story.uuid, story.tickers)
        assert (content["clickThroughUrl"] is None) == (story.host != YAHOO)


def test_the_oldest_cards_are_missing_in_the_json_and_show_all_their_tickers(scene: Scene) -> None:
    page = page_of(scene)
    known = {each["id"] for each in stream_in(page)}
    cards = zip(newest_stories(scene, 55), page.css("[data-testid=stream-card]"), strict=True)
    missing = [(story, card) for story, card in cards if story.uuid not in known]
    assert missing
    for story, card in missing:
        shown = [symbol.text() for symbol in card.css(".ticker-wrapper a.ticker-link span.symbol")]
        assert tuple(shown) == story.tickers


def test_tickers_stand_in_the_markup_of_2024_and_not_on_quote_pages(scene: Scene) -> None:
    marks = "a[data-testid=ticker-container][aria-label]"
    labels = [each.attributes["aria-label"] for each in page_of(of(scene, "2024")).css(marks)]
    assert labels == [symbol for story in newest_stories(scene, 55) for symbol in story.tickers]
    assert not page_of(of(scene, "2026-quote")).css(f"{marks}, .symbol")


def test_a_card_of_a_quote_page_names_the_story_by_its_uuid(scene: Scene) -> None:
    links = page_of(of(scene, "2026-quote")).css(LINKS["2026-quote"])
    for story, link in zip(newest_stories(scene, 55), links, strict=True):
        assert (link.attributes["data-ylk"] or "").endswith(f"g:{story.uuid}")
        yga = json.loads(link.attributes["data-yga"] or "")
        assert yga["yDestinationContentUUID"] == story.uuid


def of(scene: Scene, markup: Markup) -> Scene:
    return replace(scene, markup=markup)


@pytest.mark.parametrize("markup", MARKUPS)
def test_a_link_with_a_query_is_escaped_once(scene: Scene, markup: Markup) -> None:
    body = body_of(of(scene, markup)).decode()
    hrefs = [story.href for story in newest_stories(scene, 55) if "&" in story.href]
    assert any(href.startswith("/research/") for href in hrefs)
    assert any("?src=A00220&yptr=yahoo" in href for href in hrefs)
    for href in hrefs:
        assert f'href="{escape(href)}"' in body
        assert f'href="{href}"' not in body


def test_titles_hold_what_a_page_must_escape(scene: Scene) -> None:
    titles = "".join(story.title for story in newest_stories(scene, 300))
    assert {"&", "<", '"', "'", "’", "ü", "분"} <= set(titles)  # noqa: RUF001


def test_classes_of_the_build_are_others_each_day(scene: Scene) -> None:
    def classes(at: Scene) -> set[str]:
        body = page_of(at).css_first("body")
        assert body is not None
        return set((body.attributes["class"] or "").split())

    assert classes(scene) == classes(replace(scene, now=scene.now + timedelta(hours=1)))
    assert classes(scene) != classes(replace(scene, now=scene.now + timedelta(days=1)))


def test_a_page_can_be_made_as_large_as_a_real_one(scene: Scene) -> None:
    small, large = (len(body_of(replace(scene, padding=size))) for size in (0, 2_000_000))
    assert 1_900_000 < large - small < 2_100_000


def test_a_page_shows_as_many_cards_as_wanted(scene: Scene) -> None:
    assert len(page_of(replace(scene, cards=3)).css("[data-testid=stream-card]")) == 3


def test_what_is_shown_of_the_time_fits_the_moment(scene: Scene) -> None:
    dates = page_of(scene).css(".published-date")
    assert [each.text() for each in dates] == [
        _ago(scene, story) for story in newest_stories(scene, 55)
    ]


def _ago(scene: Scene, story: WorldStory) -> str:
    minutes = int((scene.now - story.at).total_seconds()) // 60
    if minutes < 60:
        return f"{minutes}m ago"
    return f"{minutes // 60}h ago" if minutes < 1440 else f"{minutes // 1440}d ago"
