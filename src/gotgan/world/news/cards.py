"""The cards of the list page, in the three generations of its markup."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from html import escape
from typing import Final

from gotgan.world.news.stories import WorldStory
from gotgan.world.scene import Markup, Scene, chance

__all__ = ["SHOWN", "hashed", "stream"]

SHOWN: Final = 2
"""How many tickers a card of 2026 has room for; the embedded JSON has them all."""
_BETWEEN_ADS: Final = 6
_DAY: Final = 86_400
_HOUR: Final = 3_600
_AD: Final = (
    '<div class="sda" id="sda-{n}"><a href="https://ads.example-ads.test/click?id={n}&amp;s=yahoo"'
    ' class="subtle-link titles" title="Sponsored: a savings account"><h3 class="clamp">'
    "Sponsored: a savings account</h3></a></div>"
)


def stream(scene: Scene, stories: Sequence[WorldStory]) -> str:
    """The stories of a list page, with advertisements in between."""
    frame, item, advertisement = _GENERATIONS[scene.markup]
    parts = []
    for place, story in enumerate(stories):
        if place and place % _BETWEEN_ADS == 0:
            parts.append(advertisement.format(ad=_AD.format(n=place), hash=hashed(scene, "ad")))
        parts.append(item(scene, story))
    return frame.format(hash=hashed(scene, "stream"), items="\n".join(parts))


def hashed(scene: Scene, part: str) -> str:
    """A class as the site's builds name them: another one each day."""
    return f"yf-{chance(scene.seed, scene.now.date(), part).getrandbits(32):07x}"


def _card_of_2024(scene: Scene, story: WorldStory) -> str:
    href, title, style = escape(story.href), escape(story.title), hashed(scene, "card")
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
    href, title, style = escape(story.href), escape(story.title), hashed(scene, "card")
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
    href, title, style = escape(story.href), escape(story.title), hashed(scene, "card")
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
    style = hashed(scene, "ticker")
    links = "".join(
        f'<a class="ticker-link {style}" href="/quote/{escape(symbol)}/"><span class="symbol">'
        f'{escape(symbol)}</span><span class="change">{_change(scene, symbol)}</span></a>'
        for symbol in story.tickers[:SHOWN]
    )
    return f'\n<div class="ticker-wrapper {style}">{links}</div>'


def _change(scene: Scene, symbol: str) -> str:
    return f"{chance(scene.seed, scene.now.date(), symbol).uniform(-4, 4):+.2f}%"


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
"""What is around the cards, a card, and what is around an advertisement."""
