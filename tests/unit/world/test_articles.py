"""What is read at a story's address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from selectolax.lexbor import LexborHTMLParser

from gotgan.world.news.articles import story_author, story_paragraphs
from gotgan.world.news.stories import (
    CLOSED_NEWSPAPER,
    NEWSPAPER,
    YAHOO,
    StoryKind,
    WorldStory,
    newest_stories,
)
from gotgan.world.scene import Scene, SceneRequest
from gotgan.world.world import site_response

WRAPPED = "[data-testid=article-content-wrapper]"
BODY = f"{WRAPPED} .body-wrap .atoms-wrapper > p, {WRAPPED} [data-testid=read-more] > p"
CAAS = "div.caas-body > p"


def page_of(scene: Scene, story: WorldStory) -> LexborHTMLParser:
    page = site_response(scene, SceneRequest(story.host, story.path, story.query))
    assert page.status == 200
    return LexborHTMLParser(page.body)


def each_of(scene: Scene, *kinds: StoryKind) -> Iterator[tuple[WorldStory, LexborHTMLParser]]:
    for story in newest_stories(scene, 196):
        if story.kind in kinds and "guccounter" not in story.query:
            yield story, page_of(scene, story)


def linked_data(page: LexborHTMLParser) -> dict[str, Any]:
    script = page.css_first("script[type='application/ld+json']")
    assert script is not None
    about: dict[str, Any] = json.loads(script.text())
    return about


def texts(page: LexborHTMLParser, selector: str) -> list[str]:
    return [each.text() for each in page.css(selector)]


def shape_of(page: LexborHTMLParser) -> str:
    wrapper = page.css_first(WRAPPED)
    if wrapper is not None:
        return wrapper.tag or ""
    return "caas" if page.css(CAAS) else "unknown"


def test_the_site_has_articles_of_four_shapes(scene: Scene) -> None:
    shapes = {shape_of(page) for _, page in each_of(scene, StoryKind.STORY)}
    assert shapes == {"div", "article", "caas", "unknown"}


@pytest.mark.parametrize(
    ("shape", "selector"), [("div", BODY), ("article", BODY), ("caas", CAAS), ("unknown", "main p")]
)
def test_an_article_has_all_its_paragraphs_in_their_order(
    scene: Scene, shape: str, selector: str
) -> None:
    for story, page in each_of(scene, StoryKind.STORY):
        if shape_of(page) == shape:
            assert texts(page, selector) == story_paragraphs(story)


def test_half_of_an_article_waits_behind_a_button(scene: Scene) -> None:
    story, page = next(
        pair for pair in each_of(scene, StoryKind.STORY) if shape_of(pair[1]) in {"div", "article"}
    )
    assert texts(page, "[data-testid=read-more] > p") == story_paragraphs(story)[5:]
    assert page.css("[data-testid=read-more] [data-testid=inarticle-ad] p")


def test_a_paragraph_stands_twice_in_every_article(scene: Scene) -> None:
    for story in newest_stories(scene, 55):
        paragraphs = story_paragraphs(story)
        assert len(paragraphs) == len(set(paragraphs)) + 1


def test_an_article_says_who_wrote_it_when_and_in_which_language(scene: Scene) -> None:
    for story, page in each_of(scene, StoryKind.STORY):
        about, root = linked_data(page), page.css_first("html")
        assert root is not None
        assert root.attributes["lang"] == story.language
        assert about["datePublished"][:19] == story.at.isoformat()[:19]
        assert about["publisher"]["name"] == story.publisher
        if shape_of(page) in {"div", "article"}:
            assert texts(page, ".byline-attr-author") == [story_author(story)]
            [time] = page.css("time.byline-attr-meta-time")
            assert time.attributes["datetime"] == about["datePublished"]


def test_articles_come_in_three_languages(scene: Scene) -> None:
    assert {story.language for story in newest_stories(scene, 196)} == {"en-US", "de-DE", "ko-KR"}


def test_only_the_beginning_is_free_of_what_is_for_subscribers(scene: Scene) -> None:
    for story, page in each_of(scene, StoryKind.PREMIUM, StoryKind.REPORT):
        assert linked_data(page)["isAccessibleForFree"] is False
        assert page.css("[data-testid=paywall]")
        assert texts(page, BODY) == story_paragraphs(story)[:1]


def test_a_free_article_says_so(scene: Scene) -> None:
    for _, page in each_of(scene, StoryKind.STORY):
        assert linked_data(page)["isAccessibleForFree"] is True


def test_a_stub_leads_to_an_article_elsewhere(scene: Scene) -> None:
    for story, page in each_of(scene, StoryKind.STUB):
        [link] = page.css("a[data-testid=continue-reading]")
        assert link.attributes["href"] == f"https://{NEWSPAPER}{story.elsewhere}"
        elsewhere = site_response(scene, SceneRequest(NEWSPAPER, story.elsewhere))
        assert texts(LexborHTMLParser(elsewhere.body), "article > p") == story_paragraphs(story)


def test_a_film_has_a_sentence_and_no_article(scene: Scene) -> None:
    for story, page in each_of(scene, StoryKind.VIDEO):
        assert page.css("[data-testid=video-player]")
        assert texts(page, BODY) == story_paragraphs(story)[:1]


def test_an_article_on_another_site_has_that_sites_own_shape(scene: Scene) -> None:
    for story, page in each_of(scene, StoryKind.OFF_SITE):
        assert texts(page, "main article > p") == story_paragraphs(story)
        assert not page.css(WRAPPED)


@pytest.mark.parametrize(("kind", "status"), [(StoryKind.GONE, 410), (StoryKind.MISSING, 404)])
def test_a_listed_article_may_no_longer_be_there(
    scene: Scene, kind: StoryKind, status: int
) -> None:
    stories = [story for story in newest_stories(scene, 98) if story.kind is kind]
    assert stories
    assert {
        site_response(scene, SceneRequest(each.host, each.path)).status for each in stories
    } == {status}


@pytest.mark.parametrize("host", [YAHOO, NEWSPAPER, CLOSED_NEWSPAPER, "nobody.test"])
def test_an_address_that_nobody_has_is_missing(scene: Scene, host: str) -> None:
    assert (
        site_response(scene, SceneRequest(host, "/news/no-such-story-000000000.html")).status == 404
    )


def test_robots_are_told_where_they_may_go(scene: Scene) -> None:
    lines = site_response(scene, SceneRequest(YAHOO, "/robots.txt")).body.decode().splitlines()
    assert {"Allow: /topic/", "Allow: /news/", "Disallow: /xhr", "Disallow: /m/"} <= set(lines)
    assert (
        b"Disallow: /\n" in site_response(scene, SceneRequest(CLOSED_NEWSPAPER, "/robots.txt")).body
    )


def test_the_feed_has_stories_that_can_be_read_and_no_tickers(scene: Scene) -> None:
    page = site_response(scene, SceneRequest(YAHOO, "/news/rssindex"))
    items = ET.fromstring(page.body).findall("channel/item")  # noqa: S314 - our own
    assert page.kind.startswith("application/rss+xml")
    assert [item.findtext("title") for item in items] == [
        story.title for story in newest_stories(scene, 49, "feed")
    ]
    story = next(each for each in newest_stories(scene, 49, "feed") if each.kind is StoryKind.STORY)
    assert f"{story.address}?.tsrc=rss" in [item.findtext("link") for item in items]
    assert texts(page_of(scene, story), "h1") == [story.title]
