"""The feeds of the open newspaper: RSS, Atom, JSON Feed, a news sitemap, and one that is flawed.

They list stories at the newspaper's own addresses. Some of them are on the finance site too, under
almost the same title.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from html import escape
from typing import Final

from gotgan.world.news.stories import NEWSPAPER, WorldStory, newest_stories
from gotgan.world.scene import Scene, SceneResponse

_NAME: Final = "Example News"
_OWN: Final = 24
_SHARED: Final = 18
_SHARED_EACH: Final = 3
"""Every third story of the finance site's list is in the newspaper too."""


def newspaper_stories(scene: Scene) -> list[WorldStory]:
    """What the newspaper lists: its own stories, and some that the finance site has too."""
    shared = newest_stories(scene, _SHARED)[::_SHARED_EACH]
    own = newest_stories(scene, _OWN, "feed")
    return sorted((*own, *shared), key=lambda story: story.at, reverse=True)


def _link(story: WorldStory) -> str:
    return f"https://{NEWSPAPER}{story.elsewhere}"


def _title(story: WorldStory) -> str:
    return f"{story.title} - {_NAME}"


def _rss(scene: Scene) -> str:
    items = "\n".join(
        f"<item><title><![CDATA[{_title(each)}]]></title><link>{_link(each)}</link>"
        f"<media:title>A picture</media:title><guid>{_link(each)}</guid>"
        f"<pubDate>{each.at:%a, %d %b %Y %H:%M:%S} +0000</pubDate></item>"
        for each in newspaper_stories(scene)
    )
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel>
<title>{_NAME}</title><link>https://{NEWSPAPER}/</link><description>All of it</description>
{items}
</channel></rss>
"""


def _atom(scene: Scene) -> str:
    entries = "\n".join(
        f'<entry><id>urn:uuid:{each.uuid}</id><title type="html">{escape(escape(_title(each)))}'
        f'</title><link rel="enclosure" href="/pictures/{each.uuid}.jpg"/>'
        f'<link href="{each.elsewhere}"/><updated>{each.at:%Y-%m-%dT%H:%M:%SZ}</updated></entry>'
        for each in newspaper_stories(scene)
    )
    return f"""\
<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>{_NAME}</title>
<id>https://{NEWSPAPER}/</id><updated>{scene.now.date()}T00:00:00Z</updated>
{entries}
</feed>
"""


def _json(scene: Scene) -> str:
    items = [
        {
            "id": each.uuid,
            "url": _link(each),
            "title": _title(each),
            "date_published": f"{each.at:%Y-%m-%dT%H:%M:%SZ}",
        }
        for each in newspaper_stories(scene)
    ]
    feed = {"version": "https://jsonfeed.org/version/1.1", "title": _NAME, "items": items}
    return json.dumps(feed, ensure_ascii=False)


def _sitemap(scene: Scene) -> str:
    urls = "\n".join(
        f"<url><loc>{_link(each)}</loc><news:news><news:publication><news:name>{_NAME}</news:name>"
        f"<news:language>{each.language[:2]}</news:language></news:publication>"
        f"<news:publication_date>{each.at:%Y-%m-%dT%H:%M:%SZ}</news:publication_date>"
        f"<news:title>{escape(_title(each))}</news:title></news:news></url>"
        for each in newspaper_stories(scene)
    )
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9">
{urls}
</urlset>
"""


def _malformed_feed(scene: Scene) -> str:
    """As many feeds are: entities of HTML, bare ampersands, and a control character."""
    return _rss(scene).replace("All of it", "All&nbsp;of it & more\x0b")


def _bomb(_: Scene) -> str:
    """A DOCTYPE whose entities grow without end."""
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    feed = "<rss><channel><title>&e9;</title></channel></rss>"
    return f'<!DOCTYPE rss [<!ENTITY e0 "lol">{entities}]>{feed}'


def _index(_: Scene) -> str:
    return (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>'
        f"<loc>https://{NEWSPAPER}/sitemap-news.xml</loc></sitemap></sitemapindex>"
    )


def _front(scene: Scene) -> str:
    """The front page, which names its feeds; that of comments is the first."""
    stories = "\n".join(
        f'<h2><a href="{each.elsewhere}">{escape(each.title)}</a></h2>'
        for each in newspaper_stories(scene)
    )
    return f"""\
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{_NAME}</title>
<link rel="alternate" type="application/rss+xml" title="Comments" href="/comments/feed.xml">
<link rel="alternate" type="application/rss+xml" title="{_NAME}" href="/rss.xml">
<link rel="alternate" type="application/atom+xml" title="{_NAME}" href="/atom.xml">
<link rel="alternate" hreflang="ko" href="/ko/"></head>
<body><h1>{_NAME}</h1>
{stories}
</body></html>
"""


_XML: Final = "application/xml; charset=utf-8"
_FEEDS: Final[Mapping[str, tuple[Callable[[Scene], str], str]]] = {
    "/latest/": (_front, "text/html; charset=utf-8"),
    "/rss.xml": (_rss, "application/rss+xml; charset=utf-8"),
    "/atom.xml": (_atom, "application/atom+xml"),
    "/feed.json": (_json, "application/feed+json"),
    "/sitemap-news.xml": (_sitemap, _XML),
    "/sitemap-news.xml.gz": (_sitemap, "application/gzip"),
    "/sitemap.xml": (_index, _XML),
    "/flawed.xml": (_malformed_feed, "text/html"),
    "/bomb.xml": (_bomb, _XML),
}


def newspaper_feed(scene: Scene, path: str) -> SceneResponse | None:
    """The feed at a path of the newspaper, or its front page; None if there is none."""
    if path not in _FEEDS:
        return None
    write, kind = _FEEDS[path]
    body = write(scene).encode()
    return SceneResponse(gzip.compress(body, mtime=0) if path.endswith(".gz") else body, kind=kind)
