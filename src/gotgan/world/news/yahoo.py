"""The finance site: its list, its articles, its feed and its robots.txt."""

from __future__ import annotations

from typing import Final

from gotgan.world.news.articles import article_page
from gotgan.world.news.latest import latest_page
from gotgan.world.news.rss import feed
from gotgan.world.news.stories import YAHOO, find
from gotgan.world.scene import MISSING, Scene, SceneRequest, SceneResponse, plain

__all__ = ["finance"]

_ROBOTS: Final = """\
User-agent: *
Allow: /topic/
Allow: /news/
Disallow: /xhr
Disallow: /caas/
Disallow: /m/
"""


def finance(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What finance.yahoo.com answers."""
    match asked.path:
        case "/robots.txt":
            return plain(_ROBOTS)
        case "/topic/latest-news/":
            return latest_page(scene)
        case "/news/rssindex":
            return feed(scene)
    story = find(scene, YAHOO, asked.path)
    return article_page(story) if story else MISSING
