"""The list page: its cards in three generations of markup, and the JSON that it embeds."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Any, Final

from gotgan.world.news.stories import NEWSPAPER, YAHOO, StoryKind, WorldStory, newest_stories
from gotgan.world.scene import Markup, Scene, SceneResponse, seeded_random

_MAX_CARD_TICKERS: Final = 2
"""Tickers on a card of 2026; the embedded JSON has them all."""
_CARDS_PER_AD: Final = 6
_DAY: Final = 86_400
_HOUR: Final = 3_600
_AD: Final = (
    '<div class="sda" id="sda-{n}"><a href="https://ads.example-ads.test/click?id={n}&amp;s=yahoo"'
    ' class="subtle-link titles" title="Sponsored: a savings account"><h3 class="clamp">'
    "Sponsored: a savings account</h3></a></div>"
)


def _cards_html(scene: Scene, stories: Sequence[WorldStory]) -> str:
    frame, item, advertisement = _GENERATIONS[scene.markup]
    parts = []
    for place, story in enumerate(stories):
        if place and place % _CARDS_PER_AD == 0:
            parts.append(
                advertisement.format(ad=_AD.format(n=place), hash=_style_class(scene, "ad"))
            )
        parts.append(item(scene, story))
    return frame.format(hash=_style_class(scene, "stream"), items="\n".join(parts))


def _style_class(scene: Scene, part: str) -> str:
    """A class name as the site's builds make them, new each day."""
    return f"yf-{seeded_random(scene.seed, scene.now.date(), part).getrandbits(32):07x}"


def _card_of_2024(scene: Scene, story: WorldStory) -> str:
    href, title, style = escape(story.href), escape(story.title), _style_class(scene, "card")
    tickers = "".join(
        f'<a data-testid="ticker-container" class="ticker {style}" href="/quote/{escape(symbol)}/"'
        f' aria-label="{escape(symbol)}"><span class="symbol">{escape(symbol)}</span>'
        f"<span>{_change(scene, symbol)}</span></a>"
        for symbol in story.tickers
    )
    return f"""\
<li class="stream-item story-item {style}"><section class="container {style}" data-testid="storyitem">
<a class="subtle-link thumb {style}" href="{href}" aria-label="{title}" tabindex="-1"><img alt=""></a>
<div class="content {style}"><a class="subtle-link fin-size-small titles noUnderline {style}" \
href="{href}" title="{title}"><h3 class="clamp {style}">{title}</h3></a>
<div class="publishing {style}">{escape(story.publisher)} <i>•</i> {_ago(scene.now, story.at)}</div>
<div class="tickers {style}">{tickers}</div></div></section></li>"""  # noqa: E501 - as on the site


def _card_of_2026_quote(scene: Scene, story: WorldStory) -> str:
    href, title, style = escape(story.href), escape(story.title), _style_class(scene, "card")
    ylk = escape(f"elm:hdln;elmt:link;itc:0;pos:1;sec:qsp-news;g:{story.uuid}")
    yga = escape(json.dumps({"yLinkText": "story", "yDestinationContentUUID": story.uuid}))
    return f"""\
<div class="stream-item {style}"><section class="container {style}" data-testid="storyitem">
<a class="subtle-link thumb {style}" href="{href}" aria-label="{title}" data-ylk="{ylk}"><img alt=""></a>
<div class="content {style}"><a class="subtle-link titles {style}" href="{href}" title="{title}" \
data-ylk="{ylk}" data-yga="{yga}"><h3 class="clamp {style}">{title}</h3></a>
<div class="publishing {style}">{escape(story.publisher)} • {_ago(scene.now, story.at)}</div>
</div></section></div>"""  # noqa: E501 - as on the site


def _card_of_2026(scene: Scene, story: WorldStory) -> str:
    href, title, style = escape(story.href), escape(story.title), _style_class(scene, "card")
    return f"""\
<li class="{style}"><div data-testid="stream-card" class="card {style}"><section class="story-item {style}">
<a class="subtle-link {style}" href="{href}" title="{title}" aria-label="{title}">
<h3 class="{style}">{title}</h3></a>
<div class="footer {style}"><span class="publisher {style}">{escape(story.publisher)}</span>
<span class="published-date {style}">{_ago(scene.now, story.at)}</span></div>{_tickers_of_2026(scene, story)}
</section></div></li>"""  # noqa: E501 - as on the site


