"""The JSON that a list page carries along: what its scripts would otherwise ask for again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from gotgan.world.news.stories import NEWSPAPER, YAHOO, StoryKind, WorldStory
from gotgan.world.scene import Scene, chance

__all__ = ["answer_of", "embedded"]

_STREAM: Final = "/xhr/ncp?location=US&queryRef=topicsDetailFeed&serviceKey=ncp_fin&lang=en-US"
_QUOTES: Final = "https://query1.finance.yahoo.com/v7/finance/quote?symbols=%5EGSPC%2CCL%3DF"


def embedded(scene: Scene, stories: Sequence[WorldStory]) -> str:
    """The scripts of a page that shows these stories."""
    entries = [_entry(story) for story in stories]
    entries[3:3] = [{"id": "ad-1", "ad": True, "content": None}]
    name = "tickerStream" if scene.markup == "2026-quote" else "topicStream"
    stream = {"data": {name: {"stream": entries, "nextPage": True}}, "status": "OK"}
    return answer_of(_QUOTES, _quotes(scene)) + "\n" + answer_of(_STREAM, stream)


def answer_of(address: str, answer: Any) -> str:
    """One answer as SvelteKit keeps it: JSON in which the body is JSON in a string."""
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
    """Another answer on the same page, with symbols that belong to no story."""
    dice = chance(scene.seed, scene.now.date(), "quotes")
    prices = {"^GSPC": dice.uniform(6000, 7000), "CL=F": dice.uniform(50, 90)}
    result = [{"symbol": name, "price": round(price, 2)} for name, price in prices.items()]
    return {"quoteResponse": {"result": result, "error": None}}
