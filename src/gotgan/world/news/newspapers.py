"""Two newspapers of their own: one that lets itself be read, and one that does not."""

from __future__ import annotations

from html import escape

from gotgan.world.news.articles import document, paragraphs
from gotgan.world.news.prose import author_of, paragraphs_of
from gotgan.world.news.stories import WorldStory, find
from gotgan.world.scene import MISSING, Scene, SceneRequest, SceneResponse, plain

__all__ = ["newspaper", "reluctant"]


def newspaper(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """A newspaper that everybody may read."""
    if asked.path == "/robots.txt":
        return plain("User-agent: *\nAllow: /\n")
    story = find(scene, asked.host, asked.path)
    return document(story, _article(story)) if story else MISSING


def reluctant(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """A newspaper that wants no robot."""
    if asked.path == "/robots.txt":
        return plain("User-agent: *\nDisallow: /\n")
    return newspaper(scene, asked)


def _article(story: WorldStory) -> str:
    return f"""\
<main><article><header><h1>{escape(story.title)}</h1>
<p class="by">{escape(author_of(story))}, {escape(story.publisher)}</p></header>
{paragraphs(paragraphs_of(story))}
</article></main>"""