def _tickers_of_2026(scene: Scene, story: WorldStory) -> str:
    if not story.tickers:
        return ""
    style = _style_class(scene, "ticker")
    links = "".join(
        f'<a class="ticker-link {style}" href="/quote/{escape(symbol)}/"><span class="symbol">'
        f'{escape(symbol)}</span><span class="change">{_change(scene, symbol)}</span></a>'
        for symbol in story.tickers[:_MAX_CARD_TICKERS]
    )
    return f'\n<div class="ticker-wrapper {style}">{links}</div>'


def _change(scene: Scene, symbol: str) -> str:
    return f"{seeded_random(scene.seed, scene.now.date(), symbol).uniform(-4, 4):+.2f}%"


def _ago(now: datetime, at: datetime) -> str:
    seconds = int((now - at).total_seconds())
    if seconds < _HOUR:
        return f"{seconds // 60}m ago"
    return f"{seconds // _HOUR}h ago" if seconds < _DAY else f"{seconds // _DAY}d ago"


_Card = Callable[[Scene, WorldStory], str]
_GENERATIONS: Final[Mapping[Markup, tuple[str, _Card, str]]] = {
    "2024": (
        '<ul class="stream-items {hash}">\n{items}\n</ul>',
        _card_of_2024,
        '<li class="stream-item ad-item {hash}">{ad}</li>',
    ),
    "2026-quote": (
        '<section class="stream-items {hash}">\n{items}\n</section>',
        _card_of_2026_quote,
        '<div class="stream-item {hash}">{ad}</div>',
    ),
    "2026": (
        '<div data-testid="topic-stream"><ul data-testid="list-ds">{items}</ul></div>',
        _card_of_2026,
        '<li class="{hash}">{ad}</li>',
    ),
}
"""The frame of the cards, a card, and the frame of an advertisement."""


_STREAM: Final = "/xhr/ncp?location=US&queryRef=topicsDetailFeed&serviceKey=ncp_fin&lang=en-US"
_QUOTES: Final = "https://query1.finance.yahoo.com/v7/finance/quote?symbols=%5EGSPC%2CCL%3DF"


def _embedded_scripts(scene: Scene, stories: Sequence[WorldStory]) -> str:
    entries = [_entry(story) for story in stories]
    entries[3:3] = [{"id": "ad-1", "ad": True, "content": None}]
    name = "tickerStream" if scene.markup == "2026-quote" else "topicStream"
    stream = {"data": {name: {"stream": entries, "nextPage": True}}, "status": "OK"}
    return _sveltekit_script(_QUOTES, _quotes(scene)) + "\n" + _sveltekit_script(_STREAM, stream)


def _sveltekit_script(address: str, answer: Any) -> str:
    """A response as SvelteKit embeds it: JSON whose body is JSON in a string."""
    body = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    kept = json.dumps({"status": 200, "statusText": "OK", "headers": {}, "body": body})
    inert = kept.replace("<", "\\u003C")
    url = address.replace("&", "&amp;")
    return (
        f'<script type="application/json" data-sveltekit-fetched data-url="{url}" data-ttl="1">'
        f"{inert}</script>"
    )


def _entry(story: WorldStory) -> dict[str, Any]:
    is_off_site = story.host != YAHOO
    link = {"url": story.address.partition("?")[0], "site": "finance", "region": "US"}
    if is_off_site:
        link["url"] = story.address
    elif story.kind is StoryKind.STUB:  # the publisher's article, which the site only leads to
        link["url"] = f"https://{NEWSPAPER}{story.elsewhere}"
    content = {
        "id": story.uuid,
        "contentType": "VIDEO" if story.kind is StoryKind.VIDEO else "STORY",
        "title": story.title,
        "pubDate": f"{story.at:%Y-%m-%dT%H:%M:%SZ}",
        "provider": {"displayName": story.publisher},
        "canonicalUrl": link,
        "clickThroughUrl": None if is_off_site else {**link, "url": story.address},
        "finance": {
            "stockTickers": [{"symbol": symbol} for symbol in story.tickers] or None,
            "premiumFinance": {
                "isPremiumNews": story.kind in (StoryKind.PREMIUM, StoryKind.REPORT)
            },
        },
    }
    return {"id": story.uuid, "content": content}


