"""The news sites: the finance site with its feed and consent pages, and two newspapers."""

from __future__ import annotations

from html import escape
from typing import Final
from urllib.parse import quote
from uuid import UUID

from gotgan.world.news.articles import article_page, newspaper_article
from gotgan.world.news.feeds import newspaper_feed
from gotgan.world.news.latest import latest_page
from gotgan.world.news.stories import YAHOO, WorldStory, find_story, newest_stories
from gotgan.world.scene import (
    NOT_FOUND,
    Scene,
    SceneRequest,
    SceneResponse,
    plain_text,
    redirect,
    seeded_random,
)

_ROBOTS: Final = """\
User-agent: *
Allow: /topic/
Allow: /news/
Disallow: /xhr
Disallow: /caas/
Disallow: /m/
"""
_FEED_ITEMS: Final = 49
_PARTNERS: Final = 180
"""So many that the consent page has the size of a real one."""


def yahoo_site(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of finance.yahoo.com."""
    match request.path:
        case "/robots.txt":
            return plain_text(_ROBOTS)
        case "/topic/latest-news/":
            return latest_page(scene)
        case "/news/rssindex":
            return _rss_feed(scene)
    story = find_story(scene, YAHOO, request.path)
    return article_page(story) if story else NOT_FOUND


def _rss_feed(scene: Scene) -> SceneResponse:
    """Other stories than those of the list, without tickers."""
    items = "\n".join(_item(story) for story in newest_stories(scene, _FEED_ITEMS, "feed"))
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


def consent_redirect(request: SceneRequest) -> SceneResponse:
    """The redirect of a visitor who has not consented."""
    done = quote(request.address, safe="")
    return redirect(f"https://guce.yahoo.com/consent?brandType=eu&done={done}", 307)


def guce_site(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of guce.yahoo.com: a redirect to the form."""
    if request.path != "/consent":
        return NOT_FOUND
    return redirect(f"https://consent.yahoo.com/v2/collectConsent?sessionId={_session(scene)}")


def consent_site(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of consent.yahoo.com: the form, with status 200."""
    if request.path != "/v2/collectConsent":
        return NOT_FOUND
    session = escape(_session(scene))
    partners = "\n".join(
        f"<li>Partner {number}: storing and reading information, measuring, personal choice</li>"
        for number in range(1, _PARTNERS)
    )
    text = f"""\
<!doctype html>
<html lang="en-US"><head><meta charset="utf-8"><title>Your privacy choices</title></head>
<body><div id="consent-page"><h1>Before you continue</h1>
<form method="post" class="consent-form" action="/v2/collectConsent?sessionId={session}">
<input type="hidden" name="csrfToken" value="{session[-8:]}">
<input type="hidden" name="sessionId" value="{session}">
<p>We and our partners store information on a device and read it.</p>
<ul>
{partners}
</ul>
<button type="submit" class="accept-all" name="agree" value="agree">Accept all</button>
<button type="submit" class="reject-all" name="reject" value="reject">Reject all</button>
</form></div></body></html>
"""
    return SceneResponse(text.encode())


def _session(scene: Scene) -> str:
    number = seeded_random(scene.seed, scene.now.date(), "consent").getrandbits(128)
    return f"3_cc-session_{UUID(int=number, version=4)}"


def newspaper_site(scene: Scene, request: SceneRequest) -> SceneResponse:
    """A newspaper that robots may read."""
    if request.path == "/robots.txt":
        return plain_text("User-agent: *\nAllow: /\n")
    feed = newspaper_feed(scene, request.path)
    if feed is not None:
        return feed
    story = find_story(scene, request.host, request.path)
    return newspaper_article(story) if story else NOT_FOUND


def closed_newspaper_site(scene: Scene, request: SceneRequest) -> SceneResponse:
    """A newspaper whose robots.txt disallows everything."""
    if request.path == "/robots.txt":
        return plain_text("User-agent: *\nDisallow: /\n")
    return newspaper_site(scene, request)
