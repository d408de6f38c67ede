"""The feed: other stories than the list's, without tickers."""

from __future__ import annotations

from html import escape
from typing import Final

from gotgan.world.news.stories import WorldStory, newest
from gotgan.world.scene import Scene, SceneResponse

__all__ = ["feed"]

_ITEMS: Final = 49


def feed(scene: Scene) -> SceneResponse:
    """The feed of the newest stories."""
    items = "\n".join(_item(story) for story in newest(scene, _ITEMS, "feed"))
    text = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<rss xmlns:media="http://search.yahoo.com/mrss/" version="2.0"><channel>
<title>Yahoo Finance</title><link>https://finance.yahoo.com/</link>
<description>Stock market news</description><language>en-US</language>
{items}
</channel></rss>
"""
    return SceneResponse(text.encode(), kind="application/rss+xml; charset=utf-8")


def _item(story: WorldStory) -> str:
    separator = "&" if story.query else "?"
    link = f"{story.address}{separator}.tsrc=rss"
    return (
        f"<item><title>{escape(story.title)}</title><link>{escape(link)}</link>"
        f"<pubDate>{story.at:%Y-%m-%dT%H:%M:%SZ}</pubDate>"
        f'<source url="https://{story.host}/">{escape(story.publisher)}</source>'
        f'<guid isPermaLink="false">{escape(story.path)}</guid></item>'
    )