def _quotes(scene: Scene) -> dict[str, Any]:
    """Another embedded response, with symbols of no story."""
    dice = seeded_random(scene.seed, scene.now.date(), "quotes")
    prices = {"^GSPC": dice.uniform(6000, 7000), "CL=F": dice.uniform(50, 90)}
    result = [{"symbol": name, "price": round(price, 2)} for name, price in prices.items()]
    return {"quoteResponse": {"result": result, "error": None}}


_ASIDE: Final = 12
_AHEAD: Final = 5
"""How many of the oldest cards the JSON may omit."""
_PIECE: Final = 500
"""About the bytes of one piece of padding."""


def latest_page(scene: Scene) -> SceneResponse:
    """The page of the newest stories."""
    stories = newest_stories(scene, scene.cards)
    return _page(
        scene,
        _cards_html(scene, stories),
        _embedded_scripts(scene, _embedded_stories(scene, stories)),
    )


def empty_page(scene: Scene) -> SceneResponse:
    """The same page without a single story."""
    return _page(scene, "<p>Nothing to show at the moment.</p>", "")


def _embedded_stories(scene: Scene, stories: Sequence[WorldStory]) -> list[WorldStory]:
    """The stories in the JSON: all but a few whose tickers the markup shows in full."""
    if scene.markup == "2026-quote":
        return list(stories)
    ahead = len(stories) - _AHEAD
    return [
        each for n, each in enumerate(stories) if n < ahead or len(each.tickers) > _MAX_CARD_TICKERS
    ]


def _page(scene: Scene, main: str, scripts: str) -> SceneResponse:
    others = newest_stories(scene, _ASIDE, "feed")
    text = f"""\
<!doctype html>
<html lang="en-US" data-color-scheme="light">
<head><meta charset="utf-8"><title>Latest Stock Market News</title>
<link rel="canonical" href="https://finance.yahoo.com/topic/latest-news/">
<style>{_styles(scene)}</style></head>
<body class="{_style_class(scene, "body")}">
<header><nav><a href="/" title="Home"><h3>Home</h3></a>
<a href="/topic/latest-news/" title="Latest news">Latest news</a></nav></header>
<main class="{_style_class(scene, "main")}"><h1>Latest news</h1>
{_hero(others[0])}
{main}
</main>
<aside class="{_style_class(scene, "aside")}"><h2>Trending</h2>{_trending(others[1:])}</aside>
<footer><a href="https://guce.yahoo.com/privacy-dashboard" title="Privacy">Privacy</a></footer>
{scripts}
{_state(scene)}
</body></html>
"""
    return SceneResponse(text.encode())


def _hero(story: WorldStory) -> str:
    """A story above the list."""
    href, title = escape(story.href), escape(story.title)
    return (
        f'<section class="hero" data-testid="storyitem"><a class="subtle-link titles" href="{href}"'
        f' title="{title}"><h2>{title}</h2></a></section>'
    )


def _trending(stories: Sequence[WorldStory]) -> str:
    items = "".join(
        f'<li><section class="story-item"><a class="subtle-link titles" href="{escape(each.href)}"'
        f' title="{escape(each.title)}"><h3 class="clamp">{escape(each.title)}</h3></a></section>'
        "</li>"
        for each in stories
    )
    return f'<ul class="trending" data-testid="list-ds">{items}</ul>'


def _styles(scene: Scene) -> str:
    """Half of the padding: rules for unused classes."""
    pieces = range(scene.padding // 2 // _PIECE)
    return "\n".join(_rules(scene, piece) for piece in pieces)


def _rules(scene: Scene, piece: int) -> str:
    names = [f".yf-{piece:04x}{letter}{scene.seed % 10}" for letter in "abcdefghi"]
    return " ".join(f"{name}{{display:flex;margin:0 auto;padding:{piece % 9}px}}" for name in names)


def _state(scene: Scene) -> str:
    """The other half: JSON for another script."""
    dice = seeded_random(scene.seed, scene.now.date(), "padding")
    pieces = range(scene.padding // 2 // _PIECE)
    points = [[dice.randrange(10_000_000) for _ in range(63)] for _ in pieces]
    return _sveltekit_script("/xhr/charts", {"chart": {"result": points}})
