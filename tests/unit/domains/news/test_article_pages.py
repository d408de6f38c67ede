"""Article pages that we did not write for the parser: those of the world, and real ones."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.domains.news.article import Article, Paywalled, Stub, extract_article
from gotgan.world.news.articles import article_page, story_author, story_paragraphs
from gotgan.world.news.stories import StoryKind, WorldStory, newest_stories
from gotgan.world.scene import Scene

RECORDED = Path(__file__).parents[4].parent / "shared" / "data" / "pages"
FEWEST_WORDS = 300
NOON = datetime(2026, 11, 6, 12, tzinfo=UTC)


def _listed(*kinds: StoryKind) -> list[WorldStory]:
    return [each for each in newest_stories(Scene(7, NOON), 400) if each.kind in kinds]


def _read(story: WorldStory) -> Article | Stub | Paywalled:
    return extract_article(article_page(story).body, story.address)


def test_the_articles_of_the_world_are_read_word_for_word() -> None:
    stories = _listed(StoryKind.STORY)
    extractors = set()
    for story in stories:
        found = _read(story)
        assert isinstance(found, Article)
        assert found.text.endswith("\n\n".join(story_paragraphs(story)))
        assert (found.title, found.provider) == (story.title, story.publisher)
        assert (found.author, found.language) == (story_author(story), story.language[:2])
        assert found.published_at == story.at.replace(
            microsecond=story.at.microsecond // 1000 * 1000
        )
        extractors.add(found.extractor)
    assert extractors == {"yahoo", "caas", "trafilatura"}


def test_the_stubs_of_the_world_are_told() -> None:
    stories = _listed(StoryKind.STUB)
    assert stories
    for story in stories:
        assert _read(story) == Stub()


def test_what_the_world_sells_is_told() -> None:
    stories = _listed(StoryKind.PREMIUM)
    assert stories
    for story in stories:
        found = _read(story)
        assert isinstance(found, Paywalled)
        assert found.text == story_paragraphs(story)[0]


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded pages are not here")
def test_real_articles_give_a_text_without_the_page_around_it() -> None:
    index = json.loads((RECORDED / "index.json").read_text(encoding="utf-8"))
    articles = [entry for entry in index if entry["page_type"] == "article"]
    found = {entry["id"]: _recorded(entry["id"], entry["url"]) for entry in articles[::4]}
    assert len(found) == 10
    few = {name: len(text.split()) for name, text in found.items()}
    assert {name: words for name, words in few.items() if words < FEWEST_WORDS} == {}
    assert [name for name, text in found.items() if "<div" in text or "function(" in text] == []


def _recorded(name: str, url: str) -> str:
    read = extract_article(gzip.decompress((RECORDED / f"{name}.html.gz").read_bytes()), url)
    assert isinstance(read, Article)
    assert read.title
    return read.text
